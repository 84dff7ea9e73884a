#!/bin/sh
# The short form of tests/torture/power_cuts.sh, always with the same seed.
CUTS=2 FULL_EVERY=2 SEED=${SEED:-1} NAME=power_cut exec sh tests/torture/power_cuts.sh
