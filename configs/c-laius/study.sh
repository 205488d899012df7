#!/bin/bash
# The runs behind docs/validation.md, "Spatial sharing": every point is one experiment of ten replications.
#
#   configs/c-laius/study.sh PART [DATABASE]           default: c-laius.db
#
#   pairs         6 services x 8 batch applications, each under mps-even, mps-priority, baymax, c-laius,
#                 without the bandwidth constraint (NB), without the compensator (NC)
#   sla           the same with SLAs of 2 and 5 times the solo time, for baymax and c-laius
#   granularity   c-laius with quotas of 3, 5, 10 and 20 % of the device
#   services      15 pairs of services beside one batch application: static splits and c-laius
#   datacenter    600 GPUs: mps-priority, baymax, c-laius
#
# May be interrupted and repeated: runs that the database holds are not run again. DCSIM names the program
# (default: dcsim), REPLICATIONS the number of seeds (default: 10), PROFILE the profile (default:
# nvidia-h200; one built by `dcsim profile build` loads faster), BATCH the batch application of `services`.
set -eu
if [[ $# -lt 1 || $# -gt 2 || $1 == -* ]]; then
    echo "Usage: $0 pairs|sla|granularity|services|datacenter [DATABASE]        DATABASE: c-laius.db if not given" >&2
    exit 2
fi
here=$(cd "$(dirname "$0")" && pwd)
dcsim=${DCSIM:-dcsim}
part=$1
database=${2:-c-laius.db}
services="face dig imc ner pos chk"
batches="bfs b-plus-tree pathfinder nw hotspot lava-md myocyte lud"

# point CONFIG POLICY [PATH=VALUE]...: one experiment. POLICY may be c-laius-nb or c-laius-nc.
points=0
point() {
    local config=$1 policy=$2 set=() s
    shift 2
    case $policy in
    c-laius-nb) set+=(--set policy.bandwidth_constraint=false) ;;
    c-laius-nc) set+=(--set policy.compensator=false) ;;
    esac
    for s in "$@"; do set+=(--set "$s"); done
    points=$((points + 1))
    printf '\r%4d points' "$points" >&2
    "$dcsim" --quiet --output "$database" --config "$here/$config.json" \
        --set replications="${REPLICATIONS:-10}" --set profile="${PROFILE:-nvidia-h200}" \
        --set policy.name="${policy%-n[bc]}" "${set[@]}" >/dev/null
}

# pairs POLICIES [PATH=VALUE]...
pairs() {
    local policies=$1 service batch policy
    shift
    for service in $services; do
        for batch in $batches; do
            for policy in $policies; do
                point pair "$policy" "workload.services[0].application=$service" \
                    "workload.batch[0].application=$batch" "$@"
            done
        done
    done
}

case $part in
pairs)
    pairs "mps-even mps-priority baymax c-laius c-laius-nb c-laius-nc"
    ;;
sla)
    for factor in 2 5; do
        pairs "baymax c-laius" "workload.services[0].sla_factor=$factor"
    done
    ;;
granularity)
    for share in 0.03 0.05 0.1 0.2; do
        pairs c-laius policy.granularity=$share
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
datacenter)
    for policy in mps-priority baymax c-laius; do
        point datacenter $policy
    done
    ;;
*)
    echo "$0: unknown part \"$part\"" >&2
    exit 2
    ;;
esac
echo >&2
