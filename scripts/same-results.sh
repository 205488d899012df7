#!/bin/bash
# Whether two programs give the same results: runs every shipped config, cut short, with both and compares what
# they print and every row of their results databases.
#
#   scripts/same-results.sh [OPTION]... BEFORE AFTER [CONFIG]...
#
#   BEFORE, AFTER         two programs, such as build/release/dcsim
#   CONFIG                paths from the root of the project; default: configs, examples, and of tests/data what
#                         has one of every feature
#   --before-configs DIR  the root of another checkout: BEFORE reads its configs there, AFTER here
#   --traces DIR          where the published traces lie, below any folders (or environment TRACES); for those that
#                         are not there 400 made-up jobs stand in, from the time on at which the config begins
#   --keep DIR            work in DIR and leave the databases there
#
# Prints for each config "same", or for each table how many rows only one of the two has, and the first of them. Not
# compared: table wall; hashes, ids and canonical configs, which name the experiment; the build; the order of
# metrics. What only AFTER's tables have (a new table, a new column) is said and is no difference; what only BEFORE's
# have is one. Rows of one experiment are paired by its number in the sweep. Each program imports the traces and
# trains the predictors that it reads. Exit status: 0 all the same, 1 a difference or nothing to compare, 2 the
# command line. Needs sqlite3.
set -euo pipefail
export LC_ALL=C
root=$(cd "$(dirname "$0")/.." && pwd)

usage() {
    echo "$0: $1" >&2
    sed -n '5s/^# */Usage: /p' "$0" >&2
    exit 2
}

before_root=$root traces=${TRACES:-} work=
while [[ ${1:-} == --* ]]; do
    [[ $# -ge 2 ]] || usage "$1 takes a folder"
    case $1 in
    --before-configs) before_root=$(realpath -e "$2") || exit 2 ;;
    --traces) traces=$2 ;;
    --keep) mkdir -p "$2" && work=$(realpath -e "$2") || exit 2 ;;
    *) usage "unknown option $1" ;;
    esac
    shift 2
done
[[ $# -ge 2 ]] || usage "takes two programs"
before=$(realpath -e "$1") || exit 2
after=$(realpath -e "$2") || exit 2
shift 2
[[ -f $before && -x $before && -f $after && -x $after ]] || usage "takes two programs that can be run"
[[ -z $traces || -d $traces ]] || usage "$traces: no such folder"
if [[ -z $work ]]; then
    work=$(mktemp -d)
    trap 'rm -rf "$work"' EXIT
fi
configs=("$@")
if [[ $# -eq 0 ]]; then
    mapfile -t configs < <(cd "$root" && find configs examples tests/data/every-feature.json \
        tests/data/shared-*.json -name '*.json' | sort)
fi

# json CONFIG SQL: one value out of it; j is its text.
json() {
    sqlite3 :memory: "WITH config(j) AS (SELECT CAST(readfile('$1') AS TEXT)) $2"
}

# shorten CONFIG: the keys to set, a line each. 2 replications (1 of a trace), a warm-up of 1 s, 6 s beyond it (2 s of a
# datacenter), 2 values of an axis, 4 domains of a service, 200 drawn jobs, a tenth of a trace's jobs. There is a row
# for each request, but of datacenters, traces and drawn jobs, which have too many.
shorten() {
    json "$1" "SELECT 'replications=' || min(replications, most)
            FROM (SELECT j ->> '\$.replications' AS replications,
                iif(json_array_length(j, '\$.workload.trace') > 0, 1, 2) AS most FROM config)
            WHERE replications > most
        UNION ALL SELECT 'horizon.warmup_s=1' FROM config WHERE j ->> '\$.horizon.warmup_s' > 1
        UNION ALL SELECT 'horizon.duration_s=' || (most + warmup)
            FROM (SELECT j ->> '\$.horizon.duration_s' AS duration,
                min(ifnull(j ->> '\$.horizon.warmup_s', 0), 1) AS warmup,
                iif(j ->> '\$.workload.colocated[0].domains_per_service' > 4, 2, 6) AS most FROM config)
            WHERE duration > most + warmup
        UNION ALL SELECT 'workload.jobs[' || key || '].jobs=200' FROM config, json_each(j, '\$.workload.jobs')
            WHERE value ->> '\$.jobs' > 200
        UNION ALL SELECT 'workload.trace[' || key || '].keep=' || (0.1 * ifnull(value ->> '\$.keep', 1))
            FROM config, json_each(j, '\$.workload.trace')
        UNION ALL SELECT 'workload.colocated[' || key || '].domains_per_service=4'
            FROM config, json_each(j, '\$.workload.colocated') WHERE value ->> '\$.domains_per_service' > 4
        UNION ALL SELECT 'cluster.domains=' || (domains * 4 / each)
            FROM (SELECT j ->> '\$.cluster.domains' AS domains,
                j ->> '\$.workload.colocated[0].domains_per_service' AS each FROM config)
            WHERE each > 4
        UNION ALL SELECT 'cluster.domains=' || (domains / 10)
            FROM (SELECT j ->> '\$.cluster.domains' AS domains, j FROM config)
            WHERE domains > 100 AND json_array_length(j, '\$.workload.trace') > 0
        UNION ALL SELECT 'sweep.axes[' || key || '].values=' || json_array(value -> '\$.values[0]',
                value -> '\$.values[1]')
            FROM config, json_each(j, '\$.sweep.axes') WHERE json_array_length(value, '\$.values') > 2
        UNION ALL SELECT 'sweep.axes[' || key || '].to=' || ((value ->> '\$.from') + (value ->> '\$.step'))
            FROM config, json_each(j, '\$.sweep.axes') WHERE value ->> '\$.step' > 0
        UNION ALL SELECT 'outputs.requests=true' FROM config
            WHERE j ->> '\$.workload.trace' IS NULL AND j ->> '\$.workload.jobs' IS NULL
                AND ifnull(j ->> '\$.workload.colocated[0].domains_per_service', 1) <= 4"
}

# files_of FORMAT: the parts of the trace, a line each, in order; nothing where there are none.
files_of() {
    local pattern
    case $1 in
    google-2011-job-events) pattern='*/job_events/part-*' ;;
    google-2019-collection-events) pattern='*/collection_events-*' ;;
    alibaba-2017) pattern='*v2017/batch_task.csv*' ;;
    alibaba-2018) pattern='*v2018/batch_task*.csv*' ;;
    pai-2020-instance) pattern='*/pai_instance_table*.csv*' ;;
    openb-2023) pattern='*/openb_pod_list_default.csv*' ;;
    dlrm-2025) pattern='*/disaggregated_DLRM_trace.csv*' ;;
    *) return 0 ;;
    esac
    find "$traces" -type f -path "$pattern" | sort
}

# make_trace CONFIG: a table of 400 jobs in the two hours from which the config begins, all of it the same each time.
make_trace() {
    json "$1" "SELECT ifnull(j ->> '\$.workload.trace[0].from_s', 0) FROM config" | awk '{
        print "submit,runtime,gpus,kind,status"
        for (i = 0; i < 400; i++) {
            x = (x * 1103515245 + 12345) % 2147483648
            print int($1) + 18 * i ".5," 1 + x % 997 "," 1 + x % 3 "," (x % 2 ? "serve" : "train") ",ok"
        }
    }'
}

# import_trace SIDE PROGRAM CONFIG: what it replays, into trace.db of the side. Sets made_up where that is not the
# trace.
import_trace() {
    local format files
    format=$(json "$3" "SELECT j ->> '\$._trace' FROM config" | sed -n 's/.*dcsim trace import \([^ ]*\) .*/\1/p')
    files=()
    [[ -z $traces ]] || mapfile -t files < <(files_of "$format")
    if [[ ${#files[@]} -eq 0 ]]; then
        make_trace "$3" >"$work/$1/made-up.csv"
        rm -f "$work/$1/trace.db"
        "$2" trace import csv "$work/$1/made-up.csv" -o "$work/$1/trace.db" \
            --map submit=submit,runtime=runtime,gpus=gpus,class=kind:serve=latency,status=status:ok=success \
            >/dev/null 2>"$work/$1/err" || return 1
        made_up=', with made-up jobs in place of its trace'
        return
    fi
    if [[ ! -e $work/$1/$format.db ]]; then
        "$2" trace import "$format" "${files[@]}" -o "$work/$1/$format.db" >/dev/null 2>"$work/$1/err" || return 1
    fi
    ln -sf "$format.db" "$work/$1/trace.db"
}

# run SIDE PROGRAM ROOT CONFIG: its database and summary. Returns 1 where it fails, with the reason in err.
run() {
    local side=$work/$1 config=$3/$4 arguments=() key profile
    rm -f "$side/results.db"
    : >"$side/err"
    while read -r key; do arguments+=(--set "$key"); done < <(shorten "$config")
    if [[ $(json "$config" "SELECT count(*) FROM config, json_each(j, '\$.workload.trace')") -gt 0 ]]; then
        import_trace "$1" "$2" "$config" || return 1
        arguments+=(--set "workload.trace[0].database=trace.db")
        [[ -z $made_up ]] || arguments+=(--set "workload.trace[0].keep=1")
    fi
    profile=$(json "$config" "SELECT j ->> '\$.profile' FROM config
        WHERE j ->> '\$.predictor' NOT IN ('mean', 'clairvoyant')")
    if [[ -n $profile && ! -e $side/$profile.predictors.db ]]; then
        (cd "$side" && "$2" train "$profile" -o "$profile.predictors.db" >/dev/null 2>err) || return 1
    fi
    # From standard input, so that paths begin at the side's folder, and no path differs between the sides.
    (cd "$side" && "$2" --config - "${arguments[@]}" --output results.db <"$config" >summary 2>err)
}

# ask SIDE: SQL from standard input
ask() {
    sqlite3 -bail "$work/$1/results.db"
}

# without FILE OTHER: lines of FILE that OTHER has not, in their order. common FILE OTHER: lines that both have.
without() { awk 'NR == FNR { other[$0]; next } !($0 in other)' "$2" "$1"; }
common() { awk 'NR == FNR { other[$0]; next } $0 in other' "$2" "$1"; }

# select_rows: from lines TABLE.COLUMN, a statement for each table that gives a line for each row. Reals are printed so
# that they read back as they are.
select_rows() {
    awk -F . '
        function finish() { if (terms != "") printf "SELECT %c%s%c%s FROM %s t;\n", 39, table, 39, terms, table }
        BEGIN {
            left = "wall.seconds experiment.hash experiment.config_hash experiment.config input.sha256 run.build " \
                "sweep.id sweep.hash axis.sweep point.sweep point_value.sweep metric.position summary.position"
            split(left, names, " ")
            for (i in names) left_out[names[i]]
        }
        $1 != table { finish(); table = $1; terms = "" }
        $0 in left_out { next }
        {
            value = "t." $2
            if ($2 == "experiment" || $0 == "experiment.id")
                value = "(SELECT number FROM temp.place WHERE id = t." $2 ")"
            terms = terms " || \047 " $2 "=\047 || quote(" value ")"
        }
        END { finish() }'
}

# rows_of SIDE: what it printed and all rows, as sorted lines that begin with "printed" or the table.
rows_of() {
    local number=0
    grep -q '^point\.' "$work/columns" && number='ifnull((SELECT number FROM point WHERE experiment = id), 0)'
    {
        nl -ba "$work/$1/summary" | sed 's/^/printed/'
        { echo "CREATE TEMP TABLE place AS SELECT id, $number AS number FROM experiment;" && cat "$work/select"; } | ask "$1"
    } | sort >"$work/$1/rows"
}

# tell: of each table in which the sorted lines differ.
tell() {
    local table side mark
    cut -d ' ' -f 1 "$work/gone" "$work/new" | sort -u | while read -r table; do
        echo "  $table: of $(grep -c "^$table " "$work/before/rows") rows before and" \
            "$(grep -c "^$table " "$work/after/rows") after, $(grep -c "^$table " "$work/gone") are only before," \
            "$(grep -c "^$table " "$work/new") only after"
        for side in gone new; do
            [[ $side == gone ]] && mark=- || mark=+
            sed -n "/^$table /{s///p}" "$work/$side" | head -3 | cut -c -400 | sed "s/^/    $mark /"
        done
    done
}

# compare: what differs, into the file differences; what is no difference, into notes.
compare() {
    local side
    for side in before after; do
        ask $side >"$work/$side/columns" <<'SQL'
SELECT m.name || '.' || c.name FROM sqlite_master m, pragma_table_info(m.name) c WHERE m.type = 'table'
ORDER BY m.name, c.cid
SQL
    done
    without "$work/before/columns" "$work/after/columns" | sed 's/.*/  column &: only before/' >"$work/differences"
    without "$work/after/columns" "$work/before/columns" | sed 's/.*/  column &: only after/' >"$work/notes"
    common "$work/before/columns" "$work/after/columns" >"$work/columns"
    select_rows <"$work/columns" >"$work/select"
    rows_of before
    rows_of after
    comm -23 "$work/before/rows" "$work/after/rows" >"$work/gone"
    comm -13 "$work/before/rows" "$work/after/rows" >"$work/new"
    (set +e; tell) >>"$work/differences"
}

mkdir -p "$work/before" "$work/after"
rm -f "$work"/{before,after}/*.db
same=0 differ=0 left=0
for config in "${configs[@]}"; do
    skipped='' made_up=''
    : >"$work/differences"
    : >"$work/notes"
    if [[ ! -e $before_root/$config ]]; then
        skipped="$before_root has no such config"
    elif ! run before "$before" "$before_root" "$config"; then
        echo "  not compared, BEFORE fails: $(head -1 "$work/before/err")" >"$work/differences"
    elif [[ -z $skipped ]] && ! run after "$after" "$root" "$config"; then
        echo "  not compared, AFTER fails: $(head -1 "$work/after/err")" >"$work/differences"
    elif [[ -z $skipped ]]; then
        compare
    fi
    if [[ -n $skipped ]]; then
        left=$((left + 1))
        echo "$config: skipped: $skipped"
    elif [[ -s $work/differences ]]; then
        differ=$((differ + 1))
        echo "$config: differs"
    else
        same=$((same + 1))
        requests=$(ask before <<<'SELECT sum(requests) FROM run')
        echo "$config: same ($requests requests$made_up)"
    fi
    cat "$work/differences" "$work/notes"
done
echo "$same configs give the same results, $differ do not, $left were skipped"
[[ $differ -eq 0 && $same -gt 0 ]]
