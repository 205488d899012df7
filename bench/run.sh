#!/bin/bash
# All measurements of speed: builds the release, and prints tables of peers.sh (medians, spread, ratios to what is
# installed), growth.sh (1 to 10 000 GPUs, over load), and kernels a second of shared devices on one thread and on all.
# Usage: bench/run.sh [CIMBA_SOURCE]; takes a quarter of an hour. Environment: as peers.sh.
set -euo pipefail
cd "$(dirname "$0")/.."
cmake --preset release >/dev/null
cmake --build --preset release --parallel "$(nproc)" >/dev/null
bench/peers.sh build/release "${1:-}"
echo
bench/growth.sh build/release
echo
echo "Shared devices, 600 GPUs over a second"
for policy in baymax c-laius mps-priority; do
    for threads in 1 "$(nproc)"; do
        echo "$policy, $threads threads:"
        build/release/bench/shared --threads "$threads" configs/c-laius/datacenter.json policy.name=$policy \
            horizon.warmup_s=0 horizon.duration_s=1 | sed -n '1,2s/^/  /p'
    done
done
