#!/bin/bash
# Who may include whom (the design's rule), and: each header compiles on its own.
#
# Pins: des includes nothing of ours but des; models only des and models; a policy only policies/policy.h
# and policies/lib/; policy.h only param.h; calibrate its own, base.h, the tables of a profile and the law of CPUs; cJSON, SQLite, zlib and GSL stay where they belong; the
# sources speak of nothing but the project. Does not pin: who calls whom inside a layer.
set -u
cd "$SOURCE_DIR" || exit 1
failed=0

complain() {
    echo "FAIL: $1"
    failed=1
}

# includes FILE: the quoted includes of a file.
includes() {
    sed -nE 's/^[[:space:]]*#[[:space:]]*include[[:space:]]+"([^"]+)".*/\1/p' "$1"
}

# only FILE REGEX: every quoted include of FILE matches.
only() {
    local file=$1 allowed=$2 name
    while read -r name; do
        [[ -z $name || $name =~ $allowed ]] || complain "$file includes \"$name\""
    done < <(includes "$file")
}

checked=0
check_all() {
    local allowed=$1 file
    shift
    for file in "$@"; do
        [[ -e $file ]] || continue
        only "$file" "$allowed"
        checked=$((checked + 1))
    done
}

check_all '^des/' src/des/*.[ch]
check_all '^(des|models)/' src/models/*.[ch]
check_all '^(des|models)/|^traces/' traces/*.[ch] traces/*/*.[ch]
check_all '^calibrate/|^des/base\.h$|^models/(profile_schema|cpu)\.h$|^build_id\.h$' calibrate/*.{c,h,cu,cuh} calibrate/apps/* calibrate/cpu_apps/*
check_all '^policies/param\.h$' src/policies/policy.h
check_all '^policies/policy\.h$|^policies/lib/' src/policies/lib/*.h
for file in src/policies/*.c; do
    [[ $file == src/policies/policies.c ]] && continue
    check_all '^policies/policy\.h$|^policies/lib/' "$file"
done
for file in src/*.[ch]; do
    [[ $file == src/main.c ]] || ! includes "$file" | grep -q '^main' || complain "$file includes main"
    checked=$((checked + 1))
done

# library HEADER-REGEX ALLOWED-FILES-REGEX
library() {
    local header=$1 allowed=$2 file
    while read -r file; do
        [[ $file =~ $allowed ]] || complain "$file includes <$header>"
    done < <(grep -rlE "#[[:space:]]*include[[:space:]]+<$header>" src traces calibrate 2>/dev/null)
}
library 'cjson/cJSON\.h|cJSON\.h' '^src/options[a-z_]*\.[ch]$'
library 'sqlite3\.h' '^src/(store|results|compare|export|explain|report_data)[a-z_]*\.[ch]$|^src/models/profile[a-z_]*\.[ch]$|^traces/(import|jobs)|^calibrate/'
library 'zlib\.h' '^traces/'
library 'gsl/.*' '^src/des/'
library 'svm\.h' '^src/models/predictor_svm\.c$'
library 'math\.h' '^src/(des|models)/|^src/(metrics|overload|uncertainty|until|capacity|report|store|compare|config|options|trace)[a-z_]*\.[ch]$|^calibrate/'

# Each header stands alone.
compiler=${CC:-cc}
cflags=$(pkg-config --cflags gsl sqlite3 libcjson 2>/dev/null)
for header in src/des/*.h src/models/*.h src/policies/*.h src/policies/lib/*.h src/*.h traces/*.h traces/*/*.h; do
    [[ -e $header ]] || continue
    # shellcheck disable=SC2086
    printf '#include "%s"\n' "${header#src/}" |
        $compiler -std=c11 -D_GNU_SOURCE -Wall -Werror -fsyntax-only -Isrc -I. $cflags -x c - ||
        complain "$header does not compile alone"
    checked=$((checked + 1))
done
# The contract must be usable from C++ plug-ins' neighbours too: as plain C11 without extensions.
printf '#include "policies/policy.h"\n' |
    $compiler -std=c11 -pedantic-errors -Wall -Wextra -Werror -fsyntax-only -Isrc -x c - ||
    complain "policy.h is not plain C11"

((checked > 30)) || complain "only $checked files were checked: the test looked in the wrong place"
((failed == 0)) && echo "$checked files keep the rules"
exit $failed
