#!/bin/bash
# plots/make: figures of the papers from results.
#
# Pins: every figure is there in three kinds, with axes, legend and marks; views have the rows and numbers of the database;
# what is refused, and that nothing is left behind or overwritten then. Does not pin: how it looks.
# shellcheck source=tests/e2e/lib.sh
source "$SOURCE_DIR/tests/e2e/lib.sh"
command -v gnuplot >/dev/null || {
    echo "skipped: there is no gnuplot (Debian package gnuplot-nox)"
    exit 77
}
make() { "$SOURCE_DIR/plots/make" "$@"; }

# drawn DATABASE FIGURE TEXT...: the figure is there in three kinds, and its SVG has the texts (units on axes, entries of
# the legend), and curves or marks.
figures=0
drawn() {
    local database=$1 figure=$2
    shift 2
    figures=$((figures + 1))
    expect 0 "$figure" make "$database" "$figure" -o .
    [[ -s $figure.svg && -s $figure.png && -s $figure.pdf ]] || fail "no $figure"
    checks=$((checks + 1))
    python3 - "$figure.svg" "$@" <<'PY' || fail "$figure.svg is not well-formed, or lacks what it should say"
import re, sys, xml.etree.ElementTree as ElementTree
root = ElementTree.parse(sys.argv[1]).getroot()
text = ' '.join(root.itertext())
for wanted in sys.argv[2:]:
    assert wanted in text, wanted
drawing = ElementTree.tostring(root, 'unicode')
marks = re.findall(r'href="#gpPt', drawing)
fills = re.findall(r'<[^>]*polygon', drawing)
assert marks or fills, 'no marks and no bars'
PY
}
view() { { cat "$SOURCE_DIR"/plots/{common,"${1%%-*}","$1"}.sql 2>/dev/null; echo "$3"; } | sqlite3 -readonly "$2" >out; } # not every figure shares something
run() { "$DCSIM" --quiet --set replications=2 "$@" || fail "a run: $*"; }

# ---- TReM ----
trem() {
    local workload=$1
    shift
    run --output trem.db --config "$SOURCE_DIR/configs/trem/$workload.json" "$@"
}
for workload in w1 w2; do
    for policy in priority elastic; do
        for revocation in false true; do
            for load in 1 2; do
                trem $workload --set policy.name=$policy --set policy.revocation=$revocation --set "workload.trem[0].load=$load"
            done
        done
        trem $workload --set policy.name=$policy --set revocation.kill_ms=100 --set revocation.start_ms=400
    done
    for revocation in false true; do
        trem $workload --set policy.revocation=$revocation --set cluster.devices=1
        trem $workload --set policy.revocation=$revocation --set cluster.devices=1 --set "workload.trem[0].load_devices=4"
    done
done
run --output requests.db --config "$SOURCE_DIR/configs/trem/fig10.json"

drawn trem.db trem-fig07 'Priority + TReM' 'Elastic' 'paper: with TReM' 'paper: without TReM' 'paper: all above' 'load' 'requests within 200 ms (%)' 'W2'
# The table of claims says how many seeds were run.
PYTHONPATH="$SOURCE_DIR/plots" python3 - >out <<'PY' || fail "the table of claims"
import trem_claims
numbers = [trem_claims.plain_mean([1.0, 2.0, 3.0, 4.0, 5.0, 6.0]), trem_claims.plain_mean([1.0, 2.0, 4.0, 3.0, 5.0, 6.0, 7.0])]
trem_claims.claims = lambda results: [('1', 'what', '1 %', 0, 1, n, 2) for n in numbers]
trem_claims.table_claims(None)
PY
says out '^\| trem- .* here, 6 to 7 seeds \|' "the seeds that were run"
view trem-fig07 trem.db 'SELECT count(*), count(DISTINCT series) FROM figure;'
says out '^16\|8$' "the view of figure 7 has a row for each point"
drawn trem.db trem-fig08 'revocations of a run' 'more revocations (%)' 'lost over useful work (%)' 'load' 'printed: below'
view trem-fig08 trem.db "SELECT * FROM figure WHERE series = 'count elastic' AND load = 1;"
want=$(sqlite3 trem.db "SELECT avg(value) FROM metric m JOIN headline h USING (experiment) WHERE m.name = 'revocations' AND app IS NULL
    AND class IS NULL AND policy = 'elastic' AND experiment IN (SELECT id FROM experiment WHERE config ->> '\$.policy.revocation' = 1
    AND config ->> '\$.workload.trem[0].load' = 1 AND devices = 4 AND config ->> '\$.revocation.kill_ms' < 0)")
says out "^count elastic\|1\|${want%.0}(\.0)?\|" "revocations are the mean of both workloads"
drawn trem.db trem-fig09 'time to completion of a batch job (min)' 'time with TReM over without' 'Elastic + TReM' 'printed in the paper: Elastic'
view trem-fig09 trem.db 'SELECT series, count(*) FROM figure GROUP BY 1;'
says out '^ratio elastic\|99$' "a ratio for each hundredth"
drawn requests.db trem-fig10 'GPUs' 'response time (ms)' 'ms since the job came' 'batch tasks' 'within its SLA' ' tasks'
view trem-fig10 requests.db "SELECT max(batch), min(users + batch) FROM (SELECT users, batch FROM figure WHERE series LIKE '% levels');"
says out '^4\|[0-4]$' "batch tasks have up to four GPUs"
drawn trem.db trem-fig11 'requests that miss their SLA (%)' 'latency of a revocation (ms)' 'GPUs' 'printed: below' 'Elastic + TReM'
view trem-fig11 trem.db 'SELECT series, count(*) FROM figure GROUP BY 1;'
says out '^follows elastic\|2$' "two sizes of the cluster"
says out '^four elastic \+ TReM\|2$' "two sizes of the cluster, the same jobs"
says out '^latency priority \+ TReM\|2$' "two latencies"

# ---- C-Laius: a profile that loads at once; of it no inputs of other sizes are known, while the figures are of those ----
claius() {
    local config=$1
    shift
    run --config "$SOURCE_DIR/configs/c-laius/$config.json" --set profile=made-up --set horizon.duration_s=3 \
        --set horizon.warmup_s=1 "$@"
}
pair=(--set "workload.services[0].application=answer" --set "workload.services[0].input=default")
policies='{"name":"mps-even"},{"name":"mps-priority"},{"name":"baymax"},{"name":"c-laius"},{"name":"fixed-split"},{"name":"c-laius","compensator":false}'
claius closed --output pairs.db --set "workload.colocated[0].services=answer" --set "workload.colocated[0].batch=stream" \
    --set "sweep={\"axes\":[{\"key\":\"policy\",\"values\":[$policies]}]}"
two=(--output two.db "${pair[@]}" --set "workload.services[1].application=search" --set "workload.services[1].input=default"
    --set "workload.batch[0].application=stream")
claius two-services "${two[@]}"
for share in 0.3 0.5; do
    claius two-services "${two[@]}" --set policy.name=fixed-split --set "policy.service_shares=answer=$share,search=0.4"
done
claius datacenter --output gpus.db --set cluster.domains=4 --set "workload.colocated[0].services=answer,search" \
    --set "workload.colocated[0].batch=solve,stream" --set "workload.colocated[0].batch_per_domain=2" \
    --set "workload.colocated[0].domains_per_service=2" --set "workload.colocated[0].service_input=default"
claius pair --output decisions.db "${pair[@]}" --set "workload.batch[0].application=stream" --set outputs.decisions=true \
    --set outputs.requests=true

drawn pairs.db claius-fig02 'pairs of a service and a batch application' 'undecided' 'printed in the paper' 'C-Laius-NC'
view claius-fig02 pairs.db 'SELECT * FROM figure;'
says out '^pairs\|1\|MPS even\|[01]\|[01]\|1$' "a row of the violating pairs"
[[ $(wc -l <out) -eq 5 ]] || fail "not five policies"
drawn pairs.db claius-fig15 'batch throughput over that alone (%)' 'answer + stream' 'mean in the paper: Baymax'
view claius-fig15 pairs.db 'SELECT * FROM figure;'
want=$(sqlite3 pairs.db "SELECT value * 100 FROM summary s JOIN experiment e ON e.id = s.experiment WHERE policy = 'c-laius'
    AND config ->> '\$.policy.compensator' = 1 AND class IS NULL AND s.name = 'normalised_throughput'
    AND app = (SELECT app FROM application a WHERE a.experiment = e.id AND a.name = 'stream')")
says out "^C-Laius\|1\|answer \+ stream\|${want:0:6}" "a row of the batch throughput"
drawn pairs.db claius-half 'half of the SMs' 'Baymax' 'C-Laius' 'stream'
# A pair whose p99 lies beyond all that was seen is in the tables.
cp pairs.db unseen.db
sqlite3 unseen.db "UPDATE summary SET value = NULL, low = NULL, high = NULL WHERE name = 'response_p99' AND experiment IN (SELECT id
    FROM experiment WHERE policy = 'mps-even'); UPDATE summary SET value = 0.5, low = 0.4, high = 0.6 WHERE name = 'sla_met'
    AND experiment IN (SELECT id FROM experiment WHERE policy = 'mps-even')"
expect 0 "tables" python3 "$SOURCE_DIR/plots/claius.py" unseen.db
says out '^\| mps-even \| 1 \| 1 \| 0 \| 0 \|.*\| not seen \| not seen \|' "a pair without a p99"
# Where no run decides, no figure says that nothing violates.
cp pairs.db open.db
sqlite3 open.db "UPDATE summary SET value = 0.99, low = 0.98, high = 1 WHERE name = 'sla_met'"
drawn open.db claius-fig16 'Baymax: 0 of 1 violate, 1 undecided (paper: 0 of 48)'
figures=$((figures - 1))
drawn pairs.db claius-fig16 'p99 of the service over its SLA' ' of 1 violate, ' ' undecided (paper: 28 of 48)' 'answer + stream'
drawn decisions.db claius-fig17 'SMs' 'time since the first decision (ms)' 'just enough' 'deadline' 'answer: request '
request=$(sqlite3 decisions.db "SELECT number FROM decision WHERE what = 'launch' AND job = 0 LIMIT 1 OFFSET 50")
expect 0 "a request" make decisions.db claius-fig17 --request "0:$request"
grep -q "answer: request $request of job 0" claius-fig17.svg || fail "another request"
drawn two.db claius-fig19 'work over that of each alone, summed (%)' 'best static split' 'in the paper: 35.9 points' 'answer + search' 'mean'
view claius-fig19 two.db 'SELECT * FROM figure;'
[[ $(wc -l <out) -eq 4 ]] || fail "not one split and C-Laius, for a pair and the mean"
drawn two.db claius-fig20 'p99 over the SLA' ' of 1 pairs violate, ' ' undecided (paper: 8 of 15)' 'second service' 'answer + search'
drawn gpus.db claius-fig22 'batch throughput over that alone (%)' 'services on GPUs above the SLA (%)' 'paper: by more than 30 %' 'Baymax'

# Of so few sizes no method is tested: errors are put in, those of the bandwidth with their rows.
expect 0 "predictors" "$DCSIM" train made-up -o predictors.db
sqlite3 predictors.db "UPDATE predictor SET test_mean = 0.04, test_p95 = 0.2;
    INSERT INTO predictor SELECT 'kernel_bandwidth', application, kernel, method, seed, train_n, test_n, 0.5, 0.6, test_r2, model
    FROM predictor WHERE target = 'kernel_duration';"
drawn predictors.db claius-fig06 'error of durations of requests (%)' 'nearest neighbours' 'paper: trees and neighbours below' 'answer'
drawn predictors.db claius-fig07 'error of durations of kernels (%)' 'decision tree' 'stream'
drawn predictors.db claius-fig08 'error of DRAM bandwidths of kernels (%)' 'network'
drawn predictors.db claius-fig09 'error (%)' 'duration of requests' 'decision tree' 'range over applications'
view claius-fig09 predictors.db 'SELECT * FROM figure;'
says out '^cart\|1\|duration of requests\|4.0\|4.0\|4.0$' "the mean over applications"

# ---- CAP ----
for part in speedups steps; do
    expect 0 "divided, $part" "$SOURCE_DIR/configs/wang/study.py" $part --profile made-up --dcsim "$DCSIM" --replications 2 --output wang.db
done
drawn wang.db wang-fig03 'speed-up over the CPU alone' '4 CPU threads' 'GPU alone' 'bound' 'paths'
drawn wang.db wang-fig05 'variance' 'threshold' '4 CPU threads' 'grid'
view wang-fig03 wang.db "SELECT count(*), min(y) > 0 FROM figure WHERE series <> 'names';"
says out '^12\|1$' "two programs, six ways"

# ---- Tacker ----
zip='{"key":"policy","values":[{"name":"baymax","reorder":"one"},{"name":"tacker","reorder":"one"},{"name":"tacker","reorder":"one"}]}'
zip+=',{"key":"fusion.match","values":["nearest","nearest","exact"]}'
run --output tacker.db --config "$SOURCE_DIR/configs/tacker/load.json" --set profile=made-up --set horizon.duration_s=3 \
    --set horizon.warmup_s=1 --set "workload.colocated[0].services=answer" --set "workload.colocated[0].batch=stream" \
    --set "sweep={\"axes\":[{\"zip\":[$zip]}]}"
drawn tacker.db tacker-fig14 'batch throughput above Baymax (%)' 'Tacker, exact: mean' 'paper: best of 72' 'answer + stream'
gain=$(sqlite3 tacker.db "SELECT 100 * avg(t.value / b.value - 1) FROM metric t JOIN experiment te ON te.id = t.experiment
    JOIN metric b ON b.replication = t.replication AND b.name = t.name AND b.app = t.app JOIN experiment be ON be.id = b.experiment WHERE te.policy = 'tacker'
    AND te.config ->> '\$.fusion.match' = 'nearest' AND be.policy = 'baymax' AND t.name = 'normalised_throughput'
    AND t.app = (SELECT app FROM application WHERE name = 'stream' LIMIT 1)")
view tacker-fig14 tacker.db "SELECT abs(v - $gain) < 1e-9 FROM figure WHERE name = 'Tacker, nearest';"
says out '^1$' "the gain is that of the metrics"
drawn tacker.db tacker-fig15 'share of the time (%)' 'tensor cores alone' 'both' 'answer + stream'
drawn tacker.db tacker-fig16 'latency of the service over its SLA' 'SLA (paper: 0 of 72 violate)' 'Tacker, mean' 'of 1 violate, '
drawn tacker.db tacker-fig18 'error (%)' 'Tacker, nearest: greatest' 'paper: greatest below'
expect 0 "a profile" "$DCSIM" profile build "$SOURCE_DIR/calibrate/profiles/made-up.sql" profile.db
for load in $(seq 10 10 70); do # more loads, on a line but for one
    sqlite3 profile.db "INSERT INTO fused SELECT tensor, tensor_size + 1, cuda, $load, tensor_blocks, cuda_blocks, 1000 + $load,
        tensor_ns, 20000 * $load + 100000 * ($load = 20), tensor_end_ns, cuda_end_ns, registers, shared_bytes, threads, n, throttled, median_ns, mean_ns,
        stddev_ns, min_ns, max_ns, stop, clock_mhz, l2 FROM fused GROUP BY tensor_blocks, cuda_blocks HAVING cuda = 'stream'"
done
drawn profile.db tacker-fig10 'time of both' 'one after the other' 'in the paper, equal times' 'stream, '
drawn profile.db tacker-fig17 'error (%)' 'greatest, above 0.2 ms' 'paper: greatest below' 'stream'

# ---- EMU ----
# setting NAME POLICY INSTANCES: two pairs, as configs/emu/study.py makes them.
setting() {
    printf '{"name": "emu-pairs %s", "profile": "xeon-e5-2650v4", "sharing": {"model": "cpu"}, "policy": %s, "predictor": "mean",
        "cluster": {"domains": 2}, "workload": {"batch": [{"application": "asr", "clients": 1, "domain": 0},
        {"application": "fd", "clients": 1, "domain": 1}, {"application": "bs", "clients": %d, "domain": 0},
        {"application": "fs", "clients": %d, "domain": 1}]}, "horizon": {"duration_s": 4}}' "$1" "$2" "$3" "$3" >setting.json
    run --output emu.db --config setting.json
}
setting 'os 1' '{"name": "os"}' 1
setting static-opt '{"name": "static-opt", "instances": "asr+bs=1,fd+fs=1"}' 4
setting emu '{"name": "emu"}' 4
setting emu-noruntime '{"name": "emu", "runtime": false}' 4
setting emu-nocache '{"name": "emu", "cache": false}' 4
setting emu-10ms '{"name": "emu", "t_interval_ms": 10}' 4
setting emu-40ms '{"name": "emu", "t_interval_ms": 40}' 4
setting emu-knn '{"name": "emu", "t_interval_ms": 30}' 4
setting emu-nn '{"name": "emu", "t_interval_ms": 35}' 4
for policy in os emu; do
    run --output emu.db --config "$SOURCE_DIR/configs/emu/datacenter.json" --set "name=emu-datacenter $policy" --set policy.name=$policy \
        --set predictor=mean --set cluster.domains=7 --set "workload.colocated[0].domains_per_service=1" --set horizon.duration_s=7
done
drawn emu.db emu-fig02 'p99 over the target' 'printed in the thesis: mean' 'asr + bs' 'free competition: ' ' violate in the mean, ' ' undecided (thesis: 34 of 56)'
view emu-fig02 emu.db "SELECT place, pair, done > 0, p99 > 0 FROM figure;"
says out '^2\|fd \+ fs\|1\|1$' "a row for each pair"
drawn emu.db emu-fig10 'p99 over the target' 'batch over that alone' 'Static-Opt: mean' 'mean in the thesis: Static-Opt' 'fd + fs'
drawn emu.db emu-fig11 'p99 over the target' 'EMU-NoRuntime: ' '(thesis: 23 of 56)' 'fd + fs'
drawn emu.db emu-fig12 'batch over that alone' '10 ms: ' '(thesis: 1 of 56)' 'fd + fs'
drawn emu.db emu-fig13 'batch over that alone' 'EMU-KNN: ' 'thesis: EMU-NN 8.2 % below EMU' 'fd + fs'
drawn emu.db emu-fig14 'nodes above the target (%)' 'by up to twice' 'printed in the thesis: services' 'EMU'
drawn emu.db emu-fig15 'batch throughput over that alone' 'printed in the thesis' 'OS'
sqlite3 predictors.db "UPDATE predictor SET test_r2 = 0.9; INSERT INTO predictor SELECT 'kernel_ipc', application, kernel, method, seed,
    train_n, test_n, 0.5, 0.6, 0.7, model FROM predictor WHERE target = 'request_duration';"
drawn predictors.db emu-fig06 'R' 'durations' 'IPC' 'knn' 'answer'

# ---- the model of a shared GPU ----
cat >side.csv <<'CSV'
part,group,id,side,what,name,measured_ns,model_ns,no_contention_ns,alone_ns
partitions,pair 64+68,1,0,launch,a,150,165,100,100
sizes,beside 64+68,2,0,launch,a,120,120,100,100
shared,pair 100/50,3,0,launch,a,300,330,100,100
shared,spin 50/50,4,0,launch,a,300,900,100,100
live,"service, response, mean",5,0,"service, response, mean",a,500,400,100,100
live,"service, response, p95",5,0,"service, response, p95",a,500,100,100,100
live-partitions,"service, response, mean",6,0,"service, response, mean",a,110,110,100,100
CSV
for half in test test2; do sqlite3 sides.db ".import --csv side.csv $half"; done
drawn sides.db device-model 'kernels under MPS' '10.0 % off; alone 67 %' 'live, under MPS' 'predicted' 'half test2'
view device-model sides.db "SELECT series, count(*), round(sum(x), 6) FROM figure WHERE series LIKE '%error' OR series LIKE '5%' GROUP BY 1;"
says out '^5 error\|1\|20\.0$' "the error of live responses, without quantiles"
says out '^3 error\|1\|10\.0' "spinning blocks are not in it"

cat >slow.csv <<'CSV'
id,side,kind,application,kernel,sms,held_out,beside,measured_scal,measured_inter,alone_scal,alone_inter,contention_scal,contention_inter,themis_scal,themis_inter,asm_scal,asm_inter,asm-gpm_scal,asm-gpm_inter
1,0,pair,a,k,64,no,b,2,2,2,1,2,1.8,2,3,1,2,1.5,2
1,1,pair,b,k,68,own,a,2,1,2,1,2,1,2,1.2,1,1,1.5,1
2,0,triple,b,k,68,own,a,2,1,2,1,2,1,2,9,1,1,1.5,1
CSV
sqlite3 slow.db ".import --csv slow.csv slowdown"
drawn slow.db themis-fig05 'error of the slow-down' 'paper: mean of Themis' 'asm-gpm' 'of applications never trained on'
view themis-fig05 slow.db "SELECT series, round(x, 3), round(y, 3) FROM figure WHERE series LIKE 'themis%';"
says out '^themis all\|50\.0\|20\.0$' "the smaller error first, without triples"
says out '^themis all\|100\.0\|50\.0$' "the larger one"
says out '^themis never\|100\.0\|20\.0$' "held out"

# ---- queueing theory and replays of traces ----
cat >queue.json <<'JSON'
{ "name": "M/M/1 at 0.50", "description": "closed form: 20.0000 ms", "policy": { "name": "fcfs" }, "horizon": { "duration_s": 50 },
  "applications": [ { "name": "server", "class": "latency", "service": { "distribution": "exponential", "mean_ms": 10 } } ],
  "workload": { "services": [ { "application": "server", "arrivals": { "process": "poisson", "rate_per_s": 50 } } ] } }
JSON
run --output queue.db --config queue.json --set interval=mean
run --output queue.db --config queue.json --set interval=mean --set "name=M/M/1 at 0.90" --set "workload.services[0].arrivals.rate_per_s=90"
run --output queue.db --config queue.json --set interval=mean --set "name=mutant: M/M/1 at 0.50, another service" --set seed=2
drawn queue.db queueing-mean 'mean response over the closed form' 'load 0.9' 'M/M/1'
view queueing-mean queue.db 'SELECT * FROM figure;'
[[ $(wc -l <out) -eq 2 ]] || fail "not one queue at two loads"
mean=$(sqlite3 queue.db "SELECT round(value / 2e7, 9) FROM summary JOIN experiment e ON e.id = experiment WHERE e.name = 'M/M/1 at 0.50'
    AND summary.name = 'response_mean' AND class = 'latency'")
says out "^load 0.50\|1\|M/M/1\|${mean:0:8}" "the mean over its closed form"
expect 0 "a trace" "$DCSIM" trace import openb-2023 "$SOURCE_DIR/tests/data/openb-sample.csv" -o openb.db
for policy in priority elastic; do
    for revocation in false true; do
        for domains in 1 2; do
            run --output replay.db --config "$SOURCE_DIR/configs/trem/replay-openb.json" --set "workload.trace[0].database=$PWD/openb.db" \
                --set "workload.trace[0].from_s=0" --set "workload.trace[0].load=0.4" --set policy.name=$policy --set policy.revocation=$revocation --set cluster.domains=$domains
        done
        for name in paper means; do
            run --output compare.db --config "$SOURCE_DIR/configs/traces/compare-$name.json" --set "workload.jobs[0].jobs=40" \
                --set policy.name=$policy --set policy.revocation=$revocation
        done
    done
done
drawn replay.db replay-openb 'user-facing requests out of SLA (%)' 'overhead of revocations' '8 GPUs' 'Elastic + TReM'
view replay-openb replay.db 'SELECT series, count(*) FROM figure GROUP BY 1;'
says out '^late 4\|4$' "four policies of each size"
run --output gangs.db --config "$SOURCE_DIR/configs/traces/openb-packed.json" --set "workload.trace[0].database=$PWD/openb.db" --set "workload.trace[0].from_s=0"
drawn gangs.db gangs-placement 'openb-packed, fcfs' 'openb-packed, easy' 'first_fit' 'GPUs held (%)'
view gangs-placement gangs.db 'SELECT series, count(*), max(place) FROM figure GROUP BY 1;'
says out '^openb-packed, easy, fgd\|24\|25$' "two ends of each twelfth"
held=$(sqlite3 gangs.db "SELECT printf('%.6f', 100 * max(value)) FROM summary WHERE name = 'allocation_part03'")
view gangs-placement gangs.db "SELECT printf('%.6f', max(held)) FROM figure WHERE place IN (6, 7);"
says out "^$held\$" "what is held in the third"
drawn compare.db replay-google 'user-facing requests out of SLA (%)' 'Elastic + TReM' 'means'
view replay-google compare.db "SELECT round(mean, 6) FROM figure WHERE series = 'Priority' AND place = 1;"
late=$(sqlite3 compare.db "SELECT round(100 * (1 - value), 6) FROM summary s JOIN experiment e ON e.id = s.experiment WHERE s.name = 'sla_met'
    AND s.class = 'latency' AND s.app IS NULL AND e.name = 'compare-paper' AND policy = 'priority' AND config ->> '\$.policy.revocation' = 0")
says out "^${late}$" "late requests are what the summary has"

make --list >all || fail "the list"
[[ $(wc -l <all) -eq $figures ]] || fail "$(wc -l <all) figures are listed, $figures were drawn here"

# ---- what is refused ----
refused 'trem.db: has no run that claius-fig02 shows; configs/c-laius/study.sh' "runs of another study" make trem.db claius-fig02
refused 'nowhere.db: there is no such file, and no profile of that name; expected a database' "no database" make nowhere.db trem-fig07
refused 'there is no figure "fig99"; --list' "no such figure" make trem.db fig99
refused 'there is no figure "style"' "what is no figure" make trem.db style
expect 0 "a folder that is not there" make trem.db trem-fig07 -o new/figures
[[ -s new/figures/trem-fig07.svg && $(find new/figures -type f | wc -l) -eq 3 ]] || fail "a folder that is not there: no figure in it"
refused 'no run' "no run and no folder" make trem.db tacker-fig14 -o none
refused 'no run' "no run and no folders" make trem.db tacker-fig14 -o none/of/these
[[ -e none ]] && fail "an empty folder is left"
refused 'trem.db: no database that tacker-fig10 can read: .*; dcsim profile build PROFILE.sql PROFILE.db makes' "no profile" make trem.db tacker-fig10
touch file
refused 'no folder can be made there: File exists|Not a directory' "a file in place of a folder" make trem.db trem-fig07 -o file
refused 'takes a folder' "no folder" make trem.db trem-fig07 -o
refused 'unknown option --png' "an option" make trem.db --png
refused 'takes JOB:NUMBER' "half a request" make decisions.db claius-fig17 --request 7
refused 'decisions.db: has no request 7:7 that claius-fig17 shows; leave --request out' "a request that is not there" make decisions.db claius-fig17 --request 7:7
refused 'pairs.db: has no run that claius-fig17 shows; dcsim --config .* --output FILE.db' "a request of no run" make pairs.db claius-fig17 --request 0:7
# What is proposed names its database: dcsim alone would keep nothing.
grep -h '^-- Runs: .*dcsim --config' "$SOURCE_DIR"/plots/*.sql | grep -v -- ' --output ' && fail "a command without --output"
echo 'no database' >text.db
refused 'text.db: no database that trem-fig07 can read: .*; configs/trem/figures.sh makes them' "no database inside" make text.db trem-fig07
mkdir bin && for tool in bash sed basename dirname; do ln -s "$(command -v $tool)" bin/; done
refused 'gnuplot is missing' "no gnuplot" env PATH="$work/bin" bash "$SOURCE_DIR/plots/make" trem.db trem-fig07
expect 0 "help" make --help
says out 'plots/make DATABASE FIGURE' "what make takes"
grep -q '^set -e' out && fail "help shows the script"
# A profile by its name.
expect 0 "a profile by its name" make made-up tacker-fig10 -o named
[[ -s named/tacker-fig10.svg ]] || fail "no figure of a profile that was named"
expect 0 "the list" make --list
says out '^trem-fig07 +TReM, figure 7' "the list says what figures are"
finish
