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
#   costs    6 services x 4 batch applications that gain from fusion, tacker with what the paper's scheduler
#            takes for a decision, a tenth, a hundredth and a thousandth of it
#   rules    the same 24: how many batch kernels go before a latency kernel, for both policies, and both with
#            kernels that go ahead of any latency request, or are fused with the first, where several wait
#
# The rate of each service is 80 % of the highest that it bears alone; it is found once (experiments
# tacker-rate) and given to all points. A part is one or two sweeps.
#
# May be interrupted and repeated: runs that the database holds are not run again. DCSIM names the program
# (default: dcsim), REPLICATIONS the number of seeds (default: 5), PROFILE the profile (default:
# nvidia-h200; one built by `dcsim profile build` loads faster). Needs sqlite3.
set -eu
if [[ $# -lt 1 || $# -gt 2 || $1 == -* ]]; then
    echo "Usage: $0 pairs|short|drawn|target|batch1|launch|costs|rules [DATABASE]" >&2
    echo "DATABASE: tacker.db if not given" >&2
    exit 2
fi
here=$(cd "$(dirname "$0")" && pwd)
dcsim=${DCSIM:-dcsim}
part=$1
database=${2:-tacker.db}
services="resnet50 resnext vgg16 vgg19 inception densenet"
parboil="mriq fft mrif cutcp cp sgemm lbm tpacf"
gaining="cp lbm mriq mrif"
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

# run AXES [PATH=VALUE]...: one sweep.
run() {
    local axes=$1 set=() key
    shift
    for key in "$@"; do set+=(--set "$key"); done
    "$dcsim" --output "$database" --config "$here/pair.json" --set profile="${PROFILE:-nvidia-h200}" \
        "${set[@]}" --set "sweep={\"axes\":[$axes]}" >/dev/null
}

# axis KEY VALUE...: values are JSON.
axis() {
    local key=$1
    shift
    local IFS=,
    echo "{\"key\":\"$key\",\"values\":[$*]}"
}

quoted() {
    local word
    for word in "$@"; do printf '"%s" ' "$word"; done
}

# input_of SERVICE: as the part has it; at its default size what a request takes alone is nearest to 20 ms.
input_of() {
    case $part in
    short) half "$1" ;;
    batch1) echo 1 ;;
    *) echo default ;;
    esac
}

# service SERVICE INPUT ARRIVALS: as JSON.
service() {
    echo "{\"application\":\"$1\",\"input\":\"$2\",\"sla_ms\":50,\"arrivals\":{\"process\":\"poisson\",$3}}"
}

# What is 80 % of the peak, of all services whose rate is not known yet.
find_rates() {
    local all=() name
    for name in $services; do
        [[ -n $(rate_of "$name" 2>/dev/null) ]] ||
            all+=("$(service "$name" "$(rate_input "$name")" '"fraction_of_peak":0.8')")
    done
    ((${#all[@]} > 0)) || return 0
    run "$(axis 'workload.services[0]' "${all[@]}")" name=tacker-rate replications=1 horizon.duration_s=1 \
        horizon.warmup_s=0 policy.name=baymax
}

# The size whose peak it is: services of one image come as often as those of the default size.
rate_input() {
    if [[ $part == short ]]; then half "$1"; else echo default; fi
}

# rate_of SERVICE: requests per second.
rate_of() {
    sqlite3 "$database" "SELECT printf('%.17g', rate_per_s) FROM service JOIN experiment ON id = service.experiment
        WHERE name = 'tacker-rate' AND config ->> '\$.workload.services[0].application' = '$1'
        AND config ->> '\$.workload.services[0].input' = '$(rate_input "$1")'"
}

# points BATCHES AXIS [PATH=VALUE]...: one experiment for each service, batch application and point of the axis. What
# is nearest is fused, without another word.
points() {
    local batches=$1 of=$2 all=() name
    shift 2
    for name in $services; do
        all+=("$(service "$name" "$(input_of "$name")" "\"fraction_of_peak\":0,\"rate_per_s\":$(rate_of "$name")")")
    done
    # shellcheck disable=SC2046,SC2086
    run "$(axis 'workload.services[0]' "${all[@]}"),$(axis 'workload.batch[0].application' $(quoted $batches)),$of" \
        replications="${REPLICATIONS:-5}" fusion.match=nearest "$@"
}

both=$(axis policy.name '"baymax"' '"tacker"')
tacker=$(axis policy.name '"tacker"')

case $part in
pairs | short | drawn | target | batch1 | launch | costs | rules) find_rates ;;
*)
    echo "$0: unknown part \"$part\"" >&2
    exit 2
    ;;
esac
case $part in
pairs)
    points "$batches" "$both"
    points "$batches" "$tacker" fusion.match=exact
    ;;
short | batch1) points "$parboil" "$both" ;;
drawn) points "$parboil" "$both" workload.batch[0].input=log_uniform ;;
target) points "$parboil" "$both" policy.target=0.4 ;;
launch) points "$parboil" "$tacker" fusion.decide=launch ;;
costs)
    points "$gaining" "$(axis scheduler.fusion_cost_scale 1 0.1 0.01 0.001)" \
        scheduler.fusion_round_us=500 scheduler.fusion_candidate_us=14
    ;;
rules)
    points "$gaining" "$both,$(axis policy.reorder '"all"' '"one"' '"none"')"
    points "$gaining" "$both" policy.reorder_for=any
    points "$gaining" "$tacker" policy.reorder_for=any policy.fuse=first
    ;;
esac
