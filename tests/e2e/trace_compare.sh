#!/bin/bash
# configs/traces/compare.sh and plots/trace_compare.py: the usage, and what they say of a database that has
# not all experiments. The database is made here: the runs themselves take hours.
# shellcheck source=tests/e2e/lib.sh
. "$(dirname "$0")/lib.sh"

expect 2 "no trace" "$SOURCE_DIR/configs/traces/compare.sh"
says err '^Usage: .*compare.sh TRACE.db \[DATABASE\]' "no trace"
expect 2 "too many" "$SOURCE_DIR/configs/traces/compare.sh" a.db b.db c.db
says err '^Usage: ' "too many"

command -v python3 >/dev/null || finish
script=$SOURCE_DIR/plots/trace_compare.py
# results [WORKLOAD...]: SQL of ten places of each point of these.
results() {
    echo 'CREATE TABLE experiment(id INTEGER PRIMARY KEY, name, config);
        CREATE TABLE metric(experiment, replication, name, class, app, value);'
    local name section id=0 policy revocation
    for name in "$@"; do
        section="jobs"
        [[ $name == compare-trace ]] && section=trace
        for policy in priority elastic; do
            for revocation in false true; do
                id=$((id + 1))
                echo "INSERT INTO experiment VALUES($id, '$name', '{\"policy\": {\"name\": \"$policy\",
                    \"revocation\": $revocation}, \"workload\": {\"trace\": [], \"jobs\": [],
                    \"$section\": [{\"load\": 0.8}]}}');
                    WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 9),
                    m(name, class) AS (VALUES ('sla_met', 'latency'), ('response_p99', 'latency'),
                        ('throughput', 'batch'), ('job_time_p50', 'batch'), ('lost_over_useful', NULL),
                        ('overhead', NULL))
                    INSERT INTO metric SELECT $id, i, name, class, NULL, 0.5 + i * $id FROM n, m;"
            done
        done
    done
}
results compare-paper compare-means compare-fitted compare-trace | sqlite3 whole.db
expect 0 "whole" python3 "$script" whole.db
says out '^\| trace \| Elastic \+ TReM \| ' "whole"
expect 1 "no file" python3 "$script" nowhere.db
says err 'nowhere.db: no such file' "no file"
echo text >text.db
expect 1 "text" python3 "$script" text.db
says err 'text.db: is no database of results' "text"
results | sqlite3 empty.db
expect 1 "no experiments" python3 "$script" empty.db
says err 'empty.db: has none of the experiments' "no experiments"
results other | sqlite3 other.db
expect 1 "other experiments" python3 "$script" other.db
says err 'other.db: has none of the experiments' "other experiments"
results compare-paper compare-means | sqlite3 part.db
sqlite3 part.db "DELETE FROM metric WHERE experiment = 4 AND replication > 2 AND name = 'sla_met'"
expect 1 "interrupted" python3 "$script" part.db
says err '^  load 0.8, compare-paper, Elastic \+ TReM, sla_met of latency: 3 of 10$' "interrupted"
says err '^  load 0.8, compare-trace, Priority, overhead: 0 of 10$' "interrupted"
grep -q Traceback err && fail "interrupted: a traceback"
finish
