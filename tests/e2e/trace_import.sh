#!/bin/bash
# dcsim trace: the command line, what is refused, that an interruption leaves nothing, and (where the real
# tables lie beside the project) that rows and totals agree with an independent count by zcat and awk.
# shellcheck source=tests/e2e/lib.sh
. "$(dirname "$0")/lib.sh"
data=$SOURCE_DIR/tests/data/traces
tasks=$data/google-2011/task_events.csv

same() { # same WHAT FOUND EXPECTED
    checks=$((checks + 1))
    [[ $2 == "$3" ]] || fail "$1: found $2, expected $3"
}

# ---- the command line ----
expect 0 "formats" "$DCSIM" trace formats
says out '^google-2011-task-events' "formats"
expect 0 "help" "$DCSIM" trace --help
expect 0 "import" "$DCSIM" trace import google-2011-task-events "$tasks" -o jobs.db
says out '^rows: 0 are jobs, 17 are events of 6 lives, 4 are left out' "the account of rows"
says out '^malformed .* 2 .*task_events.csv:15$' "the first example of an issue"
same "jobs" "$(sqlite3 jobs.db 'SELECT count(*) FROM job')" 5
same "complete" "$(sqlite3 jobs.db 'SELECT format, jobs, rows, complete FROM trace')" \
    'google-2011-task-events|5|21|1'
same "provenance" "$(sqlite3 jobs.db 'SELECT sha256 FROM source')" \
    "$(sha256sum "$tasks" | cut -d' ' -f1)"
same "integrity" "$(sqlite3 jobs.db 'PRAGMA integrity_check')" ok
expect 0 "quiet" "$DCSIM" trace import google-2011-task-events "$tasks" -o quiet.db --quiet
[[ -s out || -s err ]] && fail "--quiet says something"
cmp -s jobs.db quiet.db || fail "the same import gives another database"
# A forgotten unit shows in runtimes and work; four mistakes are four lines; times since 1970 are dates.
cat >units.csv <<'CSV'
submit,dur_h,gpus
1767225600,2,8
1767225600,abc,8
1767229200,1.5,x
,1.5,1
1767229200,1.5
1767312000,1,1
1767312000,zzz,1
CSV
units=("$DCSIM" trace lint csv units.csv --map "submit=submit,gpus=gpus" --map)
expect 0 "a unit that was forgotten" "${units[@]}" runtime=dur_h
says out '^runtimes: median 1.00 s, longest 2.00 s$' "runtimes"
says out '^work: 0\.00472222 GPU hours, which hold 0\.0001968 GPUs in the mean over these 24\.0 h, 0\.0001968 over the 24\.0 h in which they arrive$' "work"
[[ $(<err) == "Note: numbers in column dur_h were read as seconds; if they are in h: --map runtime=dur_h:h" ]] || fail "the unit in a column's name: $(<err)"
expect 0 "a unit that was forgotten, with --quiet" "${units[@]}" runtime=dur_h --quiet --where 'gpus=8|1|9'
[[ -s out ]] && fail "--quiet prints an account"
says err '^Note: numbers in column dur_h were read as seconds; ' "a note with --quiet"
says err '^WARNING: --where gpus: ' "a warning with --quiet"
expect 0 "another unit than the name has" "${units[@]}" runtime=dur_h:min
[[ $(<err) == "Note: numbers in column dur_h were read as min; if they are in h: --map runtime=dur_h:h" ]] || fail "a unit against a column's name: $(<err)"
expect 0 "the unit" "${units[@]}" runtime=dur_h:h
[[ -s err ]] && fail "a unit that was given is hinted at"
says out '^jobs: 2, from 2026-01-01T00:00:00Z to the trace.s end at 2026-01-02T01:00:00Z$' "dates"
says out '^runtimes: median 60\.0 min, longest 2\.00 h$' "runtimes in hours"
says out '^work: 17 GPU hours, which hold 0\.68 GPUs in the mean over these 25\.0 h, 0\.7083 over the 24\.0 h in which they arrive$' "work of hours"
says out '^malformed +0 +0 +5 +units.csv:3: dur_h is "abc"$' "all that is malformed"
says out '^  dur_h: 2, first at units.csv:3: dur_h is "abc"$' "a duration"
says out '^  gpus: 1, first at units.csv:4: gpus is "x"$' "GPUs"
says out '^  submit is empty: 1, first at units.csv:5$' "nothing"
says out '^  the row as a whole: 1, first at units.csv:6$' "a row that is short"
gzip -c "$tasks" >tasks.gz
head -10 "$tasks" | gzip >two.gz
tail -n +11 "$tasks" | gzip >>two.gz
for file in tasks.gz two.gz; do
    expect 0 "$file" "$DCSIM" trace import google-2011-task-events $file -o $file.db --quiet
    same "$file" "$(sqlite3 $file.db 'SELECT * FROM job' | md5sum)" \
        "$(sqlite3 jobs.db 'SELECT * FROM job' | md5sum)"
done
"$DCSIM" trace import google-2011-task-events - -o pipe.db --quiet <two.gz || fail "standard input"
same "standard input" "$(sqlite3 pipe.db 'SELECT count(*), sum(duration_ns) FROM job')" \
    "$(sqlite3 jobs.db 'SELECT count(*), sum(duration_ns) FROM job')"
mkdir parts
head -10 "$tasks" >parts/part-00000
tail -n +11 "$tasks" >parts/part-00001
expect 0 "folder" "$DCSIM" trace import google-2011-task-events parts -o parts.db --quiet
same "folder" "$(sqlite3 parts.db 'SELECT sum(duration_ns) FROM job; SELECT sum(rows) FROM source')" \
    "$(sqlite3 jobs.db 'SELECT sum(duration_ns) FROM job; SELECT sum(rows) FROM source')"

# An event beyond 2^62 ns would be the end of the trace, which the reader takes for damage.
{ cat "$tasks"; tail -1 "$tasks" | sed 's/^[0-9]*,/9000000000000000,/'; } >late.csv
expect 0 "beyond time" "$DCSIM" trace import google-2011-task-events late.csv -o late.db
says out '^out-of-range +0 +0 +2 ' "beyond time"
expect 0 "beyond time, read again" "$DCSIM" trace fit late.db

# ---- refused ----
run=("$DCSIM" trace import)
refused 'exists' "output exists" "${run[@]}" google-2011-task-events "$tasks" -o jobs.db
refused 'did you mean "google-2011' "unknown format" "${run[@]}" google-2011 "$tasks" -o x.db
refused 'FORMAT' "no format" "${run[@]}" -o x.db
refused 'PATH' "no path" "${run[@]}" google-2011-task-events -o x.db
refused '-o' "no output" "${run[@]}" google-2011-task-events "$tasks"
refused 'unknown option' "unknown option" "${run[@]}" --strickt google-2011-task-events "$tasks"
refused 'import, nodes, lint' "no verb" "$DCSIM" trace
refused 'import, nodes, lint' "unknown verb" "$DCSIM" trace fix
refused 'nowhere.csv' "missing file" "${run[@]}" google-2011-task-events nowhere.csv -o x.db
refused 'nowhere/x.db' "missing folder" "${run[@]}" google-2011-task-events "$tasks" -o nowhere/x.db
refused ':1: .*did you mean google-2011-task-events' "the other table" \
    "${run[@]}" google-2011-job-events "$tasks" -o x.db
refused 'did you mean google-2019-instance-events' "the other year" \
    "${run[@]}" google-2011-task-events "$data/google-2019/instance_events.json" -o x.db
refused 'did you mean google-2011-task-events' "lint of the other table" \
    "$DCSIM" trace lint google-2019-instance-events "$tasks"
# ---- a table of one's own ----
printf 'at,took,n,kind\n2026-11-23T06:00:00Z,1:00:00,0.5,infer\n2026-11-23T06:00:01Z,2,1,train\n2026-11-23T06:00:02Z,2,1,test\n' >own.csv
expect 0 "a table" "${run[@]}" csv own.csv -o own.db --map submit=at,runtime=took --map gpus=n,class=kind:infer=latency \
    --where 'kind!=test'
says out '^filtered +0 +0 +1 +own.csv:4$' "what was filtered"
same "its jobs" "$(sqlite3 own.db 'SELECT arrival_ns / 1000000000, duration_ns / 1000000000, class, gpus FROM job')" \
    $'1795413600|3600|latency|0.5\n1795413601|2|batch|1.0'
same "where they come from" "$(sqlite3 own.db 'SELECT format, description FROM trace')" \
    "csv|a table of one's own: --map submit=at,runtime=took --map gpus=n,class=kind:infer=latency --where kind!=test"
expect 0 "a text that no row has" "$DCSIM" trace lint csv own.csv --map submit=at,runtime=took,gpus=n --where kind=trian
says out '^WARNING: --where kind: no row that was read has "trian"; the column has "infer", "train", "test"\.$' "what there is"
expect 0 "one of two" "$DCSIM" trace lint csv own.csv --map submit=at,runtime=took,gpus=n --where 'kind=train|tset' --where n=1
says out '^WARNING: --where kind: no row that was read has "tset";' "the one of two"
[[ $(grep -c WARNING out) == 1 ]] || fail "a text that rows have is warned of"
expect 0 "no row meets both" "$DCSIM" trace lint csv own.csv --map submit=at,runtime=took,gpus=n --where 'kind=infer' --where n=1
says out '^WARNING: no row that was read meets all of --where\.$' "both"
expect 2 "nothing to import" "${run[@]}" csv own.csv -o x.db --map submit=at,runtime=took,gpus=n --where kind=trian
says err '^WARNING: --where kind: .* has "trian"; the column has "infer", "train", "test"\.$' "what there is, beside the error"
tail -n +2 own.csv | tr , '\t' >own.tsv
expect 0 "without a header" "${run[@]}" csv own.tsv -o own2.db --map submit=1,runtime=2,gpus=3 --no-header --delimiter tab
same "all jobs" "$(sqlite3 own2.db 'SELECT count(*) FROM job')" 3
refused 'own.tsv:1: has no 7 columns' "a column that is not there" "${run[@]}" csv own.tsv -o x.db --map submit=1,runtime=2,gpus=7 \
    --no-header --delimiter tab
refused 'own.csv:1: no column has the name "took_s", "gpu", which csv needs; the first line is "at,took,n,kind"' "names that are not there" \
    "${run[@]}" csv own.csv -o x.db --map submit=at,runtime=took_s,gpus=gpu
refused 'own.csv:3: malformed: kind is "train"' "no number" "${run[@]}" csv own.csv -o x.db --strict \
    --map submit=at,runtime=took,gpus=kind --where kind=train
refused 'are for csv, not for' "a map of another format" "${run[@]}" openb-2023 own.csv -o x.db --map submit=at

# ---- GPU models, and lists of nodes ----
expect 0 "openb" "${run[@]}" openb-2023 "$data/alibaba-openb-2023.csv" -o openb.db
same "a model of openb" "$(sqlite3 openb.db "SELECT source_key, models FROM job WHERE models != ''")" 'made-up-2|V100M16|V100M32'
printf 'at,took,n,gpu\n0,9,1,A100\n1,9,1,A100|H100\n2,9,1,\n3,9,1,None\n4,9,1,A100|\n5,9,1,%0200d\n' 1 >models.csv
expect 0 "models" "${run[@]}" csv models.csv -o models.db --map submit=at,runtime=took,gpus=n,model=gpu
says out '^out-of-range +0 +0 +2 +models.csv:6: gpu is "A100\|"$' "names that are none"
same "its models" "$(sqlite3 models.db "SELECT group_concat(models, ' ') FROM (SELECT models FROM job ORDER BY id)")" 'A100 A100|H100  '
printf 'node,gpu,model,n\na,8,A100,2\nb,4,H100,1\nc,8,A100,1\nd,0,A100,1\ne,257,A100,1\nf,x,A100,1\ng,8,A|B,1\n' >nodes.csv
expect 0 "nodes" "$DCSIM" trace nodes csv nodes.csv --map gpus=gpu,model=model,nodes=n
same "their kinds" "$(python3 -c 'import json; print(*json.load(open("out")))')" \
    "{'nodes': 3, 'gpus': 8, 'model': 'A100'} {'nodes': 1, 'gpus': 4, 'model': 'H100'}"
says err '^rows: 3 are nodes, .* 4 are left out$' "the account of nodes"
says err '^malformed +0 +0 +1 +nodes.csv:7: gpu is "x"$' "no number of GPUs"
says err '^out-of-range +0 +0 +2 +nodes.csv:6: gpu is "257"$' "too many GPUs"
says err '^no-resources +0 +0 +1 +nodes.csv:5: gpu is "0"$' "no GPUs"
expect 2 "no node" "$DCSIM" trace nodes csv nodes.csv --map gpus=gpu --where model=B100 --quiet
says err '^WARNING: --where model: no row that was read has "B100"' "why there is none"
says err 'nodes.csv: no row is a node' "no node"
refused 'fields are gpus, model and nodes' "a field of jobs" "$DCSIM" trace nodes csv nodes.csv --map gpus=gpu,submit=n
refused 'nodes.csv:1: .*no column has the name "gpus"' "no such column" "$DCSIM" trace nodes csv nodes.csv --map gpus=gpus
refused 'nodes are read from csv' "another format" "$DCSIM" trace nodes openb-2023 nodes.csv
{ echo gpu && seq 1 65; } >kinds.csv
refused 'kinds.csv:66: more than 64 kinds' "too many kinds" "$DCSIM" trace nodes csv kinds.csv --map gpus=gpu

printf 'creation_time,deletion_time,scheduled_time,num_gpu,gpu_milli,qos\r\n1,3,2,1,1000,LS\r\n' >short.csv
refused 'short.csv:1: no column has the name "name", "cpu_milli", "gpu_spec", "pod_phase", which openb-2023 needs; the first line is "creation_time,deletion' "columns are missing" \
    "${run[@]}" openb-2023 short.csv -o x.db
refused 'nor like any other' "no trace" "${run[@]}" google-2011-task-events "$DCSIM" -o x.db
refused 'task_events.csv:14: .*strict' "strict" \
    "${run[@]}" --strict google-2011-task-events "$tasks" -o x.db
refused 'none of 4 rows' "machines" \
    "${run[@]}" google-2011-machine-events "$data/google-2011/machine_events.csv" -o x.db
head -c 200 tasks.gz >cut.gz
refused 'cut.gz:[0-9]+: .*cut off' "truncated gzip" "${run[@]}" google-2011-task-events cut.gz -o x.db
expect 0 "lint of a truncated gzip" "$DCSIM" trace lint google-2011-task-events cut.gz
says out '^damaged-file .*cut.gz:[0-9]+$' "lint of a truncated gzip"
tar cf t.tar -C "$data" google-2011
refused 'tar archive' "tar" "${run[@]}" google-2011-task-events t.tar -o x.db
: >empty.csv
refused 'none of 0 rows' "empty" "${run[@]}" google-2011-task-events empty.csv -o x.db
refused 'standard output' "standard output is full" \
    bash -c "'$DCSIM' trace lint google-2011-task-events '$tasks' >/dev/full"

# ---- interrupted: while it waits for input, and while it reads ----
interrupt() { # interrupt SIGNAL
    mkfifo pipe
    "$DCSIM" trace import google-2011-task-events - -o broken.db <pipe 2>err &
    local pid=$!
    exec 9>pipe
    cat "$tasks" >&9
    sleep 0.5
    [[ -n $(ls broken.db.partial-* 2>/dev/null) ]] || fail "$1: nothing was begun"
    kill "-$1" $pid
    wait $pid
    same "$1: exit code" $? 130
    exec 9>&-
    rm pipe
    says err '^dcsim: interrupted' "$1"
    [[ -z $(ls broken.db* 2>/dev/null) ]] || fail "$1: left $(ls broken.db*)"
}
# A shell without job control starts background commands with SIGINT ignored; dcsim sets its own.
interrupt INT
interrupt TERM

# ---- progress, on a terminal ----
if command -v python3 >/dev/null; then
    tail -n +2 "$tasks" | grep -v '^x' >block
    for ((i = 0; i < 15; i++)); do
        cat block block >twice
        mv twice block
    done
    python3 "$SOURCE_DIR/tests/e2e/trace_progress.py" "$DCSIM" google-2011-task-events block >progress
    code=$?
    checks=$((checks + 1))
    [[ $code -eq 0 || $code -eq 77 ]] || fail "progress: exit code $code"
    cat progress
    rm block
else
    echo "no python3: progress was not looked at"
fi

# ---- the real tables ----
real=$SOURCE_DIR/../shared/traces/google
if [[ ! -d $real ]]; then
    echo "no real tables beside the project: not compared"
    finish
fi
lint() { # lint FORMAT PATH...: into out
    expect 0 "$1" "$DCSIM" trace lint "$@"
}
issue() { # issue NAME COLUMN: its count in out (2 noted, 3 repaired, 4 left out)
    awk -v name="$1" -v column="$2" '$1 == name { n = $column } END { print n + 0 }' out
}
rows() {
    sed -nE 's/.*, ([0-9]+) rows$/\1/p' out
}

folder=$real/clusterdata-2011-2
for table in job task machine; do
    for file in "$folder/${table}_events"/*.gz; do
        lint google-2011-$table-events "$file"
        read -r n zero bytes < <(zcat "$file" | awk -F, '{ n++; z += $1 == 0; b += length($0) + 1 }
            END { print n, z, b }')
        same "rows of $file" "$(rows)" "$n"
        same "times of 0 in $file" "$(issue time-zero 2)" "$zero"
        grep -q "($bytes unpacked)" out || fail "bytes of $file: $bytes"
    done
done

# Attempts, their time and how many succeeded, by awk: pairs of SCHEDULE and an end, both inside the
# window; 4 is FINISH. The few whose end is missing have no status, and are not among them.
seen="NOT (early AND start_ns = arrival_ns)" # not running when the trace began
known="FROM job WHERE status <> 'unknown' AND $seen"
expect 0 "task_events" "$DCSIM" trace import google-2011-task-events "$folder/task_events" -o real.db
read -r attempts us good < <(zcat "$folder"/task_events/*.gz | awk -F, '{
    key = $3 "/" $4
    if ($6 == 1) start[key] = $1
    else if ($6 >= 2 && $6 <= 6 && key in start) {
        if (start[key] > 0) { n++; us += $1 - start[key]; good += $6 == 4 }
        delete start[key] } } END { printf "%d %.0f %d\n", n, us, good }')
same "attempts and their time" "$(sqlite3 real.db \
    "SELECT count(*), sum(duration_ns) / 1000 FROM job WHERE NOT censored AND $seen")" \
    "$attempts|$us"
same "attempts that succeeded" "$(sqlite3 real.db "SELECT sum(status = 'success'), count(*) $known")" \
    "$good|$attempts"
# Submitted at 0 and scheduled later: they waited when the trace began.
waited=$(zcat "$folder"/task_events/*.gz | awk -F, '{
    key = $3 "/" $4
    if ($6 == 0) submit[key] = $1
    else if ($6 == 1) { n += $1 > 0 && key in submit && submit[key] == 0; delete submit[key] } } END { print n + 0 }')
same "tasks that waited" "$(sqlite3 real.db 'SELECT count(*) FROM job WHERE early AND start_ns > arrival_ns')" "$waited"
same "tasks that were there" "$(sqlite3 real.db 'SELECT count(*) FROM job WHERE early')" "$(issue time-zero 3)"
same "arrivals at the beginning" "$(sqlite3 real.db \
    'SELECT count(*) FROM job WHERE arrival_ns = 600000000000 AND NOT early')" 0
expect 0 "job_events" "$DCSIM" trace import google-2011-job-events "$folder/job_events" -o realjobs.db
read -r n us < <(zcat "$folder"/job_events/*.gz | awk -F, '{
    if ($4 == 1) start[$3] = $1
    else if ($4 >= 2 && $4 <= 6 && $3 in start) {
        if (start[$3] > 0) { n++; us += $1 - start[$3] }
        delete start[$3] } } END { printf "%d %.0f\n", n, us }')
same "jobs and their time" "$(sqlite3 realjobs.db \
    "SELECT count(*), sum(duration_ns) / 1000 FROM job WHERE NOT censored AND $seen")" "$n|$us"

folder=$real/clusterdata-2019
file=$folder/instance_events_kaggle_cell_a.json.gz
lint google-2019-instance-events "$file"
same "rows of $file" "$(rows)" "$(zcat "$file" | wc -l)"
same "alloc sets" "$(issue not-a-job 4)" "$(zcat "$file" | grep -c '"collection_type":"1"')"
same "times of 0" "$(issue time-zero 2)" "$(zcat "$file" | grep -c '"time":"0"')"
file=$(ls "$folder"/machine_events-*.json.gz)
lint google-2019-machine-events "$file"
same "rows of $file" "$(rows)" "$(zcat "$file" | wc -l)"
same "machines without capacity" "$(issue no-resources 2)" "$(zcat "$file" | grep -vc '"cpus":[0-9]')"
finish
