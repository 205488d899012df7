#!/bin/bash
# dcsim validate --driven: what was measured on a real GPU beside simulations of the same.
#
# Pins: a "measurement" that is a simulation itself has errors of 0, no launch on another quota and the same order; one that
# took longer, was swapped with another policy, or launched on other SMs is told by exactly so much; plots/driven.py prints
# these numbers; unfairness of batch applications; what scheduling takes comes into a profile, and from there into simulations; what is refused. Does not pin:
# how well real GPUs are met (docs/validation/driven.md).
# shellcheck source=tests/e2e/lib.sh
. "$(dirname "$0")/lib.sh"
cat >c.json <<'JSON'
{ "name": "pair", "profile": "made-up", "sharing": { "model": "spatial" }, "policy": { "name": "fcfs" }, "predictor": "mean",
  "workload": { "services": [ { "application": "answer", "sla_ms": 20,
    "arrivals": { "process": "poisson", "rate_per_s": 60 } } ], "batch": [ { "application": "stream" } ] },
  "cluster": { "domains": 1, "devices": 1 }, "outputs": { "requests": true, "launches": true },
  "horizon": { "duration_s": 2, "warmup_s": 0.5 }, "replications": 2,
  "sweep": { "axes": [ { "key": "policy.name", "values": [ "fcfs", "priority", "fixed-split" ] } ] } }
JSON
# fake FILE: simulations as if they had been measured.
fake() {
    cp sim.db "$1"
    {
        cat "$SOURCE_DIR/src/results/store_driven.sql"
        echo "INSERT INTO driven SELECT experiment, replication, 'NVIDIA H200', 'GPU-1', '1', '1', 'words' FROM run;
        INSERT INTO driven_launch SELECT experiment, replication, position, job, number, kernel,
            CASE WHEN policy = 'fixed-split' THEN value ELSE 0 END, value, at_ns, 0, 0, 0, 0, 0
            FROM decision JOIN experiment ON id = experiment WHERE what = 'begins';"
    } | sqlite3 "$1"
}
expect 0 "simulations" "$DCSIM" run c.json --quiet -o sim.db
fake same.db
expect 0 "what is the same" "$DCSIM" validate --driven same.db --csv same.csv
says out '^Real: NVIDIA H200 GPU-1' "the GPU is named"
says out '^pair: answer\+stream, 60 requests/s' "the world is named"
says out '^all +3( +0\.00){7}$' "no error"
[[ $(grep -cE '^(fcfs|priority|fixed-split) .* +0$' out) -eq 3 ]] || fail "launches on other quotas"
awk -F, '$1 == "run" && $6 != "other_quota" && $9 != $10 { exit 1 }' same.csv || fail "sides differ in the CSV"
mean=$(sqlite3 sim.db "SELECT printf('%.9g', avg(end_ns - arrival_ns)) FROM request JOIN run USING (experiment, replication)
    JOIN application USING (experiment, app) JOIN experiment ON id = experiment WHERE policy = 'fcfs' AND class = 'latency'
    AND outcome = 'done' AND arrival_ns >= window_from_ns")
says same.csv "^run,\"pair: answer[+]stream\",60,\"fcfs\",\"\",response_mean,ns,[0-9]+,$mean,$mean,\$" "the mean is that of SQL"
differ=$(awk -F, '$1 == "order" && ($9 > $11 || -$9 > $11)' same.csv | wc -l)
[[ $differ -gt 0 ]] || fail "no two policies differ: the test is none"
[[ $(awk '/same order/ { on = 1 } on && NF >= 4 && $NF == $(NF - 1) { n += $NF } END { print n }' out) -eq $differ ]] ||
    fail "not all orders are the same"

# ---- What differs is told ----
fake slow.db
sqlite3 slow.db "UPDATE request SET end_ns = end_ns + (end_ns - arrival_ns) / 4; UPDATE driven_launch SET sms = 2 WHERE position % 2"
expect 0 "slower and on other quotas" "$DCSIM" validate --driven slow.db
says out '^fcfs .* -20\.0 .*-20\.0 .*-20\.0' "p50, p95, p99 are a fifth less"
others=$(sqlite3 slow.db "SELECT count(*) FROM driven_launch l JOIN decision d USING (experiment, replication, position)
    JOIN experiment ON id = experiment WHERE policy = 'fcfs' AND l.position % 2 AND d.value <> 2")
says out "^fcfs .* $others\$" "so many launches had another quota"
fake swapped.db
sqlite3 swapped.db "CREATE TEMP TABLE old AS SELECT policy, json_extract(config, '\$.policy') AS object FROM experiment;
    UPDATE experiment SET config = json_set(config, '\$.policy', json((SELECT object FROM old WHERE old.policy =
        CASE experiment.policy WHEN 'fcfs' THEN 'priority' ELSE 'fcfs' END))) WHERE policy <> 'fixed-split'"
expect 0 "two policies swapped" "$DCSIM" validate --driven swapped.db
says out 'In another order: pair: answer\+stream, 60/s: fcfs and priority by mean' "another order is told"
expect 0 "the last database counts" "$DCSIM" validate --driven slow.db same.db
says out '^all +3( +0\.00){7}$' "the last database counts"

# ---- Fairness, where no services are ----
expect 0 "batch applications beside each other" "$DCSIM" run c.json --quiet -o fair_sim.db --set sweep=null --set policy.name=hp \
    --set fairness.metrics=true --set workload='{"batch": [{"application": "solve"}, {"application": "stream"}]}'
cp sim.db simulations.db
cp fair_sim.db sim.db
fake fair.db
mv simulations.db sim.db
expect 0 "what is the same" "$DCSIM" validate --driven fair.db
says out 'unfairness, % +performance$' "what is compared"
says out '^hp +[0-9.]+ +[0-9.]+ +\+0\.0 +[0-9.]+ +[0-9.]+ +\+0\.0$' "no error"
grep -qE 'within SLA, %|p99, ms' out && fail "responses of services where none are"
sqlite3 fair.db "UPDATE metric SET value = value - 0.125 WHERE name = 'unfairness'"
expect 0 "less fair than it was" "$DCSIM" validate --driven fair.db
says out '^hp .* \+12\.5 .* \+0\.0$' "unfairness is told in points"

# ---- Tables of them ----
expect 0 "rows of the slow one" "$DCSIM" validate --driven slow.db --csv slow.csv
sqlite3 slow.db "INSERT INTO driven_callback SELECT experiment, replication, 1, 'arrival', 0, 1000, 3000 FROM run"
expect 0 "Markdown" python3 "$SOURCE_DIR/plots/driven.py" slow.db --simulated slow.csv --charged slow.csv --runs runs.csv
[[ $(wc -l <runs.csv) -eq 4 ]] || fail "not a row of each run"
awk -F, '$3 == "fcfs" { exit !($1 == "answer+stream" && $2 == 60 && sqrt(($6 / $5 - 0.8) ^ 2) < 0.001 && $6 == $7) }' runs.csv || fail "fcfs in the rows"
says out '^\| all but MPS, charged \| 20\.00 \| 20\.00 \|' "means"
says out '^\| .fcfs. \| .* \| 2\.0 / 2\.0 \|$' "what callbacks cost"
says out '^\| mean \| 3 \| [1-3] \| ' "the order"
if command -v gnuplot >/dev/null; then
    expect 0 "pictures" python3 "$SOURCE_DIR/plots/driven.py" slow.db --simulated slow.csv --charged slow.csv --pictures dots
    [[ $(wc -l <dots.tsv) -eq 3 && -s dots.png ]] || fail "not a dot for each run"
    says dots.svg 'p99 of responses \(ms\)' "the figure's titles"
    expect 0 "pictures of rows" python3 "$SOURCE_DIR/plots/driven.py" --runs runs.csv --pictures again
    [[ $(wc -l <again.tsv) -eq 3 && -s again.png ]] || fail "not a dot for each row"
fi

# ---- Other simulations ----
expect 0 "with charges" "$DCSIM" validate --driven same.db --set scheduler.scale=1 --set scheduler.callback_us=500
grep -qE '^all +3( +0\.00){7}$' out && fail "--set changes nothing"
"$DCSIM" profile build "$SOURCE_DIR/calibrate/profiles/made-up.sql" mine.db >out 2>err
expect 0 "another profile" "$DCSIM" validate --driven same.db --profile mine.db --folder "$SOURCE_DIR"
says out '3 of 3 experiments were measured with other bytes of their profile' "other bytes are told"

# ---- What scheduling takes ----
fake cost.db
device=$(sqlite3 mine.db 'SELECT name FROM device')
sqlite3 cost.db "UPDATE driven SET device = '$device'; UPDATE driven_launch SET launched_ns = 6000, end_ns = 6001, heard_ns = 6501;
    UPDATE driven_launch SET launched_ns = 9000 + 6000 * (position / 2 % 3 > 0), end_ns = 15001, heard_ns = 15501 WHERE experiment =
        (SELECT id FROM experiment WHERE policy = 'priority');
    INSERT INTO driven_callback SELECT experiment, replication, 1, 'arrival', 0, 1000, 3000 FROM run"
# Most launches of fcfs are fused ones, two rows each, which are as long as nothing that was measured.
sqlite3 cost.db "CREATE TABLE rows AS SELECT experiment, replication, position, row_number() OVER (PARTITION BY experiment, replication
        ORDER BY position) - 1 AS row FROM driven_launch WHERE experiment = (SELECT id FROM experiment WHERE policy = 'fcfs');
    UPDATE driven_launch SET launched_ns = 90000, event_ns = row / 2, sent_ns = 0, position = -row FROM rows r WHERE row % 10 < 6 AND
        r.experiment = driven_launch.experiment AND r.replication = driven_launch.replication AND r.position = driven_launch.position;
    DROP TABLE rows"
# Six kills of one run are first ones, each with another 0.2 s after it is gone.
sqlite3 cost.db "UPDATE experiment SET config = json_set(config, '$.revocation.mechanism', 'process_kill') WHERE policy = 'priority'"
sqlite3 cost.db "WITH RECURSIVE n(i) AS (VALUES (0) UNION ALL SELECT i + 1 FROM n WHERE i < 5),
        k AS (SELECT min(id) AS e FROM experiment WHERE policy = 'priority')
    INSERT INTO driven_revocation SELECT e, 0, 4 * i, 3000000000 * i, 100000000 + i, NULL FROM n, k
        UNION ALL SELECT e, 0, 4 * i + 2, 3000000000 * i + 300000000, 200000000 - i, NULL FROM n, k
        UNION ALL SELECT e, 0, 4 * i + 3, 3000000000 * i + 900000000, NULL, NULL FROM n, k"
refused 'same.db: .*|is the profile of a' "a profile of another GPU" "$DCSIM" validate --driven same.db --keep mine.db
cp cost.db other.db
sqlite3 other.db "UPDATE driven SET uuid = 'GPU-2' WHERE experiment = (SELECT max(experiment) FROM driven)"
refused 'the runs were measured on several GPUs' "costs of several GPUs" "$DCSIM" validate --driven other.db --keep mine.db
refused 'has not measured what policy fcfs costs' "no cost yet" \
    "$DCSIM" run c.json --set sweep=null --set profile=mine.db --set scheduler.callback_us=profile
expect 0 "keeping costs" "$DCSIM" validate --driven cost.db --keep mine.db
[[ $(sqlite3 mine.db "SELECT duration_ns, callback_ns, n > 100 FROM scheduler_cost WHERE policy = 'fcfs'") == '6500|2000|1' ]] ||
    fail "the cost of fcfs: $(sqlite3 mine.db 'SELECT * FROM scheduler_cost')"
[[ $(sqlite3 mine.db "SELECT duration_ns = 15500 FROM scheduler_cost WHERE policy = 'priority'") -eq 1 ]] ||
    fail "the cost of priority is no median: $(sqlite3 mine.db 'SELECT * FROM scheduler_cost')"
[[ $(sqlite3 mine.db "SELECT count(*) FROM scheduler_cost WHERE policy = '*' AND source LIKE 'dcsim run --drive on $device GPU-1%'") -eq 1 ]] ||
    fail "no cost of other policies, or without its source"
[[ $(sqlite3 mine.db "SELECT mechanism, again, count(*), min(kill_ns), max(kill_ns), max(n) FROM driven_kill GROUP BY 1, 2" | paste -sd ' ') == \
    'process_kill|0|6|100000000|100000005|6 process_kill|1|6|199999995|200000000|6' ]] || fail "kills: $(sqlite3 mine.db 'SELECT * FROM driven_kill')"
for threads in 1 3; do
    expect 0 "again" "$DCSIM" validate --driven cost.db --keep mine.db --jobs $threads
    [[ $(sqlite3 mine.db 'SELECT group_concat(policy) FROM scheduler_cost') == '*,fcfs,fixed-split,priority' ]] ||
        fail "the order of rows follows the threads: $(sqlite3 mine.db 'SELECT policy FROM scheduler_cost')"
done
numbers() { sqlite3 "$1" "SELECT policy, m.* FROM metric m JOIN experiment ON id = experiment ORDER BY policy, replication, position" | sed -E 's/^([^|]*)\|[0-9]+/\1/'; }
expect 0 "as measured" "$DCSIM" run c.json --quiet -o word.db --set profile=mine.db --set scheduler.callback_us=profile
for policy in fcfs priority fixed-split; do
    ns=$(sqlite3 mine.db "SELECT duration_ns FROM scheduler_cost WHERE policy = '$policy'")
    expect 0 "the same as a number" "$DCSIM" run c.json --quiet -o number.db --set profile=mine.db --set sweep.axes[0].values="[\"$policy\"]" \
        --set scheduler.scale=1 --set scheduler.callback_us="${ns}e-3"
done
cmp <(numbers word.db) <(numbers number.db) || fail "the word and the numbers give other results"
cmp -s <(numbers word.db) <(numbers sim.db) && fail "charges change nothing"
# ---- What is charged by default ----
expect 0 "by default" "$DCSIM" run c.json --quiet -o default.db --set profile=mine.db
cmp <(numbers word.db) <(numbers default.db) || fail "what a profile has measured is not charged by default"
for set in scheduler.callback_us=0 scheduler.scale=0; do
    expect 0 "$set" "$DCSIM" run c.json --quiet -o "$set.db" --set profile=mine.db --set $set
    cmp <(numbers sim.db) <(numbers "$set.db") || fail "$set: something is charged"
    expect 0 "$set, told" "$DCSIM" run c.json --set sweep=null --set profile=mine.db --set $set
    tr -s ' \n' '  ' <out >flat.out
    says flat.out 'deciding takes no time; on this GPU it takes' "$set: a profile that knows more"
done
expect 0 "a sweep" "$DCSIM" run c.json --set profile=mine.db --set scheduler.callback_us=0
tr -s ' \n' '  ' <out >flat.out
says flat.out 'Deciding takes no time at 3 of 3 points; on their GPUs it takes up to 15\.5 us' "a sweep says so"
expect 0 "scale 1" "$DCSIM" run c.json --print-config --set sweep=null
says out '"callback_us": "auto"' "the default, where GPUs are shared"
expect 0 "whole devices" "$DCSIM" run c.json --print-config --set sweep=null --set sharing.model=whole --set profile=quadro-p1000 \
    --set 'workload={"trem":[{"jobs":8}]}'
says out '"callback_us": 0' "the default, where they are not"
expect 0 "validate takes them" "$DCSIM" validate --driven same.db --profile mine.db --set scheduler.callback_us=profile
refused 'scheduler.callback_us: "profile" is of kernels that share a device' "whole devices" \
    "$DCSIM" run c.json --set sharing.model=whole --set scheduler.callback_us=profile
expect 0 "the shipped H200 has a cost" "$DCSIM" run c.json --quiet --set sweep=null --set profile=nvidia-h200 \
    --set scheduler.callback_us=profile --set 'workload.services[0].application=resnet50' --set 'workload.batch[0].application=lbm' \
    --set 'workload.services[0].arrivals.rate_per_s=20'
# Devices of both GPUs: the longer charge.
cat >both.json <<'JSON'
{ "cluster": { "groups": [ { "domains": 1, "devices": 1 }, { "domains": 1, "devices": 1, "profile": "nvidia-h100" } ] },
  "profile": "nvidia-h200", "sharing": { "model": "spatial" }, "policy": { "name": "fcfs" },
  "workload": { "batch": [ { "application": "lbm" }, { "application": "cp" } ] }, "horizon": { "duration_s": 0.1 } }
JSON
for charge in '"auto"' 10.338 0; do
    expect 0 "two profiles, $charge" "$DCSIM" run both.json --quiet -o "both$charge.db" --set scheduler.callback_us="$charge"
done
cmp <(numbers both10.338.db) <(numbers 'both"auto".db') || fail "not the longer charge"
cmp -s <(numbers both0.db) <(numbers 'both"auto".db') && fail "two profiles, and no charge"
# ---- How long killing takes ----
cp mine.db kills.db
sqlite3 kills.db "DELETE FROM scheduler_cost; UPDATE driven_kill SET mechanism = 'trap', kill_ns = 50000000"
cp kills.db flags.db && sqlite3 flags.db "DELETE FROM driven_kill"
revoking() { expect 0 "$1" "$DCSIM" run c.json --quiet --set sweep=null --set policy='{"name":"priority","revocation":true}' -o "$1.db" "${@:2}"; }
revoking quantiles --set profile=kills.db
revoking time --set revocation.kill_ms=50 --set revocation.clear_ms=0 --set revocation.spawn_ms=0
[[ $(sqlite3 time.db "SELECT sum(value) > 5 FROM metric WHERE name = 'revocations'") -eq 1 ]] || fail "nothing is revoked"
cmp <(numbers quantiles.db) <(numbers time.db) || fail "alike quantiles and a time give other results"
sqlite3 kills.db "UPDATE driven_kill SET kill_ns = 80000000 WHERE again = 1"
revoking again --set profile=kills.db
cmp -s <(numbers again.db) <(numbers time.db) && fail "a kill takes no other time after another"
sqlite3 kills.db "UPDATE driven_kill SET kill_ns = kill_ns + (position - 2) * 1000000 - 500000"
revoking drawn --set profile=kills.db
revoking means --set profile=kills.db --set sharing.noise=false
revoking whole --set profile=kills.db --set revocation.kill_ms=50
revoking plain --set revocation.kill_ms=50
cmp <(numbers whole.db) <(numbers plain.db) || fail "a time of the config leaves some of the costs to the quantiles"
for mechanism in asm_exit trap; do
    sqlite3 cost.db "UPDATE experiment SET config = json_set(config, '$.revocation.mechanism', '$mechanism')"
    expect 0 "$mechanism" "$DCSIM" validate --driven cost.db --keep flags.db
    [[ $(sqlite3 flags.db "SELECT count(*) FROM driven_kill") -eq 0 ]] || fail "$mechanism is taken for a kill of a process"
done
revoking constant --set profile=kills.db --set sharing.noise=false --set revocation.kill_ms=50
cmp -s <(numbers drawn.db) <(numbers again.db) && fail "kills are not drawn"
cmp -s <(numbers means.db) <(numbers constant.db) && fail "the config's time is no time for all"
sqlite3 kills.db "DELETE FROM driven_kill WHERE position = 2"
refused 'driven_kill.position' "a quantile is missing" "$DCSIM" run c.json --set sweep=null --set profile=kills.db
sqlite3 kills.db "DELETE FROM driven_kill WHERE again = 1; DELETE FROM driven_kill WHERE position > 1"
refused 'driven_kill.again' "kills of one kind" "$DCSIM" run c.json --set sweep=null --set profile=kills.db
sqlite3 mine.db "UPDATE scheduler_cost SET duration_ns = -1"
refused 'scheduler_cost.*duration_ns' "a cost below 0" "$DCSIM" run c.json --set sweep=null --set profile=mine.db

# ---- What is refused ----
refused 'sim.db: driven: holds no run on a real GPU' "simulations" "$DCSIM" validate --driven sim.db
refused 'expected results databases' "no database" "$DCSIM" validate --driven
refused 'go with --driven' "options of the other form" "$DCSIM" validate made-up --set seed=2
refused '--driven goes without' "options of both" "$DCSIM" validate --driven same.db --half test
refused 'there is no such file' "no file" "$DCSIM" validate --driven none.db
refused 'unknown key' "a key that no config has" "$DCSIM" validate --driven same.db --set nokey=1
refused 'same.csv' "a CSV that is there" "$DCSIM" validate --driven same.db --csv same.csv
sqlite3 slow.db "DELETE FROM request"
refused 'slow.db: request: replication 0 of experiment .* has no rows of requests' "no requests" "$DCSIM" validate --driven slow.db
# ---- The simulations in docs/validation/driven*.csv are what the shipped configs give today ----
# means CSV RUNS "STUDY..." COLUMN [OPTION...]: as the CSV has them, of the runs that it has.
means() {
    local csv=$1 runs=$2 studies=$3 column=$4 study
    shift 4
    for study in $studies; do
        rm -f "$study.db"
        "$DCSIM" run "$SOURCE_DIR/configs/driven/$study.json" --quiet -o "$study.db" "$@" || fail "$study"
        sqlite3 -separator , "$study.db" "SELECT (SELECT group_concat(a, '+') FROM (SELECT json_extract(config, '$.workload.services[0].application') AS a
                UNION ALL SELECT json_extract(value, '$.application') FROM json_each(config, '$.workload.batch'))),
            printf('%.10g', json_extract(config, '$.workload.services[0].arrivals.rate_per_s')),
            policy || CASE WHEN json_extract(config, '$.policy.bandwidth_constraint') = 0 THEN ' (bandwidth_constraint=false)'
                WHEN json_extract(config, '$.policy.compensator') = 0 THEN ' (compensator=false)'
                WHEN experiment.name LIKE 'driven-mechanisms%' OR experiment.name LIKE 'driven-long-revoked%' OR experiment.name LIKE 'driven-long-trap%' THEN ' (' || json_extract(config, '$.revocation.mechanism') || ')' ELSE '' END, printf('%.2f', value / 1e6)
            FROM metric JOIN experiment ON id = experiment WHERE class = 'latency' AND metric.name = 'response_mean'"
    done | sort >today.csv
    tail -n +2 "$SOURCE_DIR/docs/validation/$csv.csv" | sed 's/^H[12]00,//' | cut -d, -f1-3,"$column" | sort >documented.csv
    [[ $(wc -l <documented.csv) -eq $runs ]] || fail "not all runs are documented"
    cut -d, -f1-3 documented.csv | sed 's/$/,/' >which
    grep -F -f which today.csv | diff documented.csv - || fail "column $column of $csv.csv and configs/driven differ"
}
charge=(--set 'scheduler.callback_us="profile"')
means driven 132 "pairs caps fused" 6
means driven 132 "pairs caps fused" 7 "${charge[@]}"
means driven-h100 100 "h100 h100-next fused-h100" 7 "${charge[@]}"
means driven-h100-seed2 29 h100 7 --set seed=2 "${charge[@]}"
means driven-mechanisms 10 mechanisms 7 "${charge[@]}"
means driven-mechanisms-seed2 10 mechanisms 7 --set seed=2 "${charge[@]}"
means driven-mechanisms-h100 10 mechanisms-h100 7 "${charge[@]}"
means driven-long 216 "long long-h100" 7 "${charge[@]}"
means driven-revoked 24 "revoked revoked-h100" 7 "${charge[@]}"
means driven-long-revoked 32 "long-revoked long-revoked-h100" 7 "${charge[@]}"
means driven-long-trap 24 "long-trap long-trap-h100" 7 "${charge[@]}"
means driven-long-fused 68 "long-fused long-fused-h100" 7 "${charge[@]}"
finish
