#!/bin/bash
# dcsim-calibrate contend, without a GPU: a program with the real recorder inside, against a CUPTI that plays what the
# program says (fake_cupti.c), a control program of MPS that does nothing, and a script in place of `press`.
#
# Pins: the rows of each kernel beside each producer, the one that is slowed by as much as it is slowed; the producer as
# a meter where kernels are most of a request; that a second run replaces the first one's rows and no others, of another size neither; that what was
# measured before a fault is kept; refusals in
# one line; that nothing is left. Does not pin what MPS, CUPTI or a GPU does.
# shellcheck source=tests/e2e/lib.sh
source "$SOURCE_DIR/tests/e2e/lib.sh"

# shellcheck disable=SC2317 # it is called by expect and refused
contend() {
    "$DCSIM_CALIBRATE" contend "$@"
}
refused 'contend needs -o FILE' "no output" contend --run true a
refused 'takes one application' "two" contend -o p.db --run true a b
refused 'how is a run\? --run COMMAND says it' "no command" contend -o p.db a
refused 'percent 0: .*from 1 to 99' "no percentage" contend -o p.db --percent 0 --run true a
refused 'level 3,12: .*from 0 to 11' "no level" contend -o p.db --level 3,12 --run true a
refused 'seconds 0: a number above 0' "no time" contend -o p.db --seconds 0 --run true a
if [[ -z ${FAKE_CUPTI:-} ]]; then
    echo "skipped: programs with the recorder (no cupti.h)"
    finish
fi

export DCSIM_RECORD_CUPTI=$FAKE_CUPTI
fake_mps
# Alone, the first time, it makes twice as many turns as beside the program.
cat >bin/press <<'PRESS'
#!/bin/sh
turns=20
while read -r family level; do
    case $family in
    stop) rm -f "$FAKE_PRESSED"; echo "made $last 4 $turns 1000 0 8"; turns=10 ;;
    broken) echo "fault no producer is called \"$family\"" ;;
    once) [ $turns = 20 ] && echo "runs once 11 4" || echo "fault once is enough"; last=once\ 11 ;;
    *) : >"$FAKE_PRESSED"; last="$family $level"; echo "$CUDA_MPS_ACTIVE_THREAD_PERCENTAGE" >press.percent
        echo "runs $family $level 4" ;;
    esac
done
PRESS
chmod +x bin/press
PATH=$work/bin:$PATH
export FAKE_PRESSED=$work/pressed
program="python3 $SOURCE_DIR/tests/e2e/fake_program.py $FAKE_CUPTI"
for name in a b; do
    # shellcheck disable=SC2086 # words
    expect 0 "$name" "$DCSIM_CALIBRATE" record --name $name --class batch --request waits --once -o p.db -- $program 20
done
endless="exec $program 100000000"
refused 'has no application "c": record it first' "a program that is not there" contend -o p.db --run true c
sqlite3 p.db "INSERT INTO application SELECT 'ours', class, sla_ns, memory_bytes, source FROM application WHERE name = 'a'"
refused 'has no recorded program "ours": record it first' "one that was not recorded" contend -o p.db --run true ours
sqlite3 p.db "DELETE FROM application WHERE name = 'ours'"
refused 'broken 11: no producer is called "broken"' "no such producer" \
    contend -o p.db --press bin/press --family broken --run "$endless" a
refused 'the producer at 42 % has ended' "a producer that ends" contend -o p.db --press true --run "$endless" a
cp p.db q.db
sqlite3 q.db "UPDATE profile SET value = '1.2' WHERE key = 'driver'"
refused 'q.db: was measured with driver 1.2' "another driver, before all is measured" \
    contend -o q.db --press bin/press --family once --seconds 0.5 --run "$endless" a
sqlite3 q.db "UPDATE profile SET value = 'CUDA 13.0' WHERE key = 'driver'; UPDATE profile SET value = 'GPU-1' WHERE key = 'device_uuid'"
FAKE_CUPTI_PART=50 expect 0 "another GPU of the model, which shows a part of itself" contend -o q.db --same-model --press bin/press \
    --family l2-read --level 11 --seconds 0.5 --run "$endless" a
[[ ! -e p.db.contend ]] || fail "a folder is left"

beside=(contend -o p.db --press bin/press --percent 75 --family l2-read --level "5,11" --seconds 0.8 --run "$endless")
expect 0 "beside two levels" "${beside[@]}" a
says out '^a: 9 co-runs of its kernels with producers' "what was stored"
[[ $(<press.percent) == 25 ]] || fail "the producer's part: $(<press.percent)"
rows() { sqlite3 p.db "SELECT c.kind, v.application, v.kernel, v.sms, v.percent, round(v.solo_mean_ns, -3), round(v.mean_ns, -3),
    p.application, p.size, p.sms, p.percent, c.dram_gbs IS NULL, round(c.l2_gbs, 2) FROM corun c JOIN corun_side v ON v.corun = c.id AND v.side = 0
    JOIN corun_side p ON p.corun = c.id AND p.side = 1 ORDER BY c.id"; }
rows >rows.txt
says rows.txt '^sensitivity\|a\|softmax_128x128\|12\|75\|200000\.0\|1200000\.0\|l2-read\|5\|4\|25\|1\|0\.08$' "the kernel that is slowed"
says rows.txt '^sensitivity\|a\|gemm_64x128\|12\|75\|40000\.0\|40000\.0\|l2-read\|11\|' "one that is not"
[[ $(grep -c ^sensitivity rows.txt) == 6 ]] || fail "not six rows: $(<rows.txt)"
# Of 1.34 ms 1.26 are kernels: 50 ns alone, 100 ns in the mean, 107 ns beside a kernel; at level 11 alone.
[[ $(sqlite3 p.db "SELECT count(*), min(p.mean_ns) > 101, max(p.mean_ns) < 125, max(p.solo_mean_ns), min(p.size) FROM corun c
    JOIN corun_side p ON p.corun = c.id AND side = 1 WHERE kind = 'meter'") == '3|1|1|50.0|11' ]] || fail "meters"
expect 0 "another one" "${beside[@]}" b
expect 0 "again" "${beside[@]}" a
[[ $(sqlite3 p.db "SELECT application, count(*) FROM corun_side WHERE side = 0 GROUP BY 1") == $'a|9\nb|9' ]] || fail "again: other rows"
# Requests of another size, whose rows are their own.
# shellcheck disable=SC2086 # words
expect 0 sized "$DCSIM_CALIBRATE" record --name s --class batch --request request --once -o p.db --size n=20,24 -- $program '{n}'
refused 'has "s" at other sizes than 23: record it with --size' "a size that is not there" contend -o p.db --run true s@23
for name in s s@24 s@24; do
    expect 0 "$name" "${beside[@]}" $name
done
says out '^s@24: [0-9]+ co-runs of its kernels with producers' "another size"
[[ $(sqlite3 p.db "SELECT size, count(*) FROM corun_side JOIN corun c ON c.id = corun WHERE side = 0 AND application = 's' AND kind = 'sensitivity'
    GROUP BY 1") == $'20|6\n24|6' ]] || fail "rows by size"
# It ends with the second percentage, which has no row; the first one's stay, and those of 75 %.
ends="if [ \$CUDA_MPS_ACTIVE_THREAD_PERCENTAGE = 40 ]; then exec $program 100000000 resumed; fi; $endless"
expect 2 "a program that ends" "${beside[@]/#75/60,40}" --run "$ends" a
says err 'a at 40 % has ended .*; what was measured before is kept' "which one ended"
[[ $(sqlite3 p.db "SELECT percent, count(*) FROM corun_side WHERE side = 0 AND application = 'a' GROUP BY 1") == $'60|9\n75|9' ]] ||
    fail "rows before a fault"
# One that does not end when it is told to, and goes on recording.
expect 0 "a program that ignores that it is to end" contend -o p.db --press bin/press --family l2-read --level 11 --run "trap '' INT; $endless" a
says err '^dcsim-calibrate: a at 50 % did not end when told to, and was killed: ' "that it was killed"
says out '^a: [1-9][0-9]* co-runs' "what it recorded"
[[ $(<press.percent) == 42 ]] || fail "the producer's part beside 50 %: $(<press.percent)"
[[ ! -e p.db.contend && ! -e pressed ]] || fail "something is left"
pgrep -f "fake_program.py $FAKE_CUPTI 100000000" >/dev/null && fail "a program is left"
finish
