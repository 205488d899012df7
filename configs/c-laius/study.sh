#!/bin/bash
# The runs behind docs/validation/c-laius.md. Each part is one or a few sweeps of ten replications.
#
#   configs/c-laius/study.sh PART [DATABASE]           default: c-laius.db
#
#   closed        6 services x 8 batch applications and none, one outstanding request of a service, SLA of twice the time
#                 alone: MPS, Baymax, C-Laius, and other readings of what the papers leave open (closed.json); SLAs of 3 and
#                 5 times for baymax and c-laius
#   paced         the same with arrivals at equal distances, SLA of twice the time alone (paced.json)
#   load          the same with Poisson arrivals at 80 % of the peak, SLA of three times, drawn inputs and default ones
#                 (load.json); and at 50 and 20 % for baymax and c-laius
#   sla           load.json with drawn inputs and SLAs of 2 and 5 times
#   granularity   c-laius with quotas of 3, 5, 10 and 20 % of the device: closed at an SLA of twice, and load
#   switch        c-laius with what a change of quota costs as the profile has measured: the same two settings
#   services      15 pairs of services beside bfs: baymax, c-laius, with and without give_back, and 14 static splits; paced
#                 with SLAs of 2 and 3 times the time alone, and Poisson
#   datacenter    600 GPUs: mps-priority, baymax, c-laius
#   predictors    6 services beside bfs under load.json, baymax and c-laius, each predictor (needs dcsim train)
#   all           all of these but the last: by its parts, two and a half hours of processor time, one of them for
#                 datacenter
#
# May be interrupted and repeated with the same command: runs that the database holds are not run again. Environment:
#   DCSIM         the program (default: dcsim)
#   PROFILE       the profile (default: nvidia-h200)
#   REPLICATIONS  the number of seeds (default: 10)
# `plots/claius.py DATABASE` prints the tables, `plots/make DATABASE claius-fig15 claius-fig16` draws the figures.
set -euo pipefail
parts="closed paced load sla granularity switch services datacenter predictors all"
here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=configs/sweep.sh
source "$here/../sweep.sh"
begin_study c-laius.db "$@"

# Values of an axis, from words.
values() {
    local IFS=,
    echo "[$*]"
}

# One axis: each pair of services with each of its static splits, baymax and c-laius. `both` is what the services have
# together; the batch application gets the rest. With rates where the first argument is "paced": a request every four
# times what it takes alone, so that the two take half of the device.
pairs_of_services() {
    local -A rate=([face]=12.275 [dig]=16.025 [imc]=15.4 [ner]=24.67 [pos]=26.28 [chk]=26.41)
    local one two both share rest first=() second=() policy=() rates=([0]='' [1]='') zip
    for one in "${!rate[@]}"; do
        for two in "${!rate[@]}"; do
            [[ $one < $two ]] || continue
            local all=('{"name":"baymax"}' '{"name":"c-laius"}' '{"name":"c-laius","give_back":true}')
            for both in 10 8; do
                for share in 2 3 4 5 6 7 8; do
                    rest=$((both - share))
                    ((rest >= 2)) && all+=("{\"name\":\"fixed-split\",\"service_shares\":\"$one=0.$share,$two=0.$rest\"}")
                done
            done
            for share in "${all[@]}"; do
                first+=("\"$one\"") second+=("\"$two\"") policy+=("$share")
                rates[0]+=,${rate[$one]} rates[1]+=,${rate[$two]}
            done
        done
    done
    zip="{\"key\":\"workload.services[0].application\",\"values\":$(values "${first[@]}")}"
    zip+=",{\"key\":\"workload.services[1].application\",\"values\":$(values "${second[@]}")}"
    zip+=",{\"key\":\"policy\",\"values\":$(values "${policy[@]}")}"
    if [[ $1 == paced ]]; then
        zip+=",{\"key\":\"workload.services[0].arrivals.rate_per_s\",\"values\":[${rates[0]#,}]}"
        zip+=",{\"key\":\"workload.services[1].arrivals.rate_per_s\",\"values\":[${rates[1]#,}]}"
    fi
    echo "{\"axes\":[{\"zip\":[$zip]}]}"
}

# What axes of closed.json and load.json are set to.
drawn='sweep.axes[1].values=["uniform"]'
baymax_and_claius='[{"name":"baymax"},{"name":"c-laius"}]'

run_part() {
    local share shares=() i
    case $1 in
    closed)
        sweep closed
        sweep closed 'sweep.axes[0].values=[3,5]' "sweep.axes[3].values=$baymax_and_claius"
        ;;
    paced) sweep paced ;;
    load)
        sweep load
        sweep load 'sweep.axes[0].values=[0.5,0.2]' "sweep.axes[4].values=$baymax_and_claius"
        ;;
    sla)
        sweep load workload.colocated[0].sla_factor=5 "$drawn" "sweep.axes[4].values=$baymax_and_claius"
        sweep load workload.colocated[0].sla_factor=2 "$drawn" "sweep.axes[4].values=$baymax_and_claius" \
            horizon.duration_s=1020 # a service bears few requests then
        ;;
    granularity)
        for share in 0.03 0.05 0.2; do shares+=("{\"name\":\"c-laius\",\"granularity\":$share}"); done
        sweep closed "sweep.axes[3].values=$(values "${shares[@]}")"
        sweep load "$drawn" "sweep.axes[4].values=$(values "${shares[@]}")"
        ;;
    switch)
        sweep closed 'sweep.axes[3].values=[{"name":"c-laius"}]' sharing.quota_switch_us=profile
        sweep load "$drawn" 'sweep.axes[4].values=[{"name":"c-laius"}]' sharing.quota_switch_us=profile
        ;;
    services)
        sweep two-services "sweep=$(pairs_of_services poisson)"
        for i in 0 1; do
            shares+=("workload.services[$i].input=default"
                "workload.services[$i].arrivals.fraction_of_peak=0" "workload.services[$i].arrivals.process=deterministic")
        done
        for i in 2 3; do
            sweep two-services "sweep=$(pairs_of_services paced)" name=c-laius-two-paced horizon.duration_s=65 \
                horizon.warmup_s=5 "${shares[@]}" "workload.services[0].sla_factor=$i" "workload.services[1].sla_factor=$i"
        done
        ;;
    datacenter) sweep datacenter ;;
    predictors)
        sweep load "$drawn" 'sweep.axes[3].zip[0].values=["bfs"]' 'sweep.axes[3].zip[1].values=[1]' \
            "sweep.axes[4]={\"key\":\"predictor\",\"values\":[\"mean\",\"linear\",\"knn\",\"cart\",\"net\"]}" \
            "sweep.axes[5]={\"key\":\"policy\",\"values\":$baymax_and_claius}"
        ;;
    esac
}

if [[ $1 == all ]]; then
    for part in closed paced load sla granularity switch services datacenter; do run_part $part; done
else
    run_part "$1"
fi
