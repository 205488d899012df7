#!/bin/bash
# Imports of Alibaba's published tables: rows, jobs, what is left out and the totals of each file,
# against counts by awk that share nothing with the importers. The tables may not be republished, so
# they lie beside the project, if at all. What becomes of single rows is in unit/test_trace_alibaba.
#
# The rules that awk follows are those in the head of each format's file. Where they name the end of
# a trace, the number stands here once more.
# shellcheck source=tests/e2e/lib.sh
. "$(dirname "$0")/lib.sh"
data=$SOURCE_DIR/../shared/traces/alibaba
if [[ ! -d $data ]]; then
    echo "skipped: the published tables are not at $data"
    exit 77
fi

# One line each: rows, jobs, latency jobs, censored, early, noted as failed, ended in the clock's tick,
# of status success and failed (the others are unknown), then sums over the jobs: durations and arrivals in s, GPUs, CPUs.
columns='rows jobs latency censored early noted ticks success failed durations arrivals gpus cpus'
print_sums='END { printf "%.0f %.0f %.0f %.0f %.0f %.0f %.0f %.0f %.0f %.3f %.3f %.3f %.3f\n", NR - header,
    n, latency, censored, early, noted, ticks, success, failed, duration, arrival, gpu, cpu }'
# job(arrival, duration, gpus, cpus)
add_job='function job(a, d, g, c) { n++; arrival += a; gpu += g; cpu += c
    if (d == 0) { ticks++; d = 0.5 }
    duration += d }'

count_2017() {
    zcat "$1" | awk -F, "$add_job"' $6 ~ /^(Terminated|Failed|Running)$/ {
        from = $1; to = $2; open = to == 0 && $6 == "Running"
        if (open) to = 61668
        if (from <= 0 && to <= 0 || to < from) next
        if (from <= 0) { early++; from = 0 }
        censored += open
        success += $6 == "Terminated"; failed += $6 != "Terminated" && !open
        noted = failed
        job(from, to - from, 0, $5 * $7 / 100) }'"$print_sums"
}

count_2018() {
    zcat "$1" | awk -F, "$add_job"' $5 ~ /^(Terminated|Failed|Running)$/ && $6 > 0 {
        to = $7; open = to == 0 && $5 == "Running"
        if (open) to = 691915
        if (to < $6) next
        censored += open
        success += $5 == "Terminated"; failed += $5 != "Terminated" && !open
        noted = failed
        job($6, to - $6, 0, $2 * $8 / 100) }'"$print_sums"
}

count_pai_instance() {
    zcat "$1" | awk -F, "$add_job"' $6 != "Waiting" && $7 != "" && ($8 != "" || $6 == "Running") {
        to = $8 == "" ? 6450211 : $8
        if (to < $7) next
        censored += $8 == ""
        success += $6 == "Terminated"; failed += $8 != "" && $6 != "Terminated"
        noted = failed
        job($7, to - $7, 0, 0) }'"$print_sums"
}

# Which clock a list has is not asked here: what is deleted last in a list was cut off.
count_openb() {
    zcat "$1" | awk -F, "$add_job"' NR == 1 { header = 1; next }
        $10 > last { last = $10 }
        $4 > 0 && $11 != "" && $10 > $11 {
            latency += $7 == "LS"; deleted[$10]++; noted += $8 == "Failed"
            succeeded[$10] += $8 == "Succeeded"; bad[$10] += $8 == "Failed"
            job($9, $10 - $11, $4 * $5 / 1000, $2 / 1000) }
        END { censored = deleted[last]
            for (time in deleted) if (time != last) { success += succeeded[time]; failed += bad[time] } }'"$print_sums"
}

count_dlrm() {
    zcat "$1" | awk -F, "$add_job"' NR == 1 { header = 1; next }
        $15 == "" || $16 != "" {
            to = $17 == "" ? 2677541 : $17
            latency++; censored += $17 == ""; early += $16 == ""
            job($15 == "" ? 0 : $15, to - ($16 == "" ? 0 : $16), $6, $4) }'"$print_sums"
}

# The same line out of a database.
sums='SELECT printf("%d %d %d %d %d %d %d %d %d %.3f %.3f %.3f %.3f",
    (SELECT rows FROM trace), count(*), sum(class = "latency"), sum(censored), sum(early),
    (SELECT coalesce(sum(count), 0) FROM issue WHERE name = "failed"),
    (SELECT coalesce(sum(count), 0) FROM issue WHERE name = "zero-duration"),
    sum(status = "success"), sum(status = "failed"),
    sum(duration_ns / 1e9), sum(arrival_ns / 1e9), sum(gpus), sum(cpus)) FROM job'
left_out='SELECT coalesce(sum(count), 0) FROM issue WHERE effect = "left out"'

# agrees FORMAT COUNT FILE
agrees() {
    local name=${3##*/} want found
    rm -f jobs.db
    expect 0 "$name" "$DCSIM" trace import "$1" "$3" -o jobs.db
    [[ -e jobs.db ]] || return
    want=$("$2" "$3")
    found=$(sqlite3 jobs.db "$sums")
    checks=$((checks + 2))
    # Sums of floats differ in their last digits, where the order of addition does.
    awk -v want="$want" -v found="$found" 'BEGIN { n = split(want, w); split(found, f)
        for (i = 1; i <= n; i++) if (sqrt((w[i] - f[i]) ^ 2) > 0.002 + 1e-12 * w[i]) exit 1
        exit n != 13 }' || fail "$name: $columns
    awk    $want
    dcsim  $found"
    read -r rows jobs _ <<<"$want"
    [[ $(sqlite3 jobs.db "$left_out") -eq $((rows - jobs)) ]] ||
        fail "$name: of $rows rows $jobs are jobs, but $(sqlite3 jobs.db "$left_out") are left out"
    echo "$name: $want"
}

files=0
for file in "$data"/cluster-trace-v2017/batch_task.csv.gz \
    "$data"/cluster-trace-v2018/batch_task*.csv.gz \
    "$data"/cluster-trace-gpu-v2020/pai_instance_table*.csv.gz \
    "$data"/cluster-trace-gpu-v2023/openb_pod_list_*.csv.gz \
    "$data"/cluster-trace-gpu-v2025/disaggregated_DLRM_trace.csv.gz; do
    [[ -e $file ]] || continue
    files=$((files + 1))
    case $file in
    *v2017*) agrees alibaba-2017 count_2017 "$file" ;;
    *v2018*) agrees alibaba-2018 count_2018 "$file" ;;
    *v2020*) agrees pai-2020-instance count_pai_instance "$file" ;;
    *multigpu*) refused 'openb' "${file##*/}, which has no times" \
        "$DCSIM" trace import openb-2023 "$file" -o multi.db ;;
    *v2023*) agrees openb-2023 count_openb "$file" ;;
    *v2025*) agrees dlrm-2025 count_dlrm "$file" ;;
    esac
done
((files > 0)) || { echo "skipped: none of the published tables is in $data"; exit 77; }

# Not Alibaba's own format, though made of its rows.
other=$data/cluster-trace-v2018/sample_tasks_1hour_slambuc.csv.gz
if [[ -e $other ]]; then
    refused 'does not look like alibaba-2018' "7 columns" \
        "$DCSIM" trace import alibaba-2018 "$other" -o other.db
fi
finish
