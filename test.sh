#!/bin/bash
# From a fresh clone to passed tests: installs what is missing, builds with warnings as errors, runs
# the fast tier. The rest (both compilers, all sanitizers, long statistics, linters) is in .ci/full.
set -euo pipefail
cd "$(dirname "$0")"
scripts/install.sh build test
cmake --preset ci >/dev/null
jobs=${CMAKE_BUILD_PARALLEL_LEVEL:-$(nproc)}
cmake --build --preset ci --parallel "$jobs"
exec ctest --preset ci --parallel "${CTEST_PARALLEL_LEVEL:-$jobs}" -LE slow "$@"
