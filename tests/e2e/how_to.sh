#!/bin/bash
# The pages of docs/how-to: what they tell to type, and what they say is printed.
#
#   tests/e2e/how_to.sh [--update] [PAGE...]     all pages, or those named ("my-trace")
#
# Pins: the commands of each page (blocks "sh"), typed in order where the page says that they are typed, a folder that holds
# examples/, plots/ and build/release, work and print on standard output what the page shows (the block without a word
# after them). In a block "text numbers-vary" every number, and how wide columns are, may differ: times and what a
# machine has. Blocks "sh not-here" need what this machine lacks, and are left out. Each page has at most 60 lines; its
# picture is made by its commands, here or in docs/img/how-to, and is a drawing. Does not pin: what the picture shows.
#
# --update writes what is printed now into the pages, and their pictures into docs/img/how-to. It takes the program
# $DCSIM, else build/release/dcsim.
SOURCE_DIR=${SOURCE_DIR:-$(cd "$(dirname "$0")/../.." && pwd)}
DCSIM=$(realpath "${DCSIM:-$SOURCE_DIR/build/release/dcsim}")
# shellcheck source=tests/e2e/lib.sh
source "$SOURCE_DIR/tests/e2e/lib.sh"

update=()
if [[ ${1:-} == --update ]]; then
    update=(--update)
    shift
fi
pages=("$@")
if ((${#pages[@]} == 0)); then
    for page in "$SOURCE_DIR"/docs/how-to/*.md; do
        pages+=("$(basename "$page" .md)")
    done
    ((${#pages[@]} >= 5)) || fail "there are ${#pages[@]} pages, not five"
fi
# The scratch folder of a page looks like the source folder after ./quickstart.sh.
for page in "${pages[@]}"; do
    mkdir -p "$page/docs/img/how-to" "$page/build"
    cp -r "$SOURCE_DIR/examples" "$SOURCE_DIR/plots" "$page"
    ln -s "$(dirname "$DCSIM")" "$page/build/release"
    checks=$((checks + 1))
    (cd "$page" && PATH="$PWD/build/release:$PATH" python3 "$SOURCE_DIR/tests/e2e/how_to_page.py" "${update[@]}" \
        "$SOURCE_DIR/docs/how-to/$page.md") || fail "the page $page"
    if ((${#update[@]} > 0)); then
        find "$page" "$page/docs/img/how-to" -maxdepth 1 -name '*.svg' -exec cp -t "$SOURCE_DIR/docs/img/how-to" {} +
    fi
done
finish
