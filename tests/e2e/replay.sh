#!/bin/bash
# Replay of a real trace: the hand-made sample with exact counts, and Alibaba's own pods where they lie
# beside the project (they may not be republished): 4 and 64 GPUs here, 600 in the slow tier.
# shellcheck source=tests/e2e/lib.sh
. "$(dirname "$0")/lib.sh"
sample=$SOURCE_DIR/tests/data/openb-sample.csv
cat >sample.json <<JSON
{ "policy": { "name": "priority", "revocation": true }, "cluster": { "devices": 2 },
  "workload": { "openb": [ { "pods": "$sample", "duration_compression": 10, "time_compression": 10 } ] } }
JSON
expect 0 "the sample" "$DCSIM" --config sample.json
says out 'left out' "what was left out is printed"
cp out first
expect 0 "again" "$DCSIM" --config sample.json
cmp -s first out || fail "a replay differs from itself"
gzip -c "$sample" >sample.csv.gz
expect 0 "as gzip" "$DCSIM" --config sample.json --set 'workload.openb[0].pods=sample.csv.gz'

pods=$SOURCE_DIR/../shared/traces/alibaba/cluster-trace-gpu-v2023/openb_pod_list_default.csv.gz
if [[ ! -e $pods ]]; then
    echo "the published pod lists are not beside the project: only the sample was replayed"
    [[ ${1:-} == slow ]] && exit 77
    finish
fi
cp "$pods" pods.csv.gz
replay() {
    "$DCSIM" --config "$SOURCE_DIR/configs/trem/replay-openb.json" \
        --set "workload.openb[0].pods=$PWD/pods.csv.gz" "$@"
}
# Shorter pods here, so that the fast tier stays fast.
short=(--set 'workload.openb[0].duration_compression=2000')
expect 0 "4 GPUs" replay "${short[@]}" --set cluster.domains=1 --output r.db
expect 0 "64 GPUs" replay "${short[@]}" --set cluster.domains=16 --output r.db
if [[ ${1:-} == slow ]]; then
    expect 0 "600 GPUs" /usr/bin/env bash -c "ulimit -v 300000; timeout 60 '$DCSIM' --config \
        '$SOURCE_DIR/configs/trem/replay-openb.json' \
        --set 'workload.openb[0].pods=$work/pods.csv.gz' --output r.db"
    requests=$(sqlite3 r.db 'SELECT max(requests) FROM run')
    ((requests >= 20000000)) || fail "600 GPUs: only $requests requests"
    echo "600 GPUs: $requests requests"
fi
finish
