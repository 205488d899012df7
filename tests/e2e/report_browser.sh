#!/bin/bash
# dcsim report, and timelines as pages, in headless Chromium.
#
# Pins: on windows of 390 and 1280 pixels nothing is wider than the window but what scrolls by itself, every figure
# is there and has a size, no text of one is cut off by its edge, and the console stays empty. Does not pin: beauty.
# shellcheck source=tests/e2e/lib.sh
source "$SOURCE_DIR/tests/e2e/lib.sh"

browser=$(command -v chromium || command -v chromium-browser) || {
    echo "skipped: there is no chromium (Debian package chromium)"
    exit 77
}

run() { "$DCSIM" --quiet --output "$1" --config "$SOURCE_DIR/configs/$2" --set replications=3 "${@:3}" || fail "a run: $*"; }
run one.db quickstart.json
for policy in elastic priority; do
    for load in 0.5 1 2; do
        run load.db trem/w1.json --set policy.name=$policy --set "workload.trem[0].load=$load" --set outputs.jobs=false
    done
    run world.db trem/w1.json --set policy.name=$policy
done
run time.db trem/fig10.json

# What the page's own policy forbids is put in its place for the test: a script that looks at the layout.
cat >look.js <<'JS'
window.addEventListener('load', () => {
    const found = [];
    const wide = document.documentElement.scrollWidth, window_width = window.innerWidth;
    if (wide > window_width) found.push(`the page is ${wide} wide`);
    for (const e of document.querySelectorAll('main *, footer')) {
        const box = e.getBoundingClientRect();
        if (!e.closest('.scroll, pre, svg') && box.right > window_width + 1)
            found.push(`${e.tagName} ends at ${box.right}`);
    }
    for (const svg of document.querySelectorAll('svg.plot')) {
        const box = svg.getBoundingClientRect();
        if (box.width < 300 || box.height < 40) found.push(`a figure is ${box.width} x ${box.height}`);
        for (const text of svg.querySelectorAll('text')) {
            const t = text.getBoundingClientRect();
            if (t.left < box.left - 1 || t.right > box.right + 1 || t.bottom > box.bottom + 1)
                found.push(`"${text.textContent}" is cut off`);
        }
    }
    document.title = `LOOKED ${document.querySelectorAll('svg.plot').length} figures; ${found.slice(0, 5).join('; ')}.`;
});
JS
# look NAME FIGURES
look() {
    expect 0 "a report of $1" "$DCSIM" report "$1.db" -o "$1.html"
    python3 - "$1" <<'PY' || fail "$1: the page has not the shape that this test changes"
import sys
page = open(sys.argv[1] + '.html', encoding='utf-8').read()
script = open('look.js', encoding='utf-8').read()
head, policy, rest = page.partition('<meta http-equiv="Content-Security-Policy"')
body, end, nothing = rest.partition('/>')[2].rpartition('</body>')
assert policy and end
open(sys.argv[1] + '-look.html', 'w', encoding='utf-8').write(
    head + body + '<script>' + script + '</script>' + end + nothing)
PY
    local width
    for width in 390 1280; do
        timeout 120 "$browser" --headless=new --no-sandbox --disable-gpu --user-data-dir="$work/profile" \
            --window-size=$width,900 --enable-logging=stderr --v=0 --virtual-time-budget=2000 --dump-dom \
            "file://$work/$1-look.html" >dom 2>log
        says dom "<title>LOOKED $2 figures; \\.</title>" "$1 at $width pixels"
        grep -o '<title>.*</title>' dom | grep -v "LOOKED $2 figures; \\." && failed=1
        grep 'CONSOLE' log && fail "$1 at $width pixels: the console is not empty"
    done
}
look one 2
look load 9
look world 9
look time 3

# A timeline as a page: its script runs as it is, under its own policy, and names what is there.
"$DCSIM" --config "$SOURCE_DIR/configs/quickstart.json" --timeline timeline.html --timeline-from 1000 --timeline-until 1100 >said ||
    fail "a timeline"
kernels=$(sed -E 's/.*devices: ([0-9]+) kernels.*/\1/' said)
for width in 390 1280; do
    timeout 120 "$browser" --headless=new --no-sandbox --disable-gpu --user-data-dir="$work/profile" \
        --window-size=$width,900 --enable-logging=stderr --v=0 --virtual-time-budget=2000 --dump-dom \
        "file://$work/timeline.html" >dom 2>log
    says dom '<title>quickstart: elastic</title>' "the timeline at $width pixels"
    says dom "from 1000 s to 1100 s of simulated time: $kernels kernels\." "the timeline at $width pixels"
    says dom 'canvas[^>]* style="height: [1-9][0-9]{2}' "the timeline has a size"
    grep 'CONSOLE' log && fail "the timeline at $width pixels: the console is not empty"
done
finish
