#!/bin/bash
# dcsim-calibrate pair, without a GPU: programs with the real recorder inside, against a CUPTI that plays what the
# program says (fake_cupti.c), and a control program of MPS that does nothing.
#
# Pins: programs are started once at each percentage, run alone and together, and their requests of both are rows of
# the profile; what they have at a percentage in their environment; requests of one that arrive, and their prediction;
# those of another size than the default; what is refused, in one line each; that nothing of them is left. Does not pin what MPS, CUPTI or a GPU does.
# shellcheck source=tests/e2e/lib.sh
source "$SOURCE_DIR/tests/e2e/lib.sh"

# shellcheck disable=SC2317 # it is called by expect and refused
pair() {
    "$DCSIM_CALIBRATE" pair "$@"
}
refused 'pair needs -o FILE' "no output" pair --half dev a b
refused 'pair needs --half dev' "no half" pair -o p.db a b
refused 'dev, test, test2 or test3 is expected' "another half" pair -o p.db --half best a b
refused 'takes 2 to 8 applications' "one" pair -o p.db --half dev --run a=true a
refused 'how is b run\? --run .b=COMMAND. says it' "no command" pair -o p.db --half dev --run a=true a b
refused 'NAME=COMMAND is expected' "no name" pair -o p.db --half dev --run true a b
refused 'percent: 1 numbers, and there are 2 applications' "a percentage too few" \
    pair -o p.db --half dev --percent 50 --run a=true --run b=true a b
refused 'from 0 to 100' "no percentage" pair -o p.db --half dev --percent 50,x --run a=true --run b=true a b
refused 'two of the numbers at least' "one alone" pair -o p.db --half dev --percent 50,0 --run a=true --run b=true a b
refused 'half stands before' "a half that comes late" pair -o p.db --percent 50,50 --half dev --run a=true --run b=true a b
refused 'rate a: NAME=REQUESTS' "no rate" pair -o p.db --half dev --rate a --run a=true --run b=true a b
refused 'rate c=5: is none of the applications' "a rate of another" pair -o p.db --half dev --rate c=5 --run a=true --run b=true a b
refused 'rate: beside a runs one other application' "a rate beside two" \
    pair -o p.db --half dev --rate a=5 --run a=true --run b=true --run c=true a b c
refused 'seed -1: a whole number' "no seed" pair -o p.db --half dev --seed -1 --run a=true --run b=true a b
refused 'a number above 0' "no time" pair -o p.db --half dev --seconds 0 --run a=true --run b=true a b
refused 'p\.db: (No such file|.*not)' "no profile" pair -o p.db --half dev --run a=true --run b=true a b
if [[ -z ${FAKE_CUPTI:-} ]]; then
    echo "skipped: programs with the recorder (no cupti.h)"
    finish
fi

export DCSIM_RECORD_CUPTI=$FAKE_CUPTI
fake_mps
PATH=$work/bin:$PATH
program="python3 $SOURCE_DIR/tests/e2e/fake_program.py $FAKE_CUPTI"
for name in a b; do
    # shellcheck disable=SC2086 # words
    expect 0 "$name" "$DCSIM_CALIBRATE" record --name $name --class batch --request request --once -o p.db -- $program 20
done
refused 'has no application "c": record it first' "an application that is not there" \
    pair -o p.db --half dev --run a=true --run c=true a c
refused 'a at 50 % has ended \(exit code 0\), and shall serve until it is told to end: done' "one that ends" \
    pair -o p.db --half dev --run 'a=echo done' --run "b=exec $program 100000000" a b
[[ ! -e p.db.pair ]] || fail "a folder is left"
endless="env >env.\$CUDA_MPS_ACTIVE_THREAD_PERCENTAGE; exec $program 100000000"
expect 0 "two programs in two splits" pair -o p.db --half test --percent 50,50 --percent 75,25 --seconds 2 \
    --run "a=$endless" --run "b=$endless" a b
says out '^a at 50 %: [0-9.]+ ms alone, [0-9.]+ ms together \(p95 [0-9.]+ and [0-9.]+\); b at 50 %: ' "what they took"
[[ $(sqlite3 p.db "SELECT group_concat(kind || mechanism || half) FROM corun") == programsmpstest,programsmpstest ]] || fail "corun"
[[ $(sqlite3 p.db "SELECT application, kernel, sms, percent FROM corun_side ORDER BY corun, side") == \
    $'a|request|8|50\nb|request|8|50\na|request|12|75\nb|request|4|25' ]] || fail "its sides"
[[ $(sqlite3 p.db "SELECT min(n) > 1 AND min(solo_n) > 1 AND min(median_ns) >= 400000 FROM corun_side") == 1 ]] ||
    fail "their requests: $(sqlite3 p.db "SELECT n, solo_n, median_ns FROM corun_side")"
[[ $(sqlite3 p.db "SELECT count(*), min(p95_ns) >= 400000, min(solo_p95_ns) >= 400000, min(p95_ns >= median_ns) FROM corun_tail t
    JOIN corun_side s ON s.corun = t.corun AND s.side = t.side") == '4|1|1|1' ]] || fail "their 95th percentiles"
[[ $(echo env.*) == "env.25 env.50 env.75" ]] || fail "their percentages"
# Requests of another size.
# shellcheck disable=SC2086 # words
expect 0 sized "$DCSIM_CALIBRATE" record --name sized --class batch --request request --once -o p.db --size n=20,24 -- $program '{n}'
refused 'has "sized" at other sizes than 23: record it with --size' "a size that is not there" \
    pair -o p.db --half test2 --run a=true --run sized@23=true a sized@23
expect 0 "another size" pair -o p.db --half test2 --seconds 1 --run "a=exec $program 100000000" \
    --run "sized@24=exec $program 100000000" a sized@24
says out '; sized@24 at 50 %: ' "another size"
[[ $(sqlite3 p.db "SELECT application, size FROM corun_side JOIN corun ON id = corun WHERE half = 'test2' ORDER BY side") == $'a|1\nsized|24' ]] ||
    fail "another size"
expect 0 "a prediction of another size" "$DCSIM" validate p.db --half test2
says out '^Programs: .*: n = 1 runs?$' "a prediction of another size"
sqlite3 p.db "DELETE FROM corun_tail WHERE corun IN (SELECT id FROM corun WHERE half = 'test2');
    DELETE FROM corun_side WHERE corun IN (SELECT id FROM corun WHERE half = 'test2'); DELETE FROM corun WHERE half = 'test2'"
# Two of three at a time, of two halves, kept although one ends while the last setting runs.
# shellcheck disable=SC2086 # words
expect 0 c "$DCSIM_CALIBRATE" record --name c --class batch --request request --once -o p.db -- $program 20
expect 2 "two of three at a time" pair -o p.db --half dev --percent 50,50,0 --half test3 --percent 0,50,75 --percent 50,0,75 --seconds 1.5 \
    --run "a=$endless" --run "b=$endless" --run "c=exec $program 100000000 resumed" a b c
says err 'c at 75 % has ended .*; what was measured before is kept' "which one ended"
rows=$(sqlite3 p.db "SELECT half, side, application || s.percent FROM corun c JOIN corun_side s ON s.corun = c.id
    WHERE half != 'test' ORDER BY id, side")
[[ $rows == $'dev|0|a50\ndev|1|b50\ntest3|0|b50\ntest3|1|c75' ]] || fail "two of three: $rows"
[[ ! -e p.db.pair ]] || fail "a folder is left"
pgrep -f "fake_program.py $FAKE_CUPTI 100000000" >/dev/null && fail "a program is left"
# Requests of a arrive at 250 a second, and take 0.4 ms: half of them find nobody before them.
expect 0 "requests that arrive" pair -o p.db --half test --rate a=250 --seed 3 --percent 50,25 --seconds 2 \
    --run "a=exec $program 100000000" --run "b=exec $program 100000000" a b
says out '^a at 50 %, 250 requests a second: [0-9.]+ ms alone; response [0-9.]+ ms in the mean, [0-9.]+ at p95; ([0-9]+) of \1 answered, beside b at 25 %$' \
    "what they took"
[[ $(sqlite3 p.db "SELECT service, batch, service_percent, batch_percent, duration_ns, half, round(load / 250 / service_solo_ns * 1e9, 4) FROM live") == \
    'a|b|50|25|2000000000|test|1.0' ]] || fail "the run"
[[ $(sqlite3 p.db "SELECT count(*) BETWEEN 400 AND 600, min(begin_ns >= arrival_ns), min(end_ns - begin_ns >= 400000), max(request) = count(*) - 1,
    sum(begin_ns - arrival_ns < 1000000) > 200, max(arrival_ns) < 2e9 FROM live_request WHERE role = 'service'") == '1|1|1|1|1|1' ]] || fail "its requests"
[[ $(sqlite3 p.db "SELECT count(*) > 1000, min(arrival_ns = begin_ns) FROM live_request WHERE role = 'batch'") == '1|1' ]] || fail "the other's"
expect 0 "a prediction of it" "$DCSIM" validate p.db --half test
says out '^Live: .*: n = 1 run' "a prediction"
expect 0 "requests of another size that arrive" pair -o p.db --half dev --rate sized@24=100 --seconds 2 \
    --run "a=exec $program 100000000" --run "sized@24=exec $program 100000000" sized@24 a
says out '^sized@24 at 50 %, 100 requests a second: ' "their size"
[[ $(sqlite3 p.db "SELECT service, service_size FROM live WHERE half = 'dev'") == 'sized|24' ]] || fail "their size"
# Not the shell is what must end, but what it started.
"$DCSIM_CALIBRATE" pair -o p.db --half dev --seconds 30 --run "a=cd . && $program 100000001" --run "b=cd . && $program 100000001" a b \
    >killed 2>&1 &
killed=$!
running() { pgrep -f "^[^&]*fake_program.py $FAKE_CUPTI 100000001\$" >/dev/null; }
for ((i = 0; i < 200; i++)); do
    running && break
    sleep 0.1
done
running || fail "no program was started: $(cat killed)"
kill -9 $killed
wait $killed
for ((i = 0; i < 50; i++)); do
    running || break
    sleep 0.1
done
running && fail "a program outlives the tool that was killed"
pkill -9 -f "fake_program.py $FAKE_CUPTI 100000001"
expect 0 "a model of partitions passes them over" "$DCSIM" profile lint p.db
finish
