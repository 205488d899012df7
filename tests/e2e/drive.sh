#!/bin/bash
# dcsim --drive: runs on a GPU that really runs, here one that dcsim-calibrate plays by a clock.
#
# Pins: a run leaves requests and what became of each launch, in tables of its own; merging keeps these, into a new
# database and into one of simulations; what cannot be carried out is refused in one line before anything is made; a kill -9
# of either side ends the other. Does not pin: a real GPU, times (unit/engine/test_driven has them to the ns).
# shellcheck source=tests/e2e/lib.sh
. "$(dirname "$0")/lib.sh"
tool=$BINARY_DIR/calibrate/dcsim-calibrate
[[ -x $tool ]] || {
    echo "skipped: there is no dcsim-calibrate"
    exit 77
}
export DCSIM_DRIVE_PLAY=1
cat >c.json <<'JSON'
{ "profile": "made-up", "sharing": { "model": "spatial" }, "policy": { "name": "fcfs" }, "predictor": "mean",
  "workload": { "services": [ { "application": "answer", "sla_ms": 20,
    "arrivals": { "process": "poisson", "rate_per_s": 60 } } ], "batch": [ { "application": "stream" } ] },
  "cluster": { "domains": 1, "devices": 1 }, "outputs": { "requests": true },
  "horizon": { "duration_s": 0.5, "warmup_s": 0.1 } }
JSON
# shellcheck disable=SC2317 # it is called through expect and refused
driven() { timeout 60 "$DCSIM" run c.json --quiet --drive "$tool" "$@"; }
count() { sqlite3 "$1" "SELECT count(*) $2"; }

expect 0 "a run" driven -o real.db
expect 0 "one on partitions" driven -o real.db --set policy.name=fixed-split
[[ $(count real.db 'FROM driven') -eq 2 ]] || fail "the runs are not marked as driven"
[[ $(count real.db "FROM driven_launch l JOIN request USING (experiment, replication, job, number)
    WHERE l.sent_ns <= l.taken_ns AND l.taken_ns <= l.launched_ns AND l.launched_ns <= l.end_ns") -gt 10 ]] || fail "no launches"
expect 0 "the same simulated" "$DCSIM" run c.json --quiet -o sim.db
launches=$(count real.db 'FROM driven_launch')

# ---- Merging ----
expect 0 "into a new one" "$DCSIM" merge new.db real.db
[[ $(count new.db 'FROM driven') -eq 2 && $(count new.db 'FROM driven_launch') -eq $launches ]] || fail "merged runs became simulated ones"
expect 0 "into simulations" "$DCSIM" merge sim.db real.db
[[ $(count sim.db 'FROM driven') -eq 2 && $(count sim.db 'FROM run') -eq 3 ]] || fail "not both kinds"
expect 0 "the same again" "$DCSIM" merge sim.db real.db
expect 0 "the other way" "$DCSIM" run c.json --quiet -o other.db --seed 2
expect 0 "simulations into real ones" "$DCSIM" merge real.db other.db
[[ $(count real.db 'FROM run') -eq 3 && $(count real.db 'FROM driven') -eq 2 ]] || fail "simulations into real ones"

# ---- What is refused ----
for policy in mps-even mps-priority; do
    refused "policy $policy needs MPS, which a real GPU is not driven with" "$policy" driven --set policy.name=$policy
done
refused 'predictor: a clairvoyant knows the times that a simulation draws' "a clairvoyant" driven --set predictor=clairvoyant
refused 'one real GPU is driven, and cluster has 2' "two devices" driven --set cluster.devices=2
refused 'goes without --timeline and --dry-run' "a dry run" driven --dry-run

# ---- A side that is killed ----
# gone NAME PID: the process ends within five seconds.
gone() {
    checks=$((checks + 1))
    for _ in {1..50}; do
        kill -0 "$2" 2>/dev/null || return
        [[ $(ps -o stat= -p "$2") == Z* ]] && return
        sleep 0.1
    done
    fail "$1 lives"
    kill -9 "$2"
}
# child_of PID: waits until it has one.
child_of() {
    for _ in {1..100}; do
        pgrep -P "$1" && return
        sleep 0.05
    done
}
"$DCSIM" run c.json --quiet --drive "$tool" --set horizon.duration_s=30 2>err &
parent=$!
child=$(child_of $parent)
kill -9 $parent
gone "the program at the device" "$child"
"$DCSIM" run c.json --quiet --drive "$tool" --set horizon.duration_s=30 2>err &
parent=$!
child=$(child_of $parent)
sleep 0.5
kill -9 "$child"
gone "dcsim" $parent
wait $parent 2>/dev/null
says err 'the program at the device has ended|ended before the device was ready' "why the run ended"
finish
