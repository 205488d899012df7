#!/bin/bash
# How fast and in how much memory `dcsim trace import` reads real tables.
#
#   bench/trace_import.sh DCSIM TRACES [BYTES]
#
# TRACES has google/clusterdata-2011-2/task_events; BYTES (default 2 GB) of plain CSV are made of its
# parts, each copy with job ids of its own, so that it makes as many jobs as a longer trace would. Prints,
# for a lint and an import: MB of text per second of processor time (what counts on a shared machine) and
# of wall clock, and the peak memory that the kernel saw. Needs twice BYTES of disk in TMPDIR.
set -eu
dcsim=$1
parts=$2/google/clusterdata-2011-2/task_events
bytes=${3:-2000000000}
if [[ ! -d $parts ]]; then
    echo "no $parts: nothing to measure"
    exit 77
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export LC_ALL=C TMPDIR=$work

zcat "$parts"/*.gz >"$work/once"
for ((copy = 1; $(stat -c %s "$work/all" 2>/dev/null || echo 0) < bytes; copy++)); do
    awk -F, -v OFS=, -v copy="$copy" '{ $3 = copy $3; print }' "$work/once" >>"$work/all"
done
rm "$work/once"
size=$(stat -c %s "$work/all")
echo "$size bytes of task_events"

measure() { # measure NAME COMMAND...
    local name=$1 pid peak=0 now began ended ticks
    shift
    cat "$work/all" >/dev/null
    began=$(date +%s.%N)
    "$@" &
    pid=$!
    # The peak never falls, so that the last look before the end is enough; the ticks are those of the
    # process so far.
    while now=$(awk '/VmHWM/ { print $2 }' "/proc/$pid/status" 2>/dev/null) && [[ -n $now ]]; do
        peak=$now
        ticks=$(awk '{ print $14 + $15 }' "/proc/$pid/stat" 2>/dev/null) || true
        sleep 0.05
    done
    wait "$pid"
    ended=$(date +%s.%N)
    awk -v name="$name" -v size="$size" -v wall="$(echo "$ended $began" | awk '{ print $1 - $2 }')" \
        -v ticks="$ticks" -v hz="$(getconf CLK_TCK)" -v peak="$peak" 'BEGIN {
        printf "%-7s %6.1f MB/s of processor time, %6.1f MB/s of wall clock, peak %.0f MB\n", name,
            size / 1e6 / (ticks / hz), size / 1e6 / wall, peak / 1024 }'
}
measure lint "$dcsim" trace lint google-2011-task-events "$work/all" --quiet
measure import "$dcsim" trace import google-2011-task-events "$work/all" -o "$work/jobs.db" --quiet
