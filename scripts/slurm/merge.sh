#!/bin/bash
# After all arrays of submit.sh: merge.sh DCSIM OUT PARTS. A shard without points has made no database, one that was
# broken off in its first write an empty file.
set -euo pipefail
shopt -s nullglob
parts=()
for part in "$3"/part-*.db; do
    [[ -s $part ]] && parts+=("$part")
done
((${#parts[@]} > 0)) || {
    echo "merge.sh: no shard has given anything; see the logs in $3" >&2
    exit 1
}
exec "$1" merge "$2" "${parts[@]}"
