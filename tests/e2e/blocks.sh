#!/bin/bash
# sharing.model "sm": kernels inside SMs, from the command line, on the shipped rates of an H200.
#
# Pins: each policy runs, the same on two threads and again; results, sweeps and pages say that the device is
# hypothetical; rates that were measured come out; with one kernel all policies give the device alone; a goal is kept and
# what is left goes to the other kernel; the example; what is listed; each mistake in one line. Does not pin: how good the law is
# (docs/validation/residency.md), single decisions (tests/golden/test_smk_by_hand.c).
# shellcheck source=tests/e2e/lib.sh
. "$(dirname "$0")/lib.sh"
cat >c.json <<'JSON'
{ "name": "blocks", "profile": "nvidia-h200-residency", "sharing": { "model": "sm" }, "policy": { "name": "smk" },
  "workload": { "batch": [ { "application": "cp" }, { "application": "stencil" } ] }, "fairness": { "metrics": true },
  "horizon": { "duration_s": 0.022, "warmup_s": 0.002 },
  "sweep": { "axes": [ { "key": "policy", "values": [ { "name": "smk" }, { "name": "smk", "partition": false },
    { "name": "smk", "warp_quotas": "none" }, { "name": "spart" }, { "name": "qos-quota" }, { "name": "spart-qos" } ] } ] }
JSON
echo '}' >>c.json
values() {
    sqlite3 "$1" "SELECT policy, position, value FROM metric JOIN experiment ON id = experiment ORDER BY 1, id, 2"
}
expect 0 "each policy" "$DCSIM" run c.json --output a.db
says out 'HYPOTHETICAL device, where kernels get and lose single blocks in each SM' "the sweep is marked"
expect 0 "again, on one thread" "$DCSIM" run c.json --quiet --jobs 1 --output b.db
[[ $(values a.db) == "$(values b.db)" ]] || fail "threads change the results"
[[ $(sqlite3 a.db "SELECT count(*) FROM hypothetical WHERE key = 'sharing.model'") == 6 ]] || fail "points are not marked"
expect 0 "the page" "$DCSIM" report a.db -o a.html
says a.html 'HYPOTHETICAL device: kernels get and lose single blocks' "the page is marked"
expect 0 "differences" "$DCSIM" compare a.db --baseline spart --metric aggregated_performance
tr -s ' \n' '  ' <out >flat.out
says flat.out 'HYPOTHETICAL device, where kernels get and lose single blocks in each SM' "compare names what no GPU can"

# Partitions of cp and stencil: 4 and 6 blocks. What they reach is measured.
share() {
    sqlite3 run.db "SELECT round(1 / value, 3) FROM metric JOIN application USING (experiment, app) WHERE metric.name = 'slowdown'
        AND application.name = '$1'"
}
rates() {
    zcat "$SOURCE_DIR/calibrate/profiles/nvidia-h200-residency.sql.gz" | awk -F"[(,')]+" -v kernel="$1" -v blocks="$2" -v beside="$3" \
        -v others="$4" '$2 == kernel && $3 == blocks && $4 == beside && $5 == others && NF == 7 { print $6 }'
}
expect 0 "measured rates" "$DCSIM" --config c.json --set sweep=null --set policy.warp_quotas=none --output run.db
tr -s ' \n' '  ' <out >flat.out
says flat.out 'HYPOTHETICAL device: kernels get and lose single blocks in each SM, and quotas of instructions, which no GPU can' "the summary is marked"
cp=$(rates cp 4 stencil 6)
alone=$(rates cp 8 none 0)
awk -v share="$(share cp)" -v rate="$cp" -v alone="$alone" 'BEGIN { exit !(rate > 0 && share / (rate / alone) - 1 < 0.003 && 1 - share / (rate / alone) < 0.003) }' ||
    fail "cp keeps $(share cp), measured $cp of $alone"

for policy in smk spart qos-quota spart-qos; do
    rm -f run.db
    expect 0 "one kernel, $policy" "$DCSIM" --config c.json --set sweep=null --set "policy={\"name\":\"$policy\"}" \
        --set 'workload.batch=[{"application":"lbm"}]' --quiet --output run.db
    [[ $(share lbm) == 1.0 ]] || fail "$policy: lbm alone keeps $(share lbm)"
done
for policy in qos-quota spart-qos; do
    rm -f run.db
    expect 0 "a goal, $policy" "$DCSIM" --config c.json --set sweep=null --set "policy={\"name\":\"$policy\"}" \
        --set 'resident=[{"name":"cp","alone_ms":0.2,"goal":0.6},{"name":"stencil","alone_ms":0.2}]' --quiet --output run.db
    awk -v cp="$(share cp)" -v other="$(share stencil)" 'BEGIN { exit !(cp >= 0.599 && cp < 0.65 && other > 0.3) }' ||
        fail "$policy: cp keeps $(share cp) of a goal of 0.6, stencil $(share stencil)"
done

expect 0 "the example" "$DCSIM" --config "$SOURCE_DIR/examples/inside-sms.json" --output example.db
[[ $(sqlite3 example.db "SELECT policy FROM headline WHERE sla_met = 1 ORDER BY 1") == $'qos-quota\nspart-qos' ]] ||
    fail "the example's goal: $(sqlite3 example.db "SELECT policy, sla_met FROM headline")"
expect 0 "kernels are listed" "$DCSIM" --config c.json --list applications
says out '^lbm +128 +8192 +1280 +8 +cp cutcp fft' "kernels are listed"
refused 'has not measured kernel "foo" inside an SM: it has cp, cutcp' "a kernel that is not there" \
    "$DCSIM" --config c.json --set sweep=null --set 'workload.batch[0].application=foo'
refused 'policy fcfs does not share SMs' "another policy" "$DCSIM" --config c.json --set sweep=null --set 'policy={"name":"fcfs"}'
refused 'policy smk shares SMs: set sharing.model to "sm"' "another model" "$DCSIM" --config c.json --set sweep=null --set sharing.model=spatial
refused 'has no kernels inside an SM, as nvidia-h200-residency has: measure them' "another profile" "$DCSIM" --config c.json --set sweep=null --set profile=nvidia-h200
refused 'resident\[0\].goal: expected a number from 0 to 1, found 1.5' "a goal above what it reaches alone" \
    "$DCSIM" --config c.json --set 'resident=[{"name":"cp","goal":1.5}]'
refused 'resident\[0\].name: no service and no batch work is of application "stencl"' "a name that nothing has" \
    "$DCSIM" --config c.json --set sweep=null --set 'resident=[{"name":"stencl","kernel":"stencil"}]'
refused 'set sharing.model to "sm"' "kernels without SMs" "$DCSIM" --config "$SOURCE_DIR/configs/quickstart.json" --set 'resident=[{"name":"cp"}]'
refused 'explain does not know what a kernel takes whose blocks come and go' "explain" "$DCSIM" explain run.db
finish
