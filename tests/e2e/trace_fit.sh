#!/bin/bash
# dcsim trace fit: the command line, what is refused (hostile and broken databases, too), few and equal
# jobs, the files that it writes, a round trip of drawn jobs; and, where the real tables lie beside the
# project, that the fits agree with those that were computed for their README.
# shellcheck source=tests/e2e/lib.sh
. "$(dirname "$0")/lib.sh"
data=$SOURCE_DIR/tests/data/traces
header=instance_sn,role,app_name,cpu_request,cpu_limit,gpu_request,gpu_limit,rdma_request,rdma_limit
header+=,memory_request,memory_limit,disk_request,disk_limit,max_instance_per_node
header+=,creation_time,scheduled_time,deletion_time

same() { # same WHAT FOUND EXPECTED
    checks=$((checks + 1))
    [[ $2 == "$3" ]] || fail "$1: found $2, expected $3"
}
import() { # import FORMAT PATH NAME
    "$DCSIM" trace import "$1" "$2" -o "$3.db" --quiet || fail "import of $2"
}
# database_of NAME: lines "arrival duration" on standard input become NAME.db, as instances of dlrm-2025.
database_of() {
    {
        echo "$header"
        awk '{ printf "i%d,HN,a,1,1,1,1,1,1,1,1,1,1,1,%s,%s,%.9f\n", NR, $1, $1, $1 + $2 }'
    } >"$1.rows"
    import dlrm-2025 "$1.rows" "$1"
}

# ---- the command line ----
expect 0 "help" "$DCSIM" trace fit --help
says out '^Usage: dcsim trace fit' "help"
import alibaba-2017 "$data/alibaba-2017.csv" few
expect 0 "few jobs" "$DCSIM" trace fit few.db
says out '^durations of all: 6; mean 30.1 s' "few jobs"
says out '^looked at 11; durations left out: 3 ran when the trace began, 2 when it ended' "few jobs"
says out '^Pareto durations \(TReM\): cannot be told from so few' "few jobs"
says out '^Poisson arrivals \(TReM\): cannot be told: fewer than 11' "few jobs"
expect 0 "success" "$DCSIM" trace fit few.db --status success
says out '^durations of all: 4; ' "success"
expect 0 "failed" "$DCSIM" trace fit few.db --status failed
says out '^durations of all: 2; mean 50.0 s' "failed"
expect 0 "censored" "$DCSIM" trace fit few.db --keep-censored
says out '^durations of all: 8; .* max 61268.0' "censored"
expect 0 "window" "$DCSIM" trace fit few.db --from 200 --until 800
says out '^looked at 4; ' "window"
import openb-2023 "$data/alibaba-openb-2023.csv" pods
expect 0 "class" "$DCSIM" trace fit pods.db --class latency
says out '^looked at 2; ' "class"
expect 0 "both classes" "$DCSIM" trace fit pods.db
says out '^durations of latency jobs: 2; ' "both classes"
says out '^durations of batch jobs: 4; ' "both classes"

run=("$DCSIM" trace fit)
refused 'JOBS.db is missing' "no input" "${run[@]}"
refused 'unexpected argument: more.db' "two inputs" "${run[@]}" few.db more.db
refused 'unknown option' "unknown option" "${run[@]}" few.db --form 1
refused 'latency or batch, found: gpu' "class" "${run[@]}" few.db --class gpu
refused 'success, failed or all, found: ok' "status" "${run[@]}" few.db --status ok
refused 'whole number >= 0, found: -1' "seed" "${run[@]}" few.db --jitter -1
refused 'seconds >= 0, found: x' "from" "${run[@]}" few.db --from x
refused 'after --from' "window" "${run[@]}" few.db --from 5 --until 5
refused 'no job is left of 11' "empty window" "${run[@]}" few.db --from 1000 --until 1001
refused 'no job is left of 11' "no such class" "${run[@]}" few.db --class latency
refused 'no workload can be made of it: fewer than 11' "few for a block" "${run[@]}" few.db -o x.json
refused 'standard output' "standard output is full" bash -c "'$DCSIM' trace fit few.db >/dev/full"

# ---- what is no database of jobs ----
refused 'cannot open' "missing" "${run[@]}" nowhere.db
refused 'directory' "directory" "${run[@]}" "$data"
: >empty.db
refused 'is empty' "empty" "${run[@]}" empty.db
refused 'not a database of jobs' "text" "${run[@]}" "$data/alibaba-2017.csv"
mkfifo pipe.db
refused 'not a regular file' "pipe" "${run[@]}" pipe.db
sqlite3 other.db 'CREATE TABLE job(id INTEGER)'
refused 'not one of jobs' "another database" "${run[@]}" other.db
head -c 9000 few.db >cut.db
refused 'damaged|cannot read|incomplete' "cut off" "${run[@]}" cut.db

# broken REGEX WHAT SQL: few.db, changed by SQL
broken() {
    cp few.db broken.db
    sqlite3 broken.db "PRAGMA writable_schema = ON; $3" || fail "$2: SQL"
    refused "$1" "$2" "${run[@]}" broken.db
    rm -f broken.db
}
broken 'version 2 of the form, expected 3' "old version" 'PRAGMA user_version = 2'
broken 'not completed' "not complete" 'UPDATE trace SET complete = 0'
broken 'not completed' "no provenance" 'DELETE FROM trace'
broken 'expected one row, found more' "two traces" 'INSERT INTO trace SELECT * FROM trace'
broken 'expected 11 rows, found 10' "a job is missing" 'DELETE FROM job WHERE id = 3'
broken 'job: row 4: duration_ns: expected an integer in 1..*, found 0$' "no duration" \
    'UPDATE job SET duration_ns = 0 WHERE id = 4'
broken 'job: row 4: duration_ns: .*found 1.5' "half a nanosecond" \
    'UPDATE job SET duration_ns = 1.5 WHERE id = 4'
broken 'job: row 4: start_ns: expected an integer in 300000000000' "start before arrival" \
    'UPDATE job SET start_ns = 299999999999 WHERE id = 4'
broken 'job: row 4: arrival_ns: .*found -1' "arrival below 0" \
    'UPDATE job SET arrival_ns = -1 WHERE id = 4'
broken 'job: row 4: arrival_ns' "arrival beyond time" \
    'UPDATE job SET arrival_ns = 1 << 62 | 1, start_ns = 1 << 62 | 1 WHERE id = 4'
broken 'job: row 4: class: expected latency or batch, found gpu' "class" \
    "UPDATE job SET class = 'gpu' WHERE id = 4"
broken 'job: row 4: gpus: .*found -1' "GPUs" 'UPDATE job SET gpus = -1 WHERE id = 4'
broken 'job: row 4: cpus: .*found Inf' "CPUs" 'UPDATE job SET cpus = 9e999 WHERE id = 4'
broken 'job: row 4: priority' "priority" 'UPDATE job SET priority = 1 << 40 WHERE id = 4'
broken 'job: row 4: censored' "censored" 'UPDATE job SET censored = 2 WHERE id = 4'
broken 'job: row 4: status: expected success, failed or unknown' "status" \
    "UPDATE job SET status = x'00' WHERE id = 4"
broken 'job: row 4: models: expected names of GPU models' "models" "UPDATE job SET models = 'A10||T4' WHERE id = 4"
broken 'job: row 4: models: expected text of at most 127' "long models" \
    "UPDATE job SET models = hex(zeroblob(70)) WHERE id = 4"
broken 'job: row 4: source_key: expected text of at most 63' "key" \
    "UPDATE job SET source_key = hex(zeroblob(40)) WHERE id = 4"
broken 'job: row 4: file' "source" 'UPDATE job SET file = 2 WHERE id = 4'
broken 'source: row 1: sha256: expected 64' "hash" "UPDATE source SET sha256 = 'x'"
broken 'source: id' "ids of sources" 'UPDATE source SET id = 7'
broken 'lacks tables or the index' "no index" 'DROP INDEX job_arrival'
broken 'job_arrival on arrival_ns alone' "another index" \
    'DROP INDEX job_arrival; CREATE INDEX job_arrival ON job(start_ns)'
broken 'job_arrival on arrival_ns alone' "part of an index" \
    'DROP INDEX job_arrival; CREATE INDEX job_arrival ON job(arrival_ns) WHERE id > 3'
broken 'no import makes' "trigger" \
    'CREATE TRIGGER t AFTER INSERT ON job BEGIN DELETE FROM job; END'
broken 'no import makes' "view" \
    'ALTER TABLE source RENAME TO s; CREATE VIEW source AS SELECT * FROM s'
broken 'job: expected the plain columns' "generated column" \
    'ALTER TABLE job ADD COLUMN more AS (id + 1)'
broken 'source: row .*names are longer' "endless sources" \
    'WITH RECURSIVE n(i) AS (SELECT 2 UNION ALL SELECT i + 1 FROM n WHERE i < 5000)
     INSERT INTO source SELECT i, hex(zeroblob(2000)), sha256, 1, 1, 1 FROM n, source WHERE source.id = 1'
# No window may pass over what has no place in time.
run+=(--from 1)
broken "job: row 4: arrival_ns: .*found abc" "text in a window" "UPDATE job SET arrival_ns = 'abc' WHERE id = 4"
broken "job: row 4: arrival_ns: .*" "blob in a window" "UPDATE job SET arrival_ns = x'61' WHERE id = 4"
broken "job: row 4: arrival_ns: .*found Inf" "infinity in a window" 'UPDATE job SET arrival_ns = 9e999 WHERE id = 4'
broken "job: row 4: arrival_ns: .*found -5" "before the window" 'UPDATE job SET arrival_ns = -5 WHERE id = 4'
run=("$DCSIM" trace fit)
cp few.db broken.db
printf 'x' >broken.db-journal
refused 'journal lies beside' "interrupted writer" "${run[@]}" broken.db
rm -f broken.db broken.db-journal

# ---- one job, equal durations, all at once ----
echo 100 50 | database_of one
expect 0 "one job" "${run[@]}" one.db
says out '^\* exponential +mean 50(\.[0-9]+)? s' "one job"
seq 1 500 | awk '{ print 100 + 7 * $1, 60 }' | database_of equal
expect 0 "equal durations" "${run[@]}" equal.db --no-jitter
says out '^\* exponential +mean 60 s' "equal durations"
says out 'lognormal +none: all values are equal' "equal durations"
seq 1 500 | awk '{ print 100, $1 }' | database_of once
expect 0 "all at once" "${run[@]}" once.db --no-jitter
says out 'cannot be told: all arrive at once' "all at once"

seq 1 5000 | awk '{ print ($1 > 2500 ? 400 : 100), 1 + $1 % 90 }' | database_of twice
expect 0 "two instants" "${run[@]}" twice.db
refused 'no workload can be made of it: of its batches: fewer than 11' "two instants for a block" \
    "${run[@]}" twice.db -o x.json

# ---- jobs that were drawn: a Pareto of shape 1.5 at Poisson times, and batches of 4 ----
awk 'BEGIN { srand(7); t = 0; for (i = 0; i < 20000; i++) {
    t -= 10 * log(1 - rand()); printf "%.6f %.6f\n", t, 20 * (1 - rand()) ^ (-1 / 1.5) } }' | database_of paper
expect 0 "the paper's jobs" "${run[@]}" paper.db -o paper.json --curves paper.csv
says out '^Pareto durations \(TReM\): hold\.' "the paper's durations"
says out '^Poisson arrivals \(TReM\): hold\.' "the paper's arrivals"
says out '^\* Pareto .* shape 1\.(4[6-9]|5[0-4])' "the paper's shape"
says paper.json '"process": "poisson", "rate_per_s": 0\.(09[789]|10[012])' "the paper's rate"
says paper.json '"distribution": "pareto", "scale_s": 20\.0' "the paper's scale"
same "curves" "$(cut -d, -f1 paper.csv | sort -u | tr '\n' ' ')" "duration gap panel rate "
same "rates" "$(awk -F, '$1 == "rate" && $2 == "jobs" { n += $4 * 3600 } END { printf "%.0f", n }' paper.csv)" 20000
refused 'exists already' "existing block" "${run[@]}" paper.db -o paper.json
refused 'exists already' "existing curves leave no block" "${run[@]}" paper.db -o x.json --curves paper.csv
refused 'No such file' "missing folder" "${run[@]}" paper.db -o nowhere/x.json
expect 0 "again" "${run[@]}" paper.db -o again.json --curves again.csv
cmp -s paper.json again.json || fail "the same fit gives another block"
cmp -s paper.csv again.csv || fail "the same fit gives other curves"

awk 'BEGIN { srand(8); t = 100; for (i = 0; i < 20000; i++) {
    if (rand() < 0.25) t -= 40 * log(1 - rand()); printf "%d %d\n", t, 1 + 300 * rand() } }' >batches.txt
database_of batches <batches.txt
expect 0 "batches" "${run[@]}" batches.db -o batches.json
says batches.json '"batch_mean": (3\.[89]|4\.[01])' "mean of the batches"
says out '^Poisson arrivals \(TReM\): do not hold' "batches"
says out 'Nearest by AIC: Poisson in batches' "batches"
expect 0 "another seed" "${run[@]}" batches.db --jitter 2
says out 'jittered \(seed 2\)' "another seed"
# Without jitter the seed has nothing to place: only numbers of batches are drawn.
expect 0 "no jitter" "${run[@]}" batches.db --no-jitter --curves bare.csv
same "gaps of whole seconds" "$(awk -F, '$1 == "gap" && $2 == "batches" && $3 != int($3)' bare.csv | wc -l)" 0

# ---- files: both or none, and none half written ----
refused 'standard output' "full, with both files" \
    bash -c "'$DCSIM' trace fit paper.db -o x.json --curves x.csv >/dev/full"
refused 'x.csv: cannot write: File too large' "no room for the second" \
    bash -c "trap '' XFSZ; ulimit -f 1; '$DCSIM' trace fit paper.db -o x.json --curves x.csv"
refused 'name the same file' "one name for both" "${run[@]}" paper.db -o x.json --curves x.json
refused 'No such file' "no folder for the second" "${run[@]}" paper.db -o x.json --curves nowhere/x.csv
same "partial files" "$(find . -name '*partial*')" ""

# ---- curves: half of the points are spread over nine tenths of the values, however few these are ----
seq 1 401 | awk '{ print 100 + 7 * $1, $1 ".5" }' | database_of spread
expect 0 "points" "${run[@]}" spread.db --curves spread.csv
same "different points of the lower nine tenths" \
    "$(awk -F, '$1 == "duration" && $2 == "jobs" && $3 < 361 && !seen[$3]++ { n++ } END { print n }' spread.csv)" 200

# number KEY FILE: the first number of that key
number() {
    sed -nE "s/.*\"$1\": ([0-9.e+-]+).*/\1/p" "$2" | head -1
}
# within WHAT FOUND LOW HIGH
within() {
    checks=$((checks + 1))
    awk -v x="$2" -v low="$3" -v high="$4" 'BEGIN { exit !(x != "" && x >= low && x <= high) }' && return
    fail "$1: found $2, expected $3..$4"
}

# ---- the block has the mean rate of the jobs ----
# same_rate WHAT PER_S TEXT TOLERANCE: the rate of a block beside that of the lines "arrival duration"
same_rate() {
    local off
    off=$(awk -v rate="$2" 'NR == 1 { first = $1 } END { printf "%.3g", rate * ($1 - first) / (NR - 1) - 1 }' "$3")
    within "$1: rate over that of the jobs, less 1" "$off" "-$4" "$4"
}
# Bursts some nanoseconds long, so that half a nanosecond of a stay counts.
awk 'BEGIN { srand(14); for (i = 0; i < 5000; i++) {
    t -= log(1 - rand()); for (k = int(9 * rand()); k >= 0; k--) printf "%.9f 5\n", t -= 5e-9 * log(1 - rand()) } }' >bursts.txt
database_of bursts <bursts.txt
expect 0 "bursts" "${run[@]}" bursts.db -o bursts.json
says bursts.json '"process": "mmpp2".*"stay_high_s": 0\.0000000[0-9]+,' "bursts"
same_rate "bursts" "$(awk -v a="$(number rate_high_per_s bursts.json)" -v b="$(number rate_low_per_s bursts.json)" \
    -v s="$(number stay_high_s bursts.json)" -v t="$(number stay_low_s bursts.json)" \
    -v batch="$(number batch_mean bursts.json)" \
    'BEGIN { printf "%.12g", batch * (a * s + b * t) / (s + t) }')" bursts.txt 1e-8
# In whole seconds, which the fits spread by up to one at each end.
same_rate "batches" "$(awk -v a="$(number rate_per_s batches.json)" -v b="$(number batch_mean batches.json)" \
    'BEGIN { printf "%.12g", a * b }')" batches.txt 1e-5

# ---- jobs below the resolution: the block has the work of the jobs, not more ----
# 60 % shorter than a second; the others exponential with a mean of 100 s.
awk 'BEGIN { srand(9); t = 100; for (i = 0; i < 20000; i++) {
    t -= 10 * log(1 - rand()); long = rand() < 0.4
    printf "%.6f %d\n", t, long ? 1 - 100 * log(1 - rand()) : 0 } }' >short.txt
database_of short <short.txt
expect 0 "short jobs" "${run[@]}" short.db -o short.json
says out '^short.json: jobs below one second.* of 20000 jobs, at (39|40)\.[0-9] % of their rate' "short jobs"
within "short: jobs" "$(number jobs short.json)" 7800 8200
within "short: rate" "$(number rate_per_s short.json)" 0.039 0.041
# Work per second: the data's, as far as the fitted mean is that of the durations.
mean=$(awk '/^\*/ { print $(NF - 4); exit }' out)
work=$(awk '{ sum += $2 } END { print sum / $1 }' short.txt)
within "short: work per second over the data's" \
    "$(awk -v r="$(number rate_per_s short.json)" -v m="$mean" -v w="$work" 'BEGIN { print r * m / w }')" 0.95 1.05
# Batches of 4 thinned to 40 %: geometric with the mean 1 + 3 * 0.4, at 0.4 * 4 / 2.2 of the epochs.
awk 'BEGIN { srand(10); t = 100; for (i = 0; i < 20000; i++) {
    if (rand() < 0.25) t -= 40 * log(1 - rand()); printf "%d %d\n", t, i % 5 < 2 ? 1 + 300 * rand() : 0 } }' |
    database_of thin
expect 0 "thinned batches" "${run[@]}" thin.db -o thin.json
within "thinned batches" "$(number batch_mean thin.json)" 2.1 2.3
within "thinned epochs" "$(number rate_per_s thin.json)" 0.0176 0.0188
# One class is short alone: it alone is thinned.
{
    echo name,cpu_milli,memory_mib,num_gpu,gpu_milli,gpu_spec,qos,pod_phase,creation_time,deletion_time,scheduled_time
    awk 'BEGIN { srand(11); for (i = 0; i < 4000; i++) { d = i % 2 ? 1 + int(-50 * log(1 - rand())) : i % 8 ? 0 : 9 + i % 50
        printf "p%d,1000,1000,1,1000,,%s,Succeeded,%d,%d,%d\n", i, i % 2 ? "BE" : "LS", 100 + 9 * i, 100 + 9 * i + d, 100 + 9 * i } }'
} >classes.csv
import openb-2023 classes.csv classes
expect 0 "thinned class" "${run[@]}" classes.db -o classes.json
within "thinned class: jobs" "$(number jobs classes.json)" 2500 2500
within "thinned class: latency" "$(number fraction classes.json)" 0.2 0.2

# ---- what no config takes ----
seq 1 300 | awk '{ srand($1); print 100 + 7 * $1, $1 % 2 ? "100000.000" : "100000.001" }' | database_of narrow
expect 0 "nearly equal durations" "${run[@]}" narrow.db -o narrow.json
says out 'none: a config takes shapes up to 1e6' "nearly equal durations"
# Arrivals some 10^8 s apart, over 127 years.
awk 'BEGIN { srand(13); for (i = 0; i < 42; i++) { t += 2e8 * rand(); printf "%d %d\n", t, 1 + i % 5 } }' | database_of slow
expect 0 "slow arrivals" "${run[@]}" slow.db -o slow.json
says out 'MMPP-2 +none: a config takes stays up to 1e9 s' "slow arrivals"
# A size that few jobs have, of which %g would make 5e-05.
seq 1 20000 | awk 'BEGIN { srand(12) } { print 100 + 7 * $1, 1 - 60 * log(1 - rand()) }' >rare.txt
{
    echo "$header"
    awk '{ printf "i%d,HN,a,1,1,%s,1,1,1,1,1,1,1,1,%s,%s,%.9f\n", NR, NR == 7 ? 1000000 : 1, $1, $1, $1 + $2 }' rare.txt
} >rare.rows
import dlrm-2025 rare.rows rare
expect 0 "a rare size" "${run[@]}" rare.db -o rare.json
says rare.json '"gpus": "1:0\.99995,1000000:0\.00005"' "a rare size"

# A config takes the block as it is, and draws jobs from it.
for block in paper batches bursts short thin classes narrow rare; do
    expect 0 "$block as a config" "$DCSIM" --config $block.json --set profile=quadro-p1000 \
        --set workload.jobs[0].jobs=200 --set workload.jobs[0].duration_compression=100
done

# ---- the real tables ----
real=$SOURCE_DIR/../shared/traces/alibaba
if [[ ! -d $real ]]; then
    echo "no real tables beside the project: not compared"
    finish
fi
# row KIND COLUMN: of the line of a fit in out. Columns: shape, from, share, ks.
row() {
    awk -v kind="$1" -v column="$2" 'index($0, "  " kind) == 1 || index($0, "* " kind) == 1 {
        line = $0
        if (column == "ks") { print $NF; exit }
        if (column == "share") { match(line, /[0-9.]+ %/); sub(/.*  +/, "", line)
            for (i = 1; i <= NF; i++) if ($i == "%") last = $(i - 1)
            print last; exit }
        if (match(line, column " [0-9.e+-]+")) {
            split(substr(line, RSTART, RLENGTH), part, " "); print part[2]; exit } }' out
}
# close WHAT FOUND PRINTED: within 2 % and half a unit of the last printed digit
close() {
    checks=$((checks + 1))
    awk -v found="$2" -v printed="$3" 'BEGIN {
        digits = index(printed, ".") ? length(printed) - index(printed, ".") : 0
        off = found - printed; off = off < 0 ? -off : off
        exit !(found != "" && off <= 0.02 * printed + 0.5 / 10 ^ digits) }' && return
    fail "$1: found $2, expected $3"
}
# table NAME OPTION N MEAN MEDIAN P95 P99 PARETO KS HILL KS BEST KS LOGNORMAL EXPONENTIAL: a row of the
# table of the README beside the real tables. Best x_min: no farther from the data than there, where x_min
# was looked for on a coarser grid, and of the same shape.
table() {
    local name=$1 option=$2
    expect 0 "$name" "${run[@]}" "$name.db" --status "$option"
    local numbers
    read -r -a numbers <<<"$(sed -nE \
        's/^durations of all: ([0-9]+); mean ([0-9.]+) s, median ([0-9.]+), p95 ([0-9.]+), p99 ([0-9.]+), .*/\1 \2 \3 \4 \5/p' out)"
    same "$name: n" "${numbers[0]}" "$3"
    close "$name: mean" "${numbers[1]}" "$4"
    close "$name: median" "${numbers[2]}" "$5"
    close "$name: p95" "${numbers[3]}" "$6"
    close "$name: p99" "${numbers[4]}" "$7"
    close "$name: Pareto" "$(row Pareto shape)" "$8"
    close "$name: Pareto, KS" "$(row Pareto ks)" "$9"
    close "$name: Hill" "$(row 'Pareto, largest' shape)" "${10}"
    close "$name: Hill, KS" "$(row 'Pareto, largest' ks)" "${11}"
    [[ ${12} == - ]] || close "$name: best x_min" "$(row 'Pareto, best' shape)" "${12}"
    checks=$((checks + 1))
    awk -v a="$(row 'Pareto, best' ks)" -v b="${13}" 'BEGIN { exit !(a != "" && a <= b * 1.02 + 0.0005) }' ||
        fail "$name: best x_min, KS: found $(row 'Pareto, best' ks), expected at most ${13}"
    close "$name: lognormal, KS" "$(row lognormal ks)" "${14}"
    close "$name: exponential, KS" "$(row exponential ks)" "${15}"
}
import alibaba-2017 "$real/cluster-trace-v2017/batch_task.csv.gz" tasks2017
table tasks2017 success 66845 192 28 741 2566 0.28 0.25 1.33 0.021 1.33 0.021 0.085 0.36
# Jobs: from the first creation to the last end of their tasks.
zcat "$real/cluster-trace-v2017/batch_task.csv.gz" | awk -F, '
    { if (!($3 in low) || $1 < low[$3]) low[$3] = $1; if (!($3 in high) || $2 > high[$3]) high[$3] = $2 }
    END { for (j in low) if (low[j] > 0 && high[j] >= low[j])
        print low[j] "," high[j] "," j ",1,1,Terminated,100,0.1" }' | sort -n >jobs2017.csv
import alibaba-2017 jobs2017.csv jobs2017
table jobs2017 all 12887 340 94 1194 4463 0.22 0.31 1.22 0.027 1.24 0.024 0.065 0.26
import alibaba-2018 "$real/cluster-trace-v2018/batch_task_dag_sample.csv.gz" dag2018
table dag2018 success 54994 101 11 443 1348 0.34 0.22 1.50 0.071 - 0.042 0.101 0.43
zcat "$real/cluster-trace-v2018/sample_tasks_1hour_slambuc.csv.gz" | awk -F, '
    { a = $1 + 203040; print $3 "," $7 "," $2 ",1,Terminated," a "," a + $4 "," $5 "," $6 }' >hour2018.csv
import alibaba-2018 hour2018.csv hour2018
table hour2018 all 67634 64 10 320 741 0.37 0.18 1.23 0.130 1.97 0.029 0.057 0.36
import pai-2020-instance "$real/cluster-trace-gpu-v2020/pai_instance_table.tail.csv.gz" pai
table pai success 19142 5275 1007 24902 66218 0.15 0.37 1.24 0.104 1.12 0.064 0.044 0.35
zcat "$real/cluster-trace-gpu-v2020/philly_runtime.csv.gz" | awk 'NR > 1 { print NR, $1 }' | database_of philly
table philly all 83154 14613 1186 49948 287283 0.15 0.39 0.67 0.096 0.66 0.037 0.086 0.56
import dlrm-2025 "$real/cluster-trace-gpu-v2025/disaggregated_DLRM_trace.csv.gz" dlrm
table dlrm all 12390 102491 8278 611450 1378608 0.11 0.36 1.24 0.142 - 0.088 0.073 0.46
says out '^arrivals: 16591 .* mean gap 161\.31 s, squared coefficient of variation 5\.66' "dlrm: arrivals"
says out 'exponential gaps: KS 0\.482' "dlrm: arrivals"
# There 0.626; the median of seven hours moves with the jitter: 0.621 to 0.652 over 40 seeds.
says out 'median inside an hour 0\.6[2345][0-9]* \(7 hours\)' "dlrm: arrivals"
says out '60 s 12\.6, 1 h 50\.5$' "dlrm: arrivals"
# The importer keeps the 6171 pods of the 7221 there that ask for a GPU; by the README's n, 7220, one of
# 12537496 s was left out there. So other numbers, and the same picture.
import openb-2023 "$real/cluster-trace-gpu-v2023/openb_pod_list_default.csv.gz" openb
expect 0 openb "${run[@]}" openb.db
says out '^durations of all: 6171; mean 11676\.5 s, median 636\.0' openb
finish
