#!/bin/bash
# Two libraries of the program that define a function of one name link without a word: the first one is called for
# both. Pins: each name that a library of src/ exports is defined in one of them alone.
set -u
shopt -s nullglob
libraries=("$BINARY_DIR"/src/*.a)
((${#libraries[@]} > 5)) || { echo "FAIL: no libraries in $BINARY_DIR/src"; exit 1; }
twice=$(nm -g --defined-only "${libraries[@]}" | awk '$2 ~ /^[TDBRV]$/ { print $3 }' | sort | uniq -d)
[[ -z $twice ]] || { echo "FAIL: more than one library defines: $twice"; exit 1; }
