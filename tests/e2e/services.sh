#!/bin/bash
# Services whose SLA and rate follow from what they take alone, jobs that are pinned to a domain, services
# beside batch applications, and what the results say of them.
# shellcheck source=tests/e2e/lib.sh
. "$(dirname "$0")/lib.sh"

# is DATABASE SQL EXPECTED WHAT
is() {
    local found
    found=$(sqlite3 "$1" "$2")
    checks=$((checks + 1))
    [[ $found == "$3" ]] || fail "$4: expected $3, found $found"
}

# A service of 10 ms alone on 2 x 2 devices; the SLA is three times that.
cat >service.json <<'JSON'
{ "policy": { "name": "fcfs" }, "horizon": { "duration_s": 500 }, "replications": 5,
  "cluster": { "domains": 2, "devices": 2 },
  "applications": [
    { "name": "web", "class": "latency", "sla_ms": 7,
      "service": { "distribution": "deterministic", "mean_ms": 10 } },
    { "name": "train", "class": "batch",
      "service": { "distribution": "deterministic", "mean_ms": 7 } } ],
  "workload": { "services": [ { "application": "web", "sla_factor": 3,
    "arrivals": { "fraction_of_peak": 0.5 } } ] } }
JSON
expect 0 "a fraction of the peak" "$DCSIM" --config service.json --output a.db
says out 'services +devices +alone +peak/s +rate/s +SLA +p99 +verdict' "the summary has the services"
says out 'web +4 +10.0 ms +12[0-9] +6[0-9]\.[0-9] +30.0 ms .*meets' "the summary has the rate and the verdict"
is a.db 'SELECT solo_ns, sla_ns, devices, first_domain, domains FROM service' '10000000|30000000|4|0|2' \
    "the service's SLA"
is a.db 'SELECT abs(rate_per_s / (0.5 * peak_per_s * 4) - 1) < 1e-12 FROM service' 1 "the service's rate"
# 100 000 requests: 4.5 standard errors are 1.4 %.
is a.db 'SELECT count(*) FROM run, service WHERE abs(run.requests / (500 * rate_per_s) - 1) > 0.03' 0 \
    "requests arrive at that rate"
is a.db 'SELECT sla_ms, verdict FROM sla_verdict' '30.0|meets' "the verdict"
expect 0 "an SLA below the work" "$DCSIM" --config service.json --output low.db --set horizon.duration_s=1 \
    --set 'workload.services=[{"application":"web","sla_ms":9.99,"arrivals":{"rate_per_s":50}}]'
says out 'web .* 9\.99 ms .*infeasible$' "which no policy can meet"
is low.db 'SELECT verdict FROM sla_verdict' infeasible "the same in the results"
is a.db 'SELECT sla_ns, workload_sla_ns FROM application' '7000000|30000000' "the SLA in this workload"

# Another seed, the same rate; another quantile, another one.
expect 0 "another seed" "$DCSIM" --config service.json --output a.db --seed 2 --set horizon.duration_s=1 --quiet
is a.db 'SELECT count(*), count(DISTINCT peak_per_s) FROM service' '2|1' "the peak does not follow the seed"
expect 0 "another quantile" "$DCSIM" --config service.json --output q.db --set horizon.duration_s=1 --quiet \
    --set 'workload.services[0].arrivals.peak_quantile=0.9'
[[ $(sqlite3 q.db 'SELECT peak_per_s > 40 FROM service') == 1 ]] || fail "a lower quantile bears more"

web='{"application":"web","sla_factor":3,"arrivals":{"fraction_of_peak":0.1'
expect 0 "services that are alike share a peak" "$DCSIM" --config service.json --output q3.db --quiet \
    --set horizon.duration_s=1 --set "workload.services=[$web}},$web,\"peak_quantile\":0.9}},$web}},${web/:3/:4}}}]"
is q3.db 'SELECT count(*), count(DISTINCT peak_per_s) FROM service' '4|3' "peaks of four services"

# One device alone: just below its peak it meets the SLA, a little above it does not.
one=(--config service.json --set cluster.domains=1 --set cluster.devices=1 --set horizon.duration_s=4000)
for case in '0.9 meets' '1.1 violates'; do
    expect 0 "$case" "$DCSIM" "${one[@]}" --quiet --output one.db \
        --set "workload.services[0].arrivals.fraction_of_peak=${case% *}"
    is one.db "SELECT verdict FROM sla_verdict JOIN experiment ON id = sla_verdict.experiment
        WHERE json_extract(config, '\$.workload.services[0].arrivals.fraction_of_peak') = ${case% *}" \
        "${case#* }" "fraction ${case% *} of the peak"
done

# Pinned to the last of three domains; the router spreads the others.
cat >pinned.json <<'JSON'
{ "policy": { "name": "fcfs" }, "horizon": { "duration_s": 20 }, "cluster": { "domains": 3 },
  "applications": [
    { "name": "web", "class": "latency", "sla_ms": 50, "service": { "mean_ms": 2 } },
    { "name": "train", "class": "batch", "service": { "distribution": "deterministic", "mean_ms": 7 } } ],
  "workload": {
    "services": [ { "application": "web", "domain": 2, "arrivals": { "rate_per_s": 30 } },
                  { "application": "web", "arrivals": { "rate_per_s": 30 } } ],
    "batch": [ { "application": "train", "domain": 1 } ] },
  "outputs": { "requests": true } }
JSON
expect 0 "pinned" "$DCSIM" --config pinned.json --output p.db
says out 'web +1 +2.00 ms +30 +50.0 ms +- +-$' "no verdict on one of two services"
says out 'all 2 of web +50.0 ms .*(meets|violates|undecided)$' "but on both"
is p.db "SELECT job, group_concat(DISTINCT domain) FROM request
    WHERE domain IS NOT NULL AND job <> 1 GROUP BY job" $'0|2\n2|1' "domains of pinned jobs"
is p.db "SELECT count(DISTINCT domain) FROM request WHERE job = 1" 3 "domains of the other"
is p.db "SELECT job, domain, sla_ns FROM job" $'0|2|50000000\n1||50000000\n2|1|' "rows of jobs"
is p.db "SELECT count(*) FROM job WHERE within_sla + violations <> (SELECT count(*) FROM request r
    WHERE r.job = job.job AND (outcome = 'done' OR deadline_ns < 20000000000)) AND sla_ns IS NOT NULL" 0 \
    "decided requests of a job"

# Throughput against running alone: one batch application on one of three devices, then two together.
thr="SELECT round(value, 3) FROM metric WHERE name = 'normalised_throughput' AND class = 'batch'"
expect 0 "one alone" "$DCSIM" --config pinned.json --quiet --output n.db --set 'workload.services=[]'
is n.db "$thr" 0.333 "one alone on one of three"
expect 0 "two in turn" "$DCSIM" --config pinned.json --quiet --output n2.db --set 'workload.services=[]' \
    --set cluster.domains=1 --set 'workload.batch=[{"application":"train"},{"application":"train"}]'
is n2.db "$thr" 1.0 "two in turn on one device: the sum"

# 600 domains: six services on a hundred each, three of five batch applications beside each.
services='' batch='' applications=''
for i in 1 2 3 4 5 6; do
    services+="s$i," applications+="{\"name\":\"s$i\",\"class\":\"latency\",\"service\":{\"distribution\":\"deterministic\",\"mean_ms\":$i}},"
done
for i in 1 2 3 4 5; do
    batch+="b$i," applications+="{\"name\":\"b$i\",\"class\":\"batch\",\"service\":{\"mean_ms\":$i}},"
done
cat >datacenter.json <<JSON
{ "policy": { "name": "priority" }, "horizon": { "duration_s": 1 }, "replications": 2,
  "cluster": { "domains": 600 }, "applications": [ ${applications%,} ],
  "workload": { "colocated": [ { "services": "${services%,}", "batch": "${batch%,}", "sla_factor": 4,
    "fraction_of_peak": 0.5 } ] } }
JSON
expect 0 "600 domains" "$DCSIM" --config datacenter.json --output d.db --threads 1
cp out one
expect 0 "600 domains, 2 threads" "$DCSIM" --config datacenter.json --threads 2
cmp -s one out || fail "threads change the summary"
is d.db "SELECT count(*) FROM job WHERE replication = 0" 2400 "jobs"
is d.db "SELECT name, min(domain), max(domain), count(*) FROM job JOIN application USING (experiment, app)
    WHERE replication = 0 AND class = 'latency' GROUP BY name ORDER BY name LIMIT 2" \
    $'s1|0|99|100\ns2|100|199|100' "domains of a service"
is d.db "SELECT count(*) FROM (SELECT domain FROM job WHERE replication = 0 AND sla_ns IS NULL
    GROUP BY domain HAVING count(*) = 3 AND count(DISTINCT app) = 3)" 600 "three batch applications each"
is d.db "SELECT count(*) FROM service WHERE colocated = 0 AND domains = 100" 6 "services"
pairs=$(awk '/^SELECT name, policy, count/,/^```/' "$SOURCE_DIR/docs/results.md" | grep -v '^```')
[[ $(sqlite3 d.db "$pairs") == '|priority|1200|'* ]] || fail "the pairs that violate: $(sqlite3 d.db "$pairs")"
checks=$((checks + 1))
is d.db 'SELECT count(DISTINCT peak_per_s), count(DISTINCT round(peak_per_s * solo_ns / 1e6)) FROM service' '6|1' \
    "peaks follow the work"
# A kernel of batch work that is under way is waited for: p99 of the fastest service must suffer.
[[ $(sqlite3 d.db "SELECT verdict FROM sla_verdict WHERE application = 's1'") == violates ]] ||
    fail "s1 beside long batch kernels: $(sqlite3 d.db 'SELECT * FROM sla_verdict')"

# Two names that begin alike read differently where both are cut.
long=customer-facing-search-ranking-europe
sed "s/\"train\", \"class\": \"batch\"/\"$long-2\", \"class\": \"latency\"/; s/\"web\", \"class\"/\"$long-1\", \"class\"/" service.json >long.json
expect 0 "long names" "$DCSIM" --config long.json --set horizon.duration_s=1 --set "workload.services=[{\"application\":\"$long-1\",
    \"sla_ms\":90,\"arrivals\":{\"rate_per_s\":50}},{\"application\":\"$long-2\",\"sla_ms\":90,\"arrivals\":{\"rate_per_s\":50}}]"
[[ $(grep -cE '^  customer.*-1 ' out) == 2 && $(grep -cE '^  customer.*-2 ' out) == 2 ]] || fail "names that read alike: $(grep '^  cust' out)"
finish
