#!/bin/bash
# How often each rule for overload is wrong: M/M/4 from empty, as requests of a service, as jobs of many requests each
# that a replay draws, as whole jobs, and as requests of which some are dropped.
#
#   tests/stat/overload.sh [all]    a few loads and seeds; all: 200 seeds, loads 0.5 to 1.5
#
# Pins: each rule of runs/overload.h, told by its warning in the summary, fires in at most 2 % of long runs at a load of
# up to 0.8, and in all but 2 % from 1.2 on; so do all rules together. With "all" prints the table of
# docs/validation/queueing.md. Does not pin: where a run is short and the load is close to 1; the backlog of runs with a warm-up (test_intervals.c).
# shellcheck source=tests/e2e/lib.sh
source "$SOURCE_DIR/tests/e2e/lib.sh"
seeds=25
loads=(0.8 1.2)
if [[ ${1:-} == all ]]; then
    seeds=200
    loads=(0.5 0.7 0.8 0.9 0.95 1.05 1.1 1.2 1.5)
fi

# What the summary says where a rule holds.
declare -A warning=(
    [offered]='the services offer|services and jobs offer|by the (end|last arrival) [0-9]'
    [grows]='the backlog of'
    [inside]='.* were still inside at|.* of the jobs waited (at|when)'
    [behind]='the jobs of|.* of the GPU time that was due'
    [dropped]='.* were dropped'
    [any]='')

# A service of 100 requests a second at a load of 1; requests of 40 ms.
# shellcheck disable=SC2317
write_service() { # LOAD SECONDS RUNS
    cat <<JSON
{ "policy": { "name": "fcfs" }, "cluster": { "devices": 4 }, "horizon": { "duration_s": $2 },
  "applications": [ { "name": "s", "class": "latency",
                      "service": { "distribution": "exponential", "mean_ms": 40 } } ],
  "workload": { "services": [ { "application": "s", "arrivals": { "rate_per_s": $(awk "BEGIN { print 100 * $1 }") } } ] },
  "replications": ${3:-1} }
JSON
}

# The same, but who finds 16 others waiting is dropped (M/M/4/20): 2 % at a load of 0.9, 17 % at 1.2.
# shellcheck disable=SC2317
write_dropped() { write_service "$1" "$2"; }
sed -e 's/^    queue_push(&self->queue, 0, r, false);/    if (self->queue.count >= 16) {\n        host_drop(h, r);\n        return;\n    }\n&/' \
    -e 's/^const struct policy policy_fcfs;/POLICY_EXPORT extern const struct policy POLICY_SYMBOL;/' \
    -e 's/policy_fcfs = /POLICY_SYMBOL = /' -e 's/"fcfs"/"bounded"/' "$SOURCE_DIR/src/policies/fcfs.c" >bounded.c
gcc -std=c11 -O2 -fPIC -shared -I"$SOURCE_DIR/src" -o bounded.so bounded.c || fail "no policy that drops"

# Jobs of 40 s, exponential, in requests of 1 s each.
# shellcheck disable=SC2317
write_jobs() { # LOAD JOBS
    cat <<JSON
{ "policy": { "name": "fcfs" }, "cluster": { "devices": 4 },
  "applications": [ { "name": "b", "class": "batch", "service": { "mean_ms": 1000 } } ],
  "workload": { "jobs": [ { "jobs": $2, "arrivals": { "rate_per_s": $(awk "BEGIN { print 0.1 * $1 }") },
      "batch_applications": "b", "latency": { "fraction": 0 },
      "batch": { "duration": { "distribution": "exponential", "mean_s": 40 } } } ] }, "replications": 1 }
JSON
}

# The same jobs as whole jobs of one GPU, which wait for one of four, up to the time that as many take to arrive, or until all
# have ended. The seed of a config chooses nothing here: each has its own table.
# shellcheck disable=SC2317
write_gangs() { # LOAD JOBS [end]
    local seed horizon=0
    [[ ${3:-} == end ]] || horizon=$(awk "BEGIN { print $2 / (0.1 * $1) }")
    for ((seed = 1; seed <= seeds; seed++)); do
        rm -f "seed-$seed.db"
        awk -v seed="$seed" -v load="$1" -v jobs="$2" 'BEGIN { srand(1000 * load + seed); print "submit,run,gpus"
            for (i = 0; i < jobs; i++) { at -= log(1 - rand()) / (0.1 * load)
                printf "%.6f,%.6f,1\n", at, 0.001 - 40 * log(1 - rand()) } }' >jobs.csv
        "$DCSIM" trace import csv jobs.csv -o "seed-$seed.db" --quiet --map submit=submit,runtime=run,gpus=gpus >&2
    done
    cat <<JSON
{ "cluster": { "nodes": [ { "nodes": 1, "gpus": 4 } ] },
  "horizon": { "duration_s": $horizon },
  "workload": { "trace": [ { "database": "seed-1.db", "as": "gangs" } ] }, "replications": 1 }
JSON
}

# run KIND LOAD SIZE [RUNS]: a summary of each seed, in out-SEED.
run() {
    local more=(--set seed={})
    [[ $1 == gangs ]] && more=(--set 'workload.trace[0].database=seed-{}.db')
    [[ $1 == dropped ]] && more+=(--policy ./bounded.so)
    rm -f out-*
    "write_$1" "${@:2}" >config.json
    # shellcheck disable=SC2016
    seq "$seeds" | xargs -P 2 -I '{}' bash -c '"$DCSIM" --config config.json --jobs 1 "${@:2}" >out-"$1" 2>>err' - '{}' "${more[@]}" ||
        fail "$1 at $2: $(head -1 err)"
}

check() { # LOAD SHARE WHAT
    checks=$((checks + 1))
    awk "BEGIN { exit !(($1 <= 0.8 && $2 > 2) || ($1 >= 1.2 && $2 < 98)) }" && fail "$3 at $1: $2 %"
}

# rows WHAT long|short RULES KIND SIZE [RUNS]: a line of the table for each rule.
rows() {
    local what=$1 long=$2 rules=$3 rule load value
    local -A lines=()
    for load in "${loads[@]}"; do
        run "$4" "$load" "${@:5}"
        for rule in $rules; do
            value=$(grep -lE "^WARNING: overloaded: (${warning[$rule]})" out-* | wc -l | awk -v of="$seeds" '{ printf "%.1f", 100 * $1 / of }')
            lines[$rule]+=" $value |"
            [[ $long == long ]] && check "$load" "$value" "$what, $rule"
        done
    done
    for rule in $rules; do
        echo "| $what | $rule |${lines[$rule]}"
    done
}

printf '| of M/M/4 | rule |'
printf ' %s |' "${loads[@]}"
echo
[[ ${1:-} == all ]] && rows "requests for 10 s, up to 1500" short "offered inside any" service 10
rows "requests for 100 s, up to 15 000" long "offered inside any" service 100
rows "five runs of the same" long "grows" service 100 5
rows "the same, who finds 16 waiting is dropped" long "dropped" dropped 100
[[ ${1:-} == all ]] && rows "200 jobs" short "offered behind any" jobs 200
rows "2000 jobs" long "offered behind any" jobs 2000
[[ ${1:-} == all ]] && rows "200 whole jobs" short "offered inside behind any" gangs 200
rows "2000 whole jobs" long "offered inside behind any" gangs 2000
[[ ${1:-} == all ]] && rows "200 whole jobs to their end" short "offered inside behind any" gangs 200 end
rows "2000 whole jobs to their end" long "offered inside behind any" gangs 2000 end
finish
