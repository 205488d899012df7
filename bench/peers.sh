#!/bin/bash
# Speed beside peers that are to be had as packages, as ratios within one run of this script:
#   the event list beside std::priority_queue and std::set (g++),
#   a whole M/M/1 simulation beside SimPy (python3-simpy).
# Usage: bench/peers.sh [BUILD_FOLDER]; the peers that are not installed are left out, said so.
set -euo pipefail
cd "$(dirname "$0")/.."
build=${1:-build/release}
python=python3
[[ -x /usr/bin/python3 ]] && python=/usr/bin/python3 # the one that distribution packages are for
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

echo "Event list, million hold operations per second (medians of 5 runs, and the ratio to ours)"
g++ -O3 -o "$work/hold_std" bench/hold_std.cpp
for _ in 1 2 3 4 5; do
    "$build/bench/hold" 0.5 | awk '$1 == "hold" { print "ours", $2, $4 }'
    "$work/hold_std"
done | awk '
    { key = $1 " " $2; n[key]++; v[key, n[key]] = $3 }
    function median(key,   i, j, t, m) {
        m = n[key]
        for (i = 1; i <= m; i++) a[i] = v[key, i]
        for (i = 1; i <= m; i++) for (j = i + 1; j <= m; j++) if (a[j] < a[i]) { t = a[i]; a[i] = a[j]; a[j] = t }
        return a[int((m + 1) / 2)]
    }
    END {
        printf "%10s %10s %24s %24s\n", "pending", "ours", "std::priority_queue", "std::set"
        for (p = 100; p <= 100000; p *= 10) {
            o = median("ours " p); q = median("priority_queue " p); s = median("set " p)
            printf "%10d %10.1f %14.1f (x %4.1f) %14.1f (x %5.1f)\n", p, o, q, o / q, s, o / s
        }
    }'

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
