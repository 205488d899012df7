#!/bin/bash
# Pins: every C, C++ and CUDA file is as clang-format leaves it.
set -eu
cd "$SOURCE_DIR"
command -v clang-format >/dev/null || exit 77
[[ -d .git || -f .git ]] || exit 77
git ls-files -z '*.c' '*.h' '*.cu' '*.cuh' '*.cpp' | xargs -0 clang-format --dry-run -Werror
