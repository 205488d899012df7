#!/bin/bash
# What takes minutes: a sweep of 200 points.
#
# Pins: two workers take at most 0.55 of the time of two sweeps of one worker side by side; killed at ten random moments, or on a disk that is full
# (a small tmpfs, or a limit on the size of files where none can be mounted), it ends with the content of an
# undisturbed one; ten shards merged are that, too. Does not pin: loss of what was not synced (unit/test_power_loss).
# shellcheck source=tests/e2e/lib.sh
. "$(dirname "$0")/lib.sh"

cat >s.json <<'JSON'
{ "policy": { "name": "fcfs" }, "replications": 1, "horizon": { "duration_s": 600 },
  "applications": [ { "name": "server", "class": "latency", "sla_ms": 100,
    "service": { "distribution": "exponential", "mean_ms": 10 } } ],
  "workload": { "services": [ { "application": "server", "arrivals": { "rate_per_s": 70 } } ] },
  "sweep": { "axes": [ { "key": "workload.services[0].arrivals.rate_per_s", "from": 31, "to": 80, "step": 1 },
    { "key": "cluster.devices", "values": [1, 2, 3, 4] } ] } }
JSON
dump() { sqlite3 "$1" .dump | grep -v '^INSERT INTO wall' | sort; }
same() {
    checks=$((checks + 1))
    [[ $(dump "$1") == "$(dump "$2")" ]] || fail "$3"
}

# Without a database, whose syncs are the disk's.
sweep() { "$DCSIM" --config s.json --jobs "$1" --quiet; }
# timed COMMAND...: sets ms, the time that it took.
timed() {
    local from
    from=$(date +%s%N)
    "$@" || fail "$*: exit code $?"
    ms=$((($(date +%s%N) - from) / 1000000))
}
# Two sweeps share nothing, so half of their time is what two processors of this machine can do: two threads of one
# core, say, do less than two cores.
side_by_side() {
    sweep 1 &
    sweep 1 && wait $!
}
# Sets share, thousandths of the threads' processor time that the busier of two workers and the calling thread had, by
# the last look. Looking takes some of a processor: what is timed is not looked at.
share_of_two() {
    local pid looker
    "$DCSIM" --config s.json --jobs 2 --quiet &
    pid=$!
    look $pid &
    looker=$!
    wait $pid || fail "2 jobs: exit code $?"
    wait $looker
    share=$(tail -n 1 shares)
    [[ -n $share ]] || fail "nobody looked at 2 jobs"
}
# look PID: while it runs, appends that share to a file ten times a second.
look() {
    local task kind ns
    : >shares
    while kill -0 "$1" 2>/dev/null; do
        for task in "/proc/$1/task"/*; do
            [[ $task == */$1 ]] && kind=main || kind=worker
            read -r ns _ 2>/dev/null <"$task/schedstat" && echo "$kind $ns"
        done | awk '{ sum += $2 } $1 == "main" { main = $2 } $1 == "worker" && $2 > max { max = $2 }
            END { if (max > 0) printf "%d\n", 1000 * (max + main) / sum }' >>shares
        sleep 0.1
    done
}
# The shortest times of three rounds count. They say nothing where others use the processors (whichever thread has more
# of a processor does more of the points), or where two processors do little more than one.
one=999999
both=999999
two=999999
least=1000
for _ in 1 2 3; do
    timed sweep 1
    one=$((ms < one ? ms : one))
    timed side_by_side
    both=$((ms < both ? ms : both))
    timed sweep 2
    two=$((ms < two ? ms : two))
    share_of_two
    least=$((share < least ? share : least))
    echo "200 points: $one ms by one worker, $both ms twice side by side, $two ms by two workers; the busier thread has" \
        "$least thousandths of the work"
    ((1000 * two / both <= 550 && least <= 550)) && break
done
checks=$((checks + 2))
if awk '{ exit !($1 > 2.5) }' /proc/loadavg; then
    echo "the processors are busy: times and shares say nothing"
elif ((20 * one < 12 * both)); then
    echo "two processors do less than 1.2 times the work of one: times and shares say nothing"
else
    ((least <= 550)) || fail "the busier thread has $least thousandths of the work, expected 550 at most"
    ((1000 * two / both <= 550)) ||
        fail "two workers: $((1000 * two / both)) thousandths of the time of two sweeps side by side, expected 550 at most"
fi

expect 0 "undisturbed" "$DCSIM" --config s.json --output whole.db --quiet
sweep_ms=$ms
for kill in 1 2 3 4 5 6 7 8 9 10; do
    "$DCSIM" --config s.json --output kill.db --quiet &
    pid=$!
    sleep "$(awk -v ms=$((RANDOM % (sweep_ms / 2 + 1) + 20)) 'BEGIN { print ms / 1000 }')"
    kill -9 $pid 2>/dev/null
    wait $pid 2>/dev/null
    [[ ! -s kill.db || $(sqlite3 kill.db 'PRAGMA integrity_check') == ok ]] || fail "integrity after kill $kill"
    echo "killed after $([[ -s kill.db ]] && sqlite3 kill.db 'SELECT count(*) FROM run' || echo 0) runs"
done
expect 0 "after ten kills" "$DCSIM" --config s.json --output kill.db --quiet
same whole.db kill.db "after ten kills"

# A disk that is full at first: $1 KiB, then enough.
on_small_disk() {
    mkdir -p disk && mount -t tmpfs -o size="$1k" dcsim disk || exit 9
    "$DCSIM" --config s.json --output disk/full.db --quiet 2>full.err
    first=$?
    mount -o remount,size=64m disk || exit 9
    [[ $(sqlite3 disk/full.db 'PRAGMA integrity_check') == ok ]] || exit 8
    "$DCSIM" --config s.json --output disk/full.db --quiet || exit 7
    cp disk/full.db full.db
    umount disk
    exit "$first"
}
export -f on_small_disk
if unshare -rm true 2>/dev/null && unshare -rm bash -c 'mkdir -p disk && mount -t tmpfs dcsim disk' 2>/dev/null; then
    unshare -rm bash -c 'on_small_disk 900'
    code=$?
else
    echo "no tmpfs can be mounted here: a limit on the size of files stands in for it"
    (ulimit -f 700; trap '' XFSZ; "$DCSIM" --config s.json --output full.db --quiet 2>full.err)
    code=$?
    [[ $(sqlite3 full.db 'PRAGMA integrity_check') == ok ]] || fail "integrity after a full disk"
    expect 0 "with more space" "$DCSIM" --config s.json --output full.db --quiet
fi
[[ $code -eq 2 ]] || fail "a full disk: code $code, expected 2"
says full.err 'full.db: cannot .*; runs that were stored are kept' "a full disk"
same whole.db full.db "after a full disk"

for k in 1 2 3 4 5 6 7 8 9 10; do
    expect 0 "shard $k" "$DCSIM" --config s.json --shard $k/10 --output part$k.db --quiet
done
expect 0 "merge" "$DCSIM" merge merged.db part*.db
same whole.db merged.db "ten shards merged"
finish
