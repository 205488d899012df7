#!/bin/bash
# outputs.launches, and what dcsim report draws of it.
#
# Pins: each kernel of a shared GPU has a row where it begins and one where it ends, under any policy, and these change no
# result; SMs that are allotted at one time are those of the GPU at most, where a policy divides them; the report draws one
# moment of such a run, around the request that passed its deadline by most, with the SMs and the waiting requests
# that the rows say. Does not pin: how it looks (report_browser.sh).
# shellcheck source=tests/e2e/lib.sh
source "$SOURCE_DIR/tests/e2e/lib.sh"

cat >x.json <<'JSON'
{ "name": "moment", "profile": "made-up", "sharing": { "model": "spatial" }, "policy": { "name": "c-laius" },
  "workload": {
    "services": [ { "application": "answer", "arrivals": { "rate_per_s": 60 } },
                  { "application": "search", "arrivals": { "rate_per_s": 40 } } ],
    "batch": [ { "application": "solve" } ] },
  "horizon": { "duration_s": 6, "warmup_s": 1 },
  "outputs": { "requests": true, "launches": true } }
JSON
page() {
    checks=$((checks + 1))
    python3 "$SOURCE_DIR/tests/e2e/report_page.py" "$@" || fail "the page $1"
}
# tell DATABASE SQL
tell() { sqlite3 -readonly "$1" "$2"; }

for policy in c-laius baymax mps-even fixed-split; do
    expect 0 "$policy" "$DCSIM" --config x.json --set policy.name=$policy --output $policy.db --quiet
    expect 0 "$policy without" "$DCSIM" --config x.json --set policy.name=$policy --set outputs.launches=false --output bare.db --quiet
    for table in metric request device_usage; do
        tell $policy.db "SELECT * FROM $table ORDER BY 1, 2, 3, 4, 5" >with
        tell bare.db "SELECT * FROM $table ORDER BY 1, 2, 3, 4, 5" | cmp -s - with || fail "$policy: launches change the table $table"
    done
    rm bare.db
    [[ $(tell $policy.db "SELECT sum(what = 'begins') > 100 AND sum(what = 'copies') > 100 AND abs(sum(what <> 'ends') - sum(what = 'ends')) < 20
        FROM decision") == 1 ]] || fail "$policy: not each kernel begins and ends"
    # A kernel that ends has what it had when it began, and both are about the same kernel.
    [[ $(tell $policy.db "SELECT count(*) FROM (SELECT what, value, kernel, lag(what) OVER w AS before, lag(value) OVER w AS had,
        lag(kernel) OVER w AS was FROM decision WINDOW w AS (PARTITION BY job, number ORDER BY position))
        WHERE what = 'ends' AND (before = 'ends' OR had <> value OR was <> kernel)") == 0 ]] || fail "$policy: an end that does not fit its begin"
    most=$(tell $policy.db "SELECT max(sms) FROM (SELECT at_ns, sum(sum(iif(what = 'ends', -value, value))) OVER (ORDER BY at_ns) AS sms
        FROM decision GROUP BY at_ns)")
    [[ $policy == mps-even || $most -le 32 ]] || fail "$policy: $most of 32 SMs"
    expect 0 "a report" "$DCSIM" report $policy.db -o $policy.html
    page $policy.html 3 "How SMs were divided" "Requests that wait, and late ones" "Domain 0 under $policy, replication 0, around request"
done
request=$(tell c-laius.db "SELECT job || ':' || number || ' of ' || a.name FROM request q JOIN application a USING (experiment, app)
    WHERE a.class = 'latency' AND outcome = 'done' AND arrival_ns >= 1000000000 ORDER BY end_ns - deadline_ns DESC, job, number LIMIT 1")
page c-laius.html 3 "around request $request"

# Before the first point of the figure and at it, SMs are what the rows add up to.
checks=$((checks + 1))
python3 - c-laius <<'PY' || fail "the figure has not the numbers of the rows"
import re, sqlite3, sys, xml.etree.ElementTree as ElementTree
page = ElementTree.parse(sys.argv[1] + '.html').getroot()
figure = next(f for f in page.iter('figure') if f.find('figcaption').text == 'How SMs were divided')
heads = [th.text for th in figure.findall('.//thead//th')]
rows = [[''.join(cell.itertext()) for cell in row] for row in figure.findall('.//tbody/tr')]
database = sqlite3.connect(sys.argv[1] + '.db')
query = ("SELECT max(at_ns), sum(iif(what = 'ends', -value, value)) FROM decision d JOIN application a USING (experiment, app) "
         "WHERE a.name = ? AND at_ns <= ?")
q = database.execute("SELECT arrival_ns, end_ns FROM request q JOIN application a USING (experiment, app) WHERE class = 'latency' AND "
                     "outcome = 'done' AND arrival_ns >= 1000000000 ORDER BY end_ns - deadline_ns DESC, job, number LIMIT 1").fetchone()
begin = 2 * q[0] - q[1]
assert len(rows) > 10 and len(heads) >= 3
for name, shown in zip(heads[1:], rows[0][1:]):
    assert database.execute(query, (name, begin)).fetchone()[1] == int(shown), (name, shown)
last = 2 * q[1] - q[0]
if len(rows) < 200:
    for name, shown in zip(heads[1:], rows[-1][1:]):
        assert database.execute(query, (name, last)).fetchone()[1] == int(shown), (name, shown)
PY

# What has ended has no SMs, no transfer has any (kernels 0 and 5 of answer), and both share the GPU now and then.
sed -n '/<figcaption>How SMs were divided/,/<.figure>/p' c-laius.html | sed -nE 's/.*<tr>.*<\/th>((<td>[0-9]*<\/td>)+)<\/tr>.*/\1/p' | tr -c '0-9\n' ' ' >shares
awk '{ used = idle = 0; for (i = 1; i <= NF; i++) { used += $i; idle += $i == 0 } over += used > 32; free += idle > 0; both += idle < NF - 1 }
    END { exit !(NR > 10 && !over && free && both) }' shares || fail "SMs of applications: $(head -5 shares)"
[[ $(tell c-laius.db "SELECT group_concat(DISTINCT kernel) FROM (SELECT * FROM decision WHERE what = 'copies' AND app = 0 ORDER BY kernel)") == 0,5 ]] ||
    fail "not the transfers"

# --- where there is nothing to draw ---
expect 0 "without requests" "$DCSIM" --config x.json --set outputs.requests=false --output some.db --quiet
expect 0 "a report of it" "$DCSIM" report some.db -o some.html
grep -q 'How SMs were divided' some.html && fail "a moment of no request"
sed 's/"model": "spatial"/"model": "whole"/; s/c-laius/fcfs/' x.json >whole.json
expect 0 "one kernel at a time" "$DCSIM" --config whole.json --output whole.db --quiet
[[ $(tell whole.db "SELECT count(*) FROM decision") == 0 ]] || fail "launches of devices that are not shared"
finish
