#!/bin/bash
# The command line as its users call it: lists, canonical config, overrides, seeds, threads, rerun and
# continue, standard output that cannot be written, interruption, killing.
# shellcheck source=tests/e2e/lib.sh
. "$(dirname "$0")/lib.sh"
quick=$SOURCE_DIR/configs/quickstart.json

expect 0 "--version" "$DCSIM" --version
says out '^dcsim [0-9]+\.[0-9]+\.[0-9]+' "--version"
expect 0 "--help" "$DCSIM" --help
says out '--print-config' "--help"
# run FILE is --config FILE; help COMMAND is COMMAND --help.
expect 0 "--config" "$DCSIM" --config "$quick" --set cluster.devices=7 --print-config
cp out by-option
expect 0 "run" "$DCSIM" run "$quick" --set cluster.devices=7 --print-config
cmp -s out by-option || fail "dcsim run FILE is not dcsim --config FILE"
expect 0 "run with the file last" "$DCSIM" run --set cluster.devices=7 --print-config -- "$quick"
cmp -s out by-option || fail "dcsim run [OPTION]... -- FILE is not dcsim --config FILE"
refused 'command line: run takes a config' "run without a file" "$DCSIM" run --quiet
refused 'command line: run takes the name of a config' "run with an empty name" "$DCSIM" run ''
refused 'unexpected argument: other.json' "run with two files" "$DCSIM" run "$quick" other.json
refused 'unexpected argument: ' "run with a file and --config" "$DCSIM" run "$quick" --config "$quick"
"$DCSIM" --help >usage
for words in help 'help help' 'help run' 'run --help'; do
    read -ra words <<<"$words"
    expect 0 "${words[*]}" "$DCSIM" "${words[@]}"
    cmp -s out usage || fail "dcsim ${words[*]} is not dcsim --help"
done
for words in $(sed -n 's/^       dcsim \([a-z-]*\) .*/\1/p' usage | grep -vx -e run -e help | sort -u) 'trace fit'; do
    read -ra words <<<"$words"
    "$DCSIM" "${words[@]}" --help >by-option
    expect 0 "help ${words[*]}" "$DCSIM" help "${words[@]}"
    [[ -s out ]] || fail "dcsim help ${words[*]} prints nothing"
    cmp -s out by-option || fail "dcsim help ${words[*]} is not dcsim ${words[*]} --help"
done
refused 'no command "expla"; did you mean "explain"' "help of no command" "$DCSIM" help expla
refused 'no command "x.json"; dcsim run FILE' "a file without run" "$DCSIM" x.json
expect 0 "--list policies" "$DCSIM" --list policies
for policy in fcfs priority elastic; do says out "^$policy " "--list policies"; done
says out '^ +options: revocation=false, queue="fifo", ' "--list policies says the options"
says out '^ +cluster.queue.placement: first_fit, best_fit, fgd$' "--list policies says what whole jobs have"
grep '^ ' out | awk 'length > 100' | grep -q . && fail "--list policies: a line of options has more than 100 columns"
expect 0 "--list profiles" "$DCSIM" --list profiles
for file in "$SOURCE_DIR"/calibrate/profiles/*.sql*; do
    says out "^$(basename "${file%%.sql*}")\$" "--list profiles"
done
mkdir own && touch own/mine.db
DCSIM_PROFILES=own expect 0 "--list profiles of a folder" "$DCSIM" --list profiles
says out '^mine$' "--list profiles of a folder"
expect 0 "--list applications" "$DCSIM" --list applications
says out '^black-scholes +latency' "--list applications"
# ... of another profile, and of a config that nothing could be run of.
expect 0 "--list applications of another profile" "$DCSIM" --list applications --set profile=nvidia-h200
says out '^Applications of profile nvidia-h200 ' "--list applications of another profile"
says out '^resnet50 +latency' "--list applications of another profile"
cat >some.json <<'JSON'
{ "profile": "nvidia-h200", "cluster": { "groups": [ { "domains": 1, "devices": 1 },
    { "domains": 1, "devices": 1, "profile": "quadro-p1000" }, { "domains": 2, "devices": 1 } ] },
  "applications": [ { "name": "web", "class": "latency", "sla_ms": 30, "service": { "mean_ms": 2.5 } } ] }
JSON
expect 0 "--list applications of a config" "$DCSIM" --list applications --config some.json
[[ $(grep ^Applications out) == "Applications of profile nvidia-h200 (NVIDIA H200)
Applications of profile quadro-p1000 (Quadro P1000)
Applications of the config, on any device" ]] || fail "--list applications of a config: $(grep ^Applications out)"
says out '^web +latency +1 +2\.500 +30 ' "--list applications of a config"
expect 0 "--list applications of a sweep" "$DCSIM" --list applications --config some.json \
    --set 'sweep={"axes":[{"key":"cluster","values":[{}]},{"key":"profile","values":["made-up"]}]}'
[[ $(grep -c ^Applications out) -eq 2 ]] || fail "--list applications of a sweep: $(grep ^Applications out)"
refused 'set profile=nvidia-h20: profile: .*"nvidia-h200"' "--list applications of no profile" "$DCSIM" --list applications \
    --config some.json --set cluster.groups[1].profile=quadro-p1000 --set profile=nvidia-h20
refused 'profil: unknown key; did you mean "profile"' "--list applications of a wrong key" "$DCSIM" --list applications \
    --set profil=x
expect 0 "--list params" "$DCSIM" --list params
cmp -s out "$SOURCE_DIR/docs/config.md" ||
    fail "docs/config.md is not what --list params prints; run: dcsim --list params >docs/config.md"
checks=$((checks + 1))

expect 0 "--print-config" "$DCSIM" --config "$quick" --print-config
cp out canonical.json
expect 0 "the canonical form is a config" "$DCSIM" --config canonical.json --print-config
cmp -s out canonical.json || fail "the canonical form of the canonical form differs"
expect 0 "--set and --seed" "$DCSIM" --config "$quick" --set cluster.devices=7 \
    --set 'workload.trem[0].load=0.5' --seed 18446744 --print-config
says out '"devices": 7' "--set"
says out '"load": 0.5' "--set in a list"
says out '"seed": 18446744' "--seed"

run() { "$DCSIM" --config "$quick" "$@"; }
expect 0 "quickstart" run --threads 1
cp out one
says one 'elastic' "the summary names the policy"
expect 0 "the same on 4 threads" run --threads 4
cmp -s out one || fail "threads change the summary"
expect 0 "from standard input" bash -c "'$DCSIM' --config - --quiet <'$quick'"
[[ -s out ]] && fail "--quiet prints a summary"

GLIBC_TUNABLES=glibc.cpu.hwcaps=-FMA,-FMA4,-AVX2,-AVX,-AVX512F \
    expect 0 "without FMA" run --threads 2
cmp -s out one || fail "the processor's features change the summary"

# Memory does not grow with the horizon: 50 times the requests in the same address space.
cat >mm1.json <<'JSON'
{ "policy": { "name": "fcfs" }, "horizon": { "duration_s": 40000 },
  "applications": [ { "name": "server", "class": "latency", "sla_ms": 100,
    "service": { "distribution": "exponential", "mean_ms": 10 } } ],
  "workload": { "services": [ { "application": "server",
    "arrivals": { "process": "poisson", "rate_per_s": 70 } } ] } }
JSON
# (A sanitizer's shadow does not fit into any of it.)
least=0
[[ -n ${SANITIZE:-} ]] && least=unlimited
for kb in 20000 24000 28000 32000 40000 48000 64000 96000 128000 256000; do
    [[ $least == unlimited ]] && break
    if (ulimit -v $kb; "$DCSIM" --config mm1.json --set horizon.duration_s=800 --threads 1 --quiet) 2>/dev/null; then
        least=$kb
        break
    fi
done
if [[ $least != unlimited ]]; then
    ((least > 0)) || fail "56 thousand requests do not fit into 256 MB"
    expect 0 "50 times the horizon in $least kB" bash -c \
        "ulimit -v $((least + 1000)); '$DCSIM' --config mm1.json --threads 1 --quiet"
    # Nor with rows of requests, which go to the database: 49 MB of them here, and its own memory is a few MB.
    expect 0 "560 thousand rows of requests in $((least + 10000)) kB" bash -c \
        "ulimit -v $((least + 10000)); '$DCSIM' --config mm1.json --threads 1 --quiet --output many.db \
            --set horizon.duration_s=8000 --set outputs.requests=true"
    [[ $(sqlite3 many.db 'SELECT requests > 500000 AND requests = (SELECT count(*) FROM request) FROM run') == 1 ]] ||
        fail "not all requests have rows"
    expect 0 "explaining some of them in $((least + 10000)) kB" bash -c \
        "ulimit -v $((least + 10000)); '$DCSIM' explain many.db --slowest 3"
    rm -f many.db
fi

# The time of a config grows with its applications, not with their square: 2 to 3 s, and not 19, in
# processor time, so that a busy machine does not matter. (A sanitizer is some times slower.)
apps() { # apps TEXT-AROUND-%d: for each of 20000
    seq -f "$1" -s ',' 20000
}
{
    echo '{ "policy": { "name": "priority" }, "horizon": { "duration_s": 10 }, "applications": ['
    apps '{ "name": "app%.0f", "class": "latency", "sla_ms": 100, "service": { "mean_ms": 1 } }'
    echo '], "workload": { "services": ['
    apps '{ "application": "app%.0f", "arrivals": { "rate_per_s": 0.01 } }'
    echo '] } }'
} >many.json
expect 0 "20000 applications" bash -c "ulimit -t $((${SANITIZE:+100} + 10)); '$DCSIM' --config many.json --threads 1"
says out '^  app20000 ' "20000 applications"

# Results: a rerun repeats nothing, more replications continue, threads do not matter.
dump() { sqlite3 "$1" .dump | grep -v '^INSERT INTO wall'; }
expect 0 "with --output" run --output a.db --threads 1
cmp -s out one || fail "--output changes the summary"
expect 0 "on 3 threads" run --output b.db --threads 3
[[ $(dump a.db) == "$(dump b.db)" ]] || fail "threads change the database"
expect 0 "8 runs first" run --output c.db --set replications=8
expect 0 "then all 20" run --output c.db
[[ $(dump c.db) == "$(dump a.db)" ]] || fail "continuing differs from running at once"
before=$(dump c.db)
expect 0 "once more" run --output c.db
[[ $(dump c.db) == "$before" ]] || fail "a rerun changed results"
# Rows of requests are stored with a run or never; that is said where they are missing, and only there.
expect 0 "with rows of requests" run --output rows.db --set outputs.requests=true --set replications=2
expect 0 "and again" run --output rows.db --set outputs.requests=true --set replications=3
[[ -s err ]] && fail "a word about rows that are there: $(cat err)"
expect 0 "rows of requests for stored runs" run --output c.db --set outputs.requests=true
says err '^dcsim: 20 runs were stored in c.db without outputs.requests and stay as they are; ' "rows that are missing"
expect 0 "another seed beside it" run --output c.db --seed 2
[[ $(sqlite3 c.db 'SELECT count(*) FROM experiment') == 2 ]] || fail "two experiments expected"
[[ $(sqlite3 a.db 'PRAGMA journal_mode') == delete ]] || fail "journal mode"
[[ $(sqlite3 a.db 'SELECT count(*) FROM run') == 20 ]] || fail "20 runs expected"
[[ $(sqlite3 a.db 'SELECT count(*) FROM device_usage WHERE busy_ns <> useful_ns + lost_ns + overhead_ns') == 0 ]] ||
    fail "usage does not add up"
for view in $(sqlite3 a.db "SELECT name FROM sqlite_master WHERE type = 'view' AND name NOT IN ('point_axis', 'late_summary')"); do
    [[ $(sqlite3 a.db "SELECT count(*) FROM $view") -gt 0 ]] || fail "view $view is empty"
done

# Standard output that cannot be written: whatever prints fails, with one line that says so.
lost() { # lost ARGUMENT...: prints and does not fail; on a full disk it does
    local code
    "$DCSIM" "$@" >out 2>err </dev/null
    code=$?
    [[ $code -le 1 && -s out ]] || fail "$*: exit code $code, or nothing printed"
    expect 2 "$* on a full disk" bash -c '"$@" >/dev/full' bash "$DCSIM" "$@"
    says err 'standard output could not be written' "$* on a full disk"
    [[ $(grep -c 'standard output' err) -eq 1 ]] || fail "$* on a full disk: it says so more than once"
}
"$DCSIM" --help | sed -nE 's/^       dcsim ([a-z-]+) .*/\1/p' >commands
[[ $(wc -l <commands) -ge 10 ]] || fail "--help names $(wc -l <commands) commands"
while read -r command; do lost "$command" --help; done <commands
for what in show lint diff build; do lost profile $what --help; done
for what in fit import lint; do lost trace $what --help; done
for what in policies profiles params schema applications; do lost --list $what; done
lost --help
lost --version
lost --config "$quick"
lost --config "$quick" --print-config
lost --config "$quick" --dry-run
lost --config "$quick" --list applications
lost capacity mm1.json --vary 'workload.services[0].arrivals.rate_per_s=10:70' --set horizon.duration_s=10 \
    --set replications=2 --resolution 0.5
run --output d.db --set policy.name=priority --quiet
run --output d.db --quiet
lost compare d.db --baseline priority --metric sla_met
lost merge all.db a.db
lost explain a.db
lost export a.db
lost export a.db run --csv
lost profile show made-up
lost profile lint quadro-p1000
lost profile diff made-up made-up
lost trace formats
lost trace lint google-2011-task-events "$SOURCE_DIR/tests/data/traces/google-2011/task_events.csv"
lost validate nvidia-h200
lost train made-up -o predictors.db

# Ctrl-C before the first run has ended leaves no file, nor do two while that run is written.
cat >rows.json <<'JSON'
{ "policy": { "name": "fcfs" }, "horizon": { "duration_s": 300 }, "outputs": { "requests": true },
  "applications": [ { "name": "s", "class": "latency", "service": { "distribution": "exponential", "mean_ms": 1 } } ],
  "workload": { "services": [ { "application": "s", "arrivals": { "rate_per_s": 900 } } ] } }
JSON
"$DCSIM" --config rows.json --set horizon.duration_s=1e6 --output early.db >out 2>err &
pid=$!
sleep 0.3
kill -INT $pid
wait $pid
[[ ! -e early.db ]] || fail "a file without a run"
"$DCSIM" --config rows.json --output early.db >out 2>err &
pid=$!
for _ in $(seq 100000); do [[ -e early.db ]] && break; done
kill -INT $pid 2>/dev/null
sleep 0.02
kill -TERM $pid 2>/dev/null
wait $pid
[[ ! -e early.db || $(sqlite3 early.db 'SELECT count(*) FROM run' 2>/dev/null) == 1 ]] || fail "a file that is empty"

# Ctrl-C: finished runs stay, the code is 130, the rest is named, and it continues to the same results.
slow=(--config "$quick" --set replications=4000 --threads 2)
"$DCSIM" "${slow[@]}" --output i.db >out 2>err &
pid=$!
for _ in $(seq 200); do [[ -s i.db ]] && break; sleep 0.05; done
sleep 0.3
kill -INT $pid
wait $pid
code=$?
if [[ $code -eq 130 ]]; then
    says err 'missing' "interrupted"
    kept=$(sqlite3 i.db 'SELECT count(*) FROM run')
    ((kept > 0 && kept < 4000)) || fail "interrupted: $kept runs kept"
    expect 0 "a smaller rerun after it" "$DCSIM" --config "$quick" --output i.db
    [[ $(sqlite3 i.db 'PRAGMA integrity_check') == ok ]] || fail "integrity after an interruption"
else
    fail "Ctrl-C: exit code $code"
fi

# Ctrl-C while an early replication is still running: those after it that have ended are kept, too.
# (Replication 3 of this seed takes some 20 times as long as 4; not under a sanitizer's clock.)
cat >uneven.json <<'JSON'
{ "policy": { "name": "fcfs" }, "seed": 3, "replications": 8, "interval": "median",
  "workload": { "trem": [ { "jobs": 300, "pareto_shape": 1.05, "user_duration_s": 400,
    "batch_duration_s": 2 } ] } }
JSON
# interrupt SECONDS: that long after the first three runs were kept; sets code and kept.
interrupt() {
    rm -f u.db
    "$DCSIM" --config uneven.json --threads 2 --quiet --output u.db 2>err &
    local pid=$!
    for _ in $(seq 2000); do # a busy machine takes its time
        [[ -s u.db && $(sqlite3 u.db 'SELECT count(*) >= 3 FROM run' 2>/dev/null) == 1 ]] && break
        sleep 0.05
    done
    sleep "$1"
    kill -INT $pid
    wait $pid
    code=$?
    kept=$(sqlite3 u.db 'SELECT group_concat(replication) FROM run')
}
if [[ -z ${SANITIZE:-} ]]; then
    # On a busy machine replication 4 may take longer than the first wait.
    for seconds in 2 5 12 40; do
        interrupt $seconds
        [[ $code -eq 0 || $kept == 0,1,2,4* ]] && break
    done
    if [[ $code -eq 0 ]]; then
        echo "all replications ended before the interruption: nothing to see"
    else
        [[ $code -eq 130 && $kept == 0,1,2,4* ]] ||
            fail "interrupted in replication 3: exit code $code, kept $kept"
    fi
    checks=$((checks + 1))
fi

# kill -9 in the middle of writing: the database opens, is whole, and continues.
for delay in 0.05 0.1 0.2 0.4; do
    rm -f k.db k.db-journal
    "$DCSIM" "${slow[@]}" --output k.db --quiet &
    pid=$!
    for _ in $(seq 200); do [[ -s k.db ]] && break; sleep 0.02; done
    sleep $delay
    kill -9 $pid 2>/dev/null
    wait $pid 2>/dev/null
    [[ $(sqlite3 k.db 'PRAGMA integrity_check') == ok ]] || fail "integrity after kill -9"
done
expect 0 "continuing after kill -9" "$DCSIM" --config "$quick" --output k.db --quiet
[[ $(sqlite3 k.db 'SELECT count(DISTINCT replication) FROM run') -ge 20 ]] || fail "runs after kill -9"

# The first command of the README builds with as many processes as the environment says, else one a processor.
mkdir -p clone/scripts clone/build/release fake
cp "$SOURCE_DIR/quickstart.sh" "$SOURCE_DIR/test.sh" clone
cp "$SOURCE_DIR/scripts/install.sh" clone/scripts
# shellcheck disable=SC2016 # the fake says it when it runs
printf '#!/bin/sh\necho "$(basename "$0") $*" >>"%s/typed"\n' "$work" | tee fake/cmake fake/ctest >clone/build/release/dcsim
chmod +x fake/cmake fake/ctest clone/build/release/dcsim
first() { env -u CTEST_PARALLEL_LEVEL -u CMAKE_BUILD_PARALLEL_LEVEL DCSIM_SKIP_INSTALL=1 PATH="$work/fake:$PATH" "$@"; }
expect 0 "quickstart.sh" first CMAKE_BUILD_PARALLEL_LEVEL=3 clone/quickstart.sh
says typed '^cmake --build --preset release --parallel 3$' "as many as were asked for"
expect 0 "test.sh" first CMAKE_BUILD_PARALLEL_LEVEL=3 clone/test.sh
says typed '^cmake --build --preset ci --parallel 3$' "as many as were asked for, of the tests"
says typed '^ctest --preset ci --parallel 3 -LE slow$' "as many tests"
expect 0 "quickstart.sh, alone" first clone/quickstart.sh
says typed "^cmake --build --preset release --parallel $(nproc)\$" "one a processor"
finish
