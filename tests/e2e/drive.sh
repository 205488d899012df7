#!/bin/bash
# dcsim --drive: runs on a GPU that really runs, here one that dcsim-calibrate plays by a clock.
#
# Pins: a run, by a policy that is built in or loaded, leaves requests and what became of each launch, in tables of its own; under MPS kernels of applications run beside
# each other, each with the SMs that the policy gave it; what a policy revokes is killed with its process, or by a trap, and runs again in another, or exits by a flag; merging keeps these, into a new
# database and into one of simulations; what cannot be carried out, and an application that fails its check, is refused in one line
# before anything is made, and nothing of it is left; runs of two GPUs do not come into one experiment, nor does a database go on on another GPU; summaries, compare and report say
# what was measured; explain refuses rows that no run can have left; a kill -9 of either side ends the other. Does not pin: a real GPU, times (unit/engine/test_driven has them
# to the ns).
# shellcheck source=tests/e2e/lib.sh
. "$(dirname "$0")/lib.sh"
tool=$BINARY_DIR/calibrate/dcsim-calibrate
[[ -x $tool ]] || {
    echo "skipped: there is no dcsim-calibrate"
    exit 77
}
# One of its own: other tests run the program, too, and what is left of this one's processes is counted.
cp "$tool" dcsim-calibrate
tool=$PWD/dcsim-calibrate
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
"${CC:-cc}" -std=c11 -O2 -fPIC -shared -I"$SOURCE_DIR/src" -o mine.so "$SOURCE_DIR/docs/template-policy.c" || fail "the template does not build"
expect 0 "one by a policy that is loaded" driven -o loaded.db --policy ./mine.so --set 'policy={}'
[[ $(count loaded.db "FROM driven_launch WHERE end_ns IS NOT NULL") -gt 10 ]] || fail "a loaded policy launched nothing"
expect 0 "one by MPS, each application with a process of its own" driven -o mps.db --set policy.name=mps-even
[[ $(count mps.db "FROM driven_launch a JOIN driven_launch b WHERE a.job < b.job AND a.launched_ns + a.event_ns < b.event_ns + b.launched_ns
    AND b.event_ns + b.launched_ns < a.event_ns + a.end_ns") -gt 5 ]] || fail "no kernel began beside one of the other application"
expect 0 "one that fuses kernels" driven -o fused.db --set policy.name=tacker --set policy.reorder=one
[[ $(count fused.db "FROM driven_launch WHERE end_ns IS NOT NULL") -gt 10 ]] || fail "no launches"
# With three applications mps-even caps each at 2/3 of 32 SMs, mps-priority the batch ones at a half.
three=(--set 'workload.batch=[{"application":"stream"},{"application":"solve"}]')
expect 0 "caps of MPS" driven -o caps.db --set policy.name=mps-even "${three[@]}"
expect 0 "other caps" driven -o caps.db --set policy.name=mps-priority "${three[@]}"
sqlite3 caps.db "SELECT e.policy, a.name, l.sms, count(*) > 5 FROM driven_launch l JOIN request r USING (experiment, replication, job, number)
    JOIN application a ON a.experiment = r.experiment AND a.app = r.app JOIN experiment e ON e.id = r.experiment
    WHERE l.got_sms = l.sms AND (l.sms < 32 OR r.app = 0) GROUP BY 1, 2, 3 ORDER BY 1, 2, 3" >out
printf '%s|1\n' 'mps-even|answer|21' 'mps-even|solve|21' 'mps-even|stream|21' 'mps-priority|answer|32' 'mps-priority|solve|16' \
    'mps-priority|stream|16' >wanted
diff wanted out || fail "caps are not those of the policies"
[[ $(count real.db 'FROM driven') -eq 2 ]] || fail "the runs are not marked as driven"
[[ $(count real.db "FROM driven_launch l JOIN request USING (experiment, replication, job, number)
    WHERE l.sent_ns <= l.taken_ns AND l.taken_ns <= l.launched_ns AND l.launched_ns <= l.end_ns") -gt 10 ]] || fail "no launches"
expect 0 "the same simulated" "$DCSIM" run c.json --quiet -o sim.db
launches=$(count real.db 'FROM driven_launch')

# ---- Revocation: processes are killed, and others take their places ----
kills=(--set 'policy={"name":"priority","revocation":true}' --set revocation.mechanism=process_kill --set revocation.kill_ms=5 --set 'workload.services[0].arrivals.rate_per_s=10')
# A client has one request at a time: behind what was killed its next launch is the same kernel again, whenever that comes.
behind_killed() {
    count "$1" "FROM driven_revocation d JOIN driven_launch l USING (experiment, replication, position) JOIN driven_launch n
        ON n.position = (SELECT min(position) FROM driven_launch WHERE job = l.job AND position > l.position)
        WHERE l.end_ns IS NULL AND d.gone_ns > 0 AND ((n.number, n.kernel) = (l.number, l.kernel)) = $2"
}
# On a slow machine a new process is ready later than the end of a short run.
seconds=1.5
for longer in 5 15 no; do
    rm -f killed.db
    expect 0 "a policy that revokes" driven -o killed.db "${kills[@]}" --set horizon.duration_s=$seconds
    [[ $longer == no || $(behind_killed killed.db 1) -gt 0 ]] && break
    seconds=$longer
done
says err '^dcsim-calibrate: [1-9][0-9]* processes were killed, gone after .* ms in the mean .*; [0-9]+ were made meanwhile' "what killing took"
[[ $(behind_killed killed.db 1) -gt 0 && $(behind_killed killed.db 0) -eq 0 ]] || fail "what was revoked did not run again"
[[ $(count killed.db "FROM metric WHERE name = 'revocations' AND value > 0") -gt 0 && $(count killed.db "FROM metric WHERE name = 'lost' AND value > 0") -gt 0 ]] ||
    fail "revocations are not counted"
[[ $(count killed.db "FROM driven_revocation WHERE gone_ns IS NOT NULL AND (gone_ns <= 0 OR launched_ns IS NULL)") -eq 0 ]] ||
    fail "a process has gone that had nothing"
"$DCSIM" run c.json -o killed.db --drive "$tool" "${kills[@]}" --set horizon.duration_s=$seconds >out 2>err
says out '^revocations by process_kill +[1-9][0-9]*' "the summary names how"
expect 0 "a report of what was revoked" "$DCSIM" report killed.db -o killed.html
says killed.html '<li>Revoked kernels were stopped by: process_kill \([1-9][0-9]* in 1 experiments\)' "the report names how"
for how in trap asm_exit; do
    for longer in 5 15 no; do
        rm -f $how.db
        "$DCSIM" run c.json -o $how.db --drive "$tool" "${kills[@]}" --set revocation.mechanism=$how --set horizon.duration_s=$seconds \
            >out 2>err || fail "$how: $(cat err)"
        [[ $longer == no || $(behind_killed $how.db 1) -gt 0 ]] && break
        seconds=$longer
    done
    says out "^revocations by $how +[1-9][0-9]*" "the summary names $how"
    [[ $(behind_killed $how.db 1) -gt 0 && $(behind_killed $how.db 0) -eq 0 ]] || fail "what was revoked by $how did not run again"
    [[ $(count $how.db "FROM driven_revocation WHERE gone_ns > 0 AND launched_ns IS NULL") -eq 0 ]] || fail "$how of what was not there"
    expect 0 "explain $how" "$DCSIM" explain $how.db --slowest 3
done
for more in 0 10 20; do
    expect 0 "a trap once more" driven -o trap.db "${kills[@]}" --set revocation.mechanism=trap \
        --set "horizon.duration_s=$((${seconds%.*} + more)).6"
    grep -q ' processes were trapped' err && break
done
says err '^dcsim-calibrate: [1-9][0-9]* processes were trapped, gone after .* ms in the mean .*; [0-9]+ were made meanwhile' "what trapping took"
expect 0 "merged into one that has none" "$DCSIM" merge new_killed.db real.db killed.db
[[ $(count new_killed.db 'FROM driven_revocation') -eq $(count killed.db 'FROM driven_revocation') ]] || fail "revocations were not merged"

# ---- Merging ----
expect 0 "into a new one" "$DCSIM" merge new.db real.db
[[ $(count new.db 'FROM driven') -eq 2 && $(count new.db 'FROM driven_launch') -eq $launches ]] || fail "merged runs became simulated ones"
expect 0 "into simulations" "$DCSIM" merge sim.db real.db
[[ $(count sim.db 'FROM driven') -eq 2 && $(count sim.db 'FROM run') -eq 3 ]] || fail "not both kinds"
expect 0 "the same again" "$DCSIM" merge sim.db real.db
expect 0 "the other way" "$DCSIM" run c.json --quiet -o other.db --seed 2
expect 0 "simulations into real ones" "$DCSIM" merge real.db other.db
[[ $(count real.db 'FROM run') -eq 3 && $(count real.db 'FROM driven') -eq 2 ]] || fail "simulations into real ones"

# ---- Beside simulations ----
"$DCSIM" compare sim.db --baseline fcfs --metric batch.throughput >out 2>err
says out '^fcfs +1 .*baseline' "compare takes the simulated one"
says out '^fcfs \(measured\).* 1 ' "compare: measured beside simulated, in one world"
says out '^measured: on played by a clock; the others were simulated' "compare says on what"
expect 0 "a report of both" "$DCSIM" report sim.db -o both.html
says both.html 'fixed-split \(measured\)' "the report marks measured runs"
says both.html 'Measured, and not simulated: 2 of 3 experiments, on played by a clock' "the report says on what"
expect 0 "explain the simulated one" "$DCSIM" explain sim.db --experiment 'fcfs'
# Parts of a measured request add up to what it took, which the database has; beside nobody nothing slows it.
# parts FILE: of each request in it its name, its parts together and what it took, ms.
parts() {
    awk '/^Request/ { if (name != "") print name, sum, took; name = $2; sum = 0; for (i = 3; i < NF; i++) if ($i == "took") took = $(i + 1) }
        / ms +[0-9.]+ %$/ { sum += $(NF - 3) } END { print name, sum, took }' "$1"
}
for policy in fcfs fixed-split; do
    expect 0 "explain measured $policy" "$DCSIM" explain sim.db --experiment "$policy (measured)" --slowest 5
    says out '^Experiment .*, policy '$policy'.*, replication 0, measured on played by a clock' "on what it was measured"
    says out "its own work +[1-9]" "its own work"
    parts out >sums
    awk '{ d = $2 - $3; if (d < -0.001 || d > 0.001) bad = 1 } END { exit bad || NR == 0 }' sums || fail "parts of $policy are not what requests took"
    while read -r name _ took; do
        sqlite3 sim.db "SELECT printf('%.6f', (r.end_ns - r.arrival_ns) / 1e6) FROM request r JOIN experiment e ON e.id = r.experiment
            WHERE EXISTS (SELECT 1 FROM driven d WHERE d.experiment = e.id) AND e.policy = '$policy' AND job || ':' || number = '$name'" | grep -qx "$took" ||
            fail "$name took $took ms"
    done <sums
done
expect 0 "explain one of these" "$DCSIM" explain sim.db --experiment 'fcfs (measured)' --request "$(awk 'NR == 1 { print $1 }' sums)"
expect 0 "violations" "$DCSIM" explain sim.db --experiment 'fcfs (measured)' --keep
missed=$(sqlite3 sim.db "SELECT count(*) FROM request r JOIN experiment e ON e.id = r.experiment JOIN run USING (experiment, replication)
    WHERE EXISTS (SELECT 1 FROM driven d WHERE d.experiment = e.id) AND e.policy = 'fcfs' AND arrival_ns >= window_from_ns
    AND coalesce(end_ns, window_to_ns) > deadline_ns")
says out "^$missed requests missed their SLA" "as many as the database has"
refused 'has no request 99999 of job 0: it has 2 jobs' "a request that is not there" \
    "$DCSIM" explain sim.db --experiment 'fcfs (measured)' --request 0:99999
expect 0 "explain what was revoked" "$DCSIM" explain killed.db --slowest 5
expect 0 "explain MPS" "$DCSIM" explain mps.db --slowest 5
# damaged WHAT REGEX DATABASE SQL ARGUMENT...: what explain says of a copy with these rows.
damaged() {
    cp "$3" broken.db
    sqlite3 broken.db "$4" || fail "$1: no such rows"
    refused "$2" "$1" "$DCSIM" explain broken.db "${@:5}"
}
no_run='driven_launch: has times or numbers that no run can have had'
fcfs=(--experiment 'fcfs (measured)')
damaged "a launch that is late" "$no_run" sim.db "UPDATE driven_launch SET event_ns = event_ns + 400000000 WHERE position = 5" "${fcfs[@]}" --slowest 3
damaged "kernels that take no time" "$no_run" sim.db "UPDATE driven_launch SET launched_ns = 0, end_ns = 0" "${fcfs[@]}" --slowest 3
damaged "a launch that is revoked when it begins" "$no_run" killed.db "UPDATE driven_revocation SET revoked_ns =
    (SELECT event_ns FROM driven_launch l WHERE l.position = driven_revocation.position)" --slowest 3
damaged "a request that waits nowhere" "$no_run" sim.db "DELETE FROM driven_launch WHERE job = 0 AND number = 10;
    UPDATE request SET domain = NULL, outcome = 'inside', end_ns = NULL, deadline_ns = arrival_ns WHERE job = 0 AND number = 10" "${fcfs[@]}"
# again NUMBER: the launches of job 0 once more, as those of another.
again() {
    echo "INSERT INTO driven_launch SELECT experiment, replication, position + 100000, job + $1, number, kernel, sms, got_sms, event_ns,
        sent_ns, taken_ns, launched_ns, end_ns, heard_ns FROM driven_launch WHERE job = 0"
}
damaged "launches of a job with too large a number" 'driven_launch: has launches of requests that table request does not have' sim.db \
    "$(again 4294967296)" "${fcfs[@]}" --slowest 3
damaged "launches that are not in the order of requests" "$no_run" sim.db "$(again 0.5)" "${fcfs[@]}" --slowest 3
damaged "a job with too large a number" "$no_run" sim.db "UPDATE request SET job = job + 4294967296 WHERE job = 1;
    UPDATE driven_launch SET job = job + 4294967296 WHERE job = 1" "${fcfs[@]}" --slowest 3
printf 'submit,run,gpus\n0,10,1\n' >jobs.csv
"$DCSIM" trace import csv jobs.csv -o jobs.db --quiet --map submit=submit,runtime=run,gpus=gpus >/dev/null || fail "import"
damaged "a config of whole jobs" 'driven: has a row of experiment .*, whose config is not of one GPU' sim.db "UPDATE experiment SET config =
    '{\"cluster\":{\"nodes\":[{\"nodes\":1,\"gpus\":4}]},\"workload\":{\"trace\":[{\"database\":\"jobs.db\",\"as\":\"gangs\"}]}}'
    WHERE policy = 'fcfs' AND id IN (SELECT experiment FROM driven)" "${fcfs[@]}" --slowest 3

# ---- Which GPU ----
driven -o played.db >out 2>err
"$DCSIM" run c.json --drive "$tool" -o played.db >out 2>err
says out '500 ms, played by a clock, the first' "the summary says by what it was measured"
sqlite3 played.db "UPDATE driven SET device = 'NVIDIA H200', uuid = 'GPU-1'"
"$DCSIM" run c.json --drive "$tool" -o played.db >out 2>err
says out '500 ms, measured on NVIDIA H200 GPU-1, the first' "the summary names the GPU"
refused 'has runs of another GPU, NVIDIA H200 GPU-1, and here is played by a clock: name another --output' \
    "a database that another GPU began" driven -o played.db --set replications=2
refused 'has runs of another GPU' "another policy in it" driven -o played.db --set policy.name=priority
driven -o two.db --set replications=2 >out 2>err
sqlite3 two.db "DELETE FROM run WHERE replication = 0"
refused 'was measured on another GPU than in played.db; nothing was merged' "merging two GPUs" "$DCSIM" merge played.db two.db
[[ $(count played.db 'FROM run') -eq 1 ]] || fail "a run of another GPU was merged"

# ---- What is refused ----
refused '8 applications need [0-9]+ processes under MPS, one for each cap, and a GPU takes 48: take fewer' "more clients than there can be" \
    driven --set policy.name=mps-even --set profile=nvidia-h200 --set 'workload.services[0].application=dig' \
    --set "workload.batch=[$(printf '{"application":"%s"},' lbm mriq bfs sgemm hotspot fft | sed 's/,$//'),{\"application\":\"cp\"}]"
refused 'MPS is not here: nvidia-cuda-mps-control is not found in PATH' "a machine without MPS" \
    env -u DCSIM_DRIVE_PLAY PATH=/nowhere "$DCSIM" run c.json --drive "$tool" --set policy.name=mps-even
refused 'policy.mechanism: c-laius is driven on partitions of a real GPU' "C-Laius by MPS" driven --set policy.name=c-laius --set policy.mechanism=mps
refused 'no kernel of stream looks at an exit flag, those of others do: take one of these, or revocation.mechanism "process_kill" or "trap"' \
    "exit flags that are not there" env DCSIM_DRIVE_PLAY_NO_EXIT=stream "$DCSIM" run c.json --drive "$tool" "${kills[@]}" \
    --set revocation.mechanism=asm_exit
expect 0 "of a service nobody asks" env DCSIM_DRIVE_PLAY_NO_EXIT=answer "$DCSIM" run c.json --quiet --drive "$tool" "${kills[@]}" \
    --set revocation.mechanism=asm_exit
refused 'predictor: a clairvoyant knows the times that a simulation draws' "a clairvoyant" driven --set predictor=clairvoyant
refused 'one real GPU is driven, and cluster has 2' "two devices" driven --set cluster.devices=2
refused 'goes without --timeline and --dry-run' "a dry run" driven --dry-run

# ---- An application that computes what its reference does not ----
export DCSIM_DRIVE_PLAY_WRONG=stream
wrong='stream: fails its check on this GPU: played to be wrong'
refused "$wrong" "a kernel that fails its check" driven
refused "$wrong" "one in a process of its own" driven --set policy.name=mps-even
refused "$wrong" "one in a process to be killed" driven "${kills[@]}"
DCSIM_DRIVE_PLAY_WRONG=solve
expect 1 "one of the second world of a sweep" driven -o wrong.db \
    --set 'sweep.axes=[{"key":"workload.batch[0].application","values":["stream","solve"]}]'
says err '^dcsim: point 1 .application=solve.: solve: fails its check' "which one fails"
[[ $(count wrong.db 'FROM run') -eq 1 ]] || fail "the world before it did not run"
for _ in {1..50}; do
    left=$(readlink /proc/[0-9]*/exe | grep -cF "$(realpath "$tool")")
    [[ $left -eq 0 ]] && break
    sleep 0.1
done
[[ $left -eq 0 ]] || fail "$left processes are left"
unset DCSIM_DRIVE_PLAY_WRONG

printf '#!/bin/sh\nexit 3\n' >ends.sh
printf '#!/bin/sh\n"%s" "$@"\n' "$tool" >calls.sh
printf '#!/bin/sh\nexec "%s" "$@"\n' "$tool" >becomes.sh
chmod +x ends.sh calls.sh becomes.sh
refused 'ends.sh has ended by exit status 3 .a script has to become the program: .*, before the device was ready' "a script that ends" \
    "$DCSIM" run c.json --drive ./ends.sh
refused 'calls.sh has ended by exit status 2 .a script has to become the program' "a script between" \
    "$DCSIM" run c.json --drive ./calls.sh
expect 0 "a script that becomes it" "$DCSIM" run c.json --quiet --drive ./becomes.sh

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
"$DCSIM" run c.json --quiet --drive "$tool" --set horizon.duration_s=30 --set policy.name=mps-even 2>err &
parent=$!
child=$(child_of $parent)
client=$(child_of "$child" | head -1)
kill -9 $parent
gone "the program at the device" "$child"
gone "a client of it" "$client"
"$DCSIM" run c.json --quiet --drive "$tool" --set horizon.duration_s=30 --set policy.name=mps-even 2>err &
parent=$!
client=$(child_of "$(child_of $parent)" | head -1)
sleep 0.5
kill -9 "$client"
gone "dcsim" $parent
wait $parent 2>/dev/null
says err 'the process of (answer|stream) has ended' "why the run ended"
"$DCSIM" run c.json --quiet --drive "$tool" --set horizon.duration_s=30 2>err &
parent=$!
child=$(child_of $parent)
sleep 0.5
kill -9 "$child"
gone "dcsim" $parent
wait $parent 2>/dev/null
says err 'dcsim-calibrate has ended by signal 9' "why the run ended"

for signal in KILL INT; do
    "$DCSIM" run c.json --quiet --drive "$tool" "${kills[@]}" --set horizon.duration_s=30 2>err &
    parent=$!
    child=$(child_of $parent)
    child_of "$child" >/dev/null
    sleep 0.5
    clients=$(pgrep -P "$child")
    [[ $(wc -w <<<"$clients") -gt 3 ]] || fail "no processes wait to be killed"
    kill -$signal $parent
    for p in $child $clients; do gone "a process of an application after $signal" "$p"; done
    wait $parent 2>/dev/null
done

# ---- A server of MPS ----
fake_mps
export DCSIM_DRIVE_PLAY=mps
# shared_by: starts a long run by MPS: $parent, its $child, folder and daemon of the server, and what caps clients have.
shared_by() {
    PATH=$work/bin:$PATH "$DCSIM" run c.json --quiet --drive "$tool" --set horizon.duration_s=30 --set policy.name=mps-priority \
        "${three[@]}" 2>err &
    parent=$!
    child=$(child_of $parent)
    caps=
    for _ in {1..100}; do
        caps=$(for p in $(pgrep -P "$child"); do tr '\0' '\n' <"/proc/$p/environ"; done 2>/dev/null |
            sed -n 's/^CUDA_MPS_ACTIVE_THREAD_PERCENTAGE=//p' | sort -n | paste -s -d ' ')
        [[ $caps == *' '*' '*' '*' '*' '*' '*' '* ]] && break
        sleep 0.05
    done
    folder=$(for p in $(pgrep -P "$child"); do tr '\0' '\n' <"/proc/$p/environ"; done 2>/dev/null |
        sed -n 's/^CUDA_MPS_LOG_DIRECTORY=\(.*\)\/log$/\1/p' | sort -u)
    [[ -d $folder ]] || fail "no folder of the server: $folder"
    daemon=$(cat "$folder/pipe/nvidia-cuda-mps-control.pid")
}
# nothing_left: of what shared_by started.
nothing_left() {
    gone "the program at the device" "$child"
    gone "the server" "$daemon"
    for _ in {1..50}; do
        [[ -e $folder ]] || return
        sleep 0.1
    done
    fail "$folder is left"
}
shared_by
[[ $caps == "50 50 65 65 65 100 100 100" ]] || fail "caps of clients: $caps"
kill -9 $parent
nothing_left
shared_by
kill -INT $parent
nothing_left
finish
