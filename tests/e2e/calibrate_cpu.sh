#!/bin/bash
# dcsim-calibrate cpu on this machine, for some seconds, and what dcsim makes of the profile.
#
# Pins: steps are measured, the same command goes on behind them, two profiles become one, and the result
# is one that show, lint and export take and on which os, static-opt and emu run; that every number says
# where it comes from; what is refused, with exit code 2 and the reason. Does not pin any speed, nor whether a
# number is right: this machine may be as busy as it likes.
# shellcheck source=tests/e2e/lib.sh
source "$SOURCE_DIR/tests/e2e/lib.sh"

# measure FILE PROGRAM MINUTES
measure() {
    "$DCSIM_CALIBRATE" cpu --app "$2" --minutes "$3" --output "$1" --seconds 0.01 --allow-others
}
query() {
    sqlite3 "$1" "$2"
}

if ! knows_caches; then
    expect 2 "no caches" "$DCSIM_CALIBRATE" cpu check --app bs
    says err 'the kernel says nothing of a last-level cache .*: measure on the machine itself' "no caches"
    ((failed == 0)) || finish
    echo "skipped: the kernel describes no caches in /sys/devices/system/cpu"
    exit 77
fi

expect 0 "check" "$DCSIM_CALIBRATE" cpu check --app bs
says out '^ok +bs' "check"

expect 0 "the service" measure a.db asr 0.02
says err ' cores, .* ways, .*Linux' "the machine"
says err 'a\.db: [1-9][0-9]* steps measured, 0 failed, 0 measured before, .*out of time' "as far as the time goes"
expect 0 "the batch program" measure b.db bs 0.02
expect 0 "going on" measure b.db bs 0.1
says err 'b\.db: [0-9]+ steps measured, 0 failed, [1-9][0-9]* measured before' "nothing is measured twice"
[[ $(query b.db "SELECT count(*) FROM cpu_point WHERE application = 'bs' AND size = 131072 AND reference_n IS NULL") == 1 ]] ||
    fail "the program alone"
[[ $(query b.db "SELECT count(*) >= 5 FROM cpu_sample WHERE role = 'sample'") == 1 ]] || fail "samples are kept"

expect 0 "without a name" "$DCSIM_CALIBRATE" cpu --app bs --minutes 0.02 --seconds 0.01 --allow-others
expect 0 "its plan" "$DCSIM_CALIBRATE" cpu --app bs --dry-run
says out '^all +[1-9][0-9]* +[1-9][0-9]* +0 ' "a dry run looks where a run writes"
grep -q '/bs/' out && fail "a dry run names each step"
expect 0 "its steps" "$DCSIM_CALIBRATE" cpu --app bs --dry-run --verbose
says out '^cpu-[a-z]+/bs.* s done$' "a step that is done"
expect 0 "steps of some keys" "$DCSIM_CALIBRATE" cpu --app 'b?' --step 'cpu-whole/*,cpu-host/move' --dry-run --verbose
says out '^cpu-whole/bs' "a step that is listed"
grep -qE '^cpu-(cores|cache|stream|sizes)/' out && fail "steps that are not listed are in the plan"
expect 0 "no such step" "$DCSIM_CALIBRATE" cpu -o a.db --app 'b?' --step 'solo/*' --dry-run
says err '^dcsim-calibrate: --step solo/\*: no step has such a key' "no such step"

expect 2 "no such profile" "$DCSIM_CALIBRATE" merge b.db nothing.db
says err 'nothing\.db: the profile cannot be read: No such file' "no such profile"
cp a.db c.db
query c.db "UPDATE cpu SET value = value + 1 WHERE key = 'ways'"
expect 2 "other ways" "$DCSIM_CALIBRATE" merge b.db c.db
says err 'c\.db: has the number of ways [0-9.]+, and b\.db has' "other ways"
query c.db "UPDATE profile SET value = 'CPU-of-another' WHERE key = 'device_uuid'"
expect 2 "another machine" "$DCSIM_CALIBRATE" merge b.db c.db
says err 'c\.db: has the machine CPU-of-another, and b\.db has' "another machine"
rm c.db
# The last thing that a merge writes is whether the profile is whole; where that fails nothing was taken over.
query b.db "CREATE TRIGGER no BEFORE INSERT ON profile WHEN new.key = 'partial' BEGIN SELECT RAISE(ABORT, 'not this time'); END"
sqlite3 b.db .dump >before
expect 2 "a merge that fails in the end" "$DCSIM_CALIBRATE" merge b.db a.db
says err 'not this time' "a merge that fails in the end"
sqlite3 b.db .dump | cmp -s - before || fail "a merge that failed has changed the profile"
query b.db "DROP TRIGGER no"
expect 0 "merge" "$DCSIM_CALIBRATE" merge b.db a.db
says out 'b\.db: [1-9][0-9]* steps taken over' "merge"
[[ $(query b.db "SELECT group_concat(application) FROM (SELECT DISTINCT application FROM cpu_application ORDER BY 1)") == asr,bs ]] ||
    fail "both programs have their numbers"
[[ $(query b.db "SELECT count(*) FROM cpu_application WHERE origin NOT IN ('paper', 'derived', 'measured', 'assumed') OR source = ''") == 0 ]] ||
    fail "a number without an origin"
[[ $(query b.db "SELECT origin FROM cpu_application WHERE application = 'asr' AND key = 'stall_share'") == assumed ]] ||
    fail "what was not measured is called assumed"

expect 0 "show" "$DCSIM" profile show b.db
says out '^  bs +batch' "show"
tr -s '\n ' ' ' <out >line
says line 'WARNING: partial: no .*pressure on the cache, pressure on the memory' "show says what is missing"
expect 0 "lint" "$DCSIM" profile lint b.db
says out '1  partial' "lint"
expect 0 "export" "$DCSIM_CALIBRATE" export b.db b.sql
expect 0 "build" "$DCSIM" profile build b.sql c.db

expect 0 "train" "$DCSIM" train b.db
for policy in os static-opt emu; do
    expect 0 "$policy" "$DCSIM" --config "$SOURCE_DIR/configs/emu/pair.json" --set profile=./b.db --set "policy.name=$policy" \
        --set horizon.duration_s=4 --set horizon.warmup_s=1 --set replications=1
    says out '[0-9]' "$policy has results"
done

expect 2 "more threads than cores" "$DCSIM_CALIBRATE" cpu --cores 4000
says err 'more threads than cores' "more threads than cores"
expect 2 "a program that is not there" "$DCSIM_CALIBRATE" cpu --app nothing
says err 'no program "nothing" for CPUs' "a program that is not there"
query b.db "UPDATE profile SET value = 'CPU-of-another' WHERE key = 'device_uuid'"
expect 2 "another CPU" measure b.db bs 0.01
says err 'is the profile of another device' "another CPU"
"$DCSIM" profile build "$SOURCE_DIR/calibrate/profiles/made-up.sql" gpu.db || fail "a GPU's profile"
expect 2 "a GPU's profile" measure gpu.db bs 0.01
says err 'is the profile of another device' "a GPU's profile"
expect 0 "a measured profile" cp b.db planned.db
query planned.db "UPDATE device SET sms = sms + 1"
expect 2 "a plan for other cores" "$DCSIM_CALIBRATE" cpu --dry-run --output planned.db
says err 'was measured on [0-9]+ cores, and these are' "a plan for other cores"
query planned.db "UPDATE device SET kind = 'gpu'"
expect 2 "a plan for a GPU's profile" "$DCSIM_CALIBRATE" cpu --dry-run --output planned.db
says err 'planned\.db: is the profile of a GPU' "a plan for a GPU's profile"
finish
