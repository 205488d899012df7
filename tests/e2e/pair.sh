#!/bin/bash
# dcsim-calibrate pair, without a GPU: programs with the real recorder inside, against a CUPTI that plays what the
# program says (fake_cupti.c), and a control program of MPS that does nothing.
#
# Pins: programs are started once at each percentage, run alone and together, and their requests of both are rows of
# the profile; what they have at a percentage in their environment; what is refused, in one line each; that nothing of
# them is left. Does not pin what MPS, CUPTI or a GPU does.
# shellcheck source=tests/e2e/lib.sh
source "$SOURCE_DIR/tests/e2e/lib.sh"

# shellcheck disable=SC2317 # it is called by expect and refused
pair() {
    "$DCSIM_CALIBRATE" pair "$@"
}
refused 'pair needs -o FILE' "no output" pair --half dev a b
refused 'pair needs --half dev' "no half" pair -o p.db a b
refused 'dev, test or test2 is expected' "another half" pair -o p.db --half best a b
refused 'takes 2 to 8 applications' "one" pair -o p.db --half dev --run a=true a
refused 'how is b run\? --run .b=COMMAND. says it' "no command" pair -o p.db --half dev --run a=true a b
refused 'NAME=COMMAND is expected' "no name" pair -o p.db --half dev --run true a b
refused 'percent: 1 numbers, and there are 2 applications' "a percentage too few" \
    pair -o p.db --half dev --percent 50 --run a=true --run b=true a b
refused 'from 1 to 100' "no percentage" pair -o p.db --half dev --percent 50,x --run a=true --run b=true a b
refused 'a number above 0' "no time" pair -o p.db --half dev --seconds 0 --run a=true --run b=true a b
refused 'p\.db: (No such file|.*not)' "no profile" pair -o p.db --half dev --run a=true --run b=true a b
if [[ -z ${FAKE_CUPTI:-} ]]; then
    echo "skipped: programs with the recorder (no cupti.h)"
    finish
fi

export DCSIM_RECORD_CUPTI=$FAKE_CUPTI
mkdir bin
cat >bin/nvidia-cuda-mps-control <<'END'
#!/bin/sh
pid=$CUDA_MPS_PIPE_DIRECTORY/nvidia-cuda-mps-control.pid
case $1 in
-d) { "$0" daemon & echo $! >"$pid"; } ;;
daemon) while :; do sleep 0.05; done ;;
*) read -r order; case $order in quit*) kill "$(cat "$pid")"; rm "$pid" ;; esac ;;
esac
END
chmod +x bin/nvidia-cuda-mps-control
PATH=$work/bin:$PATH
program="python3 $SOURCE_DIR/tests/e2e/fake_program.py $FAKE_CUPTI"
for name in a b; do
    # shellcheck disable=SC2086 # words
    expect 0 "$name" "$DCSIM_CALIBRATE" record --name $name --class batch --request request --once -o p.db -- $program 20
done
refused 'has no application "c": record it first' "an application that is not there" \
    pair -o p.db --half dev --run a=true --run c=true a c
refused 'a at 50 % has ended \(exit code 0\), and shall serve until it is told to end: done' "one that ends" \
    pair -o p.db --half dev --run 'a=echo done' --run b=true a b
[[ ! -e p.db.pair ]] || fail "a folder is left"
endless="env >env.\$CUDA_MPS_ACTIVE_THREAD_PERCENTAGE; exec $program 100000000"
expect 0 "two programs in two splits" pair -o p.db --half test --percent 50,50 --percent 75,25 --seconds 2 \
    --run "a=$endless" --run "b=$endless" a b
says out '^a at 50 %: [0-9.]+ ms alone, [0-9.]+ ms together; b at 50 %: ' "what they took"
[[ $(sqlite3 p.db "SELECT group_concat(kind || mechanism || half) FROM corun") == programsmpstest,programsmpstest ]] || fail "corun"
[[ $(sqlite3 p.db "SELECT application, kernel, sms, percent FROM corun_side ORDER BY corun, side") == \
    $'a|request|8|50\nb|request|8|50\na|request|12|75\nb|request|4|25' ]] || fail "its sides"
[[ $(sqlite3 p.db "SELECT min(n) > 1 AND min(solo_n) > 1 AND min(median_ns) >= 400000 FROM corun_side") == 1 ]] ||
    fail "their requests: $(sqlite3 p.db "SELECT n, solo_n, median_ns FROM corun_side")"
[[ $(echo env.*) == "env.25 env.50 env.75" ]] || fail "their percentages"
[[ ! -e p.db.pair ]] || fail "a folder is left"
pgrep -f "fake_program.py $FAKE_CUPTI 100000000" >/dev/null && fail "a program is left"
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
