#!/bin/bash
# Whole jobs from a table of one's own: import, run, results, and what is refused.
#
# Pins: start times of the schedule of test_gangs.c show in the waits; EASY; a horizon says what had not started, and no longest time, and no mean of those that started is compared; GPU
# models and a list of nodes; revocation by class and by priority, with what it loses; a sweep and a report have the
# numbers; bad rows and misfits are refused with their counts, or left out and counted, and end no search; whole jobs do not mix, keys
# without effect and policies are refused; what is overloaded is said first, and keeps no bound of capacity, at the last arrival where a run works its queue
# off; who ran at from_s is missed, or kept; jobs are drawn; --print-config gives the same run again; a second run adds nothing; capacity
# finds the nodes; rows of jobs, their revocations and parts of a run are worked out by hand, and explain and the report
# show them, days folded; the report of a search is in the order of its values, with the jobs that matter; jobs have the names of the log; what is for requests (timelines) is refused. Does not pin: schedules (test_gangs.c,
# test_gang_revocation.c).
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
says out '^queue wait +4\.50 s +9\.00 s +> 13\.0 s' "what was not reached"
says out '^WARNING: 1 job had not started' "who waits at the end"

# What a run does not see of the log is said as a warning, and beside the answer of a search.
table 0,10,2 1,10,4 30,3,1 31,3,1 40,3,1 >late.csv
import late.csv late.db || fail "import of late jobs"
late=(gangs.json --set 'workload.trace[0].database=late.db')
expect 0 "jobs after the horizon" "$DCSIM" run "${late[@]}" --set horizon.duration_s=25 --set 'workload.trace[0].until_s=35'
says out '^WARNING: workload.trace\[0\].until_s leaves 1 of 5 jobs out: the numbers are of the others\.$' "jobs after until_s"
says out '^WARNING: horizon.duration_s leaves 2 of 4 jobs out: the numbers are of the others\.$' "jobs after the horizon"
expect 0 "all jobs" "$DCSIM" run "${late[@]}" --set horizon.duration_s=41
grep -q WARNING out && fail "a warning although all jobs are seen"
expect 0 "a search without them" "$DCSIM" capacity "${late[@]}" --set horizon.duration_s=25 --vary 'cluster.nodes[0].nodes=1:2' \
    --metric queue_wait_p95 --at-most 5s --output late-runs.db
says out '^WARNING: horizon.duration_s leaves 3 of 5 jobs out: the answer is for the others\.$' "what the answer is for"
expect 0 "its page" "$DCSIM" report late-runs.db -o late.html
says late.html '<strong>WARNING: horizon.duration_s leaves 3 of 5 jobs out: the answer is for the others\.</strong>' "the same on the page"
says late.html '>left out</th>' "a column for those that are left out"
[[ $(sqlite3 late-runs.db "SELECT DISTINCT value, n FROM metric WHERE name = 'jobs_left_out'") == '3.0|5' ]] || fail "how many are left out"
# Until 10.5 s the second has waited 9 s and started, the third waits since 8.5 s and starts after 18: whoever was cut off
# may wait longer than all that ended.
expect 0 "a longest time that ended" "$DCSIM" --config gangs.json --set horizon.duration_s=10.5 --output longest.db
says out '^queue wait .* > 9\.00 s$' "the longest wait"
says out '^slowdown .* > [0-9.]+$' "the largest slowdown"
says out '^bounded slowdown .* > [0-9.]+$' "bounded, too"
[[ $(sqlite3 longest.db "SELECT low / 1e9, value IS NULL FROM summary WHERE name = 'queue_wait_max'") == '9.0|1' ]] || fail "the results"
expect 0 "its report" "$DCSIM" report longest.db -o longest.html
says longest.html '&gt;(&#160;| )9\.00(&#160;| )s' "the longest wait in the report"
expect 0 "the others" "$DCSIM" --config gangs.json --set horizon.duration_s=10.5 --set cluster.queue.order=easy --output longest.db
expect 0 "compared" "$DCSIM" compare longest.db --baseline easy+first_fit --metric queue_wait_max
says out '^fcfs\+first_fit .* > 9\.00 s .* not compared' "nothing is compared with a bound"
refused 'holds no metric "unfairness"; some are' "what whole jobs never have" "$DCSIM" compare longest.db --baseline easy+first_fit --metric unfairness
expect 0 "means" "$DCSIM" compare longest.db --baseline easy+first_fit --metric queue_wait_mean
says out '^fcfs\+first_fit \* +0 +4\.50 s +- +not compared ' "a mean of those that started, and no verdict"
says out '^Means are of the jobs that started alone: fcfs\+first_fit 2 of 3\.' "of how many"
{
    printf 'submit,run,gpus\n'
    printf '%s,1,2\n' {0..399}
    printf '%s,10,4\n' 400 401 402
} >bound.csv
import bound.csv bound.db || fail "import of a job that is late"
expect 1 "a bound on it" "$DCSIM" capacity gangs.json --set 'workload.trace[0].database=bound.db' --vary 'horizon.duration_s=410.4:410.5' \
    --metric queue_wait_max --at-most 10s
says out '^410\.5 +> 9\.00 s .* (no|undecided)$' "a longest time that is not known keeps no bound"
expect 0 "a bound on a mean" "$DCSIM" capacity gangs.json --set 'workload.trace[0].database=bound.db' --vary 'horizon.duration_s=411:430' \
    --metric queue_wait_mean --at-most 30ms
says out '^411 +22\.4 ms +402 of 403 ' "how many it counts"
says out '^At 4[0-9]+ queue_wait_mean is of the 402 of 403 jobs that started: the others took longest\.$' "the answer says so"

expect 0 "canonical form" "$DCSIM" --config gangs.json --print-config
cp out canonical.json
expect 0 "the canonical form runs" "$DCSIM" --config canonical.json
says out '^queue wait +9\.00 s +9\.00 s +18\.0 s' "the same waits"

set_odd=(--config gangs.json --set 'workload.trace[0].database=odd.db')
refused 'trace\[0\]: 0 jobs ask for no GPU, 2 for more than a node has, .* first: job in line 5 of odd.csv asks for 16; .*cluster.queue.across_nodes lets' "misfits" \
    "$DCSIM" "${set_odd[@]}"
expect 0 "left out" "$DCSIM" "${set_odd[@]}" --set cluster.queue.misfits=leave_out
says out '^WARNING: 2 jobs are left out \(cluster.queue.misfits\)' "a warning"
says out '^  kept +4$' "as many are kept as there are jobs"
says out '^  left out: ask for more GPUs than a node has +2$' "and why the others are not"
says out '^1 job asks for a part of a GPU' "rounded up"
says out '^jobs +4$' "four of six"
expect 0 "too large for all nodes, left out" "$DCSIM" "${set_odd[@]}" --set 'cluster.nodes[0].nodes=3' --set cluster.queue.across_nodes=true \
    --set cluster.queue.misfits=leave_out
says out '^WARNING: 1 job is left out \(cluster.queue.misfits\)' "one job"
says out '^  left out: ask for more GPUs than all nodes have +1$' "jobs that may span nodes"
refused '1 for more than a node or all has' "too large for all nodes" "$DCSIM" "${set_odd[@]}" \
    --set 'cluster.nodes[0].nodes=3' --set cluster.queue.across_nodes=true

# A value that a job does not fit keeps no bound, and the search goes on: 16 GPUs need four nodes.
odd=(capacity gangs.json --set 'workload.trace[0].database=odd.db' --vary 'cluster.nodes[0].nodes=1:8' --metric queue_wait_p95 --at-most 1h)
expect 0 "too large for the low end" "$DCSIM" "${odd[@]}" --set cluster.queue.across_nodes=true --output odd-runs.db
says out 'queue_wait_p95 is at most 60.0 min$' "a bound in minutes"
says out '^1 +- +misfits$' "what no node can run keeps nothing"
says out '^cluster.nodes\[0\].nodes=4 is the least that keeps it; 3 was not run\.$' "the answer"
misfits='Not run, since jobs ask for more GPUs than all nodes have: at 1 \(2 jobs\), 2 \(2 jobs\), 3 \(1 job\)\. cluster'
[[ $(tr -s ' \n' ' ' <out) =~ $misfits.queue.misfits=leave_out\ leaves\ them\ out\. ]] || fail "where nothing was run, and what helps"
expect 0 "its page" "$DCSIM" report odd-runs.db -o odd.html
says odd.html "$misfits" "misfits beside the curve"
expect 1 "too large for any node" "$DCSIM" "${odd[@]}"
says out 'nodes=8 is shown to keep it\.$' "more nodes are no help, and it is said once"
[[ $(tr -s ' \n' ' ' <out) == *'since jobs ask for more GPUs than a node has: at 1 (2 jobs), 8 (2 jobs). cluster.queue.misfits=leave_out leaves them out, cluster.queue.across_nodes=true lets'* ]] ||
    fail "which keys help"
expect 0 "jobs are left out" "$DCSIM" "${odd[@]}" --set cluster.queue.misfits=leave_out
says out '^WARNING: cluster.queue.misfits leaves 2 of 6 jobs out' "the answer is for the others"

# Jobs that arrive before 1, 2, 4 or 5 s keep the bound, those before 3 and 6 s do not: 2 s is no answer without a word.
table 0,3,4 2,1,1 3,1,1 4,3,4 5,1,1 >order.csv
import order.csv order.db || fail "import of an order"
expect 1 "not in order" "$DCSIM" capacity gangs.json --set 'workload.trace[0].database=order.db' --vary 'workload.trace[0].until_s=1:12' \
    --metric queue_wait_mean --at-most 400ms --output order-runs.db
says out '^4 +333 ms +yes$' "the value next to the one that does not keep it"
says out '^WARNING: not in order: workload.trace\[0\].until_s=3 and workload.trace\[0\].until_s=4 contradict each' "the order in the answer"
expect 0 "its page" "$DCSIM" report order-runs.db -o order.html
says order.html 'not in order: workload.trace\[0\].until_s=3 and workload.trace\[0\].until_s=4' "the order on the page"
[[ $("$DCSIM" export order-runs.db capacity_look --json | jq '[.[].told | contains("not in order")] | all') == true ]] || fail "the order in JSON"

# keep draws the jobs of each replication, so that there are intervals; a job's draw is its own.
expect 0 "thinned" "$DCSIM" --config gangs.json --set 'workload.trace[0].keep=0.9' --set replications=20 --output thin.db
says out '^jobs +2\.[0-9]+ ± ' "nine in ten of three jobs, with an interval"
[[ $(sqlite3 thin.db "SELECT count(DISTINCT value) FROM metric WHERE name = 'jobs'") -ge 2 ]] || fail "nothing is drawn"
refused 'fairness.metrics: has no effect on whole jobs' "slow-downs" "$DCSIM" --config gangs.json --set fairness.metrics=true
refused 'until.metric: has no effect on whole jobs' "nothing is drawn" "$DCSIM" --config gangs.json --set until.metric=queue_wait_mean \
    --set until.relative=0.1 --set replications=5

refused 'cluster.devices: has no effect on whole jobs' "devices, before anything runs" "$DCSIM" capacity gangs.json \
    --vary cluster.devices=1:4 --metric unfinished --at-most 1%
"$DCSIM" capacity gangs.json --vary 'cluster.nodes[0].nodes=1:4' --metric unfinished --at-most 1 \
    --metric queue_wait_p95 --at-most 1s --metric allocation --at-least 0% >out 2>err
[[ $(grep '^Note' err) == "Note: unfinished is never above 100 %, so that --at-most 1 bounds nothing; 1 % is 1% or 0.01
Note: allocation is never below 0 %, so that --at-least 0% bounds nothing" ]] || fail "a share of one: $(grep '^Note' err)"
refused 'missing key "nodes"' "no nodes" "$DCSIM" --config gangs.json --set cluster=null
refused 'policy.name: whole jobs do not share devices' "a policy" "$DCSIM" --config gangs.json --set policy.name=priority
refused 'profile: has no effect on whole jobs' "a profile" "$DCSIM" --config gangs.json --set profile=h200
refused 'trace\[0\].load: has no effect' "a load" "$DCSIM" --config gangs.json --set 'workload.trace[0].load=0.5'
refused 'trace\[0\].user_applications: has no effect' "applications of requests" "$DCSIM" --config gangs.json \
    --set 'workload.trace[0].user_applications=nw'
refused 'trace\[0\].batch_applications: has no effect' "applications of requests" "$DCSIM" --config gangs.json \
    --set 'workload.trace[0].batch_applications=hotspot'
refused 'scheduler.predict_us: has no effect' "what deciding costs" "$DCSIM" --config gangs.json --set scheduler.predict_us=3
refused 'outputs.requests: has no effect' "rows of requests" "$DCSIM" --config gangs.json --set outputs.requests=true
expect 0 "as it is by default" "$DCSIM" --config gangs.json --set scheduler.scale=1 --quiet
refused 'do not mix with other work' "a service beside" "$DCSIM" --config gangs.json \
    --set 'workload.services=[{"application":"nw","arrivals":{"rate_per_s":1},"requests":9}]'
refused 'cluster.nodes: is for whole jobs' "nodes without whole jobs" "$DCSIM" --config gangs.json \
    --set 'workload.trace[0].as=applications' --set policy.name=fcfs
refused 'whole jobs without requests' "a timeline" "$DCSIM" --config gangs.json --timeline t.json
refused 'expected one of|"applications"' "as something else" "$DCSIM" --config gangs.json --set 'workload.trace[0].as=pods'

# A node of A, two of B. The first two jobs name A: the second waits for the first, beside free nodes of B. The third may
# run on both; the fourth names a model that no node has, as does the fifth beside one that there is.
printf 'submit,run,gpus,gpu\n0,10,4,A\n1,10,4,A\n2,10,4,A|B\n3,5,1,C\n4,5,1,C|B\n' >models.csv
"$DCSIM" trace import csv models.csv -o models.db --quiet --map submit=submit,runtime=run,gpus=gpus,model=gpu || fail "import of models"
"$DCSIM" trace nodes csv - --quiet --map gpus=1,model=2 --no-header <<<$'4,A\n4,B\n4,B' >nodes.json || fail "nodes"
set_models=(--config gangs.json --set 'workload.trace[0].database=models.db' --set "cluster.nodes=$(<nodes.json)")
refused '1 for a model that no node has, of 5; the first: job in line 5 of models.csv asks for 1 of C; .*, cluster.nodes\[\].model says which model a node has$' "a model that no node has" "$DCSIM" "${set_models[@]}"
expect 0 "models" "$DCSIM" "${set_models[@]}" --set cluster.queue.misfits=leave_out --set cluster.queue.order=easy
says out '^  left out: ask for a model that no node has +1$' "what was left out"
says out '^queue wait +2\.25 s +0 +9\.00 s +9\.00 s' "the second waits for its model alone"

# The types of Slurm's accounts are models: of one, of two, of a part of the GPUs (any), of types alone, none that is a name.
cat >sacct.txt <<'TXT'
JobID|Submit|Start|ElapsedRaw|State|AllocTRES
1|2026-01-01T00:00:00|2026-01-01T00:00:00|10|COMPLETED|cpu=8,gres/gpu:a100=2,gres/gpu=2,mem=64G
2|2026-01-01T00:00:01|2026-01-01T00:00:01|10|COMPLETED|gres/gpu=3,gres/gpu:a100=1,gres/gpu:h100=2
3|2026-01-01T00:00:02|2026-01-01T00:00:02|10|COMPLETED|gres/gpu=3,gres/gpu:a100=1
4|2026-01-01T00:00:03|2026-01-01T00:00:03|10|COMPLETED|gres/gpu:h100=4,cpu=1
5|2026-01-01T00:00:04|2026-01-01T00:00:04|10|COMPLETED|gres/gpu=1,gres/gpu:=1
6|2026-01-01T00:00:05|2026-01-01T00:00:05|10|COMPLETED|gres/gpu=1,gres/gpu:a100=0
TXT
expect 0 "sacct" "$DCSIM" trace import slurm-sacct sacct.txt -o sacct.db
says out '^malformed +0 +0 +1 +sacct.txt:6: AllocTRES is "gres/gpu=1,gres/gpu:=1"$' "a type without a name"
[[ $(sqlite3 sacct.db "SELECT source_key, gpus, models FROM job ORDER BY arrival_ns" | tr '\n' ' ') == \
    '1|2.0|a100 2|3.0|a100|h100 3|3.0| 4|4.0|h100 6|1.0| ' ]] || fail "models of Slurm's jobs"

# Requests go to any device: the summary says how many jobs had named a model.
echo '{"policy":{"name":"fcfs"},"cluster":{"devices":2},"workload":{"trace":[{"database":"models.db"}]}}' >requests.json
expect 0 "models in a replay as applications" "$DCSIM" --config requests.json
says out '^5 of the jobs name GPU models: requests go to any device all the same' "what is not looked at"

# 4 GPUs: two jobs of 2 and 10 s; at 4 s a service of 4 GPUs for 5 s. It revokes both, which lose 4 s on 4 GPUs and end at
# 19: slowdowns of 1.9, 1.9 and 1. In the last 12th of 19 s all is held, as in each before: 15 s and 4 s of 4 GPUs.
printf 'submit,run,gpus,kind,rank\n0,10,2,train,1\n0,10,2,train,1\n4,5,4,serve,7\n' >ranks.csv
"$DCSIM" trace import csv ranks.csv -o ranks.db --quiet --map submit=submit,runtime=run,gpus=gpus,priority=rank \
    --map class=kind:serve=latency || fail "import of ranks"
set_ranks=(--config gangs.json --set 'workload.trace[0].database=ranks.db')
for ranks in class priority; do
    rm -f ranks-out.db
    expect 0 "$ranks" "$DCSIM" "${set_ranks[@]}" --set cluster.queue.revocation=$ranks --output ranks-out.db
    says out ', with revocation,' "$ranks: the head"
    says out '^GPU seconds that were lost by them +16$' "$ranks: what was lost"
    says out '^queue wait +0 +0 +0 ' "$ranks: waits"
    says out '^slowdown +1\.60 +1\.90 +1\.90' "$ranks: slowdowns"
    says out '%: 100, 100, 100, 100, 100, 100, 100, 100, 100, 100, 100,$' "$ranks: all is held"
    [[ $(sqlite3 ranks-out.db "SELECT value FROM metric WHERE name IN ('revocations', 'lost_work') ORDER BY name") == $'16.0\n2.0' ]] ||
        fail "$ranks: the metrics"
done
ask() { sqlite3 ranks-out.db "$1" | tr '\n' ' '; }
[[ $(ask "SELECT job, submitted_ns / 1e9, started_ns / 1e9, ended_ns / 1e9, gpus, revocations, node, nodes, model IS NULL FROM whole_job") == \
    '1|0.0|0.0|19.0|2.0|1|0|1|1 2|0.0|0.0|19.0|2.0|1|0|1|1 3|4.0|4.0|9.0|4.0|0|0|1|1 ' ]] || fail "rows of jobs"
[[ $(ask "SELECT job, from_ns, to_ns / 1e9 FROM whole_job_revoked") == '1|0|4.0 2|0|4.0 ' ]] || fail "rows of revocations"
expect 0 "explain" "$DCSIM" explain ranks-out.db --slowest 2
says out '^1 +0 +0 +19.0 s +10.0 s +1 +2 +0$' "a job that was revoked"
[[ $(grep -cE '^[0-9]' out) == 2 ]] || fail "not the two that waited longest"
refused 'is of whole jobs, which have no requests' "late requests of whole jobs" "$DCSIM" explain ranks-out.db --violations
# Both wait from 4 to 9 s; the run ends at 19.
rm -f bins.db
expect 0 "parts of a run" "$DCSIM" "${set_ranks[@]}" --set cluster.queue.revocation=class --set outputs.interval_s=4 --output bins.db
[[ $(sqlite3 bins.db "SELECT bin, arrived, started, ended, to_ns / 1e9, waiting, busy, sms IS NULL
    FROM bin_jobs JOIN bin_devices USING (experiment, replication, bin)" | tr '\n' ' ') == \
    '0|2|2|0|4.0|0.0|4.0|1 1|1|1|0|8.0|2.0|4.0|1 2|0|0|1|12.0|0.5|4.0|1 3|0|0|0|16.0|0.0|4.0|1 4|0|0|2|19.0|0.0|4.0|1 ' ]] || fail "the parts"
expect 0 "no rows" "$DCSIM" "${set_ranks[@]}" --set outputs.jobs=false --set seed=2 --output bins.db
[[ $(sqlite3 bins.db "SELECT count(DISTINCT experiment) FROM whole_job") == 1 ]] || fail "rows that are not wanted"
refused 'more than 10000 bins' "parts that are too short" "$DCSIM" "${set_ranks[@]}" --set outputs.interval_s=0.001
# Three jobs on one GPU, of 1 h each, at the first hour of two days and at the third of another.
table 0,3600,1 86400,3600,1 180000,3600,1 >days.csv
import days.csv days.db || fail "import of days"
expect 0 "three days" "$DCSIM" --config gangs.json --set 'workload.trace[0].database=days.db' --set 'cluster.nodes[0].gpus=1' \
    --set horizon.duration_s=259200 --set outputs.interval_s=3600 --output days-out.db
expect 0 "their report" "$DCSIM" report days-out.db -o days.html
python3 "$SOURCE_DIR/tests/e2e/report_page.py" days.html 1 "By time since the begin, days folded" "jobs that arrive, per day" "hours since the begin, of each day" "GPUs that are held" \
    "averaged over the days of a run, 3 at" || fail "days in the report"
[[ $(sed 's/<[^>]*>/ /g; s/&#160;/ /g' days.html | tr -s ' \n' ' ') == *' 0 66.67 % 1 0.00 % 2 33.33 % 3 0.00 % '* ]] ||
    fail "the mean over the days"
[[ $(sed 's/<[^>]*>/ /g; s/&#160;/ /g' days.html | tr -s ' \n' ' ') == *' 22 0.00 % 23 0.00 % '[^2]* ]] || fail "an hour behind the last of a day"

expect 0 "checkpoints" "$DCSIM" "${set_ranks[@]}" --set cluster.queue.revocation=class --set cluster.queue.checkpoint_s=3
says out '^GPU seconds that were lost by them +4' "what a checkpoint saves"
# Twelve jobs of 10 s that are revoked once each run anew at the end: nobody waits, and half of what was due is not done.
printf 'submit,run,gpus,kind,rank\n' >redo.csv
for _ in {1..12}; do echo 0,20,1,train,1; done >>redo.csv
echo 9,1,12,serve,7 >>redo.csv
"$DCSIM" trace import csv redo.csv -o redo.db --quiet --map submit=submit,runtime=run,gpus=gpus,priority=rank \
    --map class=kind:serve=latency || fail "import of jobs that are done again"
expect 0 "work that is done again" "$DCSIM" --config gangs.json --set 'workload.trace[0].database=redo.db' \
    --set 'cluster.nodes[0].gpus=13' --set cluster.queue.revocation=class --set horizon.duration_s=18
says out '^WARNING: overloaded: [0-9.]+ % of the GPU time that was due by the end was not done' "revoked work is no progress"
# With a last job at 18 s, and to their end: half of what was due by then is not done, but no job waits then.
echo 18,1,1,serve,7 >>redo.csv
"$DCSIM" trace import csv redo.csv -o redo-to-end.db --quiet --map submit=submit,runtime=run,gpus=gpus,priority=rank \
    --map class=kind:serve=latency || fail "import of jobs that are done again, to their end"
expect 0 "work that is done again, to its end" "$DCSIM" --config gangs.json --set 'workload.trace[0].database=redo-to-end.db' \
    --set 'cluster.nodes[0].gpus=13' --set cluster.queue.revocation=class
says out '^GPU seconds that were lost by them +99' "eleven jobs lose 9 s each"
grep -q 'WARNING: overloaded' out && fail "nobody waits at the last arrival"
expect 0 "no revocation" "$DCSIM" "${set_ranks[@]}"
says out '^queue wait +2\.00 s +0 +6\.00 s' "the service waits"
expect 0 "a horizon" "$DCSIM" "${set_ranks[@]}" --set cluster.queue.revocation=class --set horizon.duration_s=12
says out '^2 jobs had started and not ended: a slowdown of such' "who might still be revoked"
refused 'checkpoint_s: has no effect' "checkpoints without revocation" "$DCSIM" "${set_ranks[@]}" --set cluster.queue.checkpoint_s=3
refused 'cluster.queue: is for whole jobs' "revocation without whole jobs" "$DCSIM" --config gangs.json \
    --set 'workload.trace[0].as=applications' --set policy.name=fcfs --set cluster.nodes=null --set cluster.queue.revocation=class

# Bad rows are left out one by one, each counted with the first line and what its column holds. Of the rest, job 1 asks for
# more than a node of its model has (though one of another has it), job 3 for a model that no node has.
printf 'submit,start,end,gpus,gpu\n0,1,9,4,A\n5,x,9,1,A\n6,9,7,1,A\n8,7,9,1,A\n7,8,9,0,A\n7,8,9,two,A\n1,2,2,1,A\n-4,2,3,1,A\n9,10,12,1,B\n' >bad.csv
map=(--map 'submit=submit,start=start,end=end,gpus=gpus,model=gpu')
expect 0 "bad rows" "$DCSIM" trace import csv bad.csv -o bad.db "${map[@]}"
says out '^malformed +0 +0 +2 +bad.csv:3: start is "x"$' "no numbers"
says out '^end-before-start +0 +0 +1 +bad.csv:4: end is "7"$' "an end before the start"
says out '^start-before-submit +0 +1 +0 +bad.csv:5: start is "7"$' "a start before the submission"
says out '^  start-before-submit: the start is earlier than the submission, and is put there; the runtime stays$' "what was changed"
says out '^no-resources +0 +0 +1 +bad.csv:6: gpus is "0"$' "no GPU"
says out '^zero-duration +0 +0 +1 +bad.csv:8: end is "2"$' "no duration"
says out '^time-negative +0 +0 +1 +bad.csv:9: submit is "-4"$' "a time below 0"
says out '^rows: 3 are jobs, .* 6 are left out$' "every row is counted"
grep -qE 'machines, reservations|^classes' out && fail "words of other traces, or classes that nobody maps"
# A text that means a class and is in no row is a slip, and the account says how many jobs there are of each class.
printf 'submit,run,gpus,kind\n0,10,2,train\n1,10,4,infer\n2,-5,1,train\n' >kinds.csv
kinds=(--map 'submit=submit,runtime=run,gpus=gpus')
expect 0 "a text that is not there" "$DCSIM" trace import csv kinds.csv -o kinds.db "${kinds[@]}" --map class=kind:inferr=latency
says out '^classes: 0 latency, 2 batch$' "how many of each class"
says out '^WARNING: --map class: "inferr" never occurs in column kind\.$' "the slip"
says out '^end-before-start +0 +0 +1 +kinds.csv:4: run is "-5"$' "a runtime below 0"
expect 0 "a text that is there" "$DCSIM" trace import csv kinds.csv -o kinds2.db "${kinds[@]}" --map class=kind:infer=latency
says out '^classes: 1 latency, 1 batch$' "one of each"
# Waits by class: the latency job asks for all four GPUs at 1 s, of which the batch job has two until 10 s.
classes=(gangs.json --set 'workload.trace[0].database=kinds2.db' --set 'cluster.nodes=[{"nodes":1,"gpus":4}]' --output classes.db)
expect 0 "waits by class" "$DCSIM" --config "${classes[@]}"
says out '^  latency +9\.00 s +9\.00 s +9\.00 s +9\.00 s +9\.00 s$' "the one that waits"
says out '^  batch +0 +0 +0 +0 +0$' "the one that does not"
[[ $(sqlite3 classes.db "SELECT group_concat(class || ' ' || name || ' ' || value, ', ') FROM (SELECT * FROM summary WHERE class IS NOT NULL
    AND name IN ('jobs', 'jobs_started', 'queue_wait_p95') ORDER BY class, name)") == 'batch jobs 1.0, batch jobs_started 1.0, batch queue_wait_p95 0.0, latency jobs 1.0, latency jobs_started 1.0, latency queue_wait_p95 9000000000.0' ]] ||
    fail "classes in the results: $(sqlite3 classes.db "SELECT class, name, value FROM summary WHERE class IS NOT NULL")"
expect 0 "a bound on a class" "$DCSIM" capacity "${classes[@]}" --vary 'cluster.nodes[0].nodes=1:2' --metric latency.queue_wait_p95 --at-most 5s
says out '=2 is the least that keeps it; 1 may not' "as many as it needs"
for placement in first_fit fgd; do
    "$DCSIM" --config "${classes[@]}" --set horizon.duration_s=5 --set cluster.queue.placement=$placement --quiet
done
expect 0 "classes compared" "$DCSIM" compare classes.db --baseline fcfs+first_fit --metric latency.queue_wait_max
says out '^fcfs\+first_fit.* > 4\.00 s ' "one of a class that has not started"
expect 0 "their page" "$DCSIM" report classes.db -o classes.html
says classes.html '>p95, latency<' "their columns"
grep -q '>p95, latency<' late.html && fail "classes of a trace that has one"
grep -q WARNING out && fail "a warning of a text that occurs"
refused '0 jobs ask for no GPU, 1 for more than a node has, 1 for a model that no node has, of 3; the first: job in line 2 of bad.csv asks for 4 of A;' \
    "misfits by model" "$DCSIM" --config gangs.json --set 'workload.trace[0].database=bad.db' \
    --set 'cluster.nodes=[{"nodes":1,"gpus":2,"model":"A"},{"nodes":3,"gpus":8,"model":"C"}]'
refused 'bad.csv: none of 9 rows makes a job, .*; 6 are left out as malformed, the first at line 2: gpu is "A" ' "no row is one" \
    "$DCSIM" trace import csv bad.csv -o x.db --map submit=submit,start=start,end=end,gpus=gpu
refused 'bad.csv:1: no column has the name "ende", which csv needs' "no such column" "$DCSIM" trace import csv bad.csv -o x.db \
    --map submit=submit,start=start,end=ende,gpus=gpus

# A table that was made for CPUs has jobs without a GPU.
sqlite3 bad.db 'UPDATE job SET gpus = 0 WHERE id > 1'
refused '2 jobs ask for no GPU, 0 for more than a node has, 0 for a model that no node has, of 3; the first: job in line 5 of bad.csv asks for 0' "no GPU" \
    "$DCSIM" --config gangs.json --set 'workload.trace[0].database=bad.db' --set 'cluster.nodes[0].model=A'

# A sweep has their numbers in its table, and the report in a table and a figure; neither speaks of policies and requests.
cat >axes.json <<'JSON'
{ "cluster": { "nodes": [{ "nodes": 1, "gpus": 4 }] }, "workload": { "trace": [{ "database": "ranks.db", "as": "gangs" }] },
  "sweep": { "axes": [{ "key": "cluster.queue.revocation", "values": ["none", "class"] }] } }
JSON
expect 0 "a sweep" "$DCSIM" --config axes.json --output axes.db
says out '^ +runs +GPUs held +wait mean +wait p95 +slowdown +lost work +not ended +point$' "the head of a sweep"
says out '^ +1 +100.00 % +2.00 s +6.00 s +1.10 +0 +0 +revocation=none$' "a point without revocation"
says out '^ +1 +100.00 % +0 +0 +1.90 +16 +0 +revocation=class$' "a point with revocation"
expect 0 "its report" "$DCSIM" report axes.db -o axes.html
python3 "$SOURCE_DIR/tests/e2e/report_page.py" axes.html 1 "Whole jobs" "GPUs held over time" "lost work, GPU s" "revocation=class" \
    "2.00 s" "16" "Nothing is drawn" || fail "the report"
grep -qE '>(left out|not done)</th>' axes.html && fail "a column of nothing"
grep -qE 'Under fcfs|late requests|Response time|Policies' axes.html && fail "a report of whole jobs speaks of requests"

# One node makes the third job wait for 18 s, two nodes run all at once.
expect 0 "capacity" "$DCSIM" capacity gangs.json --vary 'cluster.nodes[0].nodes=1:8' --metric queue_wait_p95 --at-most 5s
says out 'nodes=2 is the least that keeps it' "nodes that are needed"
says out '^order and placement: fcfs\+first_fit' "whose answer it is"
[[ $(sqlite3 r.db "SELECT policy FROM headline") == fcfs+first_fit ]] || fail "who decided, in the results"

# Two nodes and three give the same waits: more nodes help by the key; one node is the least that there can be.
expect 1 "both ends keep it" "$DCSIM" capacity gangs.json --vary 'cluster.nodes[0].nodes=2:3' --metric queue_wait_p95 --at-most 5s
says out '^LOW keeps it: the answer is cluster.nodes\[0\].nodes=2 or fewer; a lower LOW finds it\.$' "what to ask"
expect 0 "the least" "$DCSIM" capacity gangs.json --vary 'cluster.nodes[0].nodes=1:3' --metric queue_wait_p95 --at-most 5min --output least.db
says out '^LOW keeps it: the answer is cluster.nodes\[0\].nodes=1, the least that there can be\.$' "no fewer nodes"
[[ $(sqlite3 least.db "SELECT DISTINCT answer FROM capacity_look") == 1.0 ]] || fail "the answer in the results"

# Order and placement decide: what differs in them is compared without --key, and named so. Nothing is drawn in it.
for decides in easy+first_fit fcfs+fgd; do
    "$DCSIM" --config gangs.json --set cluster.queue.order="${decides%+*}" --set cluster.queue.placement="${decides#*+}" \
        --output r.db --quiet >/dev/null || fail "a run of $decides"
done
expect 0 "compare" "$DCSIM" compare r.db --baseline fcfs+first_fit --metric queue_wait_mean
says out '^easy\+first_fit +1 +3\.00 s +-6\.00 s +better +-' "a difference without chance"
says out '^fcfs\+fgd +1 +9\.00 s +0 +same' "no difference"
says out '^Nothing is drawn in these replays' "why there is no interval"
expect 0 "report of several" "$DCSIM" report r.db -o r.html
says r.html 'easy\+first_fit' "who decided, in the report"

# EASY lets small jobs pass: 100 of one GPU and 6 of four, one every 2 s, on four GPUs that a job of one holds for long.
# At 300 s, as a job of four waits and the others are done, Kaplan and Meier would say that 95 % waited for 0 s or so. Run
# to the end, they waited longer than the bound that is printed.
{
    printf 'submit,run,gpus\n0,1000,1\n'
    for ((i = 0; i < 106; i++)); do echo "$((2 * i + 1)),$((i % 17 == 3 ? 30 : 4)),$((i % 17 == 3 ? 4 : 1))"; done
} >pass.csv
import pass.csv pass.db || fail "import of jobs that pass"
pass=(--config gangs.json --set 'workload.trace[0].database=pass.db' --set cluster.queue.order=easy)
expect 0 "those that wait are cut off" "$DCSIM" "${pass[@]}" --set horizon.duration_s=300 --output pass-cut.db
says out '^WARNING: overloaded' "jobs wait at the end"
says out '^queue wait +0 +0 +> [0-9.]+ s' "a bound, no quantile"
expect 0 "to the end" "$DCSIM" "${pass[@]}" --output pass-all.db
least=$(sqlite3 pass-cut.db "SELECT low FROM summary WHERE name = 'queue_wait_p95' AND value IS NULL")
all=$(sqlite3 pass-all.db "SELECT value FROM summary WHERE name = 'queue_wait_p95'")
awk "BEGIN { exit !($least > 0 && $least <= $all) }" || fail "at least ${least:-nothing} of $all"
expect 1 "no bound is kept by it" "$DCSIM" capacity "${pass[@]:1}" --set horizon.duration_s=300 --metric queue_wait_p95 \
    --at-most 1d --vary cluster.queue.depth=100:101
says out '^100 +> .* overloaded$' "neither by a bound"

# 20 jobs of 10 s at once on 4 GPUs, of which 15 s are seen: 4 end, 4 more start, 80 of 300 GPU seconds due are not done
# by two nodes, 220 by half of one.
printf 'submit,run,gpus\n0,10,4\n' >much.csv
for _ in {1..19}; do echo 0,10,4 >>much.csv; done
import much.csv much.db || fail "import of much work"
much=(gangs.json --set 'workload.trace[0].database=much.db' --set horizon.duration_s=15)
expect 0 "too much work" "$DCSIM" run "${much[@]}" --output much-runs.db
says out '^WARNING: overloaded: by the end 1333.33 % of the GPU time' "what is due"
says out '^WARNING: overloaded: 90.00 % of the jobs waited' "who waits"
says out '^WARNING: overloaded: 92.50 % of the GPU time that was due by the end was not done' "what is not done"
[[ $(grep -n -m1 WARNING out | cut -d: -f1) -lt $(grep -n -m1 '^jobs' out | cut -d: -f1) ]] || fail "it is said below the numbers"
[[ $(sqlite3 much-runs.db "SELECT overloaded, unfinished FROM headline") == "1.0|0.925" ]] || fail "overload in the results"
expect 0 "a sweep with too much work" "$DCSIM" run "${much[@]}" --set 'sweep={"axes":[{"key":"cluster.nodes[0].nodes","values":[2,20]}]}' \
    --output much-sweep.db
says out '> 15\.0 s.* nodes=2 \*$' "a point that is overloaded, and a wait that is not known"
says out '^\* WARNING: overloaded: whole jobs came faster than they were done' "what the mark means"
"$DCSIM" run "${much[@]}" --set cluster.queue.order=easy --output much-runs.db --quiet >>out || fail "much work by EASY"
expect 0 "much work compared" "$DCSIM" compare much-runs.db --baseline fcfs+first_fit --metric allocation
says out '^\* WARNING: overloaded: whole jobs came faster than they were done' "compare says jobs"
grep -q 'requests came faster' out && fail "compare says requests, where there are jobs"
expect 0 "its report" "$DCSIM" report much-sweep.db -o much.html
says much.html 'nodes=2 \*' "the mark in the report"
says much.html 'overloaded \(\*\): whole jobs came faster than they were done' "what the mark means there"
grep -q 'requests came faster' out much.html && fail "requests, where there are jobs"
says much.html '&gt;(&#160;| )15\.0(&#160;| )s' "what is not known, in the report"
expect 1 "a bound that only what started keeps" "$DCSIM" capacity "${much[@]}" --vary 'cluster.nodes[0].nodes=1:3' \
    --metric queue_wait_mean --at-most 1h
says out '^3 .* overloaded$' "no bound is kept by what is overloaded"
expect 0 "work that is not done" "$DCSIM" capacity "${much[@]}" --vary 'cluster.nodes[0].nodes=1:40' \
    --metric unfinished --at-most 1%
says out 'nodes=20 is the least' "a node for each job"

# Without a horizon all of it is done in the end, and the waits are those of a queue that the trace's end stopped: 40 jobs
# of 40 s, one each 10 s, hold 4 GPUs in the mean. On 2 GPUs 192 % are due by the last arrival at 390 s, and 20 jobs wait.
{
    echo submit,run,gpus
    for ((i = 0; i < 40; i++)); do echo "$((10 * i)),40,1"; done
} >to-end.csv
import to-end.csv to-end.db || fail "import of a queue that grows"
to_end=(gangs.json --set 'workload.trace[0].database=to-end.db')
expect 0 "a queue that is worked off" "$DCSIM" run "${to_end[@]}" --set 'cluster.nodes[0].gpus=2' --output to-end-runs.db
says out '^WARNING: overloaded: by the last arrival 192.31 % of the GPU time' "what was due by then"
says out '^WARNING: overloaded: 50.00 % of the jobs waited when the last one arrived' "who waited then"
says out '^WARNING: overloaded: 4[0-9.]+ % of the GPU time that was due by the last arrival was not done' "what was not done by then"
[[ $(sqlite3 to-end-runs.db "SELECT overloaded, unfinished FROM headline") == "1.0|0.0" ]] || fail "overload in the results"
expect 0 "a horizon beyond the end" "$DCSIM" run "${to_end[@]}" --set 'cluster.nodes[0].gpus=2' --set horizon.duration_s=100000
says out '^WARNING: overloaded: by the last arrival 192.31 % of the GPU time' "a horizon beyond the end hides nothing"
expect 1 "a bound that the end of the trace keeps" "$DCSIM" capacity "${to_end[@]}" --vary 'cluster.nodes[0].gpus=1:2' \
    --metric queue_wait_p95 --at-most 1d
says out '^2 .* overloaded$' "two GPUs for the work of four"
expect 0 "an overload of many bounds" "$DCSIM" capacity "${to_end[@]}" --vary 'cluster.nodes[0].gpus=1:8' --metric queue_wait_p95 \
    --at-most 10s --output off.db
expect 0 "its page" "$DCSIM" report off.db -o off.html
says off.html '[0-9] overloaded points? (is|are) above the axis' "points off the scale"
expect 0 "enough" "$DCSIM" capacity "${to_end[@]}" --vary 'cluster.nodes[0].gpus=1:8' --metric queue_wait_p95 --at-most 1d
says out 'gpus=4 is the least that keeps it' "four"
grep -q '0.00 % of the work' out && fail "nothing is left undone"
expect 0 "as many as the work holds" "$DCSIM" run "${to_end[@]}" --output borne.db
grep -q WARNING out && fail "a load that the GPUs bear is called overloaded"
[[ $(tr -s ' \n' ' ' <out) == *'Not overloaded: by the last arrival 96.15 % of the GPU time that there is was due, of which 0.00 % was not done; 0 jobs waited then. '* ]] ||
    fail "a load that the GPUs bear is not said: $(<out)"
expect 0 "its page" "$DCSIM" report borne.db -o borne.html
says borne.html 'due by the last arrival' "what was due, on the page"
says borne.html 'Due by the last arrival: ' "what it means"
# Of 3 jobs on 1 GPU 20 + 10 GPU seconds are due at 20 s.
expect 0 "a few that wait" "$DCSIM" run "${to_end[@]}" --set 'cluster.nodes[0].gpus=1' --set 'workload.trace[0].until_s=30'
[[ $(tr -s ' \n' ' ' <out) == *'Not overloaded: by the last arrival 150.00 % of the GPU time that there is was due, '*' 2 jobs waited then, too few to say more. '* ]] ||
    fail "chance: $(<out)"

# At 20 s jobs 1 and 2 run on 3 GPUs, the third has not begun: without them the fourth starts at once, with them at 30.
cat >there.csv <<'CSV'
submit,start,run,gpus
0,0,30,2
1,1,25,1
2,25,10,1
20,20,5,4
CSV
"$DCSIM" trace import csv there.csv -o there.db --quiet --map submit=submit,start=start,runtime=run,gpus=gpus >/dev/null || fail "import of a start"
there=(gangs.json --set 'workload.trace[0].database=there.db' --set 'workload.trace[0].from_s=20')
expect 0 "from the middle" "$DCSIM" run "${there[@]}"
[[ $(tr -s ' \n' ' ' <out) == *'from_s leaves 3 of 4 jobs out, of which 2 ran at from_s on 3 GPUs (early keeps them): the numbers are of the others.'* ]] ||
    fail "who is missing: $(<out)"
says out '^queue wait +0 ' "on an empty cluster"
expect 0 "with those that were there" "$DCSIM" run "${there[@]}" --set 'workload.trace[0].early=true' --output there-runs.db
[[ $(sqlite3 there-runs.db "SELECT group_concat((submitted_ns / 1000000000) || ' ' || (duration_ns / 1000000000) || ' ' || (started_ns / 1000000000)) FROM
    (SELECT * FROM whole_job ORDER BY job)") == '0 10 0,0 6 0,0 10 0,0 5 10' ]] || fail "what is left of them: $(sqlite3 there-runs.db 'SELECT * FROM whole_job')"
grep -q 'leaves . of' out && fail "nobody is left out"
expect 2 "a window without a job" "$DCSIM" run "${there[@]}" --set 'workload.trace[0].from_s=500'
says err 'no job of .* \(the trace is from 0 s to 35 s\)' "where the trace is"
cat >cut.txt <<'TXT'
JobID|Submit|Start|ElapsedRaw|State|AllocTRES
1|2026-01-01T00:00:00|2026-01-01T00:00:00|100|COMPLETED|gres/gpu=2
2|2026-01-01T00:00:10|2026-01-01T00:00:10|50|RUNNING|gres/gpu=2
TXT
"$DCSIM" trace import slurm-sacct cut.txt -o cut.db --quiet >/dev/null || fail "import of a job that runs"
expect 0 "a job that ran at the end" "$DCSIM" run gangs.json --set 'workload.trace[0].database=cut.db'
says out '^1 job still ran when the trace ended: what was seen of it is replayed\.$' "its duration is not known"
expect 0 "a search with such a job" "$DCSIM" capacity gangs.json --set 'workload.trace[0].database=cut.db' --vary 'cluster.nodes[0].gpus=2:8' \
    --metric queue_wait_p95 --at-most 10s
tr -s ' \n' ' ' <out >flat
says flat 'WARNING: [^.]*1 of 2 jobs still ran when the trace ended: what was seen of it is replayed, and all of it needs more' "capacity says so, too"

# Half of the jobs are drawn for each replication: runs differ, the same config gives the same, and there is an interval.
printf 'submit,run,gpus\n' >many.csv
for i in {1..200}; do echo "$i,$((7 * i % 50 + 1)),$((i % 4 + 1))" >>many.csv; done
import many.csv many.db || fail "import of many jobs"
many=(gangs.json --set 'workload.trace[0].database=many.db' --set 'workload.trace[0].keep=0.5' --set replications=4)
expect 0 "drawn jobs" "$DCSIM" run "${many[@]}" --output many-runs.db
says out '^jobs +[0-9.]+ ± ' "intervals in the summary"
expect 0 "the same by EASY" "$DCSIM" run "${many[@]}" --set cluster.queue.order=easy --output many-runs.db
expect 0 "comparison" "$DCSIM" compare many-runs.db --baseline fcfs+first_fit --metric queue_wait_mean
says out '^easy\+first_fit \* +4 .* better' "who decides is compared, and named"
expect 0 "again" "$DCSIM" run "${many[@]}" --output again.db --threads 3
drawn() { sqlite3 "$1" "SELECT group_concat(value) FROM metric WHERE name = 'jobs' AND experiment = (SELECT id FROM experiment WHERE policy = '$2')"; }
[[ $(drawn many-runs.db fcfs+first_fit | tr , '\n' | sort -u | wc -l) -ge 3 ]] || fail "replications draw the same jobs"
[[ $(drawn many-runs.db fcfs+first_fit) == "$(drawn many-runs.db easy+first_fit)" ]] || fail "orders meet other jobs"
[[ $(drawn many-runs.db fcfs+first_fit) == "$(drawn again.db fcfs+first_fit)" ]] || fail "draws differ between runs"
expect 0 "capacity by drawn jobs" "$DCSIM" capacity "${many[@]}" --vary 'cluster.nodes[0].nodes=1:64' --metric queue_wait_p95 --at-most 20s
says out '±' "an interval"
says out '^WARNING: workload.trace\[0\].keep is 0.5: the answer is for 50 % of the load\.$' "how much of the load it is for"
expect 1 "the part of the jobs is varied" "$DCSIM" capacity gangs.json --set 'workload.trace[0].database=many.db' --set replications=2 \
    --vary 'workload.trace[0].keep=0.05:1' --metric queue_wait_p95 --at-most 20s --resolution 0.5
grep -q 'keep is' out && fail "each row says it already"

# A share above 1 is a slip for per cent; without a horizon nothing is left undone at the end.
refused '--at-most: unfinished is a share: expected a number from 0 to 1, or like 2%, found 2$' "a share above 1" "$DCSIM" capacity \
    "${much[@]}" --vary 'cluster.nodes[0].nodes=1:3' --metric unfinished --at-most 2
refused '--at-least: allocation is a share: .* found 150%$' "a share above 100 %" "$DCSIM" capacity "${much[@]}" \
    --vary 'cluster.nodes[0].nodes=1:3' --metric allocation --at-least 150%
expect 0 "no horizon" "$DCSIM" capacity "${much[@]}" --set horizon.duration_s=0 --vary 'cluster.nodes[0].nodes=1:3' --metric unfinished \
    --at-most 2% --output endless.db
says out '^WARNING: unfinished is always 0 here, and no bound: without horizon.duration_s' "what is no bound"
expect 0 "its page" "$DCSIM" report endless.db -o endless.html
says endless.html '<strong>WARNING: unfinished is always 0 here' "the same on the page"
expect 0 "a horizon" "$DCSIM" capacity "${much[@]}" --vary 'cluster.nodes[0].nodes=1:40' --metric unfinished --at-most 2%
grep -q 'always 0' out && fail "it is a bound"

# The report of a search: experiments in the order of the varied value, an axis in the unit of the bound, and jobs that
# waited at the answer and at the value that does not keep the bound alone.
printf 'submit,run,gpus\n' >hours.csv
for i in {1..200}; do echo "$((100 * i)),$((700 * i % 5000 + 1)),$((i % 4 + 1))"; done >>hours.csv
import hours.csv hours.db || fail "import of hours"
expect 0 "a search" "$DCSIM" capacity gangs.json --set 'workload.trace[0].database=hours.db' --vary 'cluster.nodes[0].nodes=2:64' \
    --metric queue_wait_p95 --at-most 10min --output search.db
says out 'nodes=[0-9]+ is the least that keeps it; [0-9]+ may not' "its answer"
answer=$(sed -n 's/.*nodes=\([0-9]*\) is the least that keeps it; \([0-9]*\) .*/\2 \1/p' out)
# Jobs are called by their names in the log, beside their numbers; results of before have none.
printf 'submit,run,gpus,job\n0,10,4,first\n1,10,4,se<cond\n2,10,4,\n' >named.csv
"$DCSIM" trace import csv named.csv -o named.db --quiet --map submit=submit,runtime=run,gpus=gpus,name=job || fail "import of names"
"$DCSIM" run gangs.json --set 'workload.trace[0].database=named.db' --output named-out.db --quiet || fail "a run of names"
[[ $(sqlite3 named-out.db "SELECT group_concat(coalesce(name, '-')) FROM whole_job") == 'first,se<cond,-' ]] || fail "names in the results"
expect 0 "explain" "$DCSIM" explain named-out.db --slowest 2
says out '^2 se<cond +1\.00 s +9\.00 s ' "a job that has a name"
says out '^3 +2\.00 s +18\.0 s ' "one that has none"
expect 0 "report" "$DCSIM" report named-out.db -o named.html
says named.html '>2(&#160;| )se&lt;cond<' "the name in the report"
sqlite3 named-out.db 'ALTER TABLE whole_job DROP COLUMN name; PRAGMA user_version = 10'
expect 0 "explain without names" "$DCSIM" explain named-out.db --slowest 2
says out '^2 +1\.00 s +9\.00 s ' "results of before"
expect 0 "report without names" "$DCSIM" report named-out.db -o unnamed.html
"$DCSIM" run gangs.json --set 'workload.trace[0].database=named.db' --set seed=3 --output named-out.db --quiet || fail "results of before, and more"
[[ $(sqlite3 named-out.db "SELECT group_concat(name) FROM (SELECT coalesce(name, '-') AS name FROM whole_job ORDER BY name)") == '-,-,-,-,first,se<cond' ]] ||
    fail "more, with names"

expect 0 "its report" "$DCSIM" report search.db -o search.html
says search.html 'queue_wait_p95 \(min\)' "the unit of the bound at the axis"
grep -qE 'class="tick"[^>]*>[^<]*e\+' search.html && fail "a number that is too long for an axis"
nodes_of() { sed -n "/class=.caption.>$1/,/<\/table>/p" search.html | grep -oE 'nodes=[0-9]+' | cut -d= -f2 | uniq | tr '\n' ' '; }
[[ -n $(nodes_of 'Each experiment') && $(nodes_of 'Each experiment') == "$(nodes_of 'Each experiment' | tr ' ' '\n' | sed '/^$/d' | sort -n | tr '\n' ' ')" ]] ||
    fail "the order of the experiments: $(nodes_of 'Each experiment')"
[[ "$answer " == "$(nodes_of 'Jobs that waited longest')"* ]] || fail "whose jobs: $(nodes_of 'Jobs that waited longest'), not $answer"
"$DCSIM" run gangs.json --set 'workload.trace[0].database=hours.db' --set 'cluster.nodes[0].nodes=100' --output search.db --quiet || fail "a run beside"
expect 0 "a report with nobody who waits" "$DCSIM" report search.db -o alone.html
sed -n '/<p class="caption">Jobs that waited/,/<\/table>/p' alone.html | grep -q 'nodes=100' && fail "jobs that did not wait"

refused 'jobs_ended is no share: expected a number of jobs' "a count in per cent" "$DCSIM" capacity "${much[@]}" \
    --vary 'cluster.nodes[0].nodes=1:3' --metric jobs_ended --at-least 99%
refused 'no metric "sla_met" of whole jobs; some are queue_wait_p95' "no SLA" "$DCSIM" capacity "${much[@]}" \
    --vary 'cluster.nodes[0].nodes=1:3' --sla 0.99
finish
