#!/bin/bash
# Runs a sweep as Slurm job arrays, each task a shard with a database of its own, and merges them at the end.
#
#   scripts/slurm/submit.sh CONFIG OUT.db SHARDS [SBATCH OPTION...]
#   scripts/slurm/submit.sh configs/x.json /nfs/x.db 2000 --cpus-per-task=4 --time=2:00:00 --partition=batch
#
# Arrays are no longer than the cluster's MaxArraySize: more shards become several arrays. The shards' databases
# lie in OUT.db.parts until somebody removes them. The same command again continues what is missing: after a time
# limit, a failed node, a point that failed. $DCSIM names the program, if it is not in the path. Options go to the
# arrays and to the merge, which needs one task and little else, but the same account and partition. Prints the job
# numbers, that of the merge last.
set -euo pipefail

if (($# < 3)) || [[ ! $3 =~ ^[1-9][0-9]{0,8}$ ]]; then
    echo "usage: submit.sh CONFIG OUT.db SHARDS [SBATCH OPTION...]" >&2
    exit 2
fi
dcsim=$(command -v "${DCSIM:-dcsim}") || {
    echo "submit.sh: no program ${DCSIM:-dcsim}; set DCSIM" >&2
    exit 2
}
dcsim=$(realpath -- "$dcsim")
config=$(realpath -- "$1") out=$(realpath -- "$2") shards=$3
shift 3
scripts=$(realpath -- "$(dirname "$0")")
"$dcsim" --config "$config" --print-config >/dev/null # mistakes show here, not in every task

most=$(scontrol show config | awk '$1 == "MaxArraySize" { print $3 }')
[[ $most =~ ^[1-9][0-9]*$ ]] || {
    echo "submit.sh: scontrol does not say MaxArraySize" >&2
    exit 2
}
parts=$out.parts
mkdir -p "$parts"

# A limit on jobs, say: what was submitted would run, and never be merged.
jobs=()
give_up() {
    echo "submit.sh: sbatch refused a job${jobs[*]:+; submitted before it, and not to be merged: ${jobs[*]}}" >&2
    exit 1
}
for ((first = 1; first <= shards; first += most)); do
    last=$((first + most - 1 < shards ? most - 1 : shards - first))
    job=$(sbatch --parsable --job-name=dcsim --output="$parts/%A_%a.log" --array=0-$last "$@" \
        "$scripts/shard.sh" "$dcsim" "$config" "$parts" "$first" "$shards") || give_up
    jobs+=("${job%%;*}")
done
# What there is counts, also if a shard had points that failed.
merge=$(sbatch --parsable "$@" --job-name=dcsim-merge --output="$parts/merge.log" \
    --dependency="afterany:$(IFS=:; echo "${jobs[*]}")" "$scripts/merge.sh" "$dcsim" "$out" "$parts") || give_up
printf '%s\n' "${jobs[@]}" "${merge%%;*}"
