#!/bin/bash
# The JSON Schema of the config: it accepts every shipped config and every policy's canonical form, and for each
# key it refuses what dcsim refuses of that key alone: a wrong type, an unknown key, a missing one, values just
# outside the range; those at its ends it accepts as dcsim does. Rules of several keys are not in it.
# shellcheck source=tests/e2e/lib.sh
. "$(dirname "$0")/lib.sh"
python3 -c 'import jsonschema' 2>/dev/null || {
    echo "skipped: python3-jsonschema is missing"
    exit 77
}

expect 0 "--list schema" "$DCSIM" --list schema
cp out schema.json
python3 "$SOURCE_DIR/tests/e2e/schema_check.py" schema.json "$DCSIM" "$SOURCE_DIR" || failed=1

# Of a plug-in, too.
gcc -std=c11 -fPIC -shared -I"$SOURCE_DIR/src" -o mine.so "$SOURCE_DIR/docs/template-policy.c" || fail "no plug-in"
expect 0 "--list schema with a plug-in" "$DCSIM" --list schema --policy ./mine.so
says out '"const": "shortest-first"' "a plug-in's options"

# A config may name the schema; dcsim ignores it, and it is no part of the experiment.
# shellcheck disable=SC2016
sed '0,/{/s//{ "$schema": "x",/' "$SOURCE_DIR/configs/quickstart.json" >named.json
expect 0 "a config that names the schema" "$DCSIM" run named.json --print-config
cp out named
expect 0 "one that does not" "$DCSIM" run "$SOURCE_DIR/configs/quickstart.json" --print-config
cmp -s out named || fail "\$schema changes the canonical form"
finish
