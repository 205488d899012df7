#!/bin/bash
# Sweeps as their users run them.
#
# Pins: the same database and summary whatever --jobs is; a point and a single run share their results;
# shards are disjoint and complete, and merged they are one run; a point that fails stops no other and is told with its cause; many points are told by the values of their axes, as the database has them; --dry-run
# runs nothing; Ctrl-C and kill -9 leave what a rerun completes to the same content; mistakes are refused.
# Does not pin: large sweeps (sweep_long).
# shellcheck source=tests/e2e/lib.sh
. "$(dirname "$0")/lib.sh"

base='"name": "small", "policy": { "name": "fcfs" }, "replications": 2,
  "workload": { "trem": [ { "jobs": 8 } ] }'
cat >s.json <<JSON
{ $base,
  "sweep": { "axes": [
    { "key": "policy", "values": [ { "name": "fcfs" }, { "name": "elastic", "revocation": true } ] },
    { "key": "workload.trem[0].load", "from": 0.2, "to": 0.8, "step": 0.2 } ] } }
JSON
dump() { sqlite3 "$1" .dump | grep -v '^INSERT INTO wall' | sort; }
same() { # same A B WHAT
    checks=$((checks + 1))
    [[ $(dump "$1") == "$(dump "$2")" ]] || fail "$3"
}

expect 0 "one job" "$DCSIM" --config s.json --output one.db --jobs 1
cp out one
says one '^small: 8 points: policy \(2\) x workload.trem\[0\].load \(4\)$' "the title"
[[ $(grep -c 'load=0' one) == 8 ]] || fail "a line for each point expected"
for jobs in 2 5; do
    expect 0 "$jobs jobs" "$DCSIM" --config s.json --output "j$jobs.db" --jobs $jobs
    cmp -s out one || fail "$jobs jobs change the summary"
    same one.db "j$jobs.db" "$jobs jobs change the database"
done
expect 0 "no database" "$DCSIM" --config s.json --jobs 3
cmp -s out one || fail "the database changes the summary"
expect 0 "all held" "$DCSIM" --config s.json --output one.db
cmp -s out one || fail "results that were held change the summary"
same one.db j2.db "a rerun changes the database"
[[ $(sqlite3 one.db 'PRAGMA integrity_check') == ok ]] || fail "integrity"
[[ $(sqlite3 one.db "SELECT count(*), count(DISTINCT point) FROM point_axis") == '16|8' ]] ||
    fail "two axes of eight points expected"
[[ $(sqlite3 one.db "SELECT group_concat(value) FROM (SELECT DISTINCT value FROM point_axis WHERE key LIKE '%load' ORDER BY value)") == 0.2,0.4,0.6,0.8 ]] ||
    fail "the values of an axis"

# A single run is the same experiment as its point, in either order.
echo "{ $base }" >single.json
expect 0 "a single run first" "$DCSIM" --config single.json --set 'workload.trem[0].load=0.6' --output shared.db
expect 0 "the sweep after it" "$DCSIM" --config s.json --output shared.db
same one.db shared.db "a single run before the sweep changes the database"
cp one.db after.db
expect 0 "one point alone" "$DCSIM" --config s.json --set sweep=null --set 'workload.trem[0].load=0.6' --output after.db
same one.db after.db "a point alone is another experiment"
refused 'sweep: is not in the config: null takes out' "no sweep to leave out" "$DCSIM" --config single.json --set sweep=null
expect 0 "a single run after it" "$DCSIM" --config single.json --set 'workload.trem[0].load=0.6' --output after.db
says out '^small: fcfs, seed 1, 2 replications' "the single run's summary"
same one.db after.db "a single run after the sweep changes the database"
expect 0 "the config of a point" "$DCSIM" --config s.json --shard 3/8 --print-config
cp out point.json
expect 0 "as a config" "$DCSIM" --config point.json --output after.db
same one.db after.db "--print-config of a point is another experiment"

# --dry-run.
expect 0 "--set of a key with an axis" "$DCSIM" --config s.json --set 'workload.trem[0].load=7' --dry-run
grep -q 'WARNING: --set workload\.trem\[0\]\.load changes nothing: the sweep gives ' err || fail "--set of a key with an axis: no warning"
refused 'sweep.axes\[0\].values\[0\].name=fcfs: is within a value of an axis; give the whole value' "--set within a value" \
    "$DCSIM" run s.json --set 'sweep.axes[0].values[0].name=fcfs'
expect 0 "--dry-run" "$DCSIM" --config s.json --dry-run --output none.db
[[ ! -e none.db ]] || fail "--dry-run made a database"
says out '^ +5  [0-9a-f]{16} +2 +0  policy=\{name:elastic,revocation:true\}, load=0.4$' "--dry-run"
says err '16 runs, about .* s each \(3 tried\)' "--dry-run estimates"
hash=$(awk '$1 == 5 { print $2 }' out)
[[ $(sqlite3 one.db "SELECT count(*) FROM experiment WHERE hash LIKE '$hash%'") == 1 ]] ||
    fail "--dry-run names another experiment"
expect 0 "--dry-run of what is done" "$DCSIM" --config s.json --dry-run --output one.db
says err 'nothing is left' "--dry-run of what is done"

printf '{"policy":{"name":"fcfs"},"workload":{"trem":[{"jobs":2}]},"sweep":{"axes":[{"key":"applications",
    "values":[[{"name":"a\342\200\256","service":{"mean_ms":1}}]]}]}}' >turned.json
for mode in --dry-run --quiet ""; do
    # shellcheck disable=SC2086
    expect 0 "a label that turns the text around" "$DCSIM" --config turned.json $mode
    LC_ALL=C grep -q $'\342\200\256' out && fail "$mode prints it raw"
done

# Opening the points is in the estimate, whose parts add up.
"$DCSIM" --config s.json --dry-run >out 2>told
says told '^dcsim: 16 runs, .* after [0-9.e-]+ s that opening the points took: about [0-9.e-]+ s on ' "what the estimate holds"
sed -E 's/.* ([0-9]+) runs, about ([^ ]+) s each .* after ([^ ]+) s .*: about ([^ ]+) s on ([0-9]+) threads.*/\1 \2 \3 \4 \5/' told |
    awk '$3 <= 0 { exit 1 } { sum = $3 + $1 * $2 / $5; exit !(sum > 0.98 * $4 && sum < 1.02 * $4) }' || fail "the parts: $(cat told)"

# A sweep of many points is told by the values of its axes, in 40 lines at most, with totals.
cat >many.json <<'JSON'
{ "name": "many", "policy": { "name": "fcfs" }, "horizon": { "duration_s": 2 },
  "applications": [ { "name": "web", "class": "latency", "sla_ms": 60, "service": { "distribution": "exponential", "mean_ms": 10 } },
    { "name": "train", "class": "batch", "service": { "mean_ms": 100 } } ],
  "workload": { "services": [ { "application": "web", "arrivals": { "rate_per_s": 100 } } ],
    "batch": [ { "application": "train" } ] },
  "sweep": { "axes": [
    { "key": "policy", "values": [ { "name": "fcfs" }, { "name": "priority" }, { "name": "elastic" }, { "name": "elastic", "revocation": true },
      { "name": "priority", "revocation": true }, { "name": "priority", "queue": "jobs" } ] },
    { "key": "workload.services[0].arrivals.rate_per_s", "from": 10, "to": 150, "step": 20 },
    { "key": "applications[1].memory_mb", "values": [1, 2, 3] },
    { "key": "cluster.devices", "values": [1, 2] } ] } }
JSON
expect 0 "many points" "$DCSIM" --config many.json --output many.db
cp out many
[[ $(wc -l <many) -le 40 ]] || fail "more than 40 lines: $(cat many)"
says err '^dcsim: 288 runs in [0-9.e-]+ s on [0-9]+ threads$' "how long many points took"
says many '  policy=\{name:elastic,revocation:true\}$' "a value that is an object"
[[ $(grep -c '  rate_per_s=[0-9]*$' many) -eq 8 ]] || fail "a line for each rate expected"
overloaded=$(sqlite3 many.db "SELECT count(DISTINCT experiment) FROM summary WHERE name = 'overloaded' AND value = 1")
violate=$(sqlite3 many.db "SELECT count(*) FROM sla_verdict WHERE verdict IN ('violates', 'infeasible')")
undecided=$(sqlite3 many.db "SELECT count(*) FROM sla_verdict WHERE verdict = 'undecided'")
((overloaded > 0 && violate > 0 && undecided > 0)) || fail "a case of each expected: $overloaded, $violate, $undecided"
says many "^ +288 +$overloaded +$violate .*  memory_mb=1 … 3$" "values that say the same are one line, with all their points"
says many "^288 runs of 288 points: $overloaded overloaded, $violate violating an SLA, $undecided undecided\.$" "totals"
is=$(sqlite3 many.db "SELECT printf('%.2f %% +%.2f %%', 100 * avg(sla_met), 100 * min(sla_met)) FROM headline h
    JOIN point_axis a USING (experiment) WHERE a.key = 'cluster.devices' AND a.value = 2")
says many "^ +144 .* +$is .*  devices=2$" "mean and lowest of the points with two devices"
expect 0 "a line for each point" "$DCSIM" --config many.json --output many.db --all-points
[[ $(grep -c ', devices=[12]' out) -eq 288 ]] || fail "288 lines expected"
# Axes of many values are told in ranges, and what failed is said.
expect 0 "a long axis" "$DCSIM" --config many.json --set 'sweep.axes[1].step=2' --shard 1/8
[[ $(wc -l <out) -le 40 ]] || fail "more than 40 lines: $(cat out)"
says out '^many: 320 of 2556 points:' "a shard of many points"
says out '  rate_per_s=10 … [0-9]+$' "a range"
expect 1 "points that fail" "$DCSIM" --config many.json --set 'sweep.axes[2].values=[1,2,9000]'
says out '^192 runs of 288 points: .*, 96 failed\.$' "how many failed"
says out '^ +0 of 96 +0  +memory_mb=9000$' "a value of which all fail"

# What fails in a run that --dry-run tries.
late='"policy": { "name": "fixed-split", "service_shares": "bfs=0" }, "sharing": { "model": "spatial" },
  "horizon": { "duration_s": 3 }, "workload": { "services": [ { "application": "bfs", "arrivals": { "rate_per_s": 9 } } ] }'
echo "{ $late }" >late.json
expect 2 "--dry-run of what fails" "$DCSIM" --config late.json --dry-run
says err '^dcsim: late.json:1: policy.service_shares: .* gives service "bfs" a share of 0' "--dry-run of what fails"
[[ $(wc -l <err) == 1 ]] || fail "--dry-run of what fails estimates, too"
echo "{ $late, \"sweep\": { \"axes\": [ { \"key\": \"policy.service_shares\", \"values\": [ \"0.5\", \"bfs=0\" ] } ] } }" >late.json
expect 1 "--dry-run where a point fails" "$DCSIM" --config late.json --dry-run
says err 'policy.service_shares: point 1 .*gives service "bfs" a share of 0' "--dry-run where a point fails"
says err '2 runs, about .* s each \(1 tried\)' "--dry-run where a point does not"

# Shards.
for k in 1 2 3; do
    expect 0 "shard $k" "$DCSIM" --config s.json --shard $k/3 --output "shard$k.db"
    [[ $(sqlite3 "shard$k.db" 'SELECT count(*) FROM point') == $((k < 3 ? 3 : 2)) ]] || fail "points of shard $k"
done
[[ $(for k in 1 2 3; do sqlite3 shard$k.db 'SELECT number FROM point'; done | sort | tr -d '\n') == 01234567 ]] ||
    fail "shards are not disjoint and complete"
expect 0 "merge" "$DCSIM" merge merged.db shard2.db shard3.db shard1.db
says out '^8 experiments and 16 runs added, 0 runs were there$' "merge"
same one.db merged.db "merged shards differ from one run"
expect 0 "merge once more" "$DCSIM" merge merged.db shard1.db one.db
says out '^0 experiments and 0 runs added, 22 runs were there$' "merging is idempotent"
same one.db merged.db "merging again changes the database"
expect 0 "a merged database goes on" "$DCSIM" --config s.json --output merged.db
cmp -s out one || fail "the summary of a merged database"
sqlite3 shard3.db 'UPDATE metric SET value = 7 WHERE position = 1'
cp merged.db before.db
refused 'shard3.db: metric: .*not the same as in merged.db' "a conflict" "$DCSIM" merge merged.db shard3.db
cmp -s merged.db before.db || fail "a conflict changed the database"
cp shard1.db orphans.db
sqlite3 orphans.db 'PRAGMA foreign_keys=OFF; DELETE FROM run WHERE replication=0'
refused 'orphans.db: [a-z_]+: holds rows whose row of table "run" is missing' "a merge of rows without a run" "$DCSIM" merge merged.db orphans.db
refused 'none.db: cannot open' "merging nothing" "$DCSIM" merge merged.db none.db
refused 'merged into' "merging a database into itself" "$DCSIM" merge merged.db merged.db
refused 'dcsim merge --help' "merge without input" "$DCSIM" merge merged.db
refused 'unknown option, or one that lacks its value: --force' "merge with an unknown option" "$DCSIM" merge merged.db shard1.db --force

expect 0 "a shard without points" "$DCSIM" --config s.json --shard 9/9 --output empty.db
says err 'no points' "a shard without points"
[[ ! -s out ]] || fail "a shard without points prints a table"
[[ ! -e empty.db ]] || fail "a shard without points made a database"

# What makes a point's numbers doubtful is said: overload, and an interval that "until" wanted narrower.
cat >doubt.json <<'JSON'
{ "policy": { "name": "fcfs" }, "replications": 5, "horizon": { "duration_s": 20, "warmup_s": 2 },
  "applications": [ { "name": "web", "class": "latency", "sla_ms": 200,
    "service": { "distribution": "exponential", "mean_ms": 10 } } ],
  "workload": { "services": [ { "application": "web", "arrivals": { "rate_per_s": 50 } } ] },
  "until": { "metric": "latency.sla_met", "half_width": 0.001, "batch": 2, "max_replications": 8 },
  "sweep": { "axes": [ { "key": "workload.services[0].arrivals.rate_per_s", "values": [10, 92, 130] } ] } }
JSON
expect 0 "dry run with until" "$DCSIM" --config doubt.json --dry-run --output doubt.db
says err '^dcsim: 15 runs at least, as "until" may add some, .*: more than ' "until may add"
expect 0 "doubtful points" "$DCSIM" --config doubt.json --output doubt.db
says out '^ +5 .* rate_per_s=10$' "a point without doubts"
says out '^ +8 .* rate_per_s=92 \+$' "too few replications"
says out '^ +5 .* rate_per_s=130 \*$' "overloaded"
says out '^\* WARNING: overloaded' "what * means"
says out '^\+ WARNING: the interval of until.metric' "what + means"
expect 0 "dry run when all is done" "$DCSIM" --config doubt.json --dry-run --output doubt.db
says err 'nothing is left' "until has what it may have"
says out '^ +1 .* 8 +8 +rate_per_s=92$' "all 8 are held"
sqlite3 doubt.db 'PRAGMA foreign_keys = ON; DELETE FROM run WHERE replication >= 5'
expect 0 "dry run before until is done" "$DCSIM" --config doubt.json --dry-run --output doubt.db
says err '^dcsim: 2 runs at least' "the next two of the point that wants more"

# Points that fail: one cannot be opened (the application does not fit), the others go on.
cat >fails.json <<'JSON'
{ "policy": { "name": "fcfs" }, "horizon": { "duration_s": 5 },
  "applications": [ { "name": "big", "class": "batch", "service": { "mean_ms": 100 } } ],
  "workload": { "batch": [ { "application": "big" } ] },
  "sweep": { "axes": [ { "key": "applications[0].memory_mb", "values": [1, 9000, 2, 9001, 3] } ] } }
JSON
for jobs in 1 3; do
    expect 1 "two points fail" "$DCSIM" --config fails.json --output "f$jobs.db" --jobs $jobs
    says err 'fails.json:.*: workload.batch\[0\].application: point 1 \(memory_mb=9000\): .*can never be served' "its cause"
    says err '^dcsim: 2 of 5 points failed$' "how many"
    says out ' failed +memory_mb=9001$' "in the summary"
    [[ $(sqlite3 "f$jobs.db" 'SELECT group_concat(number) FROM (SELECT number FROM point ORDER BY number)') == 0,2,4 ]] ||
        fail "the other points"
done
# What many points fail with is said once.
sed 's/"applications\[0\].memory_mb", "values": \[[^]]*\]/"seed", "values": [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]/; s/"application": "big"/"application": "bog"/' \
    fails.json >alike.json
expect 1 "all points fail alike" "$DCSIM" --config alike.json --output alike.db
says err 'point 0 \(seed=1\) and 11 more points: .*"bog"' "the cause, once"
[[ $(grep -c bog err) -eq 1 ]] || fail "the cause is said more than once"
says err '^dcsim: 12 of 12 points failed$' "how many"
same f1.db f3.db "jobs change what is left of a sweep that fails"

# Ctrl-C and kill -9, then the same command again.
sed 's/"replications": 2/"replications": 30/' s.json >long.json
expect 0 "undisturbed" "$DCSIM" --config long.json --output whole.db --quiet
"$DCSIM" --config long.json --output int.db --quiet 2>err &
pid=$!
for _ in $(seq 200); do [[ -s int.db ]] && break; sleep 0.02; done
kill -INT $pid
wait $pid
code=$?
if [[ $code -eq 130 ]]; then
    says err 'interrupted: [1-8] of 8 points are missing; run the same command again' "interrupted"
elif [[ $code -ne 0 ]]; then
    fail "Ctrl-C: exit code $code"
fi
expect 0 "continued" "$DCSIM" --config long.json --output int.db --quiet
same whole.db int.db "continuing after Ctrl-C differs from running at once"
for _ in 1 2; do
    "$DCSIM" --config long.json --output kill.db --quiet &
    pid=$!
    sleep 0.$((RANDOM % 8 + 1))
    kill -9 $pid 2>/dev/null
    wait $pid 2>/dev/null
    [[ ! -s kill.db || $(sqlite3 kill.db 'PRAGMA integrity_check') == ok ]] || fail "integrity after kill -9"
done
expect 0 "continued after kill -9" "$DCSIM" --config long.json --output kill.db --quiet
same whole.db kill.db "continuing after kill -9 differs from running at once"

# Another build's runs.
sqlite3 kill.db "UPDATE run SET build = 'older' WHERE replication = 0"
refused 'kill.db: .*another build, older.*--any-build' "another build" "$DCSIM" --config long.json --output kill.db
expect 0 "--any-build" "$DCSIM" --config long.json --output kill.db --any-build --quiet

# Mistakes.
try() { # try REGEX WHAT AXES [ARGUMENT...]
    local regex=$1 what=$2
    echo "{ $base, \"sweep\": { \"axes\": [ $3 ] } }" >bad.json
    shift 3
    refused "$regex" "$what" "$DCSIM" --config bad.json --output new.db "$@"
}
try 'bad.json:2: workload.trem\[0\].lod: unknown key; did you mean "load"' "an axis that names no key" \
    '{ "key": "workload.trem[0].lod", "values": [1, 2] }'
try 'sweep.axes\[0\].key: .*cannot change a result' "an axis that changes nothing" '{ "key": "name", "values": ["a", "b"] }'
try 'same experiment' "equal points" '{ "key": "seed", "values": [1, 1.0] }'
try 'did you mean "axes"' "no axes" '], "axis": ['
thousand='{ "key": "seed", "from": 1, "to": 1000, "step": 1 }, { "key": "cluster.devices", "from": 1, "to"'
try '1000000 points; --yes' "a million points" "$thousand: 1000, \"step\": 1 }"
try '101000 points; --yes' "nobody to ask" "$thousand: 101, \"step\": 1 }"
try '101000 points; --yes' "nobody to ask for a dry run" "$thousand: 101, \"step\": 1 }" --dry-run
try 'more than 100000000 points' "too many points" "$thousand: 1000000, \"count\": 1000000 }" --yes

# Somebody at a terminal is asked. What is wrong with a point shows that the answer was yes: they are looked at next.
echo "{ $base, \"sweep\": { \"axes\": [ $thousand: 101, \"step\": 1 }, { \"key\": \"none\", \"values\": [1] } ] } }" >ask.json
answers=(y:unknown Yes:unknown n:mean '':mean maybe:mean)
has_terminals || { echo "skipped: the question at a terminal (no pseudo-terminal can be opened)"; answers=(); }
for answer in "${answers[@]}"; do
    printf '%s\n' "${answer%:*}" | script -qec "'$DCSIM' --config ask.json" /dev/null | tr -d '\r' >out
    says out '^dcsim: the sweep has 101000 points. Go on\? \[y/N\]' "a question"
    case ${answer#*:} in
    unknown) says out 'none: unknown key' "the answer ${answer%:*}" ;;
    *) says out 'the sweep has 101000 points; --yes if you mean it' "the answer ${answer%:*}" ;;
    esac
done
for shard in 0/3 4/3 1/0 1 a/b 1/3x -1/3 1/99999999999999999999; do
    refused "--shard takes K/N.*$shard" "--shard $shard" "$DCSIM" --config s.json --shard $shard --output new.db
done
finish
