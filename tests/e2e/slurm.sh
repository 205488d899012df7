#!/bin/bash
# scripts/slurm against a real Slurm: munged, slurmctld and slurmd of the distribution, started here as root on
# this host for the length of the test, with files of their own.
#
# Pins: more shards than MaxArraySize become several arrays; each shard has a database of its own; the merged one
# is that of a single run; the same command again continues, after a part was lost. Does not pin: several nodes,
# NFS, accounting.
# shellcheck source=tests/e2e/lib.sh
. "$(dirname "$0")/lib.sh"

if [[ $(id -u) -ne 0 ]]; then
    echo "needs root to start Slurm's daemons"
    [[ ${DCSIM_SLURM_REQUIRED:-} == 1 ]] && exit 1
    exit 77
fi
if ! command -v slurmctld >/dev/null || ! command -v slurmd >/dev/null || ! command -v munged >/dev/null; then
    echo "Slurm is not installed (scripts/install.sh full does it)"
    [[ ${DCSIM_SLURM_REQUIRED:-} == 1 ]] && exit 1
    exit 77
fi
if ! mountpoint -q /sys/fs/cgroup; then
    echo "slurmd does not start without /sys/fs/cgroup"
    [[ ${DCSIM_SLURM_REQUIRED:-} == 1 ]] && exit 1
    exit 77
fi

host=$(hostname -s)
port=$((20000 + RANDOM % 20000))
mkdir state spool
chmod 755 .
dd if=/dev/urandom of=munge.key bs=1 count=1024 status=none
chmod 400 munge.key
cat >slurm.conf <<CONF
ClusterName=dcsim
SlurmctldHost=$host(127.0.0.1)
SlurmUser=root
SlurmdUser=root
SlurmctldPort=$port
SlurmdPort=$((port + 1))
AuthType=auth/munge
AuthInfo=socket=$work/munge.socket
StateSaveLocation=$work/state
SlurmdSpoolDir=$work/spool
SlurmctldPidFile=$work/slurmctld.pid
SlurmdPidFile=$work/slurmd.pid
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
MpiDefault=none
MaxArraySize=5
ReturnToService=2
NodeName=$host NodeAddr=127.0.0.1 CPUs=2 State=UNKNOWN
PartitionName=all Nodes=$host Default=YES MaxTime=20 State=UP
CONF
export SLURM_CONF=$work/slurm.conf

daemons=()
stop() {
    ((${#daemons[@]} > 0)) && kill "${daemons[@]}" 2>/dev/null
    wait 2>/dev/null
    rm -rf "$work"
}
trap stop EXIT
munged --foreground --force --num-threads=2 --key-file="$work/munge.key" --socket="$work/munge.socket" \
    --pid-file="$work/munged.pid" --log-file="$work/munged.log" --seed-file="$work/munged.seed" 2>munged.err &
daemons+=($!)
for _ in $(seq 100); do [[ -S munge.socket ]] && break; sleep 0.1; done
slurmctld -D >slurmctld.log 2>&1 &
daemons+=($!)
slurmd -D -N "$host" >slurmd.log 2>&1 &
daemons+=($!)
for _ in $(seq 300); do
    [[ $(sinfo -h -o %t 2>/dev/null) == idle ]] && break
    sleep 0.2
done
if [[ $(sinfo -h -o %t 2>/dev/null) != idle ]]; then
    fail "Slurm does not start: $(sinfo -h -o %t 2>&1)"
    tail -n 5 munged.err munged.log slurmctld.log slurmd.log
    finish
fi

cat >s.json <<'JSON'
{ "policy": { "name": "fcfs" }, "replications": 2, "workload": { "trem": [ { "jobs": 8 } ] },
  "sweep": { "axes": [ { "key": "workload.trem[0].load", "from": 0.1, "to": 1.4, "step": 0.1 } ] } }
JSON
dump() { sqlite3 "$1" .dump | grep -v '^INSERT INTO wall' | sort; }
expect 0 "a single run" "$DCSIM" --config s.json --output whole.db --quiet

# submit WHAT: 12 shards, which are three arrays of at most 5; waits for the merge.
submit() {
    expect 0 "submit, $1" "$SOURCE_DIR/scripts/slurm/submit.sh" s.json all.db 12 --cpus-per-task=1 --comment=mine
    [[ $(wc -l <out) == 4 ]] || fail "$1: three arrays and a merge expected, got $(wc -l <out) jobs"
    local merge
    merge=$(tail -1 out)
    for _ in $(seq 600); do
        [[ -z $(squeue -h -o %i 2>/dev/null) ]] && break
        sleep 0.2
    done
    [[ $(scontrol show job "$merge" | grep -o 'JobState=[A-Z]*') == JobState=COMPLETED ]] || {
        fail "$1: the merge did not end well"
        cat all.db.parts/*.log
    }
    scontrol show job "$merge" | grep -q 'Comment=mine' || fail "$1: options do not reach the merge"
    [[ $(dump all.db) == "$(dump whole.db)" ]] || fail "$1: the merged database is not that of a single run"
    checks=$((checks + 3))
}
submit "first"
[[ $(find all.db.parts -name 'part-*.db' | wc -l) == 12 ]] || fail "a database for each shard expected"
says all.db.parts/merge.log '^14 experiments and 28 runs added' "the merge"
rm all.db.parts/part-7.db
mkdir some
cp all.db.parts/part-1.db some
: >some/part-2.db
expect 0 "an empty part" "$SOURCE_DIR/scripts/slurm/merge.sh" "$DCSIM" some.db some
submit "again, after a part was lost"
[[ -s all.db.parts/part-7.db ]] || fail "the part that was lost is not there again"
says all.db.parts/merge.log '^0 experiments and 0 runs added, 28 runs were there' "the second merge"

expect 1 "a partition that there is not" "$SOURCE_DIR/scripts/slurm/submit.sh" s.json all.db 12 --partition=none
says err '^submit.sh: sbatch refused a job$' "a partition that there is not"
mkdir refused && cd refused || exit 1 # the daemons write to state and spool whenever they like
refused 'usage: submit.sh' "no shards" "$SOURCE_DIR/scripts/slurm/submit.sh" ../s.json all.db
sed 's/"axes"/"axis"/' ../s.json >bad.json
refused 'bad.json:2: sweep.axis: unknown key' "a bad config" "$SOURCE_DIR/scripts/slurm/submit.sh" bad.json bad.db 3
finish
