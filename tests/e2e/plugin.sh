#!/bin/bash
# A policy as a shared object: the template of docs/write-a-policy.md is built with nothing but the
# header, runs, keeps the contract; ones that break it are found.
# shellcheck source=tests/e2e/lib.sh
. "$(dirname "$0")/lib.sh"
cc=${CC:-cc}
build() { "$cc" -std=c11 -Wall -Wextra -Werror -O2 -fPIC -shared -I"$SOURCE_DIR/src" "$@"; }

# The tutorial's code is what stands in the tutorial.
awk '/^```c$/ { code = 1; next } /^```$/ { code = 0 } code' "$SOURCE_DIR/docs/write-a-policy.md" >mine.c
cmp -s mine.c "$SOURCE_DIR/docs/template-policy.c" || fail "the tutorial's code is not the template"
expect 0 "building the template" build -o mine.so "$SOURCE_DIR/docs/template-policy.c"
expect 0 "check-policy" "$DCSIM" check-policy mine.so
says out 'keeps the contract' "check-policy"
expect 2 "check-policy on a full disk" bash -c "'$DCSIM' check-policy mine.so >/dev/full"
says err 'standard output could not be written' "check-policy on a full disk"
expect 0 "running it" "$DCSIM" --config "$SOURCE_DIR/configs/quickstart.json" \
    --policy ./mine.so --set 'policy={}' --output p.db
says out 'shortest-first' "the summary names the plug-in"
[[ $(sqlite3 p.db "SELECT count(*) FROM input WHERE kind = 'plugin' AND length(sha256) = 64") == 1 ]] ||
    fail "the plug-in's hash is not in the results"

# What is hashed is what was loaded, whatever becomes of the file meanwhile.
sum=$(sha256sum <mine.so | cut -d' ' -f1)
cat >away.c <<'C'
#include <stdio.h>
#include <stdlib.h>
__attribute__((constructor)) static void begin(void)
{ const char *self = getenv("REMOVED"); if (self != NULL) remove(self);
  self = getenv("EMPTIED"); if (self != NULL) fclose(fopen(self, "w")); }
C
expect 0 "building a policy that changes its file" build -o away.so "$SOURCE_DIR/docs/template-policy.c" away.c
away=$(sha256sum <away.so | cut -d' ' -f1)
for how in REMOVED EMPTIED; do
    cp away.so "$how.so"
    expect 0 "$how while it is loaded" env "$how=$how.so" "$DCSIM" --config "$SOURCE_DIR/configs/quickstart.json" \
        --policy "./$how.so" --set 'policy={}' --set replications=1 --output "$how.db"
    [[ $(sqlite3 "$how.db" "SELECT sha256 FROM input WHERE kind = 'plugin'") == "$away" ]] ||
        fail "$how: the hash in the results is not that of what was loaded"
done
[[ $(sqlite3 p.db "SELECT sha256 FROM input WHERE kind = 'plugin'") == "$sum" ]] ||
    fail "the hash in the results is not the file's"
refused 'is no file: expected a shared object' "a folder" "$DCSIM" --config "$SOURCE_DIR/configs/quickstart.json" --policy .

cat >lazy.c <<'C'
#include "policies/policy.h"
static void ready(void *s, struct host *h, req_id r) { (void)s; (void)h; (void)r; }
static void complete(void *s, struct host *h, req_id r, dev_id d, bool done)
{ (void)s; (void)h; (void)r; (void)d; (void)done; }
POLICY_EXPORT const struct policy POLICY_SYMBOL = {
    .abi = POLICY_ABI, .size = sizeof(struct policy), .name = "lazy", .summary = "never launches",
    .source = "a test", .on_ready = ready, .on_complete = complete };
C
expect 0 "building a lazy policy" build -o lazy.so lazy.c
expect 1 "a policy that never launches" "$DCSIM" check-policy lazy.so
says out 'FAIL' "a policy that never launches"
# It forgets what has a kernel left: everything that is done runs once, so only the end shows it.
sed 's/if (!request_done)/if (!request_done \&\& h == NULL)/' "$SOURCE_DIR/docs/template-policy.c" >forget.c
expect 0 "building a policy that forgets" build -o forget.so forget.c
expect 1 "a policy that forgets" "$DCSIM" check-policy forget.so
says out '^FAIL  four devices: .* [1-9][0-9]* requests never served' "a world with a horizon"
says out '^ok    jobs of TReM.s generator: .* 0 requests never served' "kernels that stand alone"
says out 'the policy forgot them' "what is wrong"
echo '{"policy":{},"applications":[{"name":"steps","class":"latency","sla_ms":300,"kernels":3,
    "service":{"mean_ms":15}}],"workload":{"services":[{"application":"steps",
    "arrivals":{"process":"poisson","rate_per_s":6}}]},"horizon":{"duration_s":5}}' >steps.json
expect 0 "running the policy that forgets" "$DCSIM" --config steps.json --policy ./forget.so
says out 'WARNING: stranded: [1-9][0-9]* requests waited at the end' "the run says so"
expect 0 "running the policy that does not" "$DCSIM" --config steps.json --policy ./mine.so
grep -q 'stranded' out && fail "a policy that serves all is said to forget"
sed 's/(void)s; (void)h; (void)r; }/(void)s; host_launch(h, r, 99, (struct host_allotment){0}); }/' \
    lazy.c >wild.c
expect 0 "building a wild policy" build -o wild.so wild.c
expect 1 "a policy that launches on a device that is not there" "$DCSIM" check-policy wild.so
says out 'no device 99' "the rule is named"
expect 2 "running the wild policy" "$DCSIM" --config "$SOURCE_DIR/configs/quickstart.json" \
    --policy ./wild.so --set 'policy={}' --output w.db
says err 'policy "lazy".*at .*launch' "the error names policy, time and rule"
[[ -e w.db ]] && fail "a failed run left a database"
sed 's/(void)s; (void)h; (void)r; }/(void)s; (void)h; (void)r; __builtin_trap(); }/' lazy.c >crash.c
expect 0 "building a crashing policy" build -o crash.so crash.c
expect 1 "a policy that crashes" "$DCSIM" check-policy crash.so
says out '^FAIL  one device: the policy crashed: .*, in on_ready \(callback [0-9]+, at [0-9.e-]+ s of simulated time, seed 1\)' \
    "a policy that crashes"
{ echo '#include <stdlib.h>'; sed 's/(void)s; (void)h; (void)r; }/(void)s; (void)h; (void)r; exit(0); }/' lazy.c; } >leave.c
expect 0 "building a policy that leaves" build -o leave.so leave.c
expect 1 "a policy that ends the program" "$DCSIM" check-policy leave.so
says out '^FAIL  one device: the policy ended the program \(exit code 0\), in on_ready' "a policy that ends the program"
# It does well in the first world, whose line is not lost; a sanitizer takes its time for that.
patience=$([[ -n ${SANITIZE:-} ]] && echo 60 || echo 3)
sed 's/^    dispatch(self, h);$/    if (host_devices(h) > 1) for (;;);\n    dispatch(self, h);/' "$SOURCE_DIR/docs/template-policy.c" >loop.c
expect 0 "building a policy that loops" build -o loop.so loop.c
expect 1 "a policy that loops" "$DCSIM" check-policy --timeout "$patience" loop.so
says out '^ok    one device: ' "the world before the loop"
says out '^FAIL  four devices: not done after '"$patience"' s \(--timeout\), in on_ready \(callback [0-9]+, at ' "a policy that loops"
refused '--policy chose "shortest-first" in place of "elastic": --set .policy=..' "options of the policy in the file" \
    "$DCSIM" --config "$SOURCE_DIR/configs/quickstart.json" --policy ./mine.so
sed '1i #include <stdlib.h>
s/for (;;);/exit(0);/' loop.c >leaves.c
expect 0 "building a policy that leaves" build -o leaves.so leaves.c
expect 70 "a policy that leaves in a run" "$DCSIM" --config "$SOURCE_DIR/configs/quickstart.json" --policy ./leaves.so --set 'policy={}'
says err 'a policy ended the program at .* of simulated time' "a policy that leaves in a run"

# In a normal run a crash says which policy and callback, once, though it may crash on several threads at one time; so
# does an interrupt, where a callback does not return.
for _ in {1..8}; do
    checks=$((checks + 1))
    (exec "$DCSIM" --config "$SOURCE_DIR/configs/quickstart.json" --policy ./crash.so --set 'policy={}' --quiet --jobs 8) >out 2>err
    [[ $? -ge 128 ]] || fail "a policy that crashes in a run: no signal ended the program"
    says err '^dcsim: policy "lazy" crashed in its callback on_ready at [0-9]+\.[0-9]{9} s of simulated time \(seed 1, replication [0-9]+\): ' \
        "a policy that crashes in a run"
    [[ $(grep -c 'crashed in its callback' err) == 1 ]] || fail "a crash is told more than once"
done
sed 's/(void)s; (void)h; (void)r; }/(void)s; (void)h; (void)r; for (volatile int i = 0;; i++) { } }/' lazy.c >endless.c
expect 0 "building a policy that does not return" build -o endless.so endless.c
start_endless() {
    "$DCSIM" --config "$SOURCE_DIR/configs/quickstart.json" --policy ./endless.so --set 'policy={}' --quiet --jobs 1 >out 2>err &
    looping=$!
    for _ in {1..100}; do # the handler is there once it runs
        [[ $(ps -o stat= -p $looping) == R* ]] && break
        sleep 0.1
    done
    sleep 1
}
start_endless
kill -SEGV $looping # to a thread that need not be in the callback
for _ in {1..100}; do
    kill -0 $looping 2>/dev/null || break
    sleep 0.1
done
kill -9 $looping 2>/dev/null
wait $looping
code=$?
((code >= 128 && code != 137)) || fail "a crash signal that was sent does not end the program: exit code $code"
start_endless
kill -TERM $looping
for _ in {1..200}; do
    [[ -s err ]] && break
    sleep 0.1
done
says err '^dcsim: interrupted, but policy "lazy" does not return from its callback on_ready at .*: interrupt again to end the program$' \
    "a policy that does not return"
kill -TERM $looping
wait $looping
[[ $? -eq 143 ]] || fail "a second interrupt does not end the program"
sed '1i #include <signal.h>
s/for (;;);/for (signal(SIGALRM, SIG_IGN);;);/' loop.c >deaf.c
expect 0 "building a policy that cannot be stopped" build -o deaf.so deaf.c
expect 1 "a policy that cannot be stopped" "$DCSIM" check-policy --timeout "$patience" deaf.so
says out '^FAIL  four devices: not done after '"$patience"' s \(--timeout\), in on_ready' "a policy that cannot be stopped"
sed 's/(void)s; (void)h; (void)r; }/(void)s; (void)h; (void)r; for (;;) pause(); }/; 1i #include <unistd.h>' lazy.c >sleep.c
expect 0 "building a policy that sleeps" build -o sleep.so -D_GNU_SOURCE sleep.c
expect 1 "a policy that sleeps" "$DCSIM" check-policy sleep.so --timeout 1
says out '^FAIL  one device: not done after 1 s' "a policy that sleeps"
if [[ -z ${SANITIZE:-} ]]; then # which has its own allocator, and takes terabytes
    sed 's/(void)s; (void)h; (void)r; }/(void)s; (void)r; while (malloc(1 << 24)) n++; host_fail(h, n > 100 ? "no memory" : "little"); }/
        1i #include <stdlib.h>
        1i static int n;' lazy.c >hoard.c
    expect 0 "building a policy that takes all memory" build -o hoard.so hoard.c
    expect 1 "a policy that takes all memory" "$DCSIM" check-policy hoard.so
    says out '^FAIL  one device: .*no memory' "a policy that takes all memory"
fi
# Its code runs in a process of its own, from the first constructor on.
sed 's/remove(self)/abort()/' away.c >early_end.c
expect 0 "building a policy that ends while it is loaded" build -o early_end.so "$SOURCE_DIR/docs/template-policy.c" early_end.c
expect 1 "a policy that ends while it is loaded" env REMOVED=1 "$DCSIM" check-policy early_end.so
says out '^FAIL  loading the file: the policy crashed: Aborted' "a policy that ends while it is loaded"
# That no process can be started is not the policy's fault.
echo '#include <errno.h>
int fork(void) { errno = EAGAIN; return -1; }' >nofork.c
expect 0 "building a library without fork" build -o nofork.so nofork.c
refused 'no process can be started to try the policy in: Resource temporarily' "no process" \
    env ASAN_OPTIONS=verify_asan_link_order=0 LD_PRELOAD=./nofork.so "$DCSIM" check-policy mine.so
refused 'timeout takes seconds' "a time of nothing" "$DCSIM" check-policy mine.so --timeout 0
refused 'expected one FILE.so' "no policy" "$DCSIM" check-policy
expect 0 "help" "$DCSIM" check-policy --help
says out 'default: 30\)' "help says the time limit"
sed 's/POLICY_ABI,/99,/' lazy.c >old.c
expect 0 "building for another version" build -o old.so old.c
refused 'version 99' "a policy of another version" "$DCSIM" check-policy old.so
echo 'int nothing;' >empty.c
expect 0 "building no policy" build -o empty.so empty.c
refused 'dcsim_policy' "a shared object without a policy" "$DCSIM" check-policy empty.so
# Options that a policy refuses are told where they stand, before anything runs.
cat >choosy.c <<'C'
#include "policies/policy.h"
struct options { int64_t even; };
static const struct param params[] = {{PARAM_INT, "even", .offset = 0, .number = 3, .help = "A number."}, {0}};
static int init(void *s, const void *given, struct host *h)
{
    const struct options *o = given;
    (void)s;
    if (o->even % 2 == 0)
        return 0;
    host_fail(h, o->even == 9 ? "policy.evenly has no place" : "policy.even must be even");
    return -1;
}
static void ready(void *s, struct host *h, req_id r) { (void)s; host_drop(h, r); }
static void complete(void *s, struct host *h, req_id r, dev_id d, bool done)
{ (void)s; (void)h; (void)r; (void)d; (void)done; }
POLICY_EXPORT const struct policy POLICY_SYMBOL = {
    .abi = POLICY_ABI, .size = sizeof(struct policy), .name = "choosy", .summary = "drops all",
    .source = "a test", .params = params, .params_size = sizeof(struct options), .init = init,
    .on_ready = ready, .on_complete = complete };
C
expect 0 "building a choosy policy" build -o choosy.so choosy.c
printf '{"workload":{"trem":[{"jobs":2}]},\n"policy":{\n"even":5}}\n' >choosy.json
refused '^dcsim: choosy.json:3: policy.even: must be even$' "an option that a plug-in refuses" "$DCSIM" \
    --config choosy.json --policy ./choosy.so --dry-run
refused '^dcsim: choosy.json:2: policy: the policy gave up: policy.evenly has no place$' "a reason without an option" \
    "$DCSIM" --config choosy.json --policy ./choosy.so --dry-run --set policy.even=9
expect 0 "an option that it takes" "$DCSIM" --config choosy.json --policy ./choosy.so --set policy.even=4
sed 's/o->even % 2 == 0/o->even == 3 \&\& (__builtin_trap(), 1)/' choosy.c >early.c
expect 0 "building a policy that crashes early" build -o early.so early.c
expect 1 "a policy that crashes in init" "$DCSIM" check-policy early.so
says out '^FAIL  one device: the policy crashed: .*, in init \(callback 1, ' "a policy that crashes in init"
# Several plug-ins beside what is built in: policy.name chooses, in a config, in --set and in an axis.
cp steps.json named.json
sed -i 's/"policy":{}/"policy":{"name":"fcfs"},"replications":2/' named.json
sed 's/"shortest-first"/"second"/' "$SOURCE_DIR/docs/template-policy.c" >second.c
expect 0 "building a second policy" build -o second.so second.c
sed 's/}$/, "sweep":{"axes":[{"key":"policy.name","values":["fcfs","shortest-first","second"]}]}}/' named.json >all.json
expect 0 "a sweep of three policies" "$DCSIM" --config all.json --policy ./mine.so --policy ./second.so --output all.db --quiet
[[ -s err ]] && fail "a sweep of three policies: something on standard error: $(head -1 err)"
for policy in mine:shortest-first second:second; do
    [[ $(sqlite3 all.db "SELECT sha256 FROM input JOIN experiment ON id = experiment WHERE kind = 'plugin'
        AND policy = '${policy#*:}'") == $(sha256sum <"${policy%:*}.so" | cut -d' ' -f1) ]] || fail "another hash of $policy"
done
[[ $(sqlite3 all.db "SELECT count(*) FROM input WHERE kind = 'plugin'") == 2 ]] || fail "a plug-in of a policy that is built in"
# Each point is the experiment that it is alone, to the last bit.
expect 0 "the one that is built in" "$DCSIM" --config named.json --output alone.db --quiet
expect 0 "the plug-in alone" "$DCSIM" --config named.json --policy ./mine.so --set 'policy={}' --output alone.db --quiet
[[ -s err ]] && fail "the plug-in alone: something on standard error: $(head -1 err)"
rows="SELECT hash, m.* FROM metric m JOIN experiment ON id = experiment WHERE policy <> 'second' ORDER BY 1, 2, 3, 4, 5, 6, 7"
cmp -s <(sqlite3 all.db "$rows") <(sqlite3 alone.db "$rows") || fail "beside others a policy gives other numbers"
[[ $(sqlite3 alone.db "SELECT group_concat(policy) FROM (SELECT policy FROM experiment ORDER BY 1)") == fcfs,shortest-first ]] ||
    fail "not the two policies were run"
expect 0 "comparing them" "$DCSIM" compare all.db --baseline fcfs --metric latency.response_p99
says out '^shortest-first ' "comparing them"
# Nothing happens without a word.
expect 0 "another policy than the plug-in's" "$DCSIM" --config steps.json --policy ./mine.so --set policy.name=fcfs
says out '^experiment: fcfs, ' "another policy than the plug-in's"
says err '^dcsim: ./mine.so: its policy "shortest-first" is not used: policy.name chooses another$' "a plug-in that nobody uses"
expect 0 "in place of the file's" "$DCSIM" --config named.json --policy ./mine.so
says out '^experiment: shortest-first, ' "in place of the file's"
says err '^dcsim: named.json:1: policy.name: the policy "shortest-first" of ./mine.so takes the place of "fcfs"; ' "in place of the file's"
refused 'policy.name: there is no policy "shortest-first"; .*--policy FILE.so adds' "a plug-in that is not there" \
    "$DCSIM" --config named.json --set policy.name=shortest-first
refused 'did you mean "shortest-first"' "nearly a plug-in's name" "$DCSIM" --config named.json --policy ./mine.so \
    --set policy.name=shortest-frist
refused 'policy: missing key "name"' "which of two" "$DCSIM" --config steps.json --policy ./mine.so --policy ./second.so
refused './second.so: the policy is called "second", as that of ./second.so' "the same twice" "$DCSIM" --config named.json \
    --policy ./second.so --policy ./second.so
sed 's/"shortest-first"/"fcfs"/' "$SOURCE_DIR/docs/template-policy.c" >fcfs.c
expect 0 "building a policy of a known name" build -o fcfs.so fcfs.c
refused 'called "fcfs", as one that is built in' "a known name" "$DCSIM" --config named.json --policy ./fcfs.so
refused 'called "fcfs", as one that is built in' "a known name" "$DCSIM" check-policy fcfs.so
# Its options are those of any policy: in axes, in errors, in lists.
sed 's/"fcfs"}/"shortest-first"}/; s/}$/,\n"sweep":{"axes":[{"key":"policy.patience_ms","values":[1, 5000]}]}}/' named.json >patience.json
expect 0 "an axis of its option" "$DCSIM" --config patience.json --policy ./mine.so --policy ./second.so
says out ' patience_ms=5000$' "an axis of its option"
says err 'second.so: its policy "second" is not used' "one of two is used"
sed -i 's/\[1, 5000\]/[1,\n-2]/' patience.json
refused '^dcsim: patience.json:5: policy.patience_ms: .*-2' "an option out of its range" "$DCSIM" --config patience.json --policy ./mine.so
expect 0 "the list of policies" "$DCSIM" --list policies --policy ./second.so
says out '^second +Latency before batch' "the list of policies"
expect 0 "the list of options" "$DCSIM" --list params --policy ./second.so
says out 'patience_ms' "the list of options"
expect 0 "one device is enough" "$DCSIM" capacity named.json --vary cluster.devices=1:2 --metric latency.sla_met --at-least 0.1 \
    --policy ./mine.so --policy ./second.so --set policy.name=second --output found.db
[[ $(sqlite3 found.db "SELECT DISTINCT name FROM input WHERE kind = 'plugin'") == second ]] || fail "capacity: another policy"
# What was run with a plug-in is explained with that plug-in alone.
refused 'all.db: input: experiment [0-9a-f]{11} ran with the plug-in "second" \(SHA-256 [0-9a-f]{64}\): give its shared object with --policy' \
    "explain without it" "$DCSIM" explain all.db --experiment second
refused 'ran with the plug-in "second"' "explain with another" "$DCSIM" explain all.db --experiment second --policy ./mine.so
expect 0 "building it otherwise" build -DOTHERWISE -Wl,--build-id=0x12 -o other.so second.c
refused '^dcsim: ./other.so: is another build of the plug-in "second" \(SHA-256 [0-9a-f]{64}\) than that of experiment' \
    "explain with another build" "$DCSIM" explain all.db --experiment second --policy ./other.so
# Two builds of one policy in one database: a comparison says which build a line is of.
cp all.db twins.db
expect 0 "comparing one build" "$DCSIM" compare twins.db --baseline fcfs --metric latency.response_p99
grep -q 'builds of a plug-in' out && fail "one build is called several"
expect 0 "the other build, too" "$DCSIM" --config all.json --policy ./mine.so --policy ./other.so --output twins.db --quiet
expect 0 "comparing both builds" "$DCSIM" compare twins.db --baseline fcfs --metric latency.response_p99
says out '^Several builds of a plug-in are here; sha256sum' "both builds"
for file in second other; do
    hash=$(sqlite3 twins.db "SELECT substr(hash, 1, 11) FROM experiment JOIN input ON experiment = id
        WHERE kind = 'plugin' AND sha256 = '$(sha256sum <$file.so | cut -d' ' -f1)'")
    says out "^  second \\[$hash\\]: $(sha256sum <$file.so | cut -d' ' -f1)$" "the build $file"
done
[[ $(grep -c '^  .*: [0-9a-f]*$' out) == 2 ]] || fail "other lines than those of the two builds"
expect 0 "explain with it" "$DCSIM" explain all.db --experiment second --policy ./mine.so --policy ./second.so
says out 'policy second, replication 0' "explain with it"
expect 0 "explain what is built in" "$DCSIM" explain all.db --experiment fcfs --policy ./mine.so
says out 'policy fcfs, replication 0' "explain what is built in"
says err 'its policy "shortest-first" is not used' "explain what is built in"
# The second policy of the tutorial, for devices that are shared, and its config.
awk '/^```C$/ { code = 1; next } /^```$/ { code = 0 } code' "$SOURCE_DIR/docs/write-a-policy.md" >half.c
awk '/^```json$/ { code = 1; next } /^```$/ { code = 0 } code' "$SOURCE_DIR/docs/write-a-policy.md" >half.json
expect 0 "building the second policy" build -o half.so half.c
expect 0 "check-policy of the second policy" "$DCSIM" check-policy half.so
says out 'keeps the contract' "check-policy of the second policy"
expect 0 "running the second policy" "$DCSIM" --config half.json --policy ./half.so --output half.db
[[ $(sqlite3 half.db "SELECT group_concat(DISTINCT value) FROM decision WHERE what = 'half'") == 16 ]] ||
    fail "the halves are not 16 of 32 SMs"
expect 0 "a timeline of the second policy" "$DCSIM" --config half.json --policy ./half.so --timeline half.tl.json --timeline-until 1
grep '"cat":"transfer"' half.tl.json >copies
says copies 'allotment":"whole"' "its transfers"
grep -q 'green' copies && fail "transfers of the second policy take SMs"
refused 'needs devices that are shared' "halves of devices that are not shared" "$DCSIM" \
    --config half.json --policy ./half.so --set sharing.model=whole
finish
