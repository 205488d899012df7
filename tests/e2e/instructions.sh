#!/bin/bash
# Instructions, which say the same on every machine, where seconds do not.
#
# Pins: what an operation of the event list, a request of M/M/1, a kernel of shared devices and a peak rate cost at
# most, counted by callgrind in an optimised build. A bound is up to 5 % above what gcc 12 and clang 14 need, and
# below what it took before it was made cheaper last: who makes something cheaper lowers it, and says so in
# bench/NOTES.md. Does not pin: time spent waiting for memory.
# shellcheck source=tests/e2e/lib.sh
source "$SOURCE_DIR/tests/e2e/lib.sh"

[[ -z ${SANITIZE:-} ]] || { echo "skipped: a sanitizer's instructions are counted, too" && exit 77; }
command -v valgrind >/dev/null || { echo "skipped: valgrind is not installed" && exit 77; }
grep -q '^CMAKE_BUILD_TYPE:STRING=Release$' "$BINARY_DIR/CMakeCache.txt" || { echo "skipped: no Release build" && exit 77; }

# count FUNCTION COMMAND...: sets instructions to those in the function and what it calls.
count() {
    valgrind --tool=callgrind --toggle-collect="$1" --callgrind-out-file=/dev/null "${@:2}" >out 2>err </dev/null ||
        fail "${*:2}: exit code $?"
    instructions=$(sed -n 's/.* refs: *//p' err | tr -d ,)
    [[ ${instructions:-0} -gt 0 ]] || fail "nothing was counted in $1"
}

# at_most BOUND WHAT INSTRUCTIONS TIMES
at_most() {
    checks=$((checks + 1))
    local each=$(($3 / $4))
    echo "$2: $each instructions, at most $1"
    [[ $each -le $1 ]] || fail "$2: $each instructions, at most $1: see bench/NOTES.md"
}

# Two batches of 100 000 operations, the first to warm up.
for line in "16 243 262" "1000 402 430"; do
    read -r pending bound of_clang <<<"$line"
    grep -q '^CMAKE_C_COMPILER:.*clang' "$BINARY_DIR/CMakeCache.txt" && bound=$of_clang
    count hold "$BINARY_DIR/bench/hold" 0.000001 exponential "$pending"
    at_most "$bound" "an operation of the event list with $pending pending" "$instructions" 200000
done

# Without what is done once: from 1000 to 3000 requests.
cat >mm1.json <<'JSON'
{ "policy": { "name": "fcfs" },
  "applications": [ { "name": "server", "class": "latency", "service": { "distribution": "exponential", "mean_ms": 10 } } ],
  "workload": { "services": [ { "application": "server", "requests": 1000, "arrivals": { "rate_per_s": 80 } } ] } }
JSON
mm1() {
    count cluster_run "$DCSIM" --config mm1.json --threads 1 --quiet --set "workload.services[0].requests=$1"
}
mm1 1000
few=$instructions
mm1 3000
at_most 3700 "a request of M/M/1" $((instructions - few)) 2000

# With what is done once, of 6 devices.
for line in "baymax 5010" "c-laius 7850" "mps-priority 5755"; do
    read -r policy bound <<<"$line"
    set -- "$DCSIM" --config "$SOURCE_DIR/tests/data/shared-mps.json" --set replications=1 --set horizon.duration_s=1 \
        --set outputs.decisions=false --set policy.name="$policy" --threads 1 --quiet
    expect 0 "$policy" "$@" --output "$policy.db"
    kernels=$(sqlite3 "$policy.db" "SELECT CAST(value AS INTEGER) FROM metric WHERE name = 'launches'")
    count cluster_run "$@"
    at_most "$bound" "a kernel under $policy" "$instructions" "$kernels"
done

# A peak rate, once for both points.
count dcs_peak_rate_per_s "$DCSIM" --config "$SOURCE_DIR/tests/data/shared-mps.json" --set replications=1 --set horizon.duration_s=0.01 \
    --set horizon.warmup_s=0 --quiet --jobs 1 --set 'workload.colocated=[]' --set 'sweep={"axes":[{"key":"policy.name","values":["fcfs","baymax"]}]}' \
    --set 'workload.services=[{"application":"answer","sla_factor":4,"arrivals":{"fraction_of_peak":0.3}}]'
at_most 1830 "a draw of a peak rate" "$instructions" 210000
finish
