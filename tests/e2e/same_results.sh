#!/bin/bash
# scripts/same-results.sh. Pins: a program has the same results as itself; a program whose results differ is found, by
# table, and what its tables have more is no difference; a config that one of the two refuses, and a run that compares
# nothing, is no success. Does not pin: what the shipped configs give.
# shellcheck source=tests/e2e/lib.sh
. "$(dirname "$0")/lib.sh"
compare=$SOURCE_DIR/scripts/same-results.sh

# other NAME SQL: a program that runs DCSIM and then the SQL on the results.
other() {
    cat >"$1" <<SH
#!/bin/bash
'$DCSIM' "\$@" || exit
[[ "\$*" != *results.db* ]] || sqlite3 results.db "$2"
SH
    chmod +x "$1"
}
other faster "UPDATE request SET end_ns = end_ns - 1 WHERE job = 3 AND number < 2"
other without "ALTER TABLE metric DROP COLUMN n"
other more "CREATE TABLE extra(a); ALTER TABLE run ADD COLUMN b"
mkdir -p before/configs
cat >before/configs/quickstart.json <<'JSON'
{ "old_key": 1 }
JSON

expect 0 "itself" "$compare" "$DCSIM" "$DCSIM" configs/quickstart.json configs/trem/fig10.json
says out '^configs/quickstart.json: same \([0-9]+ requests\)$' "itself"
says out '^configs/trem/fig10.json: same' "itself"
expect 1 "other times" "$compare" --keep kept "$DCSIM" ./faster configs/quickstart.json
says out '^configs/quickstart.json: differs$' "other times"
says out '^  request: of [0-9]+ rows before and [0-9]+ after, [1-6] are only before, [1-6] only after$' "other times"
says out '^    - .*job=3 number=[01] .*end_ns=' "other times"
says out '^0 configs give the same results, 1 do not, 0 were skipped$' "other times"
[[ $(grep -c '^  [a-z]' out) -eq 1 ]] || fail "other times: another table differs, too"
[[ -s kept/before/results.db ]] || fail "other times: nothing was kept"
expect 1 "a column is lost" "$compare" "$DCSIM" ./without configs/quickstart.json
says out '^  column metric.n: only before$' "a column is lost"
expect 0 "a table and a column more" "$compare" "$DCSIM" ./more configs/quickstart.json
says out '^  column run.b: only after$' "a table and a column more"
says out '^  column extra.a: only after$' "a table and a column more"

expect 1 "refused by one" "$compare" --before-configs before "$DCSIM" "$DCSIM" configs/quickstart.json
says out '^  not compared, BEFORE fails: .*old_key' "refused by one"
expect 0 "a trace and no traces" env -u TRACES "$compare" "$DCSIM" "$DCSIM" configs/traces/google-2011.json
says out 'google-2011.json: same \([0-9]+ requests, with made-up jobs in place of its trace\)$' "a trace and no traces"
expect 2 "one program" "$compare" "$DCSIM"
says err '^Usage: scripts/same-results.sh ' "one program"
expect 2 "no program" "$compare" "$DCSIM" "$SOURCE_DIR"
finish
