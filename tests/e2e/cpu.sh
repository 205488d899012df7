#!/bin/bash
# CPUs that programs share, on the command line, with the shipped profiles and configs/emu.
#
# Pins: that the configs run and policies can be compared; what a user is told who has no predictors, those of
# another profile or of another method; policies and methods of GPUs on CPUs and the other way round; profiles with more
# threads than cores, no ways, no facts; placement without values; that the measured profile has its evidence, and that the study takes it, with targets that are a
# multiple of the time alone. What policies do is not pinned here.
# shellcheck source=tests/e2e/lib.sh
source "$SOURCE_DIR/tests/e2e/lib.sh"

emu=$SOURCE_DIR/configs/emu
sql=$SOURCE_DIR/calibrate/profiles/xeon-e5-2650v4.sql
short=(--config "$emu/pair.json" --set horizon.duration_s=10 --set replications=2)

# --- predictors ---
refused 'there are no predictors of that name; make them with dcsim train' "no predictors" "$DCSIM" "${short[@]}"
expect 0 "train" "$DCSIM" train xeon-e5-2650v4 --method linear --method svm
says out '^request_duration +asr +0\.[0-9]+ +0\.[0-9]+ +linear$' "the table of R^2"
says err '^dcsim: 28 predictors are in xeon-e5-2650v4.predictors.db$' "where they are"
expect 0 "the best of them" "$DCSIM" "${short[@]}" --set predictor=best
says out '^  asr +1 .* 150 ms ' "the service has a row"
refused 'has no predictors of method "net"; make them' "another method" "$DCSIM" "${short[@]}" --set predictor=net
refused '"cart" is not for CPUs: expected linear, sgd, knn5, svm, net or best' "a method for GPUs" \
    "$DCSIM" "${short[@]}" --set predictor=cart
refused '\-\-method svm is not for profiles of a GPU' "a method for CPUs" "$DCSIM" train quadro-p1000 --method svm
cp "$sql" mine.sql
echo '-- a change' >>mine.sql
refused 'trained on another profile \("xeon-e5-2650v4", sha256 ' "predictors of another profile" \
    "$DCSIM" "${short[@]}" --set profile=./mine.sql --set predictors=xeon-e5-2650v4.predictors.db

# --- policies ---
for policy in '{"name": "os"}' '{"name": "static-opt", "instances": "asr+bs=1,gmm+fs=0"}' '{"name": "emu"}'; do
    expect 0 "$policy" "$DCSIM" "${short[@]}" --set "policy=$policy" --set predictor=svm --output r.db --quiet
done
expect 0 "compare" "$DCSIM" compare r.db --baseline os --metric batch.normalised_throughput
says out '^static-opt +2 ' "all three are there"
refused '^dcsim: --set policy={"name": "static-opt", "instances": "gmm\+fs=1"}: policy.instances: policy "static-opt", .*: lacks the pair asr\+bs' \
    "a pair that is not listed" "$DCSIM" "${short[@]}" --set predictor=mean \
    --set 'policy={"name": "static-opt", "instances": "gmm+fs=1"}'
refused 'policy c-laius needs .*: set sharing.model to "spatial", and profile to one of a GPU$' "a policy for GPUs" \
    "$DCSIM" "${short[@]}" --set predictor=mean --set 'policy={"name": "c-laius"}'
refused 'policy emu needs .*: set sharing.model to "cpu", and profile to one of a CPU$' "a policy for CPUs" \
    "$DCSIM" --config "$SOURCE_DIR/configs/quickstart.json" --set 'policy={"name": "emu"}'
refused 'is of a GPU; sharing.model "cpu" needs one of a CPU' "a profile of a GPU" \
    "$DCSIM" "${short[@]}" --set predictor=mean --set profile=quadro-p1000
refused 'is of a CPU: set sharing.model to "cpu"' "a profile of a CPU" "$DCSIM" "${short[@]}" --set predictor=mean \
    --set sharing.model=spatial --set 'policy={"name": "mps-even"}'

# --- profiles ---
expect 0 "show" "$DCSIM" profile show xeon-e5-2650v4
says out '^cpu: ways 16, bandwidth_gbs 54, cache_mb 30, ' "what the CPU has"
says out '^numbers of the cpu and its applications: assumed [0-9]+, paper [0-9]+$' "where its numbers come from"
expect 0 "show another" "$DCSIM" profile show quadro-p1000
grep -q '^cpu:' out && fail "a GPU has facts of a CPU"
# broken REGEX WHAT SED
broken() {
    sed "$3" "$sql" >mine.sql
    cmp -s mine.sql "$sql" && fail "$2: nothing was broken"
    refused "^dcsim: \./mine.sql: $1" "$2" "$DCSIM" "${short[@]}" --set predictor=mean --set profile=./mine.sql
}
broken 'cpu_application: application "asr" has 13 threads; the CPU has 12 cores' "more threads than cores" \
    "s/('asr', 'threads', 12/('asr', 'threads', 13/"
broken 'cpu.value: row 1: expected a number from 1 to 64' "no ways" "s/('ways',  *16/('ways', 0/"
broken 'cpu_application: lacks "ipc" of application "bs"' "a number is missing" "/^    ('bs', 'ipc'/d; s/\('bs', 'miss_growth'.*\),$/\1;/"
broken 'device.kind: row 1: expected "gpu" or "cpu"' "another kind" "s/'cpu', 12/'npu', 12/"

# --- placement ---
center=(--config "$emu/datacenter.json" --set predictor=mean --set horizon.duration_s=2 --set horizon.warmup_s=0
    --set replications=1 --set 'workload.colocated[0].domains_per_service=2')
expect 0 "a small datacenter" "$DCSIM" "${center[@]}" --set cluster.domains=14
says out '^  stem +2 ' "each service has two nodes"
refused 'placement_values lacks the pair asr\+bs' "Hungarian placement without values" "$DCSIM" "${center[@]}" \
    --set cluster.domains=14 --set 'workload.colocated[0].placement=hungarian'

# --- a CPU that was measured, and the study ---
expect 0 "lint of the measured profile" "$DCSIM" profile lint xeon-host
says out '^0 errors, ' "lint of the measured profile"
expect 0 "all of it" "$DCSIM" profile build xeon-host host.db
facts=$(sqlite3 host.db "SELECT (SELECT count(*) FROM application), (SELECT count(*) FROM cpu_point), (SELECT count(*) FROM cpu_sample);")
[[ $facts == '14|518|8611' ]] || fail "what was measured of it: $facts"
study=("$emu/study.py" pairs --dcsim "$DCSIM" --seconds 1 --replications 1)
expect 1 "the study on a GPU" "${study[@]}" --profile quadro-p1000
says err "^quadro-p1000: has no service and batch application of EMU's$" "the study on a GPU"
expect 0 "the study on the measured profile" "${study[@]}" --profile xeon-host --times-alone 3 --output study.db
says out '^unsafe under os \(static-opt 0 instances\): [0-9]+ of 49$' "seven services by seven batch applications"
facts=$(sqlite3 study.db "SELECT count(DISTINCT sla_ns), sum(sla_ns = 150000000) FROM job JOIN experiment ON id = experiment
    WHERE name = 'emu-pairs emu' AND sla_ns > 0;")
[[ $facts == '7|0' ]] || fail "each service has a target of its own: $facts"

finish
