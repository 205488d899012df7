#!/bin/bash
# Every run behind docs/validation/trem.md, into one results database.
#
#   configs/trem/figures.sh [DATABASE]           default: trem.db
#   configs/trem/figures.sh --replay JOBS [DATABASE]
#
# The second form replays openb_pod_list_default.csv.gz of Alibaba's cluster-trace-gpu-v2023 (not part
# of this project) instead. Both may be interrupted and repeated: runs that the database holds are not
# run again. DCSIM names the program (default: dcsim), REPLICATIONS the number of seeds (default: 200;
# replay: 5).
#
# The scripts in plots/ find points by their config, not by name, so points may be added freely.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
dcsim=${DCSIM:-dcsim}
replay=
if [[ ${1:-} == --replay ]]; then
    replay=$2
    shift 2
fi
database=${1:-trem.db}

# point CONFIG POLICY REVOCATION [PATH=VALUE]...: one experiment.
points=0
point() {
    local config=$1 policy=$2 revocation=$3 set=() s
    shift 3
    for s in "$@"; do set+=(--set "$s"); done
    points=$((points + 1))
    printf '\r%4d points' "$points" >&2
    "$dcsim" --quiet --output "$database" --config "$here/$config.json" --set replications="$replications" \
        --set policy.name="$policy" --set policy.revocation="$revocation" "${set[@]}"
}

# both POLICY-LIST REVOCATION-LIST [PATH=VALUE]...: on W1 and W2.
both() {
    local policies=$1 revocations=$2
    shift 2
    for w in w1 w2; do
        for policy in $policies; do
            for revocation in $revocations; do
                point $w "$policy" "$revocation" "$@"
            done
        done
    done
}

load() { echo "workload.trem[0].load=$1"; }
shape() { echo "workload.trem[0].pareto_shape=$1"; }
no_jobs=outputs.jobs=false
free=(workload.trem[0].user_tasks=0 workload.trem[0].batch_tasks=0)
instant=(revocation.kill_ms=0 revocation.start_ms=0 revocation.clear_ms=0 revocation.spawn_ms=0)

trace() {
    replications=${REPLICATIONS:-5}
    for domains in 150 16 1; do
        for policy in priority elastic; do
            for revocation in false true; do
                point replay-openb $policy $revocation cluster.domains=$domains $no_jobs \
                    "workload.trace[0].database=$(realpath "$replay")"
            done
        done
    done
}

figures() {
    replications=${REPLICATIONS:-200}

    # Figures 7, 8, 9: load. The rows of requests say why requests are late.
    for l in 0.25 0.5 0.75 1.0 1.5 2.0; do
        requests=outputs.requests=false
        [[ $l == 1.0 ]] && requests=outputs.requests=true
        both "priority elastic" "false true" "$(load $l)" $requests
    done
    # Figure 10: the first run of one of these points.
    replications=1 point fig10 elastic true

    # Figure 11a: number of GPUs; load_devices=0: load follows it, 4: the jobs of 4 GPUs.
    for devices in 1 2 8 16; do
        for load_devices in 0 4; do
            both "priority elastic" "false true" cluster.devices=$devices $no_jobs \
                "workload.trem[0].load_devices=$load_devices"
        done
    done

    # Figure 11b: revocation latency, divided between kill and next start as 5 : 17. 22 ms is above.
    for ms in 10 50 100 200 500 1000; do
        both "priority elastic" true $no_jobs \
            revocation.kill_ms="$(awk "BEGIN { printf \"%.6f\", $ms * 5 / 22 }")" \
            revocation.start_ms="$(awk "BEGIN { printf \"%.6f\", $ms * 17 / 22 }")"
    done

    # Where violations come from: jobs that hardly ever meet, and revocation that costs nothing.
    for l in 0.0001 0.25 1.0 2.0; do
        both "priority elastic" true "$(load $l)" $no_jobs "${instant[@]}"
    done

    # The order of one instant.
    for l in 0.25 0.5 1.0 2.0; do
        for order in arrivals_first one_by_one; do
            both "priority elastic" true "$(load $l)" $no_jobs scheduler.instant=$order
        done
    done

    # What the paper leaves open.
    for l in 1.0 2.0; do
        for s in 1.1 1.25 1.5 1.75 2.0 2.25 2.5; do
            [[ $s == 2.0 ]] || both "priority elastic" "false true" "$(load $l)" "$(shape $s)"
            both "priority elastic" "false true" "$(load $l)" "$(shape $s)" "${free[@]}"
        done
        both "priority elastic" "false true" "$(load $l)" policy.queue=jobs
        both "priority elastic" true "$(load $l)" policy.requeue=back
        both "priority elastic" "false true" "$(load $l)" workload.trem[0].load_basis=expected
        both "priority elastic" "false true" "$(load $l)" \
            workload.trem[0].batch_applications=lava-md,hotspot,gaussian-printed
        for window in 8 128 1000000; do
            both elastic "false true" "$(load $l)" policy.window=$window
        done
        for first in 0.001 10 200; do
            both elastic "false true" "$(load $l)" policy.first_ms=$first
        done
        both elastic "false true" "$(load $l)" policy.recompute_on_arrival=false
    done
}

if [[ -n $replay ]]; then trace; else figures; fi
echo >&2
