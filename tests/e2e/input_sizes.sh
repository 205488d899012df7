#!/bin/bash
# Requests of drawn sizes: the same under every policy and on every number of threads, exact where they were
# measured, SLAs and peaks that follow from them, sweeps and several profiles, and what is refused. The profile made-up has requests of
# answer at sizes 1 (the default, 7.5 ms alone on the whole device), 2 (12.3 ms) and 4 (44.5 ms).
# shellcheck source=tests/e2e/lib.sh
. "$(dirname "$0")/lib.sh"

is() {
    local found
    found=$(sqlite3 "$1" "$2")
    checks=$((checks + 1))
    [[ $found == "$3" ]] || fail "$4: expected $3, found $found"
}

cat >sizes.json <<'JSON'
{ "profile": "made-up", "sharing": { "model": "spatial", "noise": false, "contention": false },
  "policy": { "name": "fcfs" }, "horizon": { "duration_s": 20 }, "replications": 2,
  "workload": {
    "services": [ { "application": "answer", "input": "uniform", "sla_ms": 100, "arrivals": { "rate_per_s": 20 } } ],
    "batch": [ { "application": "solve", "input": "1,2,3" } ] },
  "outputs": { "requests": true } }
JSON

for policy in fcfs mps-even mps-priority fixed-split baymax c-laius; do
    expect 0 "$policy" "$DCSIM" --config sizes.json --set policy.name=$policy --output all.db --quiet --threads 2
done
is all.db "SELECT count(*) FROM (SELECT 1 FROM request GROUP BY replication, job, number
    HAVING count(DISTINCT size) <> 1)" 0 \
    "a request has one size under all policies"
is all.db "SELECT count(DISTINCT experiment), count(*) > 4000, group_concat(DISTINCT size)
    FROM (SELECT * FROM request ORDER BY size)" '6|1|1,2,3,4' "sizes that requests have"
# Two applications: MPS holds back neither, whether by even shares or by priorities.
is all.db "SELECT count(*) FROM (SELECT policy, replication, job, number, size, start_ns, end_ns FROM request JOIN experiment ON id = experiment
    WHERE policy LIKE 'mps-%') GROUP BY replication, job, number, size, start_ns, end_ns HAVING count(DISTINCT policy) <> 2" '' \
    "mps-even and mps-priority are the same for one service and one batch application"
# Shares of uniform: 1/6, 1/2, 1/3 of 2 x 400; four standard errors are 0.05 to 0.07.
is all.db "SELECT sum(size = 1) * 1.0 / count(*) BETWEEN 0.11 AND 0.22, sum(size = 2) * 1.0 / count(*) BETWEEN 0.43 AND 0.57,
    sum(size = 4) * 1.0 / count(*) BETWEEN 0.26 AND 0.4 FROM request WHERE app = 0 AND experiment = 
    (SELECT id FROM experiment WHERE policy = 'fcfs')" '1|1|1' "how often each comes"
expect 0 "one thread" "$DCSIM" --config sizes.json --set policy.name=c-laius --output one.db --quiet --threads 1
sqlite3 all.db "SELECT * FROM request WHERE experiment = (SELECT id FROM experiment WHERE policy = 'c-laius')" >two.txt
sqlite3 one.db 'SELECT * FROM request' >one.txt
cmp -s one.txt two.txt || fail "other requests on another number of threads"

# Alone on the device each takes what was measured: 4, 2 and 1, and half-way between 2 and 4.
alone=(--config sizes.json --quiet --set 'workload.batch=[]' --set replications=1 --set horizon.duration_s=0
    --set 'workload.services[0].requests=20' --set 'workload.services[0].arrivals.rate_per_s=0.1')
for case in 'uniform 4-4=44500000' 'log_uniform 2-3=12300000' '"1"=7500000' '"3"=28400000'; do
    rm -f alone.db
    expect 0 "${case%=*}" "$DCSIM" "${alone[@]}" --set "workload.services[0].input=${case%=*}" --output alone.db
    is alone.db "SELECT count(*), min(abs(end_ns - arrival_ns - ${case#*=}) <= 8) FROM request" '20|1' \
        "alone: ${case%=*}"
done
# The default is the default, whether it is said or drawn.
for input in default '"1"'; do
    expect 0 "$input" "$DCSIM" "${alone[@]}" --set "workload.services[0].input=$input" --output same.db
done
is same.db 'SELECT count(*), count(DISTINCT arrival_ns || " " || end_ns) FROM request' '40|20' "drawn default"
is same.db 'SELECT sum(size IS NULL), sum(size = 1) FROM request' '20|20' "a size is told where it is drawn"

# The mean of 7.5, 12.3, 44.5 ms at 1/6, 1/2, 1/3 is 22.2333 ms.
peak=(--config sizes.json --set 'workload.batch=[]' --set 'workload.services[0]={"application":"answer",
    "input":"uniform","sla_factor":3,"arrivals":{"fraction_of_peak":0.5}}')
expect 0 "a peak" "$DCSIM" "${peak[@]}" --set replications=1 --output peak.db
is peak.db 'SELECT abs(solo_ns - 22233333) < 9, abs(sla_ns - 66700000) < 27 FROM service' '1|1' \
    "SLA from the mean over the sizes"
# Size 4, a third of them, is late if it waits for more than 22.2 ms, mostly for what is left of another of size 4: at a
# rate r with probability r / 3 * 44.5 ms * 22.3 / 44.5. A third of that is 1 % at 4.0 / s; a little less, since two may wait.
is peak.db 'SELECT peak_per_s BETWEEN 3 AND 4.05 FROM service' 1 "the peak is that of the mixture"
is peak.db "SELECT abs(value * 20e9 - (SELECT sum(CASE ifnull(size, 1) WHEN 1 THEN 7.5e6 WHEN 2 THEN 12.3e6 ELSE 44.5e6 END)
    FROM request WHERE outcome = 'done')) < 1000 FROM metric WHERE name = 'normalised_throughput' AND class = 'latency'" 1 \
    "work done counts at its size"

# What is left counts at its size: a FIFO queue of three times what it can serve.
expect 0 "too much" "$DCSIM" --config sizes.json --set 'workload.batch=[]' --set replications=1 --output much.db --set 'workload.services[0].arrivals.rate_per_s=140'
is much.db "SELECT value BETWEEN 0.5 AND 0.8, abs(value - (SELECT sum(work * (outcome <> 'done')) / sum(work)
    FROM (SELECT outcome, CASE ifnull(size, 1) WHEN 1 THEN 7.5e6 WHEN 2 THEN 12.3e6 ELSE 44.5e6 END AS work FROM request))) < 1e-6
    FROM metric WHERE name = 'unfinished' AND class = 'latency'" '1|1' "work left counts at its size"

# Metrics are known before anything has run, whatever the sizes.
until='{"metric":"latency.sla_met","relative":0.2,"max_replications":20}'
for inputs in 'uniform default' 'default 1,2' 'uniform uniform'; do
    expect 0 "until, inputs $inputs" "$DCSIM" --config sizes.json --quiet --set replications=5 --set "until=$until" --output until.db \
        --set "workload.services[0].input=${inputs% *}" --set "workload.batch[0].input=${inputs#* }"
done
expect 0 "capacity with inputs" "$DCSIM" capacity sizes.json --vary cluster.devices=1:2 --sla 0.95
says out '^cluster.devices=2 is the least that keeps it' "the least number of devices"

expect 0 "canonical form" "$DCSIM" --config sizes.json --print-config
says out '"input": "uniform",' "inputs in the canonical form"
refused 'workload.services\[0\].input.*44.5|workload.services\[0\].sla_ms: SLA 44 ms: more than 1 % of the requests of answer take longer alone \(22.2333 ms in the mean\): infeasible' \
    "an SLA below the largest size" "$DCSIM" "${peak[@]}" --set workload.services[0].sla_factor=0 --set workload.services[0].sla_ms=44
refused 'workload.services\[0\].input: expected "default", "uniform"' "no input" \
    "$DCSIM" --config sizes.json --set workload.services[0].input=normal
refused 'workload.services\[0\].input: profile "made-up": requests of "answer" were measured at sizes up to 4; found 5' \
    "beyond what was measured" "$DCSIM" --config sizes.json --set workload.services[0].input=2,5
refused 'workload.batch\[0\].input: "solve": no size that was measured lies in 4-9; they go from 1 to 3' \
    "an empty range" "$DCSIM" --config sizes.json --set 'workload.batch[0].input=uniform 4-9'
refused 'workload.batch\[0\].input: profile "made-up" has no requests of "stream" at several sizes' \
    "measured at one size" "$DCSIM" --config sizes.json --set 'workload.batch[0]={"application":"stream","input":"uniform"}'
refused 'workload.services\[0\].input: other sizes than the default are those of devices that are shared' \
    "not shared" "$DCSIM" --config sizes.json --set sharing.model=whole
refused 'workload.services\[0\].input: application "mine" is not of the profile' "synthetic" \
    "$DCSIM" --config sizes.json --set 'applications=[{"name":"mine","class":"latency","service":{"mean_ms":2}}]' \
    --set workload.services[0].application=mine
refused 'workload.colocated\[0\].batch_input: profile "made-up" has no requests of "stream"' "colocated" \
    "$DCSIM" --config sizes.json --set 'workload={"colocated":[{"services":"answer","batch":"solve,stream","batch_per_domain":1,
    "domains_per_service":1,"sla_factor":6,"fraction_of_peak":0.5,"service_input":"uniform","batch_input":"uniform"}]}'

# Colocated applications have sizes, too.
expect 0 "colocated" "$DCSIM" --config sizes.json --output co.db --quiet --set 'workload={"colocated":[{"services":"answer",
    "batch":"solve","batch_per_domain":1,"domains_per_service":1,"sla_factor":6,"fraction_of_peak":0.5,
    "service_input":"log_uniform","batch_input":"uniform"}]}'
is co.db "SELECT group_concat(DISTINCT app || ':' || ifnull(size, 1)) FROM (SELECT * FROM request ORDER BY app, size)" \
    '0:1,0:2,0:4,1:1,1:3' "sizes of colocated applications"

# The points of a sweep share what was read, and each has the sizes of its own: what one kind of
# requests takes in another profile does not hang on which points were opened before, nor on the number of threads.
own=(--config sizes.json --quiet --set policy.name=c-laius --set sharing.profile_uncertainty=true --set horizon.duration_s=2)
for services in 3 1,2; do
    for batch in 2 1; do
        expect 0 "$services and $batch alone" "$DCSIM" "${own[@]}" --output alone_each.db \
            --set "workload.services[0].input=\"$services\"" --set "workload.batch[0].input=\"$batch\""
    done
done
sweep='sweep={"axes":[{"key":"workload.services[0].input","values":["3","1,2"]},
    {"key":"workload.batch[0].input","values":["2","1"]}]}'
rows='SELECT e.hash, m.replication, m.position, m.value FROM metric m JOIN experiment e ON e.id = m.experiment ORDER BY 1, 2, 3'
sqlite3 alone_each.db "$rows" >alone_each.txt
for threads in 1 2; do
    rm -f sweep.db
    expect 0 "a sweep over lists" "$DCSIM" "${own[@]}" --set "$sweep" --output sweep.db --jobs $threads
    sqlite3 sweep.db "$rows" >sweep.txt
    cmp -s alone_each.txt sweep.txt || fail "other results in a sweep on $threads threads"
done
is sweep.db 'SELECT count(*) > 400 FROM metric' 1 "a sweep has results"

# An assumption of a point is its own, and is said once.
expect 0 "a sweep over matches" "$DCSIM" --config sizes.json --quiet --output match.db --set horizon.duration_s=1 \
    --set 'sweep={"axes":[{"key":"fusion.match","values":["nearest","exact"]},{"key":"seed","values":[1,2]}]}'
is match.db "SELECT count(*), sum((length(falls_back) - length(replace(falls_back, '(fusion.match)', ''))) / 14),
    max(json_extract(config, '\$.fusion.match') || falls_back LIKE 'exact%(fusion.match)%')
    FROM input JOIN experiment e ON e.id = experiment" '4|2|0' "assumptions of a point"

# Sizes of a range are those of the first profile; another one that lacks some has them between its own.
expect 0 "another profile" "$DCSIM" profile build "$SOURCE_DIR/calibrate/profiles/made-up.sql" other.db
sqlite3 other.db "DELETE FROM request_solo WHERE application = 'answer' AND size = 2"
expect 0 "two profiles" "$DCSIM" "${alone[@]}" --set replications=1 --output two.db --set cluster.router=round_robin \
    --set 'cluster.groups=[{"domains":1,"devices":1},{"profile":"other.db","domains":1,"devices":1}]' \
    --set 'workload.services[0].input=uniform 2-4'
is two.db "SELECT domain, group_concat(DISTINCT size || ':' || ((end_ns - arrival_ns) / 100000)) FROM
    (SELECT * FROM request ORDER BY size) GROUP BY domain" $'0|2:123,4:445\n1|2:198,4:445' "sizes of the second profile"
finish
