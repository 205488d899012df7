#!/bin/bash
# dcsim-calibrate record, without a GPU: from recordings made by hand, and, in a build that has CUPTI's header, with
# the real recorder inside a program, against a CUPTI that plays what the program says (fake_cupti.c).
#
# Pins: a recorded program is an application that dcsim simulates by name, alone as long as it took; what is said of
# its requests; several percentages, one without a recording among them; several sizes, and sizes between them; that
# gaps are made to fit how long requests take without being recorded; that a profile takes further applications and
# replaces one only if told to; what is refused, in one line each, and what is kept then; that the recorder sees kernels,
# calls, waits, NVTX ranges and children, and says why it cannot. Does not pin what CUPTI or a GPU does.
# shellcheck source=tests/e2e/lib.sh
source "$SOURCE_DIR/tests/e2e/lib.sh"

# shellcheck disable=SC2317 # it is called by expect and refused
record() {
    "$DCSIM_CALIBRATE" record "$@"
}
query() {
    sqlite3 p.db "$1"
}

# write_recording FOLDER SMS SCALE REQUESTS: each request is a copy to the device and two kernels, of 20 and 40 us on
# all SMs, the second launched 100 us after the first, and takes 400 us with a wait at its end. On fewer SMs the second
# has another function.
write_recording() {
    local folder=$1 sms=$2 scale=$3 requests=$4 i at second=5
    mkdir -p "$folder"
    ((scale == 1)) || second=6
    {
        echo "dcsim-recording 2"
        echo "P 10 1 1000 python3 serve.py"
        echo "F 1 cudaLaunchKernel_v7000"
        echo "F 2 cudaMemcpyAsync_v3020"
        echo "F 3 request"
        echo "F 4 _ZN2my4gemmIfEEvPT_"
        echo "F 5 void softmax<float>(float*)"
        echo "F 6 void softmax_few<float>(float*)"
        echo "N request"
        echo "D 0 $sms 8589934592 4194304 1500000 13000 32 2048 65536 102400 1024 GPU-ab Some GPU"
        for ((i = 0; i < requests; i++)); do
            at=$(((i + 1) * 1000000))
            echo "B $i $at 7 3"
            echo "A $((3 * i)) $((at + 10000)) $((at + 12000)) 7 2"
            echo "C $((3 * i)) $((at + 15000)) $((at + 16000)) 0 7 1 4096 0"
            echo "A $((3 * i + 1)) $((at + 100000)) $((at + 105000)) 7 1"
            echo "K $((3 * i + 1)) $((at + 106000)) $((at + 106000 + 20000 * scale)) 0 7 64 128 32 0 1 4"
            echo "A $((3 * i + 2)) $((at + 200000)) $((at + 205000)) 7 1"
            echo "K $((3 * i + 2)) $((at + 206000)) $((at + 206000 + 40000 * scale)) 0 7 256 128 32 0 8 $second"
            echo "W 0 $((at + 210000)) $((at + 395000)) 0 3"
            echo "R $i $((at + 400000))"
        done
        echo "E 90000000 1048576"
    } >"$folder/10-1.record"
}

write_recording r/100 16 1 12
write_recording r/25 4 3 12
app=(--name bert --class service --request request -o p.db --from r)
expect 0 "from a recording" record "${app[@]}" --percent 25
says out '^bert: 2 kernels and 1 copies a request, from 9 of 12 requests \(3 at the beginning left out\)' "the requests"
says out '^ +16 +- +0\.400 ms .* 0\.060 ms +0\.001 ms +0\.339 ms +0\.400 ms +3/3 ' "the whole device"
says out '^ +4 +25 % +0\.400 ms .* 0\.180 ms .* 2/3 ' "fewer SMs, where one kernel is another"
[[ $(query "SELECT name, class, sla_ns, memory_bytes FROM application") == 'bert|latency||1048576' ]] || fail "application"
[[ $(query "SELECT kernel FROM request_kernel ORDER BY position") == $'copy_to_device_4096\ngemm_64x128\nsoftmax_256x128' ]] ||
    fail "kernels: $(query "SELECT kernel FROM request_kernel ORDER BY position")"
[[ $(query "SELECT name FROM request_kernel WHERE position = 1") == 'void my::gemm<float>(float*)' ]] || fail "function"
[[ $(query "SELECT median_ns FROM kernel_solo WHERE kernel LIKE 'softmax%' ORDER BY sms") == $'120000\n40000' ]] ||
    fail "a kernel on fewer SMs is that at its place"
[[ $(query "SELECT function FROM recorded_launch WHERE sms = 4 AND position = 2") == 'void softmax_few<float>(float*)' ]] ||
    fail "the sequence of each allotment is kept"
[[ $(query "SELECT mechanism || sms, percent, matched, requests FROM recorded ORDER BY sms") == $'mps4|25|2|9\nwhole16|100|3|9' ]] ||
    fail "recorded"
[[ $(query "SELECT kernel, mechanism, sms, cluster_blocks, blocks FROM kernel_cluster ORDER BY sms") == \
    $'softmax_256x128|mps|4|8|256\nsoftmax_256x128|whole|16|8|256' ]] || fail "the kernel in clusters of blocks, on each number of SMs"

[[ $(query "SELECT sum(duration_ns) BETWEEN 399998 AND 400002 FROM kernel") == 1 ]] || fail "on a device that is not shared"

cat >c.json <<'END'
{ "name": "recorded", "profile": "./p.db", "sharing": { "model": "spatial" }, "policy": { "name": "mps-even" },
  "workload": { "services": [ { "application": "bert", "arrivals": { "rate_per_s": 20 } } ] },
  "horizon": { "duration_s": 5, "warmup_s": 1 } }
END
expect 0 "a simulation" "$DCSIM" --config c.json --output run.db
[[ $(sqlite3 run.db "SELECT min_ns = 400000 AND sum_ns / count BETWEEN 396000 AND 420000 FROM response") == 1 ]] ||
    fail "a request alone takes what it took"
# On 8 SMs the kernels take 33.3 and 66.7 us: the first hides behind the launch of the second, after which come
# 66.7 us and what followed the request.
grep -qs 'on partitions' out err && fail "partitions are told of under mps-even"
expect 0 "a simulation on half" "$DCSIM" --config c.json --set policy.name=fixed-split --output half.db
[[ $(sqlite3 half.db "SELECT min_ns BETWEEN 426600 AND 426700 FROM response") == 1 ]] ||
    fail "the host launches when it launches: $(sqlite3 half.db "SELECT min_ns FROM response")"
[[ $(sqlite3 half.db "SELECT falls_back FROM input") == *'on partitions, which fixed-split can make, '*': bert'* ]] ||
    fail "that a recorded program has no partitions is not told"
cp p.db older.db
sqlite3 older.db "DELETE FROM kernel_cluster"
expect 0 "a profile of an older recorder" "$DCSIM" --config c.json --set profile=./older.db --output older-run.db
grep -qs 'of 1 recorded program no kernel is known to come in' out err || fail "that clusters were not recorded is not told"
expect 0 "lint" "$DCSIM" profile lint p.db
says out '^0 errors' "lint"
expect 0 "split" "$DCSIM" profile split p.db s
expect 0 "a simulation of the split profile" "$DCSIM" --quiet --config c.json --set profile=./s.sql.gz --output split.db
[[ $(sqlite3 run.db "SELECT sum(sum_ns) FROM response") == $(sqlite3 split.db "SELECT sum(sum_ns) FROM response") ]] ||
    fail "the split profile gives other results"

# --- further applications, and one again ---
refused 'p\.db: has an application "bert": take another --name, or --replace it' "there already" record "${app[@]}"
expect 0 "in its place" record "${app[@]}" --replace --class batch
[[ $(query "SELECT class FROM application; SELECT count(*) FROM recorded") == $'batch\n1' ]] || fail "replaced"
expect 0 "another" record --name other --class service --sla-ms 2.5 --request waits --requests 5 -o p.db --from r
says out '^other: .* from 5 of 12 requests' "the last five"
[[ $(query "SELECT sla_ns FROM application WHERE name = 'other'") == 2500000 ]] || fail "its SLA"
[[ $(query "SELECT count(DISTINCT application) FROM kernel") == 2 ]] || fail "both are there"
expect 1 "a percentage that was not recorded" record --name some --class batch -o p.db --from r --percent 50,25
says err 'at 50 %: .*nothing was recorded at 50 %: the rest is kept' "what is missing"
[[ $(query "SELECT group_concat(percent) FROM (SELECT percent FROM recorded WHERE application = 'some' ORDER BY 1)") == 25,100 ]] ||
    fail "the rest is kept"

# --- several percentages: what a request is comes from the whole device ---
write_recording r/26 4 5 12
write_recording r/12 2 6 10
sed -i '/^W/d' r/12/10-1.record # the host never waits there
expect 0 "two percentages of as many SMs" record --name same --class batch --request request -o p.db --from r --percent 25,26,12
says err '^dcsim-calibrate: 26 % are 4 SMs, as 25 % are: what was recorded at 25 % is stored$' "two percentages of as many SMs"
says out '^requests differ: there are 10 at 12 %, and 12 on the whole device$' "how many requests there are"
[[ $(query "SELECT group_concat(percent) FROM (SELECT percent FROM recorded WHERE application = 'same' ORDER BY 1)") == 12,25,100 ]] ||
    fail "the first one is kept"
[[ $(query "SELECT median_ns FROM kernel_solo WHERE application = 'same' AND kernel LIKE 'softmax%' AND sms = 4") == 120000 ]] ||
    fail "the first one is not written over"
expect 1 "a percentage without waits" record --name once --class batch -o p.db --from r --percent 12
says err 'at 12 %: the host never waits' "a percentage at which a request would be something else"
awk '/^K/ && $7 == 256 { next } { print }' r/25/10-1.record >r/12/10-1.record
expect 0 "fewer kernels" record --name fewer --class batch --request request -o p.db --from r --percent 12
says out '^requests differ: one consists of 2 kernels and copies at 12 %, and of 3 on the whole device$' "fewer kernels"

# --- several sizes: kernels of size 8 take twice as long as those of size 2, and its requests 100 us longer ---
write_recording z/batch-8/100 16 2 12
write_recording z/batch-2/100 16 1 12
write_recording z/batch-2/25 4 3 12
awk '$1 == "R" { $3 += 100000 } $1 == "W" { $4 += 100000 } 1' z/batch-8/100/10-1.record >longer
mv longer z/batch-8/100/10-1.record
sized=(--name sized --class batch --request request -o sized.db --from z --size "batch=8,2")
expect 1 "sizes, of which one lacks a percentage" record "${sized[@]}" --percent 25
says err 'at batch 8, 25 %: .*nothing was recorded at 25 %: the rest is kept' "what is missing"
says out '^sized, batch 8: 2 kernels and 1 copies a request, from 9 of 12' "the first size"
says out '^sized, batch 2: 2 kernels and 1 copies a request, from 9 of 12' "the second size"
[[ $(sqlite3 sized.db "SELECT size_unit, size_min, size_max, size_default FROM subject") == 'batch|2|8|8' ]] || fail "its sizes"
[[ $(sqlite3 sized.db "SELECT size, sms, median_ns FROM kernel_solo WHERE kernel LIKE 'softmax%' ORDER BY 1, 2") == \
    $'2|4|120000\n2|16|40000\n8|16|80000' ]] || fail "kernels by size"
# Requests wait for their host at each size, those of a size between two measured ones, too.
sed 's,"p.db","sized.db",; s,"./p.db","./sized.db",; s,"application": "bert","application": "sized",; s,"services","batch",
    s/, "arrivals": { "rate_per_s": 20 }/, "clients": 1, "input": "8"/' c.json >sized.json
for size in 2 3 4 5 6 7 8; do
    expect 0 "a simulation of size $size" "$DCSIM" --quiet --config sized.json --set "workload.batch[0].input=\"$size\"" --output "s$size.db"
    [[ $(sqlite3 "s$size.db" "SELECT abs(min_ns - (400000 + 100000 * ($size - 2) / 6)) <= 2 FROM response") == 1 ]] ||
        fail "size $size: $(sqlite3 "s$size.db" "SELECT min_ns FROM response")"
done
[[ $(sqlite3 sized.db "SELECT sum(duration_ns) BETWEEN 499998 AND 500002 FROM kernel") == 1 ]] || fail "the default size, on a device that is not shared"
mv z/batch-2 z/batch-3
expect 1 "a size that was not recorded" record "${sized[@]}" --replace
says err 'at batch 2, 100 %: .*cannot be read: No such file.*: the rest is kept' "which one"
[[ $(sqlite3 sized.db "SELECT DISTINCT size FROM request_solo") == 8 ]] || fail "the rest is kept"

# --- what is refused ---
new=(--name x --class batch -o x.db)
refused 'record needs --name NAME' "no name" record --class batch -o x.db -- true
refused 'record needs --class' "no class" record --name x -o x.db -- true
refused 'record needs -o FILE' "no output" record --name x --class batch -- true
refused 'record needs -- PROGRAM' "no program" record "${new[@]}"
refused 'service or batch is expected' "another class" record "${new[@]}" --class fast -- true
refused 'whole numbers from 1 to 100' "another percentage" record "${new[@]}" --percent 100,none -- true
refused 'whole numbers from 1 to 100' "too much" record "${new[@]}" --percent 101 -- true
refused '1 to 64 printable' "a name with a slash" record "${new[@]}" --name a/b -- true
refused 'goes with --class service' "an SLA of none" record "${new[@]}" --sla-ms 1 -- true
refused 'a number above 0' "no requests" record "${new[@]}" --requests 0 -- true
refused 'size batch: what it counts and numbers are expected, such as batch=8,1,2,4' "no sizes" record "${new[@]}" --size batch -- true
refused 'size batch=1,1: at most 32 different whole numbers' "a size twice" record "${new[@]}" --size batch=1,1 -- true
refused 'size b=1: one of them is taken, and --size batch was given' "two kinds of sizes" record "${new[@]}" --size batch=1 --size b=1 -- true
refused 'size batch=0: at most' "no size" record "${new[@]}" --size batch=0 -- true
refused 'no argument of the program has \{batch\} in it' "sizes of nothing" record "${new[@]}" --size batch=1,2 -- true batch
refused 'request "": 1 to 255 bytes' "a request without a name" record "${new[@]}" --request '' -- true
refused '1 to 255 bytes' "a long name" record "${new[@]}" --request "$(printf 'x%.0s' {1..256})" -- true
refused 'without a program' "both" record "${new[@]}" --from r -- true
refused 'nothing.*cannot be read: No such file' "no recording" record "${new[@]}" --from nothing
refused 'no NVTX range "a\\x0ask".*ranges are request;' "another range" record "${new[@]}" --from r --request $'a\nsk'
CUDA_INJECTION64_PATH=/x refused 'another tool would watch' "watched" record "${new[@]}" -- true
mkdir -p none/100 two/100 torn/100 $'ill\e[2J/100'
sed '/^K/d' r/100/10-1.record >none/100/1.record
refused 'launched no kernel$' "no kernel" record "${new[@]}" --from none
sed 's/^\(K [0-9]* [0-9]* [0-9]*\) 0 7 256/\1 1 7 256/' r/100/10-1.record >two/100/1.record
refused 'used 2 devices.*CUDA_VISIBLE_DEVICES' "two devices" record "${new[@]}" --from two
{ cat r/100/10-1.record && echo "K what"; } >torn/100/1.record
refused 'torn/100/1\.record:120: .*damaged' "a damaged file" record "${new[@]}" --from torn
{ cat r/100/10-1.record && printf 'N \033[2J\n'; } >$'ill\e[2J/100/1.record'
refused 'ill\\x1b\[2J/100/1\.record:120: a byte that is not printable ASCII' "an escape" record "${new[@]}" --from $'ill\e[2J'
echo "this is no database, and long enough to be looked at" >y.db
refused 'y\.db: .*(no database|damaged)' "no database" record --name x --class batch -o y.db --from r
sed 's/GPU-ab Some GPU/GPU-cd Some GPU/' r/100/10-1.record >none/100/1.record
refused 'profile of another device.*--same-model' "another device" record --name x --class batch -o p.db --from none
expect 0 "of the same model" record --name x --class batch -o p.db --from none --same-model

# --- with the recorder inside a program ---
if [[ -z ${FAKE_CUPTI:-} ]]; then
    refused 'has no recorder.*cupti\.h' "no recorder" record "${new[@]}" -- true
    echo "skipped: the recorder in a program (no cupti.h)"
    finish
fi
export DCSIM_RECORD_CUPTI=$FAKE_CUPTI
program=(python3 "$SOURCE_DIR/tests/e2e/fake_program.py" "$FAKE_CUPTI" 20)
expect 0 "a program" record --name live --class service --request request -o live.db -- "${program[@]}"
says out '^live: 3 kernels and 0 copies a request, from 15 of 20' "its requests"
says out '^ +16 +- .* 0\.260 ms +0\.000 ms .* 3/3 +[-+][0-9]' "its kernels, and what recording costs"
[[ ! -e live.db.live.recording ]] || fail "the recording is left"
[[ $(sqlite3 live.db "SELECT group_concat(median_ns) FROM recorded_launch") == 40000,200000,20000 ]] || fail "times"
# Without being recorded a request takes 320 us in place of 400: its gaps are made to fit that.
says out '^ +16 .* 0\.[0-9]+ ms$' "a request without the recorder"
[[ $(sqlite3 live.db "SELECT c.requests, c.median_ns >= 320000, abs(r.alone_ns - c.median_ns) < 4, q.median_ns = c.median_ns, c.recorded_ns >= 400000,
    gaps_scale BETWEEN 0.3 AND 0.99
    FROM recorded_clock c JOIN recorded r USING (application, size, sms) JOIN request_solo q USING (application, size, sms)") == '15|1|1|1|1|1' ]] ||
    fail "its clock: $(sqlite3 live.db "SELECT * FROM recorded_clock")"
# Its device memory is its own, not that of the other process there.
[[ $(sqlite3 live.db "SELECT memory_bytes FROM application") == 1073741824 ]] || fail "memory of this process"
FAKE_NVML=alone expect 0 "NVML in a container" record --name contained --class batch --request request -o live.db --once \
    -- "${program[@]}"
FAKE_NVML=foreign expect 0 "NVML with other numbers" record --name strange --class batch --request request -o live.db --once \
    -- "${program[@]}"
says out 'device memory is not known, and is 0 in the profile' "NVML with other numbers"
# Where the run without the recorder fails, or requests are not all alike, gaps stay what they were.
FAKE_PLAIN=fail expect 0 "a plain run that fails" record --name failed --class batch --request request -o live.db -- "${program[@]}"
FAKE_PLAIN=few expect 0 "no range in a plain run" record --name few --class batch --request request -o live.db -- "${program[@]}"
says err 'at 100 %: how long a request takes without being recorded is not known: no range was told' "no range"
[[ $(sqlite3 live.db "SELECT count(*) FROM recorded_launch WHERE host_gap_ns = 200000 AND application IN ('failed', 'few')") == 2 ]] || fail "gaps without a clock"
expect 0 "requests that differ" record --name differ --class batch --request request -o live.db -- "${program[@]}" differ
says err 'requests are not all alike$' "requests that differ"
[[ $(sqlite3 live.db "SELECT group_concat(host_gap_ns) FROM recorded_launch WHERE position > 0 AND application = 'contained'") == 100000,200000 ]] ||
    fail "the host's part, from begins: $(sqlite3 live.db "SELECT group_concat(host_gap_ns) FROM recorded_launch")"
[[ $(sqlite3 live.db "SELECT count(*) FROM recorded_clock") == 1 ]] || fail "a clock of programs that ran once"
[[ $(sqlite3 live.db "SELECT memory_bytes FROM application WHERE name IN ('contained', 'strange') ORDER BY name") == $'1073741824\n0' ]] ||
    fail "memory where NVML has other numbers"
expect 0 "sizes" record --name sizes --class batch --request request -o live.db --once --size requests=24,28 \
    -- "${program[@]:0:3}" '{requests}'
[[ $(sqlite3 live.db "SELECT size, found, command LIKE '%fake_program.py % ' || size FROM recorded WHERE application = 'sizes' ORDER BY size") == \
    $'24|24|1\n28|28|1' ]] || fail "sizes: $(sqlite3 live.db "SELECT size, found, command FROM recorded WHERE application = 'sizes'")"
[[ $(sqlite3 live.db "SELECT algorithm LIKE '%{requests}' FROM subject WHERE application = 'sizes'") == 1 ]] || fail "its command"
expect 0 "with calls" record --name calls --class service --request request -o live.db --once --calls -- "${program[@]}"
[[ $(sqlite3 live.db "SELECT group_concat(host_gap_ns) FROM recorded_launch WHERE position > 0 AND application = 'calls'") == 100000,100000 ]] ||
    fail "the host's part, from calls: $(sqlite3 live.db "SELECT group_concat(host_gap_ns) FROM recorded_launch")"
expect 0 "waits, in a child" record --name child --class batch -o live.db --once --keep -- "${program[@]}" child
says out '^child: 3 kernels .* from 15 of 20' "a child"
[[ -e live.db.child.recording/100/walls ]] || fail "--keep keeps it"
refused 'recording: cannot be made: File exists; .*--from' "a recording that is left" \
    record --name child --class batch -o live.db --replace -- "${program[@]}"
expect 1 "a crash" record --name crash --class batch --request request -o live.db --once -- "${program[@]}" crash
says err 'ended by signal 11 .*kept' "a crash"
says err 'the recording is in live\.db\.crash\.recording: --from reads it again' "a crash"
[[ -e live.db.crash.recording/100 ]] || fail "the recording of a crash is not there"
expect 1 "a failure" record --name fails --class batch --request request -o live.db --once -- "${program[@]}" fail
says err 'exit code 3: .*kept' "a failure"
[[ $(sqlite3 live.db "SELECT count(*) FROM recorded WHERE requests = 15") == 9 ]] || fail "what was recorded is kept"
expect 1 "a program that forks away" record --name away --class batch -o live.db --once -- "${program[@]}" daemon
says err 'left process [0-9]+ behind.*foreground' "a program that forks away"
refused 'launched no kernel, and has not used CUDA' "nothing launched" record "${new[@]}" --once -- "${program[@]}" none
refused 'no-such-program cannot be started: No such file' "no program" record "${new[@]}" -- no-such-program
FAKE_CUPTI_REFUSES=all expect 2 "CUPTI serves another" record "${new[@]}" --once -- "${program[@]}"
says err 'nothing was recorded: CUPTI cannot hand over records: CUPTI_ERROR_MULTIPLE_SUBSCRIBERS' "CUPTI serves another"
FAKE_CUPTI_REFUSES=copies expect 2 "CUPTI refuses one kind" record "${new[@]}" --once -- "${program[@]}"
says err 'CUPTI cannot record copies: CUPTI_ERROR_NOT_COMPATIBLE' "CUPTI refuses one kind"
FAKE_CUPTI_REFUSES=calls expect 2 "CUPTI refuses calls" record "${new[@]}" --once --calls -- "${program[@]}"
says err 'CUPTI cannot record calls of CUDA.s runtime: CUPTI_ERROR_NOT_COMPATIBLE' "CUPTI refuses calls"
if ! command -v nvidia-cuda-mps-control >/dev/null; then
    expect 1 "no MPS" record --name alone --class batch --request request --percent 100,50 -o live.db --once -- "${program[@]}"
    says err 'at 50 %: MPS is not here: nvidia-cuda-mps-control is not found in PATH; .*: the rest is kept' "what is missing"
    rm -r live.db.alone.recording
fi
DCSIM_RECORD_CUPTI=/nowhere.so expect 2 "no CUPTI" record "${new[@]}" --once -- "${program[@]}"
says err 'CUPTI \(libcupti\.so\) is not found: .*LD_LIBRARY_PATH' "no CUPTI"
[[ ! -e x.db ]] || fail "a profile of nothing"

# --- interrupted: the program is told, with its children, and waited for; nothing is stored ---
# begin PATTERN COMMAND...: in the background, until there is such a file; pid is its process.
begin() {
    local file=$1 i
    shift
    "$@" >out 2>err </dev/null &
    pid=$!
    for ((i = 0; i < 200; i++)); do
        compgen -G "$file" >/dev/null && return
        sleep 0.05
    done
    fail "$file: the program has not begun"
}
# all_gone PID...: a killed child may be collected a moment later.
all_gone() {
    local i p
    for ((i = 0; i < 100; i++)); do
        for p in "$@"; do [[ -e /proc/$p && $(cut -d' ' -f3 "/proc/$p/stat" 2>/dev/null) != Z ]] && break; done || return 0
        sleep 0.05
    done
    return 1
}
export FAKE_PIDS=$work/pids
before=$(sqlite3 live.db .dump)
for signal in INT TERM; do
    begin pids "$DCSIM_CALIBRATE" record --name plain --class batch -o live.db -- "${program[@]}" long
    read -r -a numbers <pids
    kill -"$signal" "$pid"
    wait "$pid"
    code=$?
    [[ $code == 130 ]] || fail "a plain run, SIG$signal: exit code $code"
    says err 'interrupted \((Interrupt|Terminated)\): the program was told, and has ended; nothing is stored' "SIG$signal"
    all_gone "${numbers[@]}" || fail "a plain run, SIG$signal: the program goes on"
    [[ ! -e live.db.plain.recording ]] || fail "a plain run, SIG$signal: a folder without a recording is left"
    rm pids
done
begin pids "$DCSIM_CALIBRATE" record --name stubborn --class batch -o live.db --once -- "${program[@]}" stubborn
read -r -a numbers <pids
kill -INT "$pid"
sleep 0.3
[[ -e /proc/$pid ]] || fail "a program that goes on is not waited for"
kill -INT "$pid"
wait "$pid"
all_gone "${numbers[@]}" || fail "a second Ctrl-C does not end the program"
begin 'live.db.long.recording/100/*.record' "$DCSIM_CALIBRATE" record --name long --class batch --request request \
    -o live.db --once -- "${program[@]:0:3}" 500 slow
sleep 3
kill -INT "$pid"
wait "$pid"
code=$?
[[ $code == 130 ]] || fail "interrupted: exit code $code"
says err 'interrupted .*nothing is stored' "interrupted"
says err 'the recording is in live\.db\.long\.recording: --from reads it again' "where it is"
[[ $before == "$(sqlite3 live.db .dump)" ]] || fail "an interrupted recording is stored"
expect 0 "what was recorded until then" record --name long --class batch --request request -o live.db \
    --from live.db.long.recording
says out '^long: 3 kernels' "what was recorded until then"
finish
