#!/bin/bash
# dcsim explain on the command line.
#
# Pins: that the violations it explains are those that the results count, on devices of one kernel, shared ones
# (MPS, partitions, fused launches) and CPUs; that the lines of a request add up to its response time in the
# database, the slowest first; that nothing is written; what is refused; that an overloaded run is called so, that nothing is to be fixed
# first that saves next to nothing, and what is behind waiting for earlier requests. Does not pin: what the parts are
# (prop/test_explain).
# shellcheck source=tests/e2e/lib.sh
. "$(dirname "$0")/lib.sh"
quick=$SOURCE_DIR/configs/quickstart.json

# counts NAME ARGUMENT...: replication 1 of an experiment.
counts() {
    local name=$1 violations
    shift
    expect 0 "$name" "$DCSIM" "$@" --set replications=2 --set outputs.requests=true --output "$name.db" --quiet
    violations=$(sqlite3 "$name.db" "SELECT CAST(sum(value) AS INTEGER) FROM metric
        WHERE name = 'sla_violations' AND app IS NOT NULL AND replication = 1")
    cp "$name.db" before.db
    expect 0 "$name: explain" "$DCSIM" explain "$name.db" --replication 1
    says out "^$violations requests missed their SLA" "$name: as many violations"
    [[ $violations -gt 0 || $name == green ]] || fail "$name: no violations to explain"
    expect 0 "$name: slowest" "$DCSIM" explain "$name.db" --replication 1 --slowest 5
    cp out slowest
    # ms with six decimals are whole ns.
    awk -F'[ ;]+' '/^Request/ { split($2, id, ":"); for (i = 1; i < NF; i++) if ($i == "took") printf "%d %d %.0f\n", id[1], id[2], $(i + 1) * 1e6 }' \
        slowest >told
    sqlite3 -separator ' ' "$name.db" "SELECT job, number, end_ns - arrival_ns FROM request JOIN application USING (experiment, app)
        JOIN run USING (experiment, replication)
        WHERE replication = 1 AND outcome = 'done' AND class = 'latency' AND arrival_ns >= window_from_ns
        ORDER BY end_ns - arrival_ns DESC, job, number LIMIT 5" >slow
    cmp -s told slow || fail "$name: others are the slowest: $(diff told slow | head -2)"
    awk '/^Request/ { if (n) printf "%.0f\n", s; s = 0; n++; next } / ms / { s += sprintf("%.0f", $(NF - 3) * 1e6) } END { printf "%.0f\n", s }' \
        slowest >sums
    cut -d' ' -f3 slow | cmp -s - sums || fail "$name: the parts do not add up"
    cmp -s "$name.db" before.db || fail "$name: the database has changed"
    checks=$((checks + 3))
}
counts quick --config "$quick"
counts features --config "$SOURCE_DIR/tests/data/every-feature.json"
for how in mps green fused; do
    load=0.95
    [[ $how != fused ]] || load=1.8 # Tacker keeps the headroom
    counts $how --config "$SOURCE_DIR/tests/data/shared-$how.json" --set horizon.duration_s=2 \
        --set horizon.warmup_s=0.5 --set 'workload.colocated[0].sla_factor=3' --set "workload.colocated[0].fraction_of_peak=$load"
    cp slowest slowest.$how
done
cat slowest.mps slowest.green slowest.fused >all
says all '^  slowed by (stream|solve) ' "contention"
says all '^  fewer SMs or cores than alone ' "its allotment"
cat >cpu.json <<'JSON'
{ "profile": "xeon-e5-2650v4", "sharing": { "model": "cpu" }, "policy": { "name": "emu" },
  "horizon": { "duration_s": 10, "warmup_s": 2 },
  "workload": { "services": [ { "application": "asr", "sla_ms": 150, "arrivals": { "rate_per_s": 60 } } ],
    "batch": [ { "application": "can", "clients": 2 } ] } }
JSON
counts cpu --config cpu.json
# A recorded program by itself waits for its host, and nothing is revoked.
cat >host.json <<'JSON'
{ "profile": "nvidia-h200-programs", "sharing": { "model": "spatial" }, "policy": { "name": "mps-even" },
  "horizon": { "duration_s": 5 },
  "workload": { "services": [ { "application": "decode", "sla_ms": 5, "arrivals": { "rate_per_s": 10 } } ] } }
JSON
counts host --config host.json
says slowest '^  its own host ' "the time that it waits for its host"
! grep revocation slowest || fail "a revocation where nothing is revoked"

# A service that is offered more than it can do, and one request of it at a time.
cat >over.json <<'JSON'
{ "cluster": { "devices": 1 }, "policy": { "name": "fcfs" }, "horizon": { "duration_s": 20, "warmup_s": 2 },
  "applications": [ { "name": "web", "class": "latency", "sla_ms": 60, "service": { "distribution": "exponential", "mean_ms": 10 } },
    { "name": "train", "class": "batch", "service": { "distribution": "deterministic", "mean_ms": 10 } } ],
  "workload": { "services": [ { "application": "web", "arrivals": { "rate_per_s": 120 } } ], "batch": [ { "application": "train", "clients": 1 } ] } }
JSON
expect 0 "overloaded" "$DCSIM" --config over.json --output over.db
says out 'WARNING: overloaded: .* web' "the summary calls it overloaded"
expect 0 "overloaded: explain" "$DCSIM" explain over.db
says out '^WARNING: overloaded: requests of web came faster than they were served' "overloaded"
says out '^Most of it is waiting for earlier requests\.' "what the waiting is"
awk '/^Most of it/ { on = 1; next } on { share += $(NF - 1) } END { printf "%.0f\n", share }' out | grep -qx 100 ||
    fail "the shares without waiting do not add up to 100 %"
expect 0 "not overloaded" "$DCSIM" --config over.json --set 'workload.services[0].arrivals.rate_per_s=40' --output light.db
expect 0 "not overloaded: explain" "$DCSIM" explain light.db
grep -q overloaded out && fail "a run is called overloaded that is not"
says out '^To fix first:' "a part is to be fixed first"
# Requests that are late by their own work alone: nobody is to blame.
expect 0 "too long" "$DCSIM" --config over.json --set 'workload.services[0].arrivals.rate_per_s=5' --set 'applications[0].sla_ms=0.1' --output long.db
expect 0 "too long: explain" "$DCSIM" explain long.db
says out '^No single part is to blame' "nothing is to be fixed first"
grep -q 'To fix first' out && fail "a part is to be fixed first that saves nobody"

id=$(head -1 slow | awk '{ print $1 ":" $2 }')
expect 0 "one request" "$DCSIM" explain cpu.db --replication 1 --request "$id"
says out "^Request $id of asr arrived at" "one request"
refused '\-\-request: replication 0 has no request 999999 of job 0: it has 2 jobs, and [0-9]+ requests of this one' \
    "no such request" "$DCSIM" explain cpu.db --request 0:999999
refused 'has no request 0 of job 7' "no such job" "$DCSIM" explain cpu.db --request 7:0
for bad in 1 x:1 1:x 1: :1 1:2:3 -1:0; do
    refused '\-\-request takes JOB:NUMBER' "request $bad" "$DCSIM" explain cpu.db --request "$bad"
done
refused '\-\-slowest takes' "slowest" "$DCSIM" explain cpu.db --slowest 0
refused 'expected one of' "two questions" "$DCSIM" explain cpu.db --slowest 1 --violations
expect 0 "a device that moves SMs" "$DCSIM" --config "$SOURCE_DIR/tests/data/shared-green.json" --set sharing.resize_at=drain \
    --set replications=1 --set outputs.requests=true --output moves.db --quiet
refused 'moves.db: sharing.resize_at: explain does not know' "kernels that are resized" "$DCSIM" explain moves.db
refused 'no experiment has a run 5' "no such run" "$DCSIM" explain cpu.db --replication 5
refused 'there is no such file' "no database" "$DCSIM" explain none.db
"$DCSIM" --config "$quick" --set replications=1 --output both.db --quiet
"$DCSIM" --config "$quick" --set replications=1 --set policy.name=fcfs --set 'policy={"name":"fcfs"}' --output both.db --quiet
refused '2 experiments have a run 0: choose one with --experiment and its hash or what stands in brackets: ' "two experiments" "$DCSIM" explain both.db
for policy in fcfs elastic; do
    hash=$(sqlite3 both.db "SELECT substr(hash, 1, 11) FROM experiment WHERE policy = '$policy'")
    says err "in brackets: .*$hash \\($policy" "what there is to choose from"
done
expect 0 "by its policy" "$DCSIM" explain both.db --experiment fcfs
says out 'policy fcfs, replication 0' "by its policy"
"$DCSIM" --config "$quick" --set replications=1 --set 'policy={"name":"fcfs"}' --set seed=7 --output both.db --quiet
refused '2 experiments that "fcfs" means have a run 0: .*: [0-9a-f]{11} \(fcfs, seed=[17]\), [0-9a-f]{11} \(fcfs, seed=[17]\)$' "two of a policy" \
    "$DCSIM" explain both.db --experiment fcfs
refused 'no experiment that "none" means has a run 0' "no such experiment" "$DCSIM" explain both.db --experiment none
# What an error prints in brackets names its experiment, and so do values of its config.
for called in 'fcfs, seed=7' 'policy=fcfs, seed=7' 'seed=7, fcfs' 'policy.name=fcfs, seed=7' 'fcfs, s…=7'; do
    expect 0 "by \"$called\"" "$DCSIM" explain both.db --experiment "$called"
    says out "$(sqlite3 both.db "SELECT substr(hash, 1, 11) FROM experiment WHERE seed = 7")" "by \"$called\""
done
refused 'no experiment that "fcfs, seed=8" means has a run 0' "values that none has" "$DCSIM" explain both.db --experiment 'fcfs, seed=8'
# The first line says the options of the policy.
"$DCSIM" --config "$quick" --set replications=1 --set 'policy={"name":"elastic","window":7,"revocation":true}' --output options.db --quiet
expect 0 "options" "$DCSIM" explain options.db
says out 'policy elastic \(revocation=true.*window=7\), replication 0|policy elastic \(window=7.*revocation=true\), replication 0' "options"
cp quick.db other.db
sqlite3 other.db "UPDATE run SET build = 'another'"
refused 'build another made the run' "another build" "$DCSIM" explain other.db
expect 0 "any build" "$DCSIM" explain other.db --any-build
sqlite3 other.db "UPDATE run SET requests = requests + 1"
refused 'another program made it' "another run" "$DCSIM" explain other.db --any-build
cp quick.db old.db
sqlite3 old.db "PRAGMA user_version = 4"
refused 'has schema 4' "an older schema" "$DCSIM" explain old.db
# The sum, kept: all of the late time, once however often it is asked for.
[[ $(sqlite3 quick.db "SELECT count(*) FROM late_time") == 0 ]] || fail "something was kept that nobody asked for"
cp quick.db kept.db
for _ in 1 2; do
    expect 0 "keep" "$DCSIM" explain kept.db --replication 1 --keep
done
late=$(sqlite3 kept.db "SELECT sum(end_ns - arrival_ns) FROM request JOIN run USING (experiment, replication)
    WHERE replication = 1 AND end_ns > deadline_ns AND arrival_ns >= window_from_ns")
[[ $(sqlite3 kept.db "SELECT sum(ns) FROM late_time") == "$late" ]] || fail "late_time does not hold all the late time"
[[ $(sqlite3 kept.db "SELECT min(round(total, 9)), max(round(total, 9)) FROM (SELECT sum(share) AS total FROM late_summary
    GROUP BY app)") == "1.0|1.0" ]] || fail "shares of late_summary do not add up to 1"
says out "^  queueing behind lava-md +$(sqlite3 kept.db "SELECT printf('%.3f', sum(ms)) FROM late_summary
    WHERE part = 'queue' AND whom = 'lava-md'") " "what is kept is what is said"
expect 0 "kept runs are held" "$DCSIM" --config "$quick" --set replications=2 --set outputs.requests=true --output kept.db
for order in "quick.db kept.db" "kept.db quick.db"; do
    rm -f all.db
    # shellcheck disable=SC2086
    expect 0 "merge $order" "$DCSIM" merge all.db $order
done
[[ $(sqlite3 all.db "SELECT count(*) FROM late_time") -gt 0 ]] || fail "merge loses what was kept"
refused '\-\-keep goes with --violations alone' "keep of one" "$DCSIM" explain kept.db --keep --slowest 2
sed 's/quadro-p1000/mine/' "$SOURCE_DIR/calibrate/profiles/quadro-p1000.sql" >mine.sql
expect 0 "own profile" "$DCSIM" --config "$quick" --set profile="$PWD/mine.sql" --set replications=1 --output mine.db --quiet
sed -i '1i -- changed' mine.sql
refused 'mine.db: input: experiment [0-9a-f]{11} is [0-9a-f]{11} now: a profile' "a profile that has changed" \
    "$DCSIM" explain mine.db
finish
