#!/bin/bash
# Functions that only their file can call are named by verb and object: no bare run, check, find, take, add,
# settle or ask, which a search or a stack trace cannot tell from the others of the name. A file's name says one
# thing in the whole project.
#
# Pins: no function is defined under one of these names, static or in an anonymous namespace, in C, CUDA or a
# header; no two folders hold a file of one name, whatever the ending; the files that docs/words.md names exist.
# Does not pin: members of structs and of classes, which stand behind the name of theirs; other verbs; files of
# programs that are measured, which have the name of what they compute on a GPU as on a CPU, and of policies/lib/,
# a small library of its own.
set -u
cd "$SOURCE_DIR" || exit 1
verbs='run|check|find|take|add|settle|ask'
failed=0

# definitions FILE...: where a line begins the definition of such a function.
definitions() {
    grep -nHE "^([A-Za-z_][A-Za-z_0-9 *]*[ *])?($verbs)\(" "$@"
}

case_file=$(mktemp)
trap 'rm -f "$case_file"' EXIT
printf '%s\n' 'static int run(void)' 'static const char *find(int a)' 'static struct a_thing *' 'ask(int b)' \
    'int check(void *state)' 'static int run_step(void)' '    int run(void);' '    add(1);' >"$case_file"
[[ $(definitions "$case_file" | wc -l) -eq 4 ]] || {
    echo "FAIL: of the names of the test's own file not the four bare ones were found"
    failed=1
}

mapfile -d '' files < <(find src traces calibrate bench docs -type f \
    \( -name '*.c' -o -name '*.h' -o -name '*.cu' -o -name '*.cuh' \) -print0)
while read -r place; do
    echo "FAIL: $place: name what it is done to, as in find_kernel"
    failed=1
done < <(definitions "${files[@]}")

while read -r name; do
    echo "FAIL: $name names files in several folders: say of each what it holds"
    failed=1
done < <(printf '%s\n' "${files[@]%.*}" | grep -vE '^src/policies/lib/|^calibrate/(apps|cpu_apps)/' | sort -u |
    sed 's|.*/||' | sort | uniq -d)

while read -r file; do
    [[ -e src/$file || -e $file ]] || {
        echo "FAIL: docs/words.md names $file, which does not exist"
        failed=1
    }
done < <(sed -nE 's/.*\| .([a-z0-9_/]+\.[a-z]+). \|$/\1/p' docs/words.md)

((${#files[@]} > 300)) || {
    echo "FAIL: only ${#files[@]} files were read: the test looked in the wrong place"
    failed=1
}
((failed == 0)) && echo "${#files[@]} files name what their functions are done to"
exit $failed
