#!/bin/bash
# build-pgo.sh [FOLDER]: builds dcsim with gcc, runs it, and builds it again for what it did most (profile-guided
# optimisation). Takes twice as long as the preset `release`; docs/performance.md says how much faster the program is.
# FOLDER: build/pgo if none is given. Results are the same bits (same-bits.sh).
set -euo pipefail
root=$(realpath "$(dirname "$0")/..")
folder=$(realpath -m "${1:-$root/build/pgo}")
cd "$root"
# A program that only counts is not left behind.
trap 'rm -f "$folder/dcsim"' ERR

build() {
    cmake --preset release -B "$folder" -DCMAKE_C_COMPILER=gcc -DCMAKE_C_FLAGS="${CFLAGS:-} $1" >/dev/null
    cmake --build "$folder" --parallel "${CMAKE_BUILD_PARALLEL_LEVEL:-$(nproc)}" --target dcsim
}

simulate() {
    "$folder/dcsim" --config "$@" --threads 1 --quiet >/dev/null
}

find "$folder" -name '*.gcda' -delete 2>/dev/null || true
build -fprofile-generate
simulate configs/quickstart.json --set replications=1
simulate tests/data/every-feature.json
simulate tests/data/shared-green.json
simulate tests/data/shared-fused.json
for policy in baymax c-laius mps-priority; do
    simulate tests/data/shared-mps.json --set policy.name=$policy
done
# What these did not run is optimised as ever.
build "-fprofile-use -fprofile-partial-training -Wno-missing-profile"
