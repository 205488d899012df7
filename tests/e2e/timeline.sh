#!/bin/bash
# Timelines on the command line.
#
# Pins: that the file keeps the Trace Event Format and itself (timeline_check.py says what that is), on devices of
# one kernel, on shared ones and on CPUs, with revocations, fused launches, quotas and charges; that the busy time of each
# device's track is that of the results database to the ns, also of a window; that a window and devices leave out
# the rest; that bad input leaves what was there; that a page in HTML has the same events and loads nothing (report_browser.sh opens it). "slow": 600 GPUs, of which 8 are shown for a second, fit in 20 MB.
# That recording changes no result is pinned by prop/test_worlds.
# shellcheck source=tests/e2e/lib.sh
. "$(dirname "$0")/lib.sh"
quick=$SOURCE_DIR/configs/quickstart.json
check() { python3 "$SOURCE_DIR/tests/e2e/timeline_check.py" "$1"; }

if [[ ${1:-} == slow ]]; then
    expect 0 "600 GPUs" "$DCSIM" --config "$SOURCE_DIR/configs/c-laius/datacenter.json" --set sweep=null --timeline big.json \
        --timeline-from 0.5 --timeline-until 1.5 --timeline-devices 0-7
    says out '^big.json: replication 0 from 0.5 to 1.5 s, 8 of 600 devices: [0-9]{4,} kernels' "600 GPUs"
    (($(stat -c %s big.json) < 20000000)) || fail "600 GPUs: $(stat -c %s big.json) bytes"
    expect 0 "its check" check big.json
    [[ $(wc -l <out) -eq 8 ]] || fail "not eight devices"
    echo "600 GPUs: $(stat -c %s big.json) bytes"
    finish
fi

# busy NAME ARGUMENT...: the sums of the tracks against the database, inside the window that is measured.
busy() {
    local name=$1 from
    shift
    rm -f r.db
    expect 0 "$name" "$DCSIM" "$@" --set replications=2 --output r.db --quiet
    from=$(sqlite3 r.db "SELECT printf('%d.%09d', window_from_ns / 1000000000, window_from_ns % 1000000000)
        FROM run WHERE replication = 1")
    expect 0 "$name: timeline" "$DCSIM" "$@" --timeline "$name.json" --timeline-replication 1 \
        --timeline-from "$from" --timeline-limit 100
    expect 0 "$name: check" check "$name.json"
    sqlite3 r.db "SELECT device || ' ' || busy_ns FROM device_usage WHERE replication = 1 ORDER BY device" >usage
    checks=$((checks + 1))
    cmp -s out usage || fail "$name: other busy times than in the results: $(diff out usage | head -2)"
}
busy quick --config "$quick"
busy features --config "$SOURCE_DIR/tests/data/every-feature.json"
for how in mps green fused; do
    busy $how --config "$SOURCE_DIR/tests/data/shared-$how.json" --set horizon.duration_s=2 --set horizon.warmup_s=0.5
done
cat >cpus.json <<'JSON'
{ "profile": "xeon-e5-2650v4", "sharing": { "model": "cpu" }, "cluster": { "domains": 2 }, "policy": { "name": "emu" },
  "horizon": { "duration_s": 10, "warmup_s": 2 },
  "workload": { "services": [ { "application": "asr", "arrivals": { "rate_per_s": 20 } } ],
    "batch": [ { "application": "can", "clients": 2 } ] } }
JSON
busy cpu --config cpus.json
has() { grep -q "\"cat\":\"$2\"" "$1.json" || fail "$1.json has no $2"; }
for what in kernel revocation decision scheduler; do has features $what; done
for what in transfer quota reason; do has green $what; done
has fused fused
has cpu quota
grep -q 'revoked":true' features.json || fail "no kernel was revoked"

expect 0 "a window" "$DCSIM" --config "$quick" --timeline w.json --timeline-from 1000 --timeline-until 1500 \
    --timeline-devices 2-3,0
says out '^w.json: replication 0 from 1000 to 1500 s, 3 of 4 devices: ' "a window"
expect 0 "its check" check w.json
[[ $(cut -d' ' -f1 out | tr '\n' ' ') == "0 2 3 " ]] || fail "other devices than were asked for"
python3 - <<'PY' || fail "events outside the window"
import json
for e in json.load(open("w.json"))["traceEvents"]:
    assert e["ph"] == "M" or 1000e6 <= e["ts"] and e["ts"] + e.get("dur", 0) <= 1500e6, e
PY
cp w.json same.json
expect 0 "again, over itself" "$DCSIM" --config "$quick" --timeline w.json --timeline-from 1000 --timeline-until 1500 \
    --timeline-devices 0,2,3 --quiet
[[ -s out ]] && fail "--quiet says something"
cmp -s w.json same.json || fail "the same timeline differs"

# A page for any browser: one file that loads nothing, with the same events; no name gets out of its script.
page() { "$DCSIM" --config "$quick" --timeline w.html --timeline-from 1000 --timeline-until 1500 --timeline-devices 2-3,0 "$@"; }
expect 0 "a page" page
says out '^w.html: replication 0 from 1000 to 1500 s, 3 of 4 devices: .*; any browser opens it$' "a page"
expect 0 "the page over itself" page --set 'name=</script><img src=x onerror=alert(1)>' --set 'description=<!--'
python3 - <<'PY' || fail "the page is not what it should be"
import html.parser, json, re
page = open("w.html", encoding="utf-8").read()
class Reader(html.parser.HTMLParser):
    tags, data, inside = [], "", False
    def handle_starttag(self, tag, attributes):
        self.tags.append(tag)
        assert not {"src", "href"} & {name for name, _ in attributes}, (tag, attributes)
        self.inside = ("id", "timeline") in attributes
    def handle_data(self, data):
        self.data += data if self.inside else ""
    def handle_endtag(self, tag):
        self.inside = False
reader = Reader()
reader.feed(page)
assert reader.tags.count("script") == 2 and "img" not in reader.tags, reader.tags
assert "default-src 'none'" in page and not re.search(r"https?:|url\(|@import|fetch\(|XMLHttp", page)
found = json.loads(reader.data)
assert found["traceEvents"] == json.load(open("w.json"))["traceEvents"]
assert found["otherData"]["name"] == "</script><img src=x onerror=alert(1)>"
PY
echo '<!DOCTYPE html><html lang="en"><p>my work</p></html>' >mine.html
refused 'mine.html: exists and is no timeline of dcsim' "a page of somebody" "$DCSIM" --config "$quick" --timeline mine.html
cp w.json trace.html
refused 'trace.html: exists and is no timeline of dcsim' "a trace in place of a page" "$DCSIM" --config "$quick" --timeline trace.html

refused 'timeline-limit: .* passes it at [0-9.]+ s .*--timeline-until' "too large" "$DCSIM" \
    --config "$SOURCE_DIR/tests/data/shared-green.json" --timeline big.json --timeline-limit 1
refused 'timeline-limit: ' "too large over another" "$DCSIM" \
    --config "$SOURCE_DIR/tests/data/shared-green.json" --timeline w.json --timeline-limit 1
cmp -s w.json same.json || fail "a failure touched what was there"
refused 'timeline-from: is outside the run, which ends at 83[0-9.]+ s' "after the end" "$DCSIM" --config "$quick" \
    --timeline n.json --timeline-from 100000
refused 'timeline-from: is outside the run, which ends at 5 s' "after the horizon" "$DCSIM" \
    --config "$SOURCE_DIR/tests/data/shared-green.json" --timeline n.json --timeline-from 5
refused 'timeline-until: is outside the run' "until after the horizon" "$DCSIM" \
    --config "$SOURCE_DIR/tests/data/shared-green.json" --timeline n.json --timeline-until 6
refused 'timeline-until: must be above' "an empty window" "$DCSIM" --config "$quick" --timeline n.json \
    --timeline-from 7 --timeline-until 7
for bad in -1 1s 1e3 '' . 1..2; do
    refused 'timeline-from: expected seconds' "from $bad" "$DCSIM" --config "$quick" --timeline n.json --timeline-from "$bad"
done
refused 'there is no device 4: the cluster has 0 to 3' "no such device" "$DCSIM" --config "$quick" --timeline n.json \
    --timeline-devices 2-4
for bad in x '1,' 3-2 1-2-3 '' ','; do
    refused 'timeline-devices: expected numbers' "devices $bad" "$DCSIM" --config "$quick" --timeline n.json \
        --timeline-devices "$bad"
done
refused 'timeline-limit: expected MB' "limit" "$DCSIM" --config "$quick" --timeline n.json --timeline-limit 0
refused 'timeline-replication: expected' "replication" "$DCSIM" --config "$quick" --timeline n.json --timeline-replication x
refused '\-\-timeline FILE is missing' "no file" "$DCSIM" --config "$quick" --timeline-from 3
refused 'goes without --output' "with results" "$DCSIM" --config "$quick" --timeline n.json --output n.db
refused 'cannot write the timeline: No such file' "no folder" "$DCSIM" --config "$quick" --timeline none/n.json
echo mine >mine.txt
refused 'mine.txt: exists and is no timeline' "another's file" "$DCSIM" --config "$quick" --timeline mine.txt
[[ $(cat mine.txt) == mine ]] || fail "another's file was overwritten"
refused 'sweep: a timeline shows one run, and this is 2 experiments: --print-config prints the first' "a sweep" "$DCSIM" --config "$quick" \
    --set 'sweep={"axes":[{"key":"seed","values":[1,2]}]}' --timeline n.json
if [[ -e /dev/full && $(id -u) -eq 0 ]]; then
    ln -sf /dev/full full.json
    refused 'exists and is no timeline' "a device" "$DCSIM" --config "$quick" --timeline full.json
fi
finish
