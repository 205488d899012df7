#!/bin/bash
# Queueing theory through the real command line: mean response times of M/M/1, M/D/1, M/M/4 and M/G/1
# against their closed forms at loads 0.5 and 0.9, 30 replications each.
#
# Pins: the standard error over replications is at most 1 % of the closed form, and the mean lies within
# 3 standard errors of it; a mutant whose mean service time is 3 % off does not. L = lambda W is asserted
# exactly, in every run, by the program itself. Does not pin: distributions of waiting times.
#
#   DCSIM=dcsim tests/stat/queueing.sh [DATABASE]     keeps the runs, for plots/make DATABASE queueing-mean
#
# Sources: M/M/1 T = s / (1 - rho); Pollaczek-Khinchine W = lambda E[S^2] / (2 (1 - rho)); Erlang C.
set -u
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0
database=${1:-$work/r.db}

# simulate NAME THEORY_MS SERVERS RATE DISTRIBUTION SHAPE MEAN_MS SECONDS: prints "mean standard_error" in ms.
simulate() {
    cat >"$work/config.json" <<JSON
{ "name": "$1", "description": "closed form: $2 ms", "seed": 20261, "replications": 30,
  "cluster": { "devices": $3, "router": "round_robin" },
  "policy": { "name": "fcfs" },
  "applications": [ { "name": "server", "class": "latency",
    "service": { "distribution": "$5", "mean_ms": $7, "shape": $6 } } ],
  "horizon": { "duration_s": $8, "warmup_s": $(awk "BEGIN { print $8 / 20 }") },
  "workload": { "services": [ { "application": "server",
    "arrivals": { "process": "poisson", "rate_per_s": $4 } } ] } }
JSON
    "$DCSIM" --config "$work/config.json" --set interval=mean --output "$database" --quiet || exit 1
    # t quantile 0.975 with 29 degrees of freedom: 2.04523
    sqlite3 -separator ' ' "$database" "SELECT value / 1e6, (high - low) / 2 / 2.04523 / 1e6
        FROM summary s JOIN experiment e ON e.id = s.experiment
        WHERE e.name = '$1' AND s.name = 'response_mean' AND class = 'latency'"
}

# theory SERVERS RATE MEAN_MS SECOND_MOMENT_OVER_SQUARED_MEAN: mean response in ms.
theory() {
    awk -v c="$1" -v rate="$2" -v s="$3" -v k="$4" 'BEGIN {
        a = rate * s / 1000; rho = a / c
        if (c == 1) { print s + rate / 1000 * k * s * s / (2 * (1 - rho)); exit }
        sum = 0; term = 1
        for (i = 0; i < c; i++) { sum += term; term *= a / (i + 1) }
        tail = term / (1 - rho)
        print s + tail / (sum + tail) * s / (c * (1 - rho))
    }'
}

# compare NAME EXPECT(ok|off) SERVERS RATE DISTRIBUTION SHAPE MEAN_MS TRUE_MEAN_MS K SECONDS
compare() {
    local measured expected verdict
    expected=$(theory "$3" "$4" "$8" "$9")
    measured=$(simulate "$1" "$expected" "$3" "$4" "$5" "$6" "$7" "${10}")
    verdict=$(awk -v m="${measured% *}" -v e="${measured#* }" -v t="$expected" -v want="$2" 'BEGIN {
        z = (m - t) / e
        precise = e <= 0.01 * t; near = z <= 3 && z >= -3
        good = want == "ok" ? (precise && near) : !near
        printf "%s mean %.4f ms, theory %.4f ms, standard error %.2f %%, %.2f standard errors away",
            good ? "ok  " : "FAIL", m, t, 100 * e / t, z }')
    echo "${verdict:0:4}  $1: ${verdict:5}"
    [[ $verdict == ok* ]] || failed=1
}

p=1.088888889 # Pareto 4.5: E[S^2] / E[S]^2 = (alpha - 1)^2 / (alpha (alpha - 2))
l=2.718281828 # lognormal, sigma 1: exp(sigma^2)
for rate in 50 90; do
    long=$((rate == 90 ? 4500 : 500))
    compare "M/M/1 at 0.$rate" ok 1 $rate exponential 1 10 10 2 $long
    compare "M/D/1 at 0.$rate" ok 1 $rate deterministic 1 10 10 1 $((long / 2))
    compare "M/G/1, Pareto 4.5, at 0.$rate" ok 1 $rate pareto 4.5 10 10 $p $((long / 2))
    compare "M/G/1, lognormal, at 0.$rate" ok 1 $rate lognormal 1 10 10 $l $((long * 2))
    compare "M/M/4 at 0.$rate" ok 4 $((4 * rate)) exponential 1 10 10 2 $((long / 3))
done
compare "mutant: M/M/1 at 0.50, service 3 % longer" off 1 50 exponential 1 10.3 10 2 2000
compare "mutant: M/D/1 at 0.90, service 3 % shorter" off 1 90 deterministic 1 9.7 10 1 2000
exit $failed
