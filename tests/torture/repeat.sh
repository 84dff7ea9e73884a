#!/bin/sh
# tests/lab/untouched.sh with 50 runs in a row.
RUNS=50 exec sh tests/lab/untouched.sh
