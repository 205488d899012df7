#!/bin/bash
# Speed beside peers, as ratios within one run of this script, with their medians, least and greatest:
#   the event list beside std::priority_queue and std::set (g++), ns-3 (package libns3-dev), the timers of SimGrid
#   (libsimgrid-dev), and cimba where its source is given;
#   a whole M/M/1 simulation beside SimPy (python3-simpy or python3-simpy3) and cimba's processes.
# Usage: bench/peers.sh [BUILD_FOLDER [CIMBA_SOURCE]]; the peers that are not there are left out, said so.
#   CIMBA_SOURCE  a checkout of github.com/ambonvik/cimba; needs nasm
#   Environment: ROUNDS (5) pairs of each, SECONDS_EACH (0.2), HOLDS ("exponential uniform bimodal ties heavy")
set -euo pipefail
cd "$(dirname "$0")/.."
build=${1:-build/release} cimba=${2:-}
rounds=${ROUNDS:-5} seconds=${SECONDS_EACH:-0.2}
read -ra distributions <<<"${HOLDS:-exponential uniform bimodal ties heavy}"
python=python3
[[ -x /usr/bin/python3 ]] && python=/usr/bin/python3 # the one that distribution packages are for
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Compiles cimba with the flags of its release build; links hold_cimba.c, and cimba's own M/M/1, with it.
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
    for part in hold_cimba:bench/hold_cimba.c mm1_cimba:"$source/benchmark/MM1_single.c"; do
        gcc -std=gnu2x -include stdbool.h -include assert.h -O3 -DNDEBUG -DNLOGINFO -w -flto=auto -ftls-model=initial-exec \
            -fno-semantic-interposition -I"$work" -I"$source/include" -I"$source/src" -Ibench -o "$work/${part%%:*}" \
            "$source"/src/*.c "$source"/src/port/x86-64/linux/*.c "$work"/*.o "${part#*:}" -lm -lpthread
    done
}

build_std() {
    local flags=()
    if pkg-config --exists ns3-core 2>/dev/null; then
        read -ra flags <<<"-DHOLD_NS3 -std=c++17 $(pkg-config --cflags --libs ns3-core)"
    else
        echo "ns-3 is not installed (package libns3-dev): left out"
    fi
    g++ -O3 -o "$work/hold_std" bench/hold_std.cpp "${flags[@]}"
}

build_simgrid() {
    if [[ ! -e /usr/include/simgrid/kernel/Timer.hpp ]]; then
        echo "SimGrid is not installed (package libsimgrid-dev): left out"
    elif ! g++ -O3 -std=c++17 -o "$work/hold_simgrid" bench/hold_simgrid.cpp -lsimgrid 2>"$work/simgrid.log"; then
        tail -3 "$work/simgrid.log"
        echo "SimGrid does not compile with g++: left out"
    fi
}

# One line of each program in turn, for each distribution and number of pending events.
run_holds() {
    local distribution pending
    for ((i = 0; i < rounds; i++)); do
        for distribution in "${distributions[@]}"; do
            for pending in 4 16 64 1000 10000 100000 1000000; do
                "$build/bench/hold" "$seconds" "$distribution" "$pending"
                [[ ! -x $work/hold_cimba ]] || "$work/hold_cimba" "$seconds" "$distribution" "$pending"
                [[ $distribution != exponential ]] || "$work/hold_std" "$seconds" "$distribution" "$pending"
                [[ $distribution != exponential || ! -x $work/hold_simgrid ]] ||
                    "$work/hold_simgrid" "$seconds" "$distribution" "$pending"
            done
        done
    done
}

user_seconds() { # of a command, its output thrown away
    local TIMEFORMAT=%U
    { time "$@" >/dev/null 2>&1; } 2>&1
}

# compare_mm1 NAME COMMAND...: user seconds of ours and of a peer, one after the other, and the ratios.
compare_mm1() {
    for ((i = 0; i < rounds; i++)); do
        echo "$(user_seconds "$build/dcsim" --config "$work/mm1.json" --threads 1) $(user_seconds "${@:2}")"
    done | awk -v who="$1" '{ print $2 / $1, $1, $2 }' | sort -n | awk -v who="$1" '
        { ratio[NR] = $1; ours += $2; peer += $3 }
        END { m = int((NR + 1) / 2)
              printf "beside %s: x %.2f (%.2f-%.2f); dcsim %.2f s, %s %.2f s in the mean\n", who, ratio[m], ratio[1], ratio[NR], ours / NR, who, peer / NR }'
}

mm1_config() { # REQUESTS RATE_PER_S, of a server of one second
    cat >"$work/mm1.json" <<JSON
{ "policy": { "name": "fcfs" },
  "applications": [ { "name": "server", "class": "latency",
    "service": { "distribution": "exponential", "mean_ms": 1000 } } ],
  "workload": { "services": [ { "application": "server", "requests": $1,
    "arrivals": { "process": "poisson", "rate_per_s": $2 } } ] } }
JSON
}

echo "Event list: million hold operations per second, and how many times faster ours is"
echo "(median of $rounds pairs, with the least and the greatest)"
build_std
build_simgrid
if [[ -n $cimba ]]; then build_cimba; else echo "no source of cimba is given: left out"; fi
run_holds | awk -f bench/hold_table.awk

echo
echo "M/M/1, one thread, user seconds; how many times faster ours is (median of $rounds pairs, with the least and the greatest)"
if "$python" -c "import simpy" 2>/dev/null; then
    mm1_config 320000 0.8
    compare_mm1 SimPy "$python" bench/mm1_simpy.py 0.8 1 400000
else
    echo "SimPy is not installed (package python3-simpy or python3-simpy3): left out"
fi
if [[ -x $work/mm1_cimba ]]; then
    mm1_config 1000000 0.9 # as benchmark/MM1_single.c
    compare_mm1 cimba "$work/mm1_cimba"
fi
