#!/bin/bash
# How fast and in how much memory `dcsim trace` reads real tables.
#
#   bench/trace_import.sh DCSIM TRACES [BYTES]
#   bench/trace_import.sh --huge DCSIM TRACES [BYTES]
#
# TRACES has google/clusterdata-2011-2/task_events and google/clusterdata-2019. BYTES (default 2 GB) of
# plain text are made of the parts of each, as often as it takes; every copy has job ids of its own, so
# that it makes as many jobs as a longer trace would. Prints for each form (CSV, JSON lines) and for lint
# and import: MB of text per second of processor time (what counts on a shared machine: user and system
# time of the process) and of wall clock, and the peak memory that the kernel saw. Ends with 1 where the
# peak is above 256 MB. Needs twice BYTES of disk in TMPDIR, and removes it.
#
# --huge (default 10 GB): an import of CSV that comes through standard input and lies nowhere. Needs
# about the same as BYTES in TMPDIR, for what is sorted and for the database.
set -eu
huge=0 bytes=2000000000
if [[ $1 == --huge ]]; then
    huge=1 bytes=10000000000
    shift
fi
dcsim=$1
tables=$2/google
bytes=${3:-$bytes}
most_mb=256
csv=$tables/clusterdata-2011-2/task_events
json=$tables/clusterdata-2019/instance_events_kaggle_cell_a.json.gz
if [[ ! -d $csv || ! -e $json ]]; then
    echo "not there: $csv, $json: nothing to measure"
    exit 77
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export LC_ALL=C TMPDIR=$work
failed=0

# The text over and over, ids changed. Ends when nobody reads on, or the reader has enough.
copies_of_csv() {
    zcat "$csv"/*.gz >"$work/once"
    for ((copy = 1; ; copy++)); do
        sed -E "s/^([^,]*,[^,]*,)/\1$copy/" "$work/once" || return 0
    done
}
copies_of_json() {
    zcat "$json" >"$work/once"
    for ((copy = 1; ; copy++)); do
        sed "s/\"collection_id\":\"/&$copy/" "$work/once" || return 0
    done
}

# measure NAME BYTES COMMAND...: standard input is the command's. What it used is what the kernel says of
# a process that has ended, so nothing is missed between two looks.
measure() {
    python3 -c '
import os, sys, time
name, size, most = sys.argv[1], int(sys.argv[2]) / 1e6, int(sys.argv[3])
began = time.monotonic()
child = os.posix_spawnp(sys.argv[4], sys.argv[4:], os.environ)
_, status, used = os.wait4(child, 0)
wall, cpu = time.monotonic() - began, used.ru_utime + used.ru_stime
peak = used.ru_maxrss / 1024
if status != 0:
    sys.exit(f"{name}: ended with {os.waitstatus_to_exitcode(status)}")
print(f"{name:<12} {size / cpu:6.1f} MB/s of processor time ({used.ru_utime:.1f} s user, "
      f"{used.ru_stime:.1f} s system), {size / wall:6.1f} MB/s of wall clock, peak {peak:.0f} MB")
if peak > most:
    sys.exit(f"{name}: above {most} MB")' "$1" "$2" "$most_mb" "${@:3}"
}

if ((huge)); then
    # head ends the copies, in the middle of a line: so the last one is counted as cut off.
    copies_of_csv 2>"$work/errors" | head -c "$bytes" |
        measure "import CSV" "$bytes" "$dcsim" trace import google-2011-task-events - -o "$work/jobs.db" ||
        failed=1
    echo "$bytes bytes through standard input; database: $(stat -c %s "$work/jobs.db") bytes"
    exit $failed
fi
both() { # both NAME FORMAT: of $work/all
    local size
    size=$(stat -c %s "$work/all")
    echo "$1: $size bytes as $2"
    measure "lint $1" "$size" "$dcsim" trace lint "$2" "$work/all" --quiet || failed=1
    measure "import $1" "$size" "$dcsim" trace import "$2" "$work/all" -o "$work/jobs.db" --quiet || failed=1
    rm "$work/all" "$work/jobs.db"
}
copies_of_csv 2>"$work/errors" | head -c "$bytes" >"$work/all"
both CSV google-2011-task-events
copies_of_json 2>"$work/errors" | head -c "$bytes" >"$work/all"
both JSON google-2019-instance-events
exit $failed
