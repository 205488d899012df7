#!/bin/bash
# From a fresh clone to a first result: installs what is missing, builds, runs configs/quickstart.json.
set -euo pipefail
cd "$(dirname "$0")"
scripts/install.sh build
cmake --preset release >/dev/null
cmake --build --preset release --parallel "${CMAKE_BUILD_PARALLEL_LEVEL:-$(nproc)}"
exec build/release/dcsim --config configs/quickstart.json "$@"
