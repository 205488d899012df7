#!/bin/bash
# How applications slow each other, and weights, on the command line.
#
# Pins: slow-down, aggregated performance, unfairness and QoS violation of runs that can be worked out by hand, in the
# results, the summary, the comparison, the export and the report; that they are there only where the config asks; that
# policy hp divides a device by the weights of the config; which weights are refused,
# how a metric is asked for by its name, and that a hypothetical device is called so, also in databases of before there was a
# table of them. Does not pin: the formulas in every case (unit/test_fairness), what else policies make of weights.
# shellcheck source=tests/e2e/lib.sh
source "$SOURCE_DIR/tests/e2e/lib.sh"

# One device, one kernel at a time: a takes 10 ms and b 30 ms, in turn, so each takes 40 ms from arrival to completion.
cat >turns.json <<'JSON'
{ "name": "turns", "policy": { "name": "fcfs" }, "horizon": { "duration_s": 4.4, "warmup_s": 0.4 },
  "fairness": { "metrics": true },
  "applications": [
    { "name": "a", "class": "batch", "service": { "distribution": "deterministic", "mean_ms": 10 } },
    { "name": "b", "class": "batch", "service": { "distribution": "deterministic", "mean_ms": 30 } } ],
  "workload": { "batch": [ { "application": "a" }, { "application": "b" } ] } }
JSON
weights() { printf 'fairness.weights=[{"application": "%s", "weight": %s}, {"application": "%s", "weight": %s}]' "$@"; }
value() { sqlite3 "$1" "SELECT round(value, 6) FROM metric LEFT JOIN application USING (experiment, app) WHERE metric.name = '$2' AND $3"; }
is() {
    checks=$((checks + 1))
    [[ $2 == "$3" ]] || fail "$1: found $2, expected $3"
}

expect 0 "turns" "$DCSIM" --config turns.json --output t.db
says out '^  a +0.500 +4 +-$' "the slow-down of a"
says out '^aggregated performance 1, unfairness 0.667$' "the summary"
is "the slow-down of a, 40 over 10 ms" "$(value t.db slowdown "application.name = 'a'")" 4.0
is "the slow-down of b, 40 over 30 ms" "$(value t.db slowdown "application.name = 'b'")" 1.333333
is "aggregated performance, 1/4 + 3/4" "$(value t.db aggregated_performance 'metric.class IS NULL')" 1.0
is "the same of class batch" "$(value t.db aggregated_performance "metric.class = 'batch'")" 1.0
is "of class latency there is none" "$(value t.db aggregated_performance "metric.class = 'latency'")" ""
is "unfairness, (4 - 4/3) / 4" "$(value t.db unfairness 1)" 0.666667
is "no SLA, no violation" "$(value t.db qos_violation "application.name = 'a'")" ""

# Weights 1/4 and 3/4 ask for what happens.
expect 0 "weights" "$DCSIM" --config turns.json --output t.db --set "$(weights a 0.25 b 0.75)" --set name=weighted
is "unfairness by weight" "$(value t.db unfairness "experiment = (SELECT id FROM experiment WHERE name = 'weighted')")" 0.0
expect 0 "export" "$DCSIM" export t.db summary --csv
says out 'unfairness' "the export"
expect 0 "a report" "$DCSIM" report t.db -o t.html
grep -q 'How applications slow each other' t.html || fail "the report has no section on it"
grep -q 'a 4.00, b 1.33' t.html || fail "the report lacks the slow-downs"
python3 "$SOURCE_DIR/tests/e2e/report_page.py" t.html 0 "unfairness" || fail "the page"

# A service of 20 ms alone.
cat >late.json <<'JSON'
{ "name": "late", "policy": { "name": "fcfs" }, "horizon": { "duration_s": 4 }, "fairness": { "metrics": true },
  "applications": [
    { "name": "web", "class": "latency", "service": { "distribution": "deterministic", "mean_ms": 20 } } ],
  "workload": { "services": [ { "application": "web", "sla_ms": 30,
    "arrivals": { "process": "deterministic", "rate_per_s": 10 } } ] } }
JSON
expect 0 "in time" "$DCSIM" --config late.json --output l.db
is "in time" "$(value l.db qos_violation "application.name = 'web'")" 0.0
expect 0 "late" "$DCSIM" --config late.json --output l2.db --set 'workload.services[0].sla_ms=16'
is "1 - 16 / 20" "$(value l2.db qos_violation "application.name = 'web'")" 0.2
is "the worst of the class" "$(value l2.db qos_violation "metric.class = 'latency'")" 0.2
says out '^  web +1 +1 +20.00 %$' "the summary of a service"
expect 0 "compare" "$DCSIM" --config late.json --output l2.db --set policy.name=priority --set 'workload.services[0].sla_ms=16'
expect 0 "compare" "$DCSIM" compare l2.db --baseline fcfs --metric latency.qos_violation
says out '20.00 %' "a comparison of violations"
expect 0 "a report of services" "$DCSIM" report l2.db -o l.html
tr -d '\n' <l.html | grep -q 'fcfs</th><td>1</td><td>0</td><td>1</td><td>0</td><td>0</td><td>1</td>' || fail "the report counts no violation of 20 %"

# A policy divides a device of 32 SMs in steps of 8 by weight.
cat >parts.json <<'JSON'
{ "name": "parts", "profile": "made-up", "sharing": { "model": "spatial" }, "policy": { "name": "hp" },
  "fairness": { "metrics": true }, "horizon": { "duration_s": 1 }, "outputs": { "launches": true },
  "workload": { "batch": [ { "application": "stream", "begin_s": 0.1 }, { "application": "solve", "begin_s": 0.1 } ] } }
JSON
parts() { sqlite3 "$1" "SELECT group_concat(name || ' ' || sms, ', ') FROM (SELECT DISTINCT application.name, value AS sms FROM decision
    JOIN application USING (experiment, app) WHERE what = 'begins' AND at_ns > 2e8 ORDER BY 1)"; }
expect 0 "equal weights" "$DCSIM" --config parts.json --output even.db
is "parts of equal weights" "$(parts even.db)" "solve 16, stream 16"
expect 0 "weights" "$DCSIM" --config parts.json --output parts.db --set "$(weights stream 0.25 solve 0.75)"
is "parts by weight" "$(parts parts.db)" "solve 24, stream 8"

# One application alone has the whole device under each of them: every request ends when it does there.
alone() { "$DCSIM" --config parts.json --quiet --output "$1.db" --set policy.name="$1" --set outputs.requests=true --set horizon.duration_s=0.5 \
    --set 'workload.batch=[{"application": "solve"}]' || fail "solve alone under $1"; }
ends() { sqlite3 "$1.db" 'SELECT number, arrival_ns, end_ns FROM request ORDER BY number'; }
alone fcfs
[[ $(ends fcfs | wc -l) -gt 20 ]] || fail "few requests alone"
for policy in hp themis-fair themis-qos; do
    alone $policy
    is "requests alone under $policy" "$(ends $policy)" "$(ends fcfs)"
done
# What an application's entries do to each other is not in its metrics: the summary says so.
expect 0 "one twice" "$DCSIM" --config parts.json --set 'workload.batch=[{"application": "solve"}, {"application": "solve"}]' --output twice.db
says out 'unfairness 0$' "two of one application"
tr -s ' \n' ' ' <out >line
grep -q 'Slow-downs and unfairness are of applications: how evenly 2 entries of solve share devices is not in them\.' line || fail "two of one application seem to share fairly"
expect 0 "each once" "$DCSIM" --config parts.json --output once.db
grep -q 'entries of' out && fail "it says that entries are one where none is there twice"
expect 0 "a report of that" "$DCSIM" report twice.db -o twice.html
grep -q 'or there is one alone' twice.html || fail "the page does not say when unfairness is 0"
# With steps of 1 SM parts move to where unfairness is lower than with equal ones.
pair() { "$DCSIM" --config parts.json --quiet --set sharing.step_sms=1 --output pair.db --set policy.name="$1" --set name="$1" || fail "a pair under $1"; }
pair hp
pair themis-fair
fair() { value pair.db unfairness "experiment = (SELECT id FROM experiment WHERE name = '$1')"; }
checks=$((checks + 1))
[[ $(sqlite3 :memory: "SELECT $(fair themis-fair) < $(fair hp)") == 1 ]] || fail "themis-fair $(fair themis-fair), hp $(fair hp)"

# A device that moves SMs between kernels that run is hypothetical, and every result says so, if the policy may move them.
moving=("$DCSIM" --config parts.json --set sharing.resize_at=drain --set policy.name=themis-fair --set sharing.step_sms=1)
expect 0 "SMs move" "${moving[@]}" --set name=moving --output pair.db
says out 'WARNING: of profile made-up: HYPOTHETICAL device: SMs move between kernels that run' "the summary of a hypothetical device"
hypothetical() { sqlite3 "${1-pair.db}" "SELECT group_concat(name || ' ' || key) FROM (SELECT e.name, key FROM experiment e
    JOIN hypothetical h ON h.experiment = e.id JOIN input i ON i.experiment = e.id
    WHERE falls_back LIKE 'HYPOTHETICAL device%' ORDER BY 1)"; }
is "what the results say of a hypothetical device" "$(hypothetical)" "moving sharing.resize_at"
expect 0 "saved" "${moving[@]}" --set sharing.resize_at=save --set name=saving --output pair.db
is "the same of blocks that are saved" "$(hypothetical)" "moving sharing.resize_at,saving sharing.resize_at"
expect 0 "nobody moves SMs" "$DCSIM" --config parts.json --set sharing.resize_at=drain --set sharing.step_sms=1 --set name=resting --output pair.db
[[ $(cat out) != *HYPOTHETICAL* ]] || fail "the summary calls a device hypothetical on which nobody moves SMs"
is "nor do the results" "$(hypothetical)" "moving sharing.resize_at,saving sharing.resize_at"
is "hp is as fair there" "$(fair resting)" "$(fair hp)"
is "a database of real devices" "$(sqlite3 even.db "SELECT count(*) FROM sqlite_master WHERE name = 'hypothetical'")" 0
"$DCSIM" merge all.db even.db pair.db || fail "merge with a database of hypothetical devices"
is "merged" "$(hypothetical all.db)" "moving sharing.resize_at,saving sharing.resize_at"
checks=$((checks + 1))
[[ $(fair themis-fair) != $(fair moving) ]] || fail "nothing moves while it runs"
# A sweep says whose points are so, in lines of points and of values.
sweep_moves() { # POLICIES SEEDS EXPECTED
    local axes='{ "axes": [ { "key": "policy.name", "values": ['$1'] }, { "key": "sharing.resize_at", "values": ["kernel", "drain"] },
        { "key": "seed", "values": ['$2'] } ] }'
    sed "\$ s/ }\$/, \"sweep\": ${axes//$'\n'/} }/" parts.json >sweep.json
    expect 0 "a sweep of $1" "$DCSIM" --config sweep.json --output sweep.db --set horizon.duration_s=0.3
    tr -s ' \n' ' ' <out >line
    is "what a sweep of $1 says" "$(grep -o 'HYPOTHETICAL[^:]*: [^.]*\.' line)" "$3"
}
moves='HYPOTHETICAL device, where SMs move between kernels that run (sharing.resize_at):'
sweep_moves '"hp", "themis-fair", "themis-qos"' 1 "$moves themis-fair in 1 of 2 points, themis-qos in 1 of 2 points."
sweep_moves '"hp", "themis-fair"' 1,2,3,4,5,6,7,8,9 "$moves themis-fair in 9 of 18 points."
[[ $(cat out) == *--all-points* ]] || fail "so many points have lines of their own"
sweep_moves '"hp", "fcfs"' 1 ''
compare_moves() { # DATABASE KEY: that the comparison marks both, and says by which key
    expect 0 "a comparison of $1" "$DCSIM" compare "$1" --metric unfairness --key sharing.resize_at --baseline kernel
    tr -s ' \n' ' ' <out >line
    grep -q "WARNING: HYPOTHETICAL device, where SMs move .*($2): sharing.resize_at=[ds][a-z]*, sharing.resize_at=[ds][a-z]*\\." line ||
        fail "the comparison of $1 does not mark both by $2"
}
compare_moves pair.db sharing.resize_at
# Only the text of assumptions says so in older databases, which may have been merged with new ones.
cp pair.db older.db
sqlite3 older.db 'DROP TABLE hypothetical'
compare_moves older.db sharing.resize_at
cp pair.db merged.db
sqlite3 merged.db 'DELETE FROM hypothetical WHERE experiment = (SELECT min(experiment) FROM hypothetical)'
compare_moves merged.db sharing.resize_at
cp pair.db key.db
sqlite3 key.db "UPDATE hypothetical SET key = 'another.key'"
compare_moves key.db another.key
# What cannot be read of the first experiment is told, though the others can be read.
cp pair.db broken.db
sqlite3 broken.db 'ALTER TABLE hypothetical RENAME TO rows;
    CREATE VIEW hypothetical AS SELECT experiment, CASE experiment WHEN (SELECT min(experiment) FROM rows)
        THEN abs(-9223372036854775807 - 1) ELSE key END AS key FROM rows'
expect 2 "a row that cannot be read" "$DCSIM" compare broken.db --metric unfairness --key sharing.resize_at --baseline kernel
says err 'broken.db.*cannot be read: integer overflow' "the row that cannot be read"
expect 0 "a report with it" "$DCSIM" report pair.db -o pair.html
grep -q 'HYPOTHETICAL device: SMs move' pair.html || fail "the report says nothing of a hypothetical device"
# The word stands beside the policy wherever the page names it with a number, and real devices are not averaged with others.
marked() { # DATABASE TEXT...
    expect 0 "a report of $1" "$DCSIM" report "$1" -o marked.html
    checks=$((checks + 1))
    python3 "$SOURCE_DIR/tests/e2e/report_page.py" marked.html 0 "${@:2}" || fail "the page of $1"
}
expect 0 "one that is hypothetical" "${moving[@]}" --output one.db
marked one.db 'Under themis-fair (HYPOTHETICAL); ' '1 of 1 experiment: HYPOTHETICAL device: SMs move'
expect 0 "beside a policy that moves nothing" "${moving[@]}" --output one.db --set policy.name=hp
marked one.db 'themis-fair, HYPOTHETICAL' 'themis-fair (HYPOTHETICAL)' 'How applications slow each other' '1 of 2 experiments: HYPOTHETICAL device'
[[ $(grep -o 'themis-fair, HYPOTHETICAL</t' marked.html | wc -l) == 4 ]] || fail "not all tables mark it"
grep -q 'hp[,( ]*HYPOTHETICAL' marked.html && fail "the page marks a policy that moves nothing"
cp one.db both.db
expect 0 "the same of a real device" "${moving[@]}" --output both.db --set sharing.resize_at=kernel
marked both.db 'themis-fair (sharing.resize_at=drain), HYPOTHETICAL' 'themis-fair (sharing.resize_at=kernel)'
grep -q '>themis-fair</th>' marked.html && fail "the page averages a real and a hypothetical device"
expect 0 "several of one policy" "${moving[@]}" --output seeds.db
expect 0 "several of one policy" "${moving[@]}" --output seeds.db --set seed=2
marked seeds.db '; HYPOTHETICAL in 2.'
refused 'sharing.resize_at: SMs move where kernels share them' "moving where nothing is shared" "$DCSIM" --config turns.json --set sharing.resize_at=drain

# A transfer is as long on any part; a part on which nothing else has ended is not taken for as good as the device.
cat >three.json <<'JSON'
{ "name": "three", "profile": "nvidia-h200", "sharing": { "model": "spatial", "resize_at": "drain" }, "policy": { "name": "themis-fair" },
  "fairness": { "metrics": true }, "horizon": { "duration_s": 4, "warmup_s": 1 },
  "workload": { "batch": [ { "application": "cutcp" }, { "application": "b-plus-tree" }, { "application": "fft" } ] } }
JSON
expect 0 "transfers on a device that moves SMs" "$DCSIM" --config three.json --output three.db
checks=$((checks + 1))
[[ $(sqlite3 three.db "SELECT value < 0.2 FROM metric WHERE name = 'unfairness'") == 1 ]] || fail "unfairness of three: $(value three.db unfairness)"

# Only where it is asked for.
expect 0 "not asked" "$DCSIM" --config turns.json --output n.db --set fairness.metrics=false
is "no metric" "$(sqlite3 n.db "SELECT count(*) FROM metric WHERE name IN ('slowdown', 'unfairness', 'qos_violation')")" 0
grep -q unfairness out && fail "the summary says what was not asked"

expect 0 "another policy" "$DCSIM" --config turns.json --output n.db --set fairness.metrics=false --set policy.name=priority
refused 'n.db: holds no metric "unfairness": set fairness.metrics to true and run again' "a comparison of what was not asked for" \
    "$DCSIM" compare n.db --metric unfairness --baseline fcfs

known=("$DCSIM" --config turns.json --set until.relative=0.1 --set replications=5)
refused 'metric "unfairness" is there where fairness.metrics is true' "a metric that was not asked for" "${known[@]}" \
    --set until.metric=unfairness --set fairness.metrics=false
refused 'metric "slowdown" is of an application: write "a.slowdown", say' "of an application" "${known[@]}" --set until.metric=slowdown
refused 'metric "jobs" is of a class: write latency.jobs or batch.jobs' "of a class" "${known[@]}" --set until.metric=a.jobs
refused 'metric "unfairness" is of the whole run: write its name alone' "of a run" "${known[@]}" --set until.metric=batch.unfairness

refused '"c" is no application of the workload' "an unknown one" "$DCSIM" --config turns.json --set "$(weights a 0.5 c 0.5)"
refused 'fairness.weights\[1\].application: "a" has a weight already' "one twice" "$DCSIM" --config turns.json --set "$(weights a 0.5 a 0.5)"
refused 'fairness.weights: gives some applications a weight, but not "b"' "one is missing" "$DCSIM" --config turns.json \
    --set 'fairness.weights=[{"application": "a", "weight": 1}]'
refused 'fairness.weights: expected weights that add up to 1, found a sum of 0.9' "a sum" "$DCSIM" --config turns.json --set "$(weights a 0.4 b 0.5)"
refused 'weights\[0\].weight: expected' "a weight of 0" "$DCSIM" --config turns.json --set "$(weights a 0 b 1)"
finish
