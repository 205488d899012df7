#!/bin/bash
# Whole jobs from a table of one's own: import, run, results, and what is refused.
#
# Pins: start times of the schedule of test_gangs.c show in the waits; EASY; a horizon says what had not started;
# misfits are refused with their counts, or left out and counted; whole jobs do not mix, keys without effect and
# policies are refused; --print-config gives the same run again; a second run adds nothing; capacity finds the
# nodes; what is for requests (timelines) is refused. Does not pin: schedules (test_gangs.c).
# shellcheck source=tests/e2e/lib.sh
. "$(dirname "$0")/lib.sh"

table() {
    printf 'submit,run,gpus\n'
    printf '%s\n' "$@"
}
import() { "$DCSIM" trace import csv "$1" -o "$2" --quiet --map submit=submit,runtime=run,gpus=gpus >/dev/null; }

table 0,10,2 1,10,4 2,3,1 >jobs.csv
table 0,10,2 1,10,4 2,3,1 3,5,16 4,5,1.5 5,5,9 >odd.csv
import jobs.csv jobs.db || fail "import"
import odd.csv odd.db || fail "import of odd jobs"
cat >gangs.json <<'JSON'
{
    "cluster": { "nodes": [{ "nodes": 1, "gpus": 4 }] },
    "workload": { "trace": [{ "database": "jobs.db", "as": "gangs" }] }
}
JSON

# The starts are 0, 10 and 20: waits of 0, 9 and 18 s. With EASY the third starts at 2: 0, 9 and 0.
expect 0 "first come, first served" "$DCSIM" --config gangs.json --output r.db
says out '^queue wait +9\.00 s +9\.00 s +18\.0 s' "waits"
says out '^GPUs held +68\.48 %' "63 of 92 GPU seconds"
expect 0 "the same again" "$DCSIM" --config gangs.json --output r.db
[[ $(sqlite3 r.db "SELECT count(*) FROM run") == 1 ]] || fail "a second run was stored"
[[ $(sqlite3 r.db "SELECT value FROM metric WHERE name = 'queue_wait_max'") == 18000000000.0 ]] || fail "the metric"
expect 0 "EASY" "$DCSIM" --config gangs.json --set cluster.queue.order=easy
says out '^queue wait +3\.00 s +0 +9\.00 s' "waits with EASY"
expect 0 "report" "$DCSIM" report r.db -o r.html

# Until 15 s the third has not started: of three waits 0 and 9 are known, 13 was cut off.
expect 0 "a horizon" "$DCSIM" --config gangs.json --set horizon.duration_s=15
says out '^queue wait +4\.50 s +9\.00 s +-' "what was not reached"
says out 'WARNING: 1 jobs had not started' "who waits at the end"

expect 0 "canonical form" "$DCSIM" --config gangs.json --print-config
cp out canonical.json
expect 0 "the canonical form runs" "$DCSIM" --config canonical.json
says out '^queue wait +9\.00 s +9\.00 s +18\.0 s' "the same waits"

set_odd=(--config gangs.json --set 'workload.trace[0].database=odd.db')
refused 'trace\[0\]: 0 jobs ask for no GPU, 2 for more than a node has, .* first: job 4 asks for 16' "misfits" \
    "$DCSIM" "${set_odd[@]}"
expect 0 "left out" "$DCSIM" "${set_odd[@]}" --set cluster.queue.misfits=leave_out
says out 'left out of the trace.*0$|left out of the trace' "a warning"
says out '^1 jobs ask for a part of a GPU' "rounded up"
says out '^jobs +4$' "four of six"
refused '1 for more than a node or all has' "too large for all nodes" "$DCSIM" "${set_odd[@]}" \
    --set 'cluster.nodes[0].nodes=3' --set cluster.queue.across_nodes=true

refused 'missing key "nodes"' "no nodes" "$DCSIM" --config gangs.json --set cluster=null
refused 'policy.name: whole jobs do not share devices' "a policy" "$DCSIM" --config gangs.json --set policy.name=priority
refused 'profile: has no effect on whole jobs' "a profile" "$DCSIM" --config gangs.json --set profile=h200
refused 'trace\[0\].load: has no effect' "a load" "$DCSIM" --config gangs.json --set 'workload.trace[0].load=0.5'
refused 'do not mix with other work' "a service beside" "$DCSIM" --config gangs.json \
    --set 'workload.services=[{"application":"nw","arrivals":{"rate_per_s":1},"requests":9}]'
refused 'cluster.nodes: is for whole jobs' "nodes without whole jobs" "$DCSIM" --config gangs.json \
    --set 'workload.trace[0].as=applications' --set policy.name=fcfs
refused 'whole jobs without requests' "a timeline" "$DCSIM" --config gangs.json --timeline t.json
refused 'expected one of|"applications"' "as something else" "$DCSIM" --config gangs.json --set 'workload.trace[0].as=pods'

# One node makes the third job wait for 18 s, two nodes run all at once.
expect 0 "capacity" "$DCSIM" capacity gangs.json --vary 'cluster.nodes[0].nodes=1:8' --metric queue_wait_p95 --at-most 5s
says out 'nodes=2 is the least that keeps it' "nodes that are needed"
finish
