#!/bin/bash
# Makes the files that the fuzzer's targets begin with: make_seeds.sh FOLDER, which gets a folder for each target.
#
# They are those of tests/fuzz/seeds, shipped configs and profiles, and shipped profiles with a fault.
set -euo pipefail
export LC_ALL=C
mkdir -p "$1"
folder=$(cd "$1" && pwd)
cd "$(dirname "$0")/../.."
cp -r tests/fuzz/seeds/. "$folder"

for config in quickstart traces/compare-fitted emu/pair; do
    cp "configs/$config.json" "$folder/config/shipped-${config##*/}.json"
done
cp tests/data/{every-feature,shared-green}.json "$folder/config"

cd calibrate/profiles
out=$folder/profile
cp made-up.sql quadro-p1000.sql xeon-e5-2650v4.sql ../../tests/data/profile-measured.sql "$out"

# fault NAME PROFILE SQL: a profile whose last statement but COMMIT is this one.
fault() {
    sed '$d' "$2.sql" >"$out/$1.sql"
    printf '%s\n' "$3" 'COMMIT;' >>"$out/$1.sql"
}
[[ $(tail -qn 1 made-up.sql quadro-p1000.sql | sort -u) == 'COMMIT;' ]]
fault bidi made-up $'INSERT INTO application VALUES (\'a\xe2\x80\xaeb\', \'latency\', 1, 1, \'\xe2\x81\xa6\');'
fault ends made-up "INSERT INTO kernel_solo VALUES ('solve', 1, 'step', 'green', 31, 9, 0, 9223372036854775807, 1e308, 1e999, -1, 0, 'rse', -9223372036854775808, 'warm'), ('solve', 1, 'norm', 'green', 30, 9, 0, 0, 0, 0, 0, 0, 'rse', 0, 'warm');"
fault position made-up "INSERT INTO request_kernel VALUES ('solve', 3, 999999, 'x', 'x'), ('solve', 3, -1, 'x', 'x'), ('solve', 9223372036854775807, 2, 'x', 'x');"
fault attach quadro-p1000 "ATTACH '/tmp/stolen.db' AS s; INSERT INTO s.x VALUES (1);"
fault functions quadro-p1000 "INSERT INTO kernel VALUES (load_extension('x'), zeroblob(1000000000), randomblob(9), printf('%9999999d', 1), 1, 1, 1);"
fault open-comment quadro-p1000 '/* INSERT INTO kernel VALUES (1);'
fault open-text quadro-p1000 "INSERT INTO kernel VALUES ('"
fault trigger quadro-p1000 'CREATE TRIGGER t AFTER INSERT ON kernel BEGIN DELETE FROM kernel; END;'
fault view quadro-p1000 'CREATE VIEW v AS WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT x FROM c;'
many=$(printf '%3000s' '')
fault parentheses quadro-p1000 "INSERT INTO kernel VALUES (${many// /(}1${many// /)});"

head -c 3308 quadro-p1000.sql >"$out/short.sql"
sed 's/^CREATE TABLE device /&\x00/' quadro-p1000.sql >"$out/nul.sql"
sed '/^INSERT INTO kernel /,/;$/d' quadro-p1000.sql >"$out/no-kernels.sql"
