#!/bin/bash
# Speed beside peers, as ratios within one run of this script:
#   the event list beside std::priority_queue and std::set (g++), and cimba where its source is given,
#   a whole M/M/1 simulation beside SimPy (python3-simpy).
# Usage: bench/peers.sh [BUILD_FOLDER [CIMBA_SOURCE]]; the peers that are not there are left out, said so.
#   CIMBA_SOURCE  a checkout of github.com/ambonvik/cimba; needs nasm
set -euo pipefail
cd "$(dirname "$0")/.."
build=${1:-build/release} cimba=${2:-}
python=python3
[[ -x /usr/bin/python3 ]] && python=/usr/bin/python3 # the one that distribution packages are for
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Compiles cimba with the flags of its release build and links hold_cimba.c with it.
build_cimba() {
    local source part
    source=$(realpath "$cimba")
    for part in exponential normal; do
        gcc -O2 -o "$work/calc" "$source/codegen/calc_$part.c" "$source/codegen/calc_utils.c" -lm
        "$work/calc" >"$work/cmi_random_${part:0:3}_zig.inc"
    done
    for part in "$source"/src/port/x86-64/linux/*.asm; do
        nasm -f elf64 -o "$work/$(basename "$part").o" "$part"
    done
    gcc -std=gnu2x -include stdbool.h -include assert.h -O3 -DNDEBUG -DNLOGINFO -w -flto=auto -ftls-model=initial-exec \
        -fno-semantic-interposition -I"$work" -I"$source/include" -I"$source/src" -Ibench -o "$work/hold_cimba" \
        "$source"/src/*.c "$source"/src/port/x86-64/linux/*.c "$work"/*.o bench/hold_cimba.c -lm -lpthread
}

# One line of each program in turn, for each distribution and number of pending events, three times.
run_holds() {
    local distribution pending
    for _ in 1 2 3; do
        for distribution in exponential uniform bimodal ties heavy; do
            for pending in 4 16 64 1000 10000 100000 1000000; do
                "$build/bench/hold" 0.2 "$distribution" "$pending"
                [[ ! -x $work/hold_cimba ]] || "$work/hold_cimba" 0.2 "$distribution" "$pending"
                [[ $distribution != exponential ]] || "$work/hold_std" 0.2 "$distribution" "$pending"
            done
        done
    done
}

echo "Event list: million hold operations per second, and how many times faster ours is (medians of the ratios of 3 pairs)"
g++ -O3 -o "$work/hold_std" bench/hold_std.cpp
if [[ -n $cimba ]]; then build_cimba; else echo "no source of cimba is given: left out"; fi
run_holds | awk -f bench/hold_table.awk

cat >"$work/mm1.json" <<'JSON'
{ "policy": { "name": "fcfs" }, "horizon": { "duration_s": 4000 },
  "applications": [ { "name": "server", "class": "latency",
    "service": { "distribution": "exponential", "mean_ms": 10 } } ],
  "workload": { "services": [ { "application": "server",
    "arrivals": { "process": "poisson", "rate_per_s": 80 } } ] } }
JSON
user_seconds() { # of a command, its output thrown away
    local TIMEFORMAT=%U
    { time "$@" >/dev/null 2>&1; } 2>&1
}
echo
echo "M/M/1, 320 000 requests, one thread, user seconds"
if "$python" -c "import simpy" 2>/dev/null; then
    for _ in 1 2 3; do
        ours=$(user_seconds "$build/dcsim" --config "$work/mm1.json" --threads 1)
        peer=$(user_seconds "$python" bench/mm1_simpy.py 80 0.01 4000)
        awk -v o="$ours" -v p="$peer" 'BEGIN { printf "dcsim %.3f, SimPy %.3f: x %.0f\n", o, p, p / o }'
    done
else
    echo "SimPy is not installed (package python3-simpy): left out"
fi
