#!/bin/bash
# Steady state on the command line: the warm-up that MSER-5 cuts, and overload.
#
# Pins: a queue that begins with 500 requests more than its load of 0.5 needs 10 s to serve them: MSER-5 cuts about
# that, in each run its own, the same on any number of threads; the mean is then that of the queue; a run is the one
# that a fixed warm-up of that length gives. Which loads are called overloaded in the summary, the results and
# dcsim compare, and that no load is stated for CPUs and for devices of unlike speed. A run in parts adds up to the run, and
# tells which part breaks the SLA. Does not pin: how often the
# rule for overload errs (stat/test_intervals).
# shellcheck source=tests/e2e/lib.sh
source "$SOURCE_DIR/tests/e2e/lib.sh"

cat >warm.json <<'JSON'
{ "name": "warm", "replications": 5, "policy": { "name": "fcfs" },
  "horizon": { "duration_s": 100, "warmup_rule": "mser5" },
  "applications": [ { "name": "web", "class": "latency", "service": { "distribution": "exponential", "mean_ms": 10 } } ],
  "workload": { "services": [
    { "application": "web", "arrivals": { "rate_per_s": 50 } },
    { "application": "web", "requests": 500, "arrivals": { "process": "deterministic", "rate_per_s": 1e6 } } ] } }
JSON
expect 0 "MSER-5" "$DCSIM" --config warm.json --output w.db --threads 1
cp out one
says one 'without what MSER-5 cuts$' "the title"
says one '^Warm-up: MSER-5 on the number in the system, of each run on its own; 1[0-2]\.[0-9] s in the mean\.$' "the note"
[[ $(sqlite3 w.db "SELECT count(*), min(window_from_ns) > 8e9, max(window_from_ns) < 14e9, count(DISTINCT window_from_ns) > 2 FROM run") == "5|1|1|1" ]] ||
    fail "not cut where the backlog has gone: $(sqlite3 w.db "SELECT window_from_ns FROM run")"
[[ $(sqlite3 w.db "SELECT low < 20e6 AND high > 20e6 FROM summary WHERE name = 'response_mean' AND app = 0") == 1 ]] ||
    fail "the interval of the mean leaves out 20 ms"
# A run whose warm-up is found is simulated twice; its rows are kept once.
expect 0 "with rows" "$DCSIM" --config warm.json --output rows.db --set outputs.requests=true --quiet
[[ $(sqlite3 rows.db "SELECT count(*) FROM run r WHERE requests = (SELECT count(*) FROM request q WHERE q.replication = r.replication)") == 5 ]] ||
    fail "not one row for each request"
expect 0 "on 3 threads" "$DCSIM" --config warm.json --threads 3
cmp -s out one || fail "threads change the cut"
expect 0 "without" "$DCSIM" --config warm.json --set horizon.warmup_rule=fixed --output w.db --quiet
[[ $(sqlite3 w.db "SELECT s.low > 30e6 FROM summary s JOIN run USING (experiment) WHERE name = 'response_mean' AND app = 0 AND replication = 0 AND window_from_ns = 0") == 1 ]] ||
    fail "the backlog is not there without the rule"
first=$(sqlite3 w.db "SELECT max(window_from_ns) / 1e9 FROM run WHERE replication = 0")
expect 0 "by hand" "$DCSIM" --config warm.json --set horizon.warmup_rule=fixed --set horizon.warmup_s="$first" \
    --set replications=1 --output w.db --quiet
[[ $(sqlite3 w.db "SELECT count(*), count(DISTINCT value) FROM metric WHERE replication = 0 AND name = 'response_mean' AND app = 0") == "3|2" ]] ||
    fail "a fixed warm-up of the same length gives another run"
expect 0 "too short" "$DCSIM" --config warm.json --set 'workload.services[1].requests=4000'
says out '^WARNING: in 5 of 5 runs that is half of the run, the most that is cut' "too short"
# A closed loop has nothing to cut.
expect 0 "closed loop" "$DCSIM" --config warm.json --set 'workload={"batch":[{"application":"web","clients":3}]}'
says out '; 0 in the mean\.$' "nothing to cut"
refused 'horizon.warmup_rule: "mser5" needs duration_s' "no horizon" "$DCSIM" --config warm.json --set horizon.duration_s=0 --set 'workload.services[0].requests=5'
refused 'horizon.warmup_s: is found by warmup_rule' "both" "$DCSIM" --config warm.json --set horizon.warmup_s=1
refused 'horizon.warmup_rule: .*"fixed", "mser5"' "no such rule" "$DCSIM" --config warm.json --set horizon.warmup_rule=mser

# --- overload ---
cat >load.json <<'JSON'
{ "name": "load", "replications": 5, "policy": { "name": "fcfs" }, "horizon": { "duration_s": 60, "warmup_s": 10 },
  "applications": [ { "name": "web", "class": "latency", "sla_ms": 200,
    "service": { "distribution": "exponential", "mean_ms": 10 } } ],
  "workload": { "services": [ { "application": "web", "arrivals": { "rate_per_s": 90 } } ] } }
JSON
load() { expect 0 "rate $1" "$DCSIM" --config load.json --set "workload.services[0].arrivals.rate_per_s=$1" --output l.db; }
marked() { sqlite3 l.db "SELECT value FROM summary JOIN experiment e ON e.id = experiment
    WHERE summary.name = '$2' AND json_extract(config, '$.workload.services[0].arrivals.rate_per_s') = $1"; }
load 90
grep -q WARNING out && fail "a load of 0.9 is called overloaded"
[[ $(marked 90 overloaded) == 0.0 && $(marked 90 offered_load) == 0.9 ]] || fail "a load of 0.9 in the results"
load 100
says out '^WARNING: overloaded: the services offer 100.00 % of what' "a load of 1"
load 110
says out '^WARNING: overloaded: the backlog of web grew in the window by [0-9.]+ ± [0-9.]+ % of the requests' "a backlog that grows"
[[ $(marked 110 overloaded) == 1.0 ]] || fail "a load of 1.1 in the results"
# Shared by a closed loop that never leaves room: what is offered is not known, the backlog says it.
expect 0 "beside batch" "$DCSIM" --config load.json --set 'workload.batch=[{"application":"web","clients":50}]'
says out '^WARNING: overloaded: the backlog of web grew' "beside batch"
"$DCSIM" --config load.json --set policy.name=priority --set 'workload.services[0].arrivals.rate_per_s=110' --output l.db --quiet
expect 0 "compare" "$DCSIM" compare l.db --baseline fcfs --metric sla_met
says out '^priority \* ' "compare marks an overloaded experiment"
says out '^\* WARNING: overloaded' "and says what the mark means"
[[ $(grep -n -m1 'WARNING: overloaded' out | cut -d: -f1) -lt $(grep -n -m1 "^priority" out | cut -d: -f1) ]] ||
    fail "compare says that it is overloaded below its table"

# --- where the offered load is not known ---
# unknown WHAT RUN...: neither the summary nor the results state a load, and nothing is overloaded.
unknown() {
    rm -f u.db
    expect 0 "$1" "${@:2}" --output u.db
    grep -q 'WARNING: overloaded' out && fail "$1: called overloaded"
    [[ $(sqlite3 u.db "SELECT sum(name = 'offered_load'), sum(name = 'overloaded' AND value = 0) FROM summary") == "0|1" ]] ||
        fail "$1: a load in the results"
}
# A CPU: a request alone leaves cores to others, so a load of 1.03 of requests alone takes 82 % of the cores.
cat >cpu.json <<'JSON'
{ "name": "cpu", "replications": 2, "profile": "xeon-e5-2650v4", "sharing": { "model": "cpu" },
  "policy": { "name": "os" }, "horizon": { "duration_s": 60, "warmup_s": 10 },
  "workload": { "services": [ { "application": "crf", "arrivals": { "rate_per_s": 52 } } ] } }
JSON
unknown "a CPU" "$DCSIM" --config cpu.json
# The two devices serve 125 and 12.5 requests a second, so 62.5 a second are a load of 0.45. Between them a request
# takes 44 ms in the mean, which would make it 1.4.
sed "/('euclid', .*'task'/s/ 8000000,/ 80000000,/" \
    "$SOURCE_DIR/calibrate/profiles/quadro-p1000.sql" >slow.sql
cmp -s slow.sql "$SOURCE_DIR/calibrate/profiles/quadro-p1000.sql" && fail "the slow profile is not slower"
cat >unlike.json <<'JSON'
{ "name": "unlike", "replications": 2, "profile": "quadro-p1000", "policy": { "name": "fcfs" },
  "horizon": { "duration_s": 60, "warmup_s": 10 },
  "cluster": { "router": "least_outstanding", "groups": [
    { "domains": 1, "devices": 1 }, { "domains": 1, "devices": 1, "profile": "./slow.sql" } ] },
  "workload": { "services": [ { "application": "euclid", "arrivals": { "rate_per_s": 62.5 } } ] } }
JSON
unknown "unlike devices" "$DCSIM" --config unlike.json
expect 0 "a load that is too much for unlike devices" "$DCSIM" --config unlike.json \
    --set 'workload.services[0].arrivals.rate_per_s=150' --set replications=5
says out '^WARNING: overloaded: the backlog of euclid grew' "a load that is too much for unlike devices"
# Two kinds that take the same time are as one.
cp "$SOURCE_DIR/calibrate/profiles/quadro-p1000.sql" same.sql
expect 0 "like devices" "$DCSIM" --config unlike.json --set 'cluster.groups[1].profile=./same.sql' \
    --set 'workload.services[0].arrivals.rate_per_s=250'
says out '^WARNING: overloaded: the services offer 100.00 % of what' "like devices of two profiles"
# --- outputs.interval_s: a day of 24 "hours" of 10 s; the fifteenth brings more than four devices serve ---
cat >day.json <<'JSON'
{ "name": "day", "replications": 2, "cluster": { "devices": 4 }, "policy": { "name": "priority" },
  "applications": [
    { "name": "chat", "class": "latency", "sla_ms": 200, "service": { "distribution": "exponential", "mean_ms": 40 } },
    { "name": "train", "class": "batch", "service": { "mean_ms": 60 } } ],
  "horizon": { "duration_s": 240, "warmup_rule": "mser5" },
  "workload": {
    "services": [ { "application": "chat", "queue_limit": 40, "arrivals": { "process": "daily", "day_s": 240,
        "daily_per_s": "8,4,4,4,8,16,32,56,70,70,70,70,70,70,130,70,70,70,70,56,40,32,20,12" } } ],
    "batch": [ { "application": "train", "clients": 1 } ] },
  "outputs": { "interval_s": 10 } }
JSON
expect 0 "a day in parts" "$DCSIM" --config day.json --output day.db
cp out with
ask() { sqlite3 day.db "$1"; }
[[ $(ask "SELECT count(*), max(bin), max(to_ns) FROM bin_devices") == '48|23|240000000000' ]] || fail "not 24 parts of a run"
[[ $(ask "SELECT (SELECT sum(arrived) FROM bin_requests) = (SELECT sum(requests) FROM run)") == 1 ]] ||
    fail "the parts do not have all requests"
[[ $(ask "SELECT count(DISTINCT bin) FROM (SELECT bin, min(1.0 * met / decided) OVER () AS worst, 1.0 * met / decided AS here
    FROM bin_requests WHERE decided > 0) WHERE here = worst AND bin = 14") == 1 ]] || fail "another hour than the fifteenth breaks it"
expect 0 "without a warm-up" "$DCSIM" --config day.json --set horizon.warmup_rule=fixed --output whole.db
[[ $(sqlite3 whole.db "SELECT (SELECT sum(decided) - sum(met) FROM bin_requests) =
        (SELECT sum(value) FROM metric WHERE name = 'sla_violations' AND class = 'latency'),
    (SELECT sum(busy * (to_ns - from_ns)) FROM bin_devices) = (SELECT sum(busy_ns) FROM device_usage)") == '1|1' ]] ||
    fail "the parts do not add up to the run"
expect 0 "its page" "$DCSIM" report day.db -o day.html
says day.html 'requests that arrived from 140 to 150 seconds, under priority' "the page says which hour"
[[ $(grep -cE '>(Load|Queue|Devices in use) over time<|>Share of the requests in time<' day.html) -ge 4 ]] || fail "not a curve of each"
expect 2 "parts that are too short" "$DCSIM" --config day.json --set outputs.interval_s=0.001
says err 'outputs.interval_s: more than 10000 bins' "the key is told"
expect 0 "no parts" "$DCSIM" --config day.json --set outputs.interval_s=0 --output none.db
cmp -s out with || fail "keeping parts changes the summary"

finish
