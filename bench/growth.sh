#!/bin/bash
# How the work for a request grows: instructions for each, counted by callgrind, over 1 to 10 000 GPUs (a domain each,
# router least_outstanding, fcfs, load 0.8), and over the load on 1 000 GPUs. The difference of runs of 16 000 and 32 000
# requests, so without what is done once.
# Usage: bench/growth.sh [BUILD_FOLDER]; needs valgrind.
set -euo pipefail
cd "$(dirname "$0")/.."
build=${1:-build/release}
command -v valgrind >/dev/null || { echo "valgrind is not installed: growth is left out" && exit 0; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

count() { # DOMAINS LOAD REQUESTS: instructions of the run
    local rate
    rate=$(awk -v n="$1" -v load="$2" 'BEGIN { printf "%.6f", n * load * 100 }')
    cat >"$work/growth.json" <<JSON
{ "policy": { "name": "fcfs" }, "cluster": { "domains": $1, "devices": 1, "router": "least_outstanding" },
  "applications": [ { "name": "server", "class": "latency", "service": { "distribution": "exponential", "mean_ms": 10 } } ],
  "workload": { "services": [ { "application": "server", "requests": $3, "arrivals": { "rate_per_s": $rate } } ] } }
JSON
    valgrind --tool=callgrind --toggle-collect=cluster_run --callgrind-out-file=/dev/null "$build/dcsim" --config "$work/growth.json" \
        --threads 1 --quiet 2>&1 </dev/null | sed -n 's/.* refs: *//p' | tr -d ,
}

each() { # DOMAINS LOAD
    local few many
    few=$(count "$1" "$2" 16000)
    many=$(count "$1" "$2" 32000)
    echo $(((many - few) / 16000))
}

echo "Instructions for a request"
printf '%8s %5s %13s\n' domains load instructions
for domains in 1 10 100 1000 10000; do
    printf '%8d %5s %13d\n' "$domains" 0.8 "$(each "$domains" 0.8)"
done
for load in 0.2 0.5 0.95; do
    printf '%8d %5s %13d\n' 1000 "$load" "$(each 1000 "$load")"
done
