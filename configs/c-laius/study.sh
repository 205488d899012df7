#!/bin/bash
# The runs behind docs/validation.md, "Spatial sharing": every point is one experiment of ten replications.
#
#   configs/c-laius/study.sh PART [DATABASE]           default: c-laius.db
#
#   closed        6 services x 8 batch applications, one outstanding request of a service (closed.json): the setting that
#                 the paper's numbers imply; Baymax and C-Laius, and other readings of what the papers leave open
#   paced         the same load as arrivals at equal distances (paced.json)
#   load          Poisson arrivals at 80, 50 and 20 % of the peak, drawn inputs and default ones (load.json)
#   pairs         6 services x 8 batch applications, each under mps-even, mps-priority, baymax, c-laius,
#                 without the bandwidth constraint (NB), without the compensator (NC)
#   sla           the same with SLAs of 2 and 5 times the solo time, for baymax and c-laius
#   predictors    6 services beside BATCH, baymax and c-laius, each predictor (needs dcsim train)
#   granularity   c-laius with quotas of 3, 5, 10 and 20 % of the device
#   services      15 pairs of services beside one batch application: static splits and c-laius
#   switch        the pairs under c-laius, with what a change of quota costs as the profile has measured
#   datacenter    600 GPUs: mps-priority, baymax, c-laius
#
# May be interrupted and repeated with the same command: runs that the database holds are not run again. Environment:
#   DCSIM         the program (default: dcsim)
#   PROFILE       the profile (default: nvidia-h200; one built by `dcsim profile build` loads faster)
#   REPLICATIONS  the number of seeds (default: 10)
#   POLICIES      those of `pairs`, `sla`, `granularity`, `switch` and `datacenter`, in place of all
#   PREDICTOR     the predictor (default: mean)
#   INPUT         the inputs of services, in place of those of the configs (uniform)
#   SLA           those of `sla`, in place of both
#   SHARES        the quotas of `granularity`, in place of all
#   BATCH         the batch application of `services` and `predictors` (default: bfs)
# Horizons give each replication of a service 20 000 requests at least with the inputs of the configs.
set -eu
parts="closed paced load pairs sla predictors granularity services switch datacenter"
if [[ $# -lt 1 || $# -gt 2 || $1 == -* ]]; then
    echo "Usage: $0 ${parts// /|} [DATABASE]        DATABASE: c-laius.db if not given" >&2
    exit 2
fi
if [[ " $parts " != *" $1 "* ]]; then
    echo "$0: unknown part \"$1\"; parts are ${parts// /, }" >&2
    exit 2
fi
here=$(cd "$(dirname "$0")" && pwd)
dcsim=${DCSIM:-dcsim}
part=$1
database=${2:-c-laius.db}
services="face dig imc ner pos chk"
batches="bfs b-plus-tree pathfinder nw hotspot lava-md myocyte lud"

# What dcsim says of an interruption is about its own command line.
interrupted() {
    echo "$0: interrupted: repeat the command to go on after point $((points - 1)) of $all" >&2
    exit 130
}
trap 'stop=yes' INT TERM

# point CONFIG POLICY [PATH=VALUE]...: one experiment. POLICY may be c-laius-nb or c-laius-nc. In the first round, of
# all points, it counts.
points=0 all=0 stop=
point() {
    local config=$1 policy=$2 set=() s code=0
    shift 2
    points=$((points + 1))
    [[ $all -gt 0 ]] || return 0
    case $policy in
    c-laius-nb) set+=(--set policy.bandwidth_constraint=false) ;;
    c-laius-nc) set+=(--set policy.compensator=false) ;;
    esac
    if [[ -n ${INPUT:-} ]]; then
        case $config in
        datacenter) set+=(--set "workload.colocated[0].service_input=$INPUT") ;;
        two-services) set+=(--set "workload.services[1].input=$INPUT") ;;&
        *) set+=(--set "workload.services[0].input=$INPUT") ;;
        esac
    fi
    for s in "$@"; do set+=(--set "$s"); done
    printf '\rpoint %d of %d' "$points" "$all" >&2
    said=$("$dcsim" --quiet --output "$database" --config "$here/$config.json" \
        --set replications="${REPLICATIONS:-10}" --set profile="${PROFILE:-nvidia-h200}" \
        --set predictor="${PREDICTOR:-mean}" \
        --set policy.name="${policy%-n[bc]}" "${set[@]}" 2>&1 >/dev/null) || code=$?
    [[ -n $stop || $code -ne 0 ]] && echo >&2
    [[ -z $stop && $code -ne 130 ]] || interrupted
    [[ -z $said ]] || echo "$said" >&2
    return "$code"
}

# Each of POLICIES is one that has the option which a part sets.
only() {
    local policy
    for policy in ${POLICIES:-}; do
        [[ " $* " == *" $policy "* ]] && continue
        echo "$0: POLICIES: $part takes ${*}, found $policy: no other policy has the option that it sets" >&2
        exit 2
    done
}

# Before the first point, and not at the second: whether predictors have been trained.
trained() {
    local predictor
    for predictor in "$@"; do
        "$dcsim" --dry-run --config "$here/pair.json" --set profile="${PROFILE:-nvidia-h200}" \
            --set predictor="$predictor" --set "workload.batch[0].application=${BATCH:-bfs}" \
            --set horizon.duration_s=30 --set horizon.warmup_s=0 --set replications=1 >/dev/null && continue
        echo "$0: nothing was run: $part needs predictor \"$predictor\", trained beforehand" \
            "(dcsim train ${PROFILE:-nvidia-h200})" >&2
        exit 2
    done
}

# seconds SERVICE SLA: how long 20 000 requests and the warm-up last at 80 % of its peak on an H200, SLA so many times
# the time alone, inputs of the config. What a service bears depends much on its SLA: 1.6 to 3.4 requests a second
# at 2, 7.8 to 15.6 at 3, 22 to 50 at 5.
seconds() {
    case $2${INPUT:-}$1 in
    2dig | 2imc) echo 10100 ;;
    2ner | 2pos | 2chk) echo 6450 ;;
    2*) echo 12600 ;;
    3dig | 3imc) echo 2200 ;;
    3ner | 3pos | 3chk) echo 1420 ;;
    3*) echo 2600 ;;
    *) echo 940 ;;
    esac
}

# pairs POLICIES SLA [PATH=VALUE]...
pairs() {
    local policies=${POLICIES:-$1} sla=$2 service batch policy
    shift 2
    for service in $services; do
        for batch in $batches; do
            for policy in $policies; do
                point pair "$policy" "workload.services[0].application=$service" \
                    "workload.batch[0].application=$batch" "workload.services[0].sla_factor=$sla" \
                    "horizon.duration_s=$(seconds "$service" "$sla")" "$@"
            done
        done
    done
}

# Parts that are one sweep.
case $part in
closed | paced | load)
    exec "$dcsim" --output "$database" --config "$here/$part.json" --set replications="${REPLICATIONS:-10}" \
        --set profile="${PROFILE:-nvidia-h200}" --set predictor="${PREDICTOR:-mean}" >/dev/null
    ;;
esac

run_part() {
    case $part in
    pairs)
        pairs "mps-even mps-priority baymax c-laius c-laius-nb c-laius-nc" 3
        ;;
    sla)
        for sla in ${SLA:-2 5}; do
            pairs "baymax c-laius" "$sla"
        done
        ;;
    predictors)
        for service in $services; do
            for policy in baymax c-laius; do
                for PREDICTOR in mean "${predictors[@]}"; do
                    point pair $policy "workload.services[0].application=$service" \
                        "workload.batch[0].application=${BATCH:-bfs}"
                done
            done
        done
        ;;
    granularity)
        for share in ${SHARES:-0.03 0.05 0.1 0.2}; do
            pairs c-laius 3 "policy.granularity=$share"
        done
        ;;
    services)
        while read -r one two; do
            set -- "workload.services[0].application=$one" "workload.services[1].application=$two" \
                "workload.batch[0].application=${BATCH:-bfs}"
            point two-services c-laius "$@"
            for both in 1.0 0.8; do # the batch application gets the rest
                for share in 0.2 0.3 0.4 0.5 0.6 0.7 0.8; do
                    rest=$(awk "BEGIN { print $both - $share }")
                    if awk "BEGIN { exit !($rest > 0.15) }"; then
                        point two-services fixed-split "$@" "policy.service_shares=$one=$share,$two=$rest"
                    fi
                done
            done
        done < <(for a in $services; do for b in $services; do [[ $a < $b ]] && echo "$a $b"; done; done)
        ;;
    switch)
        pairs c-laius 3 sharing.quota_switch_us=profile
        ;;
    datacenter)
        for policy in ${POLICIES:-mps-priority baymax c-laius}; do
            point datacenter "$policy"
        done
        ;;
    esac
}

predictors=(linear knn cart net)
[[ $part != granularity ]] || only c-laius c-laius-nb c-laius-nc
[[ $part != predictors ]] || trained "${predictors[@]}"
run_part
all=$points points=0
run_part
echo >&2
