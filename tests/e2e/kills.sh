#!/bin/bash
# A sweep that is killed (kill -9) a hundred times.
#
# Pins: after each kill the database opens, is intact and has lost no run that it had; the same command goes on; once it
# was left alone to the end, every table (but wall) has what it has in a sweep that was never killed, with rows of
# requests and jobs, on one thread and on two. The moments are spread evenly over what a kill may meet, from before the
# database is there to the middle of a transaction; KILLS and SEED (environment) say how many and which. A moment is a
# time, so that a failure may need several runs to come again. Does not pin: loss of what was not synced
# (unit/test_power_loss), full disks (e2e/sweep_long).
# shellcheck source=tests/e2e/lib.sh
. "$(dirname "$0")/lib.sh"
kills=${KILLS:-100} seed=${SEED:-1}
RANDOM=$seed

cat >s.json <<'JSON'
{ "policy": { "name": "fcfs" }, "replications": 2, "horizon": { "duration_s": 30 }, "outputs": { "requests": true },
  "applications": [ { "name": "server", "class": "latency", "sla_ms": 100,
    "service": { "distribution": "exponential", "mean_ms": 10 } } ],
  "workload": { "services": [ { "application": "server", "arrivals": { "rate_per_s": 70 } } ] },
  "sweep": { "axes": [ { "key": "workload.services[0].arrivals.rate_per_s", "from": 31, "to": 55, "step": 1 },
    { "key": "cluster.devices", "values": [1, 2] } ] } }
JSON
content() { sqlite3 "$1" .dump | grep -v '^INSERT INTO wall' | sort | sha256sum; }
runs_in() { sqlite3 "$1" 'SELECT count(*) FROM run' 2>/dev/null || echo 0; }

# look_at KILL MS: the database as the kill left it. It is a copy that is opened, with its journal: to roll that back is
# left to dcsim. Sets had, the runs that the database has.
look_at() {
    local found state
    rm -rf looked && mkdir looked
    cp kill.db* looked/ 2>/dev/null
    checks=$((checks + 2))
    if [[ ! -s kill.db ]]; then
        no_database=$((no_database + 1))
        [[ $had -eq 0 ]] || fail "kill $1 after $2 ms: the database is gone"
        return
    fi
    [[ ! -s kill.db-journal ]] || in_transaction=$((in_transaction + 1))
    state=$(sqlite3 looked/kill.db 'PRAGMA integrity_check; PRAGMA foreign_key_check' 2>&1)
    [[ $state == ok ]] || fail "kill $1 after $2 ms: $state"
    found=$(runs_in looked/kill.db)
    ((found >= had)) || fail "kill $1 after $2 ms: $found runs are left of $had"
    had=$found
}

from=$(date +%s%N)
expect 0 "undisturbed" "$DCSIM" --config s.json --output whole.db --quiet
whole_ms=$((($(date +%s%N) - from) / 1000000))
whole=$(content whole.db)
all=$(runs_in whole.db)
[[ $all -eq 100 ]] || fail "the undisturbed sweep has $all runs, expected 100"

# Until a kill the sweep gets a sixth of its time in the mean, and starting again takes some of that: about ten kills
# for each sweep.
longest_ms=$((whole_ms / 3 + 20))
had=0 no_database=0 in_transaction=0 finished=0
for ((kill = 1; kill <= kills; kill++)); do
    ms=$((longest_ms * kill * 617 % (longest_ms * kills) / kills + RANDOM % 3)) # 617: prime, spreads them
    "$DCSIM" --config s.json --output kill.db --quiet --jobs $((1 + kill % 2)) 2>>killed.err &
    pid=$!
    sleep "$(printf '%d.%03d' $((ms / 1000)) $((ms % 1000)))"
    kill -9 $pid 2>/dev/null
    wait $pid 2>/dev/null
    code=$?
    [[ $code -eq 137 || $code -eq 0 ]] || fail "kill $kill after $ms ms: it had ended with code $code: $(tail -1 killed.err)"
    look_at $kill $ms
    if ((code == 0 || had == all || kill == kills)); then
        expect 0 "to the end after kill $kill" "$DCSIM" --config s.json --output kill.db --quiet
        checks=$((checks + 1))
        if [[ $(content kill.db) != "$whole" ]]; then
            fail "after kill $kill: the tables differ from those of the undisturbed sweep"
            sqlite3 whole.db .dump | sort >whole.sql
            sqlite3 kill.db .dump | sort | diff whole.sql - | grep -v 'INTO wall' | head -5
        fi
        finished=$((finished + 1))
        rm -f kill.db*
        had=0
    fi
done
echo "$kills kills (seed $seed) within $longest_ms ms of a sweep of $whole_ms ms: $no_database before there was a" \
    "database, $in_transaction inside a transaction; $finished sweeps went on to their end"
((failed)) && echo "again: KILLS=$kills SEED=$seed DCSIM=$DCSIM SOURCE_DIR=$SOURCE_DIR bash $0"
finish
