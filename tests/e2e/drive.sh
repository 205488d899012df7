#!/bin/bash
# dcsim --drive with a device that is played by a clock (DCSIM_DRIVE_PLAY).
#
# Pins: a run that is driven is marked in the results, with its launches; policies and databases that a driven GPU cannot
# serve are refused in one line; no process is left, also where dcsim is killed. Does not pin what a GPU does.
# shellcheck source=tests/e2e/lib.sh
source "$SOURCE_DIR/tests/e2e/lib.sh"
export DCSIM_DRIVE_PLAY=1

cat >x.json <<'JSON'
{ "name": "driven", "profile": "made-up", "sharing": { "model": "spatial" }, "policy": { "name": "fcfs" },
  "cluster": { "devices": 1 }, "horizon": { "duration_s": 1, "warmup_s": 0.1 },
  "workload": { "services": [ { "application": "answer", "arrivals": { "process": "poisson", "rate_per_s": 20 } } ] } }
JSON
drive() { "$DCSIM" run x.json --quiet --drive "$DCSIM_CALIBRATE" "$@"; }
expect 0 "a driven run" drive -o r.db
[[ $(sqlite3 r.db "SELECT count(*) FROM driven") == 1 ]] || fail "the run is not marked"
[[ $(sqlite3 r.db "SELECT count(*) > 5 AND min(sent_ns) >= 0 FROM driven_launch") == 1 ]] || fail "no launches are kept"
expect 0 "a simulation" "$DCSIM" run x.json --quiet -o s.db
[[ $(sqlite3 s.db "SELECT count(*) FROM sqlite_master WHERE name LIKE 'driven%'") == 0 ]] || fail "a simulation is marked"
[[ $(sqlite3 s.db "SELECT hash FROM experiment") != $(sqlite3 r.db "SELECT hash FROM experiment") ]] || fail "one hash for both"
for policy in mps-even mps-priority; do
    refused "policy $policy needs MPS or a CPU" "$policy" drive --set "policy.name=$policy"
done
refused 'r.db: driven: has runs on a GPU that really ran' "simulated and driven runs in one database" "$DCSIM" merge s.db r.db
refused 'cannot start ./nowhere: No such file' "no such program" "$DCSIM" run x.json --quiet --drive ./nowhere
"$DCSIM" run x.json --quiet --set horizon.duration_s=60 --drive "$DCSIM_CALIBRATE" >killed 2>&1 &
killed=$!
for ((i = 0; i < 100; i++)); do
    child=$(pgrep -P $killed)
    [[ -n $child ]] && break
    sleep 0.1
done
[[ -n $child ]] || fail "no program at the device: $(cat killed)"
kill -9 $killed
wait $killed
for ((i = 0; i < 100; i++)); do
    kill -0 "$child" 2>/dev/null || break
    sleep 0.1
done
kill -0 "$child" 2>/dev/null && fail "the program at the device outlives dcsim"
finish
