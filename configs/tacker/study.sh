#!/bin/bash
# The runs behind docs/validation/tacker.md. Each part is one or a few sweeps of ten replications.
#
#   configs/tacker/study.sh PART [DATABASE]           default: tacker.db
#
#   closed   6 services x 12 batch applications and none under baymax and tacker, one outstanding request of a service, an
#            SLA of twice the time alone; tensor kernels are fused where one like them was measured (nearest), and where
#            one of the same shape was (exact) (closed.json)
#   paced    the same with arrivals at equal distances (paced.json)
#   load     the same with Poisson arrivals at 80 % of the peak and an SLA of 50 ms (load.json)
#
#   Variants of closed, with nearest, 6 services x 8 batch applications that are no training:
#   launch   tacker, the blocks in a fused block chosen for each launch and not once for a pair
#   drawn    batch requests of every size, small ones as often as large
#   batch1   services of one image
#   Variants with 4 batch applications that gain from fusion:
#   costs    tacker with what the paper's scheduler takes for a decision, a tenth, a hundredth and a thousandth of it
#   rules    how many batch kernels go before a latency kernel
#   all      all of these: by its parts, an hour of processor time and, for batch1, as much again
#
# May be interrupted and repeated: runs that the database holds are not run again. DCSIM names the program
# (default: dcsim), REPLICATIONS the number of seeds (default: 10), PROFILE the profile (default:
# nvidia-h200; one built by `dcsim profile build` loads faster). `plots/tacker.py DATABASE` prints the tables.
set -euo pipefail
parts="closed paced load launch drawn batch1 costs rules all"
here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=configs/sweep.sh
source "$here/../sweep.sh"
begin_study tacker.db "$@"

# variant BATCHES POLICIES [KEY=VALUE]...: closed.json with these, both as JSON.
variant() {
    local batches=$1 policies=$2
    shift 2
    sweep closed "sweep.axes[1]={\"key\":\"workload.colocated[0].batch\",\"values\":$batches}" \
        "sweep.axes[2]={\"key\":\"policy\",\"values\":$policies}" "$@"
}

# policies NAMES OPTIONS: each with these options, as JSON; options begin with a comma.
policies() {
    local name all=()
    for name in $1; do all+=("{\"name\":\"$name\"$2}"); done
    local IFS=,
    echo "[${all[*]}]"
}

parboil='["mriq","fft","mrif","cutcp","cp","sgemm","lbm","tpacf"]'
gaining='["cp","lbm","mriq","mrif"]'
one=',"reorder":"one"'

run_part() {
    local scale reorder
    case $1 in
    closed | paced | load) sweep "$1" ;;
    launch) variant "$parboil" "$(policies tacker "$one")" fusion.decide=launch ;;
    drawn) variant "$parboil" "$(policies "baymax tacker" "$one")" workload.colocated[0].batch_input=log_uniform ;;
    batch1) variant "$parboil" "$(policies "baymax tacker" "$one")" 'workload.colocated[0].service_input="1"' ;;
    costs)
        for scale in 1 0.1 0.01 0.001; do
            variant "$gaining" "$(policies tacker "$one")" scheduler.fusion_round_us=500 \
                scheduler.fusion_candidate_us=14 scheduler.fusion_cost_scale=$scale
        done
        ;;
    rules)
        for reorder in all none; do
            variant "$gaining" "$(policies "baymax tacker" ",\"reorder\":\"$reorder\"")"
        done
        ;;
    esac
}

if [[ $1 == all ]]; then
    for part in closed paced load launch drawn batch1 costs rules; do run_part $part; done
else
    run_part "$1"
fi
