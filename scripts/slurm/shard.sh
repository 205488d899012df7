#!/bin/bash
# One task of an array that submit.sh has made: shard.sh DCSIM CONFIG PARTS FIRST SHARDS. Slurm's signal before a
# time limit reaches the program itself, which keeps the runs that have ended.
set -euo pipefail
shard=$(($4 + SLURM_ARRAY_TASK_ID))
exec "$1" --config "$2" --shard "$shard/$5" --jobs "${SLURM_CPUS_PER_TASK:-1}" --yes --quiet \
    --output "$3/part-$shard.db"
