#!/bin/bash
# The runs behind docs/validation/replays.md, "The paper's workload, a fit, and Google's trace": four policies under
# the paper's Pareto/Poisson workload, the same with the trace's classes and means, the fitted workload,
# and windows of the trace itself, all at one offered load.
#
#   configs/traces/compare.sh google-2011.db [DATABASE]        default: compare.db
#
# Ten replications of each drawn workload; ten windows of two hours of the trace, one replication each.
# May be interrupted and repeated. DCSIM names the program (default: dcsim), LOADS the offered loads.
set -eu
if [[ $# -lt 1 || $# -gt 2 || $1 == -* ]]; then
    echo "Usage: $0 TRACE.db [DATABASE]        DATABASE: compare.db if not given" >&2
    exit 2
fi
here=$(cd "$(dirname "$0")" && pwd)
dcsim=${DCSIM:-dcsim}
trace=$(realpath "$1")
database=${2:-compare.db}

# point CONFIG POLICY REVOCATION LOAD [PATH=VALUE]...
point() {
    local config=$1 policy=$2 revocation=$3 load=$4 section=jobs set=() s
    shift 4
    [[ $config == compare-trace ]] && section=trace
    for s in "$@"; do set+=(--set "$s"); done
    "$dcsim" --quiet --output "$database" --config "$here/$config.json" --set outputs.jobs=false \
        --set policy.name="$policy" --set policy.revocation="$revocation" \
        --set "workload.${section}[0].load=$load" "${set[@]}"
}

for load in ${LOADS:-0.8}; do
    for policy in priority elastic; do
        for revocation in false true; do
            for config in compare-paper compare-means compare-fitted; do
                point $config $policy $revocation "$load"
            done
            for window in 0 1 2 3 4 5 6 7 8 9; do
                point compare-trace $policy $revocation "$load" replications=1 \
                    "workload.trace[0].database=$trace" \
                    "workload.trace[0].from_s=$((7200 + 9000 * window))" \
                    "workload.trace[0].until_s=$((14400 + 9000 * window))"
            done
        done
    done
done
