#!/bin/bash
# What dcsim-calibrate is linked with, and what it says where there is no GPU.
#
# Pins: what --app, --default-size-only and --only leave of a plan, and that `all --app` ends with a fit; no GSL (its licence does not go with CUDA's libraries), no libcuda, NVML, cuBLAS, SQLite or
# C++ library needed at its start; without a driver or a GPU a clear line and exit code 2, and what
# needs none works; what a build says that measures CPUs alone. Does not pin what it measures.
set -u
program=${DCSIM_CALIBRATE:?}
failed=0

complain() {
    echo "FAIL: $1"
    failed=1
}

# Sanitizers bring libraries of their own.
sanitized=${SANITIZE:-}
needed=$(readelf -d "$program" | sed -nE 's/.*\(NEEDED\).*\[(.*)\]/\1/p')
[[ -n $needed ]] || complain "readelf names no library at all"
while read -r library; do
    [[ -n $sanitized || $library =~ ^(libc|libm|libdl|librt|libpthread|ld-linux-x86-64|ld-linux-aarch64)\.so ]] ||
        complain "it needs $library at its start"
done <<<"$needed"

symbols=$(nm "$program" 2>/dev/null)
[[ $symbols == *cal_store_open* ]] || complain "nm lists no symbols: this test would see nothing"
grep -qE '[[:space:]](gsl_|cblas_)' <<<"$symbols" && complain "it has GSL inside"

# says EXPECTED-CODE TEXT ARGS...: exit code, and a text on either output.
says() {
    local code=$1 text=$2 output got
    shift 2
    output=$("$program" "$@" 2>&1)
    got=$?
    ((got == code)) || complain "$* ended with $got, not $code: $output"
    [[ $output == *"$text"* ]] || complain "$* does not say '$text': $output"
}

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
says 0 'cpu-stream' list
if grep -qsE '^[2-9]' /sys/devices/system/cpu/cpu*/cache/index*/level; then
    says 0 'CPU minutes left' cpu --dry-run
    says 0 'cpu-cache/bs/' cpu --dry-run --verbose --app bs
    (($("$program" cpu --dry-run | wc -l) < 20)) || complain "a dry run prints each step"
    says 2 'more threads than cores' cpu --cores 4000
else
    says 2 'the kernel says nothing of a last-level cache' cpu --dry-run
    echo "skipped: plans for CPUs (the kernel describes no caches in /sys/devices/system/cpu)"
fi
says 2 'no program "nothing" for CPUs' cpu --app nothing
says 2 'a number from' cpu --seconds soon
says 2 'unexpected argument "twice"' cpu check twice
says 2 'the profile cannot be read: No such file' export missing/a.db a.sql
says 2 'two paths' merge a.db
says 2 'the profile cannot be read: No such file' merge missing/a.db b.db
if [[ $("$program" list) != *"Applications for GPUs"* ]]; then
    says 2 'measures CPUs alone' all
    says 2 'measures CPUs alone' check
    says 2 'measures CPUs alone' split
    says 0 'it has no check, all and MEASUREMENT' --help
    ((failed == 0)) && echo "linked as it should be; measures CPUs alone"
    exit $failed
fi
says 0 'overhead' list
[[ $("$program" --help) != *"CPUs alone"* ]] || complain "--help of a build with CUDA names what it lacks"
says 0 'GPU minutes left' all --dry-run
says 0 'solo/hotspot/' solo --dry-run --verbose --app hotspot
says 0 '/all-kernels ' solo --dry-run --verbose --app hotspot
"$program" counters --dry-run --verbose --app 'mri*,ner' | grep -c ^counters/ | grep -qx 9 || complain "--app takes other names"
apps=$("$program" solo --dry-run --verbose | grep -oE '^solo/[^/]+' | sort -u | wc -l)
"$program" counters --dry-run --verbose --step '*/warm' | grep -c ^counters/ | grep -qx "$apps" || complain "--step takes other steps"
says 2 'no application "mri"' solo --app ner,mri
(($("$program" all --dry-run | wc -l) < 25)) || complain "a dry run prints each step"
[[ $("$program" shapes --dry-run) =~ all\ +0 ]] || complain "shapes has steps"
says 0 'live-partitions/resnet50+lbm/64/0.6 ' live-partitions --dry-run --verbose --app resnet50
"$program" live-partitions --dry-run --verbose | grep -n '^live-partitions/' >steps
(($(wc -l <steps) == 60 && $(grep -c '/32/0.6 ' steps) == 30)) || complain "live-partitions has other steps"
[[ $(tail -n +31 steps) != */64/* ]] || complain "live-partitions begins with other partitions than halves"
"$program" sensitivity-l2 --dry-run --verbose --app hotspot | grep -c '^sensitivity-l2/hotspot/.*\(coarse\|fine\) ' | grep -qx 20 ||
    complain "sensitivity-l2 has other steps"
# Each pair of applications, each with its copy, in one half; the halves are about as large; the turns are a shuffle.
for half in pairs-any pairs-any-test; do "$program" "$half" --dry-run --verbose; done | grep -oE '^pair-any/[^ ]+' >pairs
(($(wc -l <pairs) == apps * (apps + 1) / 2 && $(sed 's|.*/||' pairs | sort -u | wc -l) == apps * (apps + 1) / 2)) ||
    complain "pairs-any has other pairs"
third=$(grep -c '^pair-any/test3/' pairs)
((third * 5 > apps * (apps + 1) && third * 10 < apps * (apps + 1) * 3)) || complain "the halves of pairs-any are unequal: $third"
[[ $(head -n 40 pairs | sed 's|.*/||; s|+.*||' | sort -u | wc -l) -gt 10 ]] || complain "the turns of pairs-any are in order"
[[ $("$program" all --dry-run) != *pairs-any* && $("$program" all --dry-run) != *sensitivity-l2* ]] ||
    complain "all has what is for chosen applications"
# What every application needs, and what is of several.
plan() { "$program" "$@" --dry-run --verbose 2>err | grep -E '^[a-z0-9-]+/' >steps; }
planned() { grep -cE "^$1" steps; }
plan all --app hotspot
(($(planned overhead/) == 11 && $(planned solo/hotspot/) == 21 && $(planned sensitivity/hotspot/) == 20 && $(planned sensitivity-requests/hotspot/) == 3)) ||
    complain "all --app lacks what a simulation needs"
[[ ! -s err && $(grep -v ^launches/ steps | cut -d / -f 1 | sort -u | paste -sd ' ') == 'counters overhead sensitivity sensitivity-requests solo' ]] ||
    complain "all --app has other steps"
fitted='Then contention is fitted, by python3 with numpy; --no-fit leaves it out.'
[[ $("$program" all --app hotspot --dry-run | tail -n 1) == "$fitted" ]] || complain "all --app does not fit"
for options in '--no-fit --app hotspot' '--only solo --app hotspot' '--step solo/* --app hotspot' --default-size-only; do
    # shellcheck disable=SC2086 # several words
    [[ $(set -f; "$program" all $options --dry-run) != *"$fitted"* ]] || complain "all $options fits"
done
for options in 'overhead --app hotspot' 'all --app hotspot --only overhead'; do
    # shellcheck disable=SC2086 # several words
    plan $options
    [[ $(wc -l <steps) == 11 && $(planned overhead/) == 11 && ! -s err ]] || complain "$options does not measure overhead"
done
for options in 'transfers --app hotspot' 'all --app hotspot --only transfers' 'live --app lbm'; do
    # shellcheck disable=SC2086 # several words
    plan $options
    [[ ! -s steps && $(wc -l <err) == 1 && $(cat err) =~ ^dcsim-calibrate:\ --app\ leaves\ none\ of\ (transfers|live): ]] ||
        complain "$options: $(cat err)"
done
plan all --app hotspot --default-size-only
default=$("$program" list | sed -nE 's/^hotspot +batch +[0-9]+ to [0-9]+, ([0-9]+) .*/\1/p')
[[ $(grep -E '^(solo|counters)/' steps | sed -E 's/ .*//' | sort | paste -sd ' ') == \
    "counters/hotspot/cold counters/hotspot/warm solo/hotspot/$default/coarse solo/hotspot/$default/fine" ]] ||
    complain "--default-size-only has other steps: $(cat steps)"
# A build without CUPTI's header has no launches.
[[ $(planned launches/) == "$(planned "launches/hotspot/${default}[ /]")" ]] || complain "--default-size-only has launches at other sizes"
(($(planned sensitivity/) == 20 && $(planned overhead/) == 11)) || complain "--default-size-only leaves out what has no other size"
plan all --default-size-only
(($(planned sized-pair/) == 0 && $(planned pair/) > 0 && $(planned solo/) == 2 * apps)) || complain "all --default-size-only has other steps"
"$program" all --default-size-only --dry-run | grep -qE "^solo +$((2 * apps)) " || complain "--dry-run counts other sizes"
says 2 '--default-size-only leaves nothing of pairs-sizes' pairs-sizes --default-size-only --dry-run
says 2 '--default-size-only leaves nothing of pairs-sizes' all --only solo --only pairs-sizes --default-size-only
says 2 '--default-size-only goes with all and with a measurement' check --default-size-only
says 2 '--no-fit goes with all' solo --no-fit
says 2 'no command "bogus"' bogus
says 2 'no application "nothing"' check --app nothing
says 2 'no such measurement' all --only nothing
says 2 'a number from' solo --minutes soon
says 0 'split/mm/1024/beside/1 ' split --dry-run --verbose --app mm --threads 1
says 2 'no program "lbm" is divided' split --app lbm
says 2 'no policy of that name divides requests' split --run fcfs
says 2 'a number from 0 to 1' split --run cap --set gpu_share=2
says 2 'has no number of that name' split --run cap --set share=0.5
says 2 'may use' split --threads 200
CUDA_VISIBLE_DEVICES='' says 2 'GPU' split
CUDA_VISIBLE_DEVICES='' says 2 'GPU' check
CUDA_VISIBLE_DEVICES='' says 2 'GPU' solo --output p.db
[[ ! -e p.db ]] || complain "a profile was begun without a GPU"

((failed == 0)) && echo "linked as it should be, and says what is missing"
exit $failed
