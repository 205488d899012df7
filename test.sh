#!/bin/bash
# From a fresh clone to passed tests: installs what is missing, builds with warnings as errors, runs
# the fast tier. The rest (both compilers, all sanitizers, long statistics, linters) is in .ci/full.
set -euo pipefail
cd "$(dirname "$0")"
scripts/install.sh build test
cmake --preset ci >/dev/null
cmake --build --preset ci --parallel "$(nproc)"
exec ctest --preset ci --parallel "$(nproc)" -LE slow "$@"
