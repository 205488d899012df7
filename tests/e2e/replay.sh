#!/bin/bash
# Replay of a real trace: the hand-made sample with exact counts, and Alibaba's own pods where they lie
# beside the project (they may not be republished): 4 and 64 GPUs here, 600 in the slow tier.
# shellcheck source=tests/e2e/lib.sh
. "$(dirname "$0")/lib.sh"
expect 0 "the sample is imported" \
    "$DCSIM" trace import openb-2023 "$SOURCE_DIR/tests/data/openb-sample.csv" -o sample.db
cat >sample.json <<'JSON'
{ "policy": { "name": "priority", "revocation": true }, "cluster": { "devices": 2 },
  "workload": { "trace": [ { "database": "sample.db", "duration_compression": 10, "time_compression": 10 } ] } }
JSON
expect 0 "the sample" "$DCSIM" --config sample.json --output sample-results.db
says out 'Trace sample.db' "the trace is named"
[[ $(sqlite3 sample-results.db "SELECT count FROM trace_count WHERE what = 'kept'") == 8 ]] ||
    fail "not all eight jobs of the sample are kept"
cp out first
expect 0 "again" "$DCSIM" --config sample.json
cmp -s first out || fail "a replay differs from itself"
# A window, by the trace's own clock: three jobs arrive from 400 s on and before 401 s.
expect 0 "a window" "$DCSIM" --config sample.json --set 'workload.trace[0].from_s=400' \
    --set 'workload.trace[0].until_s=401' --output window.db
[[ $(sqlite3 window.db "SELECT jobs FROM replay") == 3 ]] || fail "the window does not hold three jobs"
expect 0 "those that succeeded" "$DCSIM" --config sample.json --set 'workload.trace[0].status=success' \
    --set 'workload.trace[0].censored=false' --output success.db
[[ $(sqlite3 success.db "SELECT jobs FROM replay") == 4 ]] || fail "not four jobs succeeded"
expect 0 "thinned" "$DCSIM" --config sample.json --set 'workload.trace[0].keep=0.5' --set replications=20 \
    --output thin.db
[[ $(sqlite3 thin.db "SELECT min(jobs + thinned) = 8 AND max(jobs + thinned) = 8 AND avg(jobs) BETWEEN 3 AND 5
    FROM replay") == 1 ]] || fail "thinning does not keep about half"
expect 0 "all latency" "$DCSIM" --config sample.json --set 'workload.trace[0].latency_fraction=1' --output all.db
[[ $(sqlite3 all.db "SELECT count(*) FROM job JOIN application USING (experiment, app)
    WHERE class = 'batch'") == 0 ]] || fail "a batch job among latency jobs only"
[[ $(sqlite3 all.db "SELECT count(*) FROM job") == 8 ]] || fail "not all jobs became latency jobs"
expect 0 "successful or cut off" "$DCSIM" --config sample.json --set 'workload.trace[0].status=success' \
    --output both.db
[[ $(sqlite3 both.db "SELECT jobs FROM replay") == 6 ]] || fail "success keeps what is not known, or loses censored jobs"
expect 2 "a window that ends before it begins" "$DCSIM" --config sample.json \
    --set 'workload.trace[0].from_s=500' --set 'workload.trace[0].until_s=400'
says err 'until_s: must be above' "the end of the window is told"
expect 2 "a share below 0" "$DCSIM" --config sample.json --set 'workload.trace[0].latency_fraction=-0.5'
says err 'latency_fraction' "the share is told"
expect 2 "an empty window" "$DCSIM" --config sample.json --set 'workload.trace[0].from_s=1000'
says err 'no job of .* is left' "the empty window is told"
expect 2 "not a database" "$DCSIM" --config sample.json --set 'workload.trace[0].database=sample.json'
says err 'workload.trace\[0\].database' "the key of the database is told"

# Jobs that are drawn: all keys, and the same load for three shapes.
cat >jobs.json <<'JSON'
{ "policy": { "name": "elastic", "revocation": true }, "cluster": { "devices": 4 }, "replications": 3,
  "workload": { "jobs": [ { "jobs": 300, "load": 0.7, "duration_compression": 50, "mapping": "by_size",
    "arrivals": { "process": "poisson", "rate_per_s": 0.01, "batch_mean": 3 },
    "latency": { "fraction": 0.5, "duration": { "distribution": "weibull", "scale_s": 50, "shape": 0.7 } },
    "batch": { "gpus": "1:0.8,4:0.2", "duration": { "distribution": "lognormal_pareto", "median_s": 600,
               "sigma": 1.5, "tail_from_s": 5000, "tail_shape": 1.5, "tail_fraction": 0.08,
               "upper_s": 100000 } } } ] } }
JSON
expect 0 "drawn jobs" "$DCSIM" --config jobs.json --output jobs.db
[[ $(sqlite3 jobs.db "SELECT count(*) FROM replay WHERE jobs = 300 AND abs(offered - 0.7) < 1e-6") == 3 ]] ||
    fail "drawn jobs do not offer the load that was asked for"
# Twice the work that the devices can do: closed loops hide it from the queue, so it is told everywhere.
[[ $(sqlite3 jobs.db "SELECT overloaded = 0 FROM headline") == 1 ]] || fail "a load of 0.7 is called overloaded"
expect 0 "twice the load" "$DCSIM" --config jobs.json --set 'workload.jobs[0].load=2' --output jobs.db
says out '^WARNING: overloaded: services and jobs offer 200.00 %' "the load is told"
says out '^WARNING: overloaded: the jobs of .* requests behind' "what is behind is told"
says out '^Cut off: [0-9]+ of [0-9]+ batch jobs' "how many jobs the end cut off is told"
says out '^never issued of all work of jobs' "what was never issued stands beside the utilisation"
[[ $(sqlite3 jobs.db "SELECT sum(overloaded) FROM headline") == 1.0 ]] ||
    fail "the headline does not tell the overloaded one"
# So few end that no quantile of their times is reached; what is in the database gives the same.
expect 0 "jobs that do not end" "$DCSIM" --config jobs.json --set 'workload.jobs[0].load=8' --set cluster.devices=1 \
    --set 'workload.jobs[0].duration_compression=1' --output long.db
says out '^ *p90 time of a job +> [0-9]' "a quantile that is not reached is told as what it exceeds"
cp out before
expect 0 "again, from the database" "$DCSIM" --config jobs.json --set 'workload.jobs[0].load=8' --set cluster.devices=1 \
    --set 'workload.jobs[0].duration_compression=1' --output long.db
cmp -s before out || fail "what was cut off is not read back"
[[ $(sqlite3 long.db "SELECT value IS NULL AND low > 0 AND high IS NULL FROM summary
    WHERE class = 'batch' AND name = 'job_time_p90'") == 1 ]] || fail "the summary has another form of it"
expect 0 "its page" "$DCSIM" report jobs.db -o jobs.html
says jobs.html 'overloaded in 1 \(at 2\)' "the answer of the page says that it is overloaded"
expect 0 "compared" "$DCSIM" compare jobs.db --key 'workload.jobs[0].load' --baseline 0.7 --metric unfinished
says out '^\* WARNING: overloaded' "compare says that it is overloaded"
says out '^Not done of the work that was due by the end: .* 5\.86 %' "and what was left"
says jobs.html '>work not done</th>' "what was not done stands beside the utilisation"
expect 2 "GPUs that are no numbers" "$DCSIM" --config jobs.json --set 'workload.jobs[0].batch.gpus=1:x'
says err 'workload.jobs\[0\].batch.gpus' "the key of the GPUs is told"
expect 2 "hexadecimal GPUs" "$DCSIM" --config jobs.json --set 'workload.jobs[0].batch.gpus=0x2:1'
expect 2 "a load that cannot be" "$DCSIM" --config jobs.json --set 'workload.jobs[0].load=900000'
says err 'jobs\[0\], replication 0' "the generator is told"
expect 2 "a tail without a shape" "$DCSIM" --config jobs.json \
    --set 'workload.jobs[0].batch.duration.tail_shape=0'
says err 'workload.jobs\[0\].batch.duration' "the key of the duration is told"

# The shipped configs: all of their keys are known, and those that need no trace run.
for config in "$SOURCE_DIR"/configs/traces/*.json; do
    expect 0 "keys of ${config##*/}" "$DCSIM" --config "$config" --print-config
done
for config in paper means fitted; do
    expect 0 "compare-$config" "$DCSIM" --config "$SOURCE_DIR/configs/traces/compare-$config.json" \
        --set replications=1 --set 'workload.jobs[0].jobs=60' --set cluster.domains=1
done

pods=$SOURCE_DIR/../shared/traces/alibaba/cluster-trace-gpu-v2023/openb_pod_list_default.csv.gz
if [[ ! -e $pods ]]; then
    echo "the published pod lists are not beside the project: only the sample was replayed"
    [[ ${1:-} == slow ]] && exit 77
    finish
fi
expect 0 "the pod list is imported" "$DCSIM" trace import openb-2023 "$pods" -o openb.db
replay() {
    "$DCSIM" --config "$SOURCE_DIR/configs/trem/replay-openb.json" \
        --set "workload.trace[0].database=$PWD/openb.db" "$@"
}
# Shorter pods here, so that the fast tier stays fast.
short=(--set 'workload.trace[0].duration_compression=2000')
expect 0 "4 GPUs" replay "${short[@]}" --set cluster.domains=1 --output r.db
expect 0 "64 GPUs" replay "${short[@]}" --set cluster.domains=16 --output r.db
if [[ ${1:-} == slow ]]; then
    expect 0 "600 GPUs" /usr/bin/env bash -c "ulimit -v 300000; timeout 60 '$DCSIM' --config \
        '$SOURCE_DIR/configs/trem/replay-openb.json' \
        --set 'workload.trace[0].database=$work/openb.db' --output r.db"
    requests=$(sqlite3 r.db 'SELECT max(requests) FROM run')
    ((requests >= 20000000)) || fail "600 GPUs: only $requests requests"
    echo "600 GPUs: $requests requests"
fi
finish
