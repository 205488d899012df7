#!/bin/bash
# Who may include whom (the design's rule), and: each header compiles on its own.
#
# Pins: a folder includes itself and what stands below it in src/CMakeLists.txt; a policy only
# policies/policy.h and policies/lib/; policy.h only param.h, kernel_counters.h, host_views.h; calibrate its own, base.h, the tables of a
# profile, the law of CPUs and the memory that drives a GPU; SQLite, zlib and GSL stay where they belong; each folder has a README of
# at most ten lines; no file has more than 600 lines; every struct dcs_err of a function is initialised. Does not
# pin: circles of files inside a folder (circles.py).
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

# Each folder, and what its files may include beside those of the folder itself: the same as its
# library links in src/CMakeLists.txt.
models='models/(profile|gpu|cpu|divisible|sm|predictor|workload)'
check_all '^des/' src/des/*.[ch]
check_all '^(text|des)/' src/text/*.[ch]
check_all '^(options|text|des)/|^policies/param\.h$' src/options/*.[ch]
check_all '^(models/profile|des)/' src/models/profile/*.[ch]
check_all '^(models/(profile|gpu)|des)/' src/models/gpu/*.[ch]
check_all '^(models/(profile|gpu|cpu)|des)/' src/models/cpu/*.[ch]
check_all '^(models/(profile|gpu|sm)|des)/' src/models/sm/*.[ch]
check_all '^(models/(profile|divisible)|des)/' src/models/divisible/*.[ch]
check_all '^(models/(profile|gpu|cpu|predictor)|des)/' src/models/predictor/*.[ch]
check_all '^(models/(profile|gpu|cpu|divisible|workload)|des)/' src/models/workload/*.[ch]
check_all '^(des|text|models|traces)/' traces/*.[ch] traces/*/*.[ch]
check_all '^(gangs|des)/' src/gangs/*.[ch]
below="des|text|policies|options|gangs|$models"
check_all "^(config|$below)/" src/config/*.[ch]
check_all "^(engine|des|policies|$models)/" src/engine/*.[ch]
below+="|config|traces|engine"
check_all "^(experiment|$below)/" src/experiment/*.[ch]
below+="|experiment"
check_all "^(runs|$below)/" src/runs/*.[ch]
below+="|runs"
check_all "^(results|$below)/|^build_id\.h$" src/results/*.[ch]
below+="|results"
check_all "^(report/console|$below)/" src/report/console/*.[ch]
check_all "^(report/page|$below)/|^build_id\.h$" src/report/page/*.[ch]
check_all "^(commands|report/console|report/page|$below)/|^build_id\.h$" src/commands/*.[ch]
check_all '^calibrate/|^des/base\.h$|^models/profile/profile_(schema|text)\.h$|^models/cpu/cpu\.h$|^runs/drive_link\.h$|^policies/(policy|policies|param)\.h$|^build_id\.h$' calibrate/*/*.{c,h,cu,cuh}
check_all '^policies/(param|kernel_counters|host_views)\.h$' src/policies/policy.h
check_all '^policies/policy\.h$|^policies/lib/' src/policies/lib/*.h
for file in src/policies/*.c; do
    [[ $file == src/policies/policies.c ]] && continue
    check_all '^policies/policy\.h$|^policies/lib/' "$file"
done
for folder in src/*/; do
    [[ -f ${folder}README.md ]] || complain "${folder}README.md is missing"
    [[ $(wc -l <"${folder}README.md") -le 10 ]] || complain "${folder}README.md has more than ten lines"
done
[[ $(find src -maxdepth 1 -type f ! -name main.c ! -name CMakeLists.txt | wc -l) -eq 0 ]] ||
    complain "src/ holds files beside main.c"

# A longer file has a second idea in it.
while read -r lines file; do
    ((lines <= 600)) || complain "$file has $lines lines: split it by what it is about, 600 are the most"
done < <(find src traces calibrate -name '*.[ch]' -exec wc -l {} + | grep -v ' total$')

# library HEADER-REGEX ALLOWED-FILES-REGEX
library() {
    local header=$1 allowed=$2 file
    while read -r file; do
        [[ $file =~ $allowed ]] || complain "$file includes <$header>"
    done < <(grep -rlE "#[[:space:]]*include[[:space:]]+<$header>" src traces calibrate 2>/dev/null)
}
library 'sqlite3\.h' '^src/(results|models/profile)/|^src/report/page/report_data|^src/commands/(compare|export|explain)|^traces/(import|jobs)|^calibrate/'
library 'zlib\.h' '^traces/|^src/models/profile/profile_gzip\.c$'
library 'gsl/.*' '^src/des/'
library 'svm\.h' '^src/models/predictor/predictor_svm\.c$'
library 'math\.h' '^src/(des|text|models|options|config|runs|results|report|commands)/|^calibrate/'

# Who adds a place to an error reads it first, whether or not somebody ignores it afterwards.
while read -r place; do
    complain "$place: a struct dcs_err without \"= {0}\""
done < <(find src traces calibrate bench -name '*.c' -exec awk '/^{/ { inside = 1 } /^}/ { inside = 0 }
    inside && /^ +struct dcs_err [a-z_]+;/ { print FILENAME ":" FNR }' {} +)

# Each header stands alone.
compiler=${CC:-cc}
cflags=$(pkg-config --cflags gsl sqlite3 2>/dev/null)
for header in src/*/*.h src/*/*/*.h traces/*.h traces/*/*.h; do
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
