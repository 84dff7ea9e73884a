#!/bin/sh
# tests/lab/exhaust.sh with every group and every format.
RUN=all FORMATS=json,text,html,junit,tap,csv,snapshot CPUS=4 exec sh tests/lab/exhaust.sh
