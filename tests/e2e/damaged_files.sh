#!/bin/bash
# A thousand damaged files, and every command that reads each: see damaged_files.py beside this file for what is pinned.
# CASES and SEED (environment) say how many and which. Does not pin: that a command notices damage that leaves a file
# valid.
# shellcheck source=tests/e2e/lib.sh
. "$(dirname "$0")/lib.sh"
command -v python3 >/dev/null || { echo "no python3"; exit 77; }
python3 "$SOURCE_DIR/tests/e2e/damaged_files.py" "$DCSIM" "$SOURCE_DIR" --seed "${SEED:-1}" --cases "${CASES:-1000}"
