#!/bin/bash
# The runs behind docs/validation.md, "Tacker": every point is one experiment of five replications.
#
#   configs/tacker/study.sh PART [DATABASE]           default: tacker.db
#
#   pairs    6 services x 12 batch applications under baymax and tacker; tensor kernels of the services are
#            fused where one of the same shape was measured (exact) and where one like it was (nearest)
#   short    6 services x 8 batch applications (those without training, whose kernels were not measured in fused
#            launches; nearest), services of half the length (about 10 of the 50 ms), at 80 % of their peak
#   drawn    the same 48, services as in pairs, with batch requests of every size, small ones as often as large
#   target   the same 48, both policies aiming at 0.4 of the SLA
#   batch1   the same 48, services of one image, as many requests as in pairs
#   launch   the same 48 under tacker, the blocks in a fused block chosen for each launch and not once for a pair
#   costs    2 services x 3 batch applications, tacker with what the paper's scheduler takes for a decision, a
#            tenth, a hundredth and a thousandth of it
#   rules    2 services x 3 batch applications: how many batch kernels go before a latency kernel, for both
#            policies, and tacker that fuses only while one latency request is there
#
# The rate of each service is 80 % of the highest that it bears alone; it is found once (experiment
# tacker-rate) and given to all points.
#
# May be interrupted and repeated: runs that the database holds are not run again. DCSIM names the program
# (default: dcsim), REPLICATIONS the number of seeds (default: 5), PROFILE the profile (default:
# nvidia-h200; one built by `dcsim profile build` loads faster). Needs sqlite3.
set -eu
if [[ $# -lt 1 || $# -gt 2 || $1 == -* ]]; then
    echo "Usage: $0 pairs|short|drawn|target|batch1|launch|costs|rules [DATABASE]    DATABASE: tacker.db if not given" >&2
    exit 2
fi
here=$(cd "$(dirname "$0")" && pwd)
dcsim=${DCSIM:-dcsim}
part=$1
database=${2:-tacker.db}
services="resnet50 resnext vgg16 vgg19 inception densenet"
parboil="mriq fft mrif cutcp cp sgemm lbm tpacf"
batches="$parboil resnet50-train vgg16-train inception-train densenet-train"

# What takes about 10 ms, of the sizes at which kernels were timed.
half() {
    case $1 in
    resnet50) echo 108 ;;
    resnext | inception | densenet) echo 87 ;;
    vgg16) echo 64 ;;
    vgg19) echo 52 ;;
    esac
}

run() {
    "$dcsim" --quiet --output "$database" --config "$here/pair.json" --set profile="${PROFILE:-nvidia-h200}" \
        "$@" >/dev/null
}

# rate SERVICE INPUT: requests per second.
rate() {
    local found query="SELECT printf('%.17g', rate_per_s) FROM service JOIN experiment ON id = service.experiment
        WHERE name = 'tacker-rate' AND config ->> '\$.workload.services[0].application' = '$1'
        AND config ->> '\$.workload.services[0].input' = '$2'"
    found=$(sqlite3 "$database" "$query" 2>/dev/null) || true
    if [[ -z $found ]]; then
        run --set name=tacker-rate --set replications=1 --set horizon.duration_s=1 --set horizon.warmup_s=0 \
            --set "workload.services[0].application=$1" --set "workload.services[0].input=\"$2\"" \
            --set policy.name=baymax
        found=$(sqlite3 "$database" "$query")
    fi
    echo "$found"
}

# point SERVICE BATCH POLICY [PATH=VALUE]...: one experiment.
points=0
rate_of=default # the input whose rate is taken
point() {
    local service=$1 batch=$2 policy=$3 set=() s
    shift 3
    for s in "$@"; do set+=(--set "$s"); done
    points=$((points + 1))
    printf '\r%4d points' "$points" >&2
    run --set replications="${REPLICATIONS:-5}" \
        --set "workload.services[0].application=$service" --set "workload.batch[0].application=$batch" \
        --set workload.services[0].arrivals.fraction_of_peak=0 \
        --set workload.services[0].arrivals.rate_per_s="$(rate "$service" "$rate_of")" \
        --set policy.name="$policy" "${set[@]}"
}

# both SERVICES BATCHES [PATH=VALUE]...: baymax, and tacker that fuses what is nearest.
both() {
    local service batch some=$1 others=$2
    shift 2
    for service in $some; do
        for batch in $others; do
            point "$service" "$batch" baymax "$@"
            point "$service" "$batch" tacker fusion.match=nearest "$@"
        done
    done
}

# Two services and three batch applications whose kernels were seen to gain from fusion.
few="resnet50 vgg19"
gaining="cp lbm mriq"

case $part in
pairs)
    both "$services" "$batches"
    for service in $services; do
        for batch in $batches; do
            point "$service" "$batch" tacker fusion.match=exact
        done
    done
    ;;
short)
    for service in $services; do
        rate_of=$(half "$service")
        both "$service" "$parboil" "workload.services[0].input=\"$rate_of\""
    done
    ;;
drawn)
    both "$services" "$parboil" workload.batch[0].input=log_uniform
    ;;
target)
    both "$services" "$parboil" policy.target=0.4
    ;;
batch1)
    both "$services" "$parboil" 'workload.services[0].input="1"'
    ;;
launch)
    for service in $services; do
        for batch in $parboil; do
            point "$service" "$batch" tacker fusion.match=nearest fusion.decide=launch
        done
    done
    ;;
costs)
    for scale in 1 0.1 0.01 0.001; do
        for service in $few; do
            for batch in $gaining; do
                point "$service" "$batch" tacker fusion.match=nearest scheduler.fusion_round_us=500 \
                    scheduler.fusion_candidate_us=14 scheduler.fusion_cost_scale=$scale
            done
        done
    done
    ;;
rules)
    for service in $few; do
        for batch in $gaining; do
            for reorder in all one none; do
                point "$service" "$batch" baymax policy.reorder=$reorder
                point "$service" "$batch" tacker policy.reorder=$reorder fusion.match=nearest
            done
            point "$service" "$batch" tacker policy.fuse=last fusion.match=nearest
        done
    done
    ;;
*)
    echo "$0: unknown part \"$part\"" >&2
    exit 2
    ;;
esac
echo >&2
