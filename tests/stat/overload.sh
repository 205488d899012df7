#!/bin/bash
# How often the rule for overload is wrong: M/M/4, as requests of a service and as jobs of many requests each that a
# replay draws, started from empty, one run each.
#
#   tests/stat/overload.sh [all]    a few loads and seeds; all: 200 seeds, loads 0.5 to 1.5
#
# Pins: of long runs at most 2 % are called overloaded at a load of up to 0.8, and all but 2 % from 1.2 on. With "all"
# prints the table of docs/validation/queueing.md. Does not pin: where a run is short and the load is close to 1.
# shellcheck source=tests/e2e/lib.sh
source "$SOURCE_DIR/tests/e2e/lib.sh"
seeds=25
loads=(0.8 1.2)
if [[ ${1:-} == all ]]; then
    seeds=200
    loads=(0.5 0.7 0.8 0.9 0.95 1.05 1.1 1.2 1.5)
fi

# A service of 100 requests a second at a load of 1; requests of 40 ms.
# shellcheck disable=SC2317
write_service() { # LOAD SECONDS
    cat <<JSON
{ "policy": { "name": "fcfs" }, "cluster": { "devices": 4 }, "horizon": { "duration_s": $2 },
  "applications": [ { "name": "s", "class": "latency",
                      "service": { "distribution": "exponential", "mean_ms": 40 } } ],
  "workload": { "services": [ { "application": "s", "arrivals": { "rate_per_s": $(awk "BEGIN { print 100 * $1 }") } } ] },
  "sweep": { "axes": [ { "key": "seed", "from": 1, "to": $seeds, "step": 1 } ] }, "replications": 1 }
JSON
}

# Jobs of 40 s, exponential, in requests of 1 s each.
# shellcheck disable=SC2317
write_jobs() { # LOAD JOBS
    cat <<JSON
{ "policy": { "name": "fcfs" }, "cluster": { "devices": 4 },
  "applications": [ { "name": "b", "class": "batch", "service": { "mean_ms": 1000 } } ],
  "workload": { "jobs": [ { "jobs": $2, "arrivals": { "rate_per_s": $(awk "BEGIN { print 0.1 * $1 }") },
      "batch_applications": "b", "latency": { "fraction": 0 },
      "batch": { "duration": { "distribution": "exponential", "mean_s": 40 } } } ] },
  "sweep": { "axes": [ { "key": "seed", "from": 1, "to": $seeds, "step": 1 } ] }, "replications": 1 }
JSON
}

# share KIND LOAD SIZE RULE: per cent of the runs that are called overloaded; RULE backlog: without the offered load,
# by requests that are inside or were never issued.
share() {
    rm -f r.db
    "write_$1" "$2" "$3" >config.json
    "$DCSIM" --config config.json --output r.db --quiet --jobs 2 2>err >out || {
        fail "$1 at $2: $(head -1 err)"
        return
    }
    if [[ $4 == all ]]; then
        sqlite3 r.db "SELECT 100.0 * avg(overloaded) FROM headline"
    else
        sqlite3 r.db "SELECT 100.0 * avg(unfinished > 0.05) FROM headline"
    fi
}

check() { # LOAD SHARE WHAT
    checks=$((checks + 1))
    awk "BEGIN { exit !(($1 <= 0.8 && $2 > 2) || ($1 >= 1.2 && $2 < 98)) }" && fail "$3 at $1: $2 %"
}

row() { # KIND SIZE RULE WHAT
    local line="| $4 |" load value
    for load in "${loads[@]}"; do
        value=$(share "$1" "$load" "$2" "$3")
        line+=" $value |"
        [[ $5 == long ]] && check "$load" "$value" "$4"
    done
    echo "$line"
}

printf '| load |'
printf ' %s |' "${loads[@]}"
echo
[[ ${1:-} == all ]] && row service 10 all "requests for 10 s, up to 1500" short
row service 100 all "requests for 100 s, up to 15 000" long
row service 100 backlog "the same, were the load not known" long
[[ ${1:-} == all ]] && row jobs 200 all "200 jobs" short
row jobs 2000 all "2000 jobs" long
row jobs 2000 backlog "the same, were the load not known" long
finish
