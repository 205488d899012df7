#!/bin/bash
# plots/make: figures of the papers from results.
#
# Pins: every figure is there in three kinds, and its view has the rows and numbers of the database;
# what is refused, and that nothing is left behind or overwritten then. Does not pin: how it looks.
# shellcheck source=tests/e2e/lib.sh
source "$SOURCE_DIR/tests/e2e/lib.sh"
command -v gnuplot >/dev/null || {
    echo "skipped: there is no gnuplot (Debian package gnuplot-nox)"
    exit 77
}
make() { "$SOURCE_DIR/plots/make" "$@"; }

for workload in w1 w2; do
    for policy in priority elastic; do
        for revocation in false true; do
            for load in 0.5 1; do
                "$DCSIM" --quiet --output trem.db --config "$SOURCE_DIR/configs/trem/$workload.json" --set replications=2 \
                    --set policy.name=$policy --set policy.revocation=$revocation --set outputs.jobs=false \
                    --set "workload.trem[0].load=$load" || fail "a run"
            done
        done
    done
done

# A pair as the study names it, of a profile that loads at once.
for policy in mps-even mps-priority baymax c-laius; do
    "$DCSIM" --quiet --output pairs.db --config "$SOURCE_DIR/configs/c-laius/pair.json" --set replications=2 \
        --set profile=made-up --set "workload.services[0].application=answer" --set "workload.batch[0].application=stream" \
        --set "workload.services[0].input=default" --set horizon.duration_s=3 --set horizon.warmup_s=1 \
        --set policy.name=$policy || fail "a run"
done
# Of that profile no inputs of other sizes are known; the figures are of uniform ones.
sqlite3 pairs.db "UPDATE experiment SET config = json_set(config, '\$.workload.services[0].input', 'uniform')"

expect 0 "pairs" make pairs.db claius-fig02 claius-fig15 -o .
for figure in claius-fig02 claius-fig15; do
    [[ -s $figure.svg && -s $figure.png && -s $figure.pdf ]] || fail "no $figure"
done
view() { { cat "$SOURCE_DIR/plots/$1.sql" && echo "$3"; } | sqlite3 -readonly "$2" >out; }
view claius-fig02 pairs.db 'SELECT * FROM figure;'
says out '^pairs\|1\|MPS even\|[01]\|[01]\|1$' "a row of the violating pairs"
[[ $(wc -l <out) -eq 4 ]] || fail "not four policies"
view claius-fig15 pairs.db 'SELECT * FROM figure;'
want=$(sqlite3 pairs.db "SELECT value * 100 FROM summary s JOIN experiment e ON e.id = s.experiment WHERE policy = 'c-laius'
    AND class IS NULL AND s.name = 'normalised_throughput' AND app = (SELECT app FROM application a WHERE a.experiment = e.id
    AND a.name = 'stream')")
says out "^c-laius\|1\|answer \+ stream\|${want:0:6}" "a row of the batch throughput"

expect 0 "figure 7" make trem.db trem-fig07
for kind in svg png pdf; do
    [[ -s trem-fig07.$kind ]] || fail "no trem-fig07.$kind"
done
checks=$((checks + 1))
python3 - <<'PY' || fail "trem-fig07.svg is not well-formed, or lacks what it should say"
import xml.etree.ElementTree as ElementTree
text = ' '.join(ElementTree.parse('trem-fig07.svg').getroot().itertext())
for wanted in ('Priority + TReM', 'Elastic', 'printed in the paper', 'load', 'requests within 200 ms (%)', 'W2'):
    assert wanted in text, wanted
PY
view trem-fig07 trem.db 'SELECT count(*), count(DISTINCT series) FROM figure;'
says out '^16\|8$' "the view of figure 7 has a row for each point"

refused 'trem.db: has no run that claius-fig02 shows; configs/c-laius/study.sh' "runs of another study" make trem.db claius-fig02
refused 'nowhere.db: there is no such file' "no database" make nowhere.db trem-fig07
refused 'there is no figure "fig99"; --list' "no such figure" make trem.db fig99
refused 'there is no figure "style"' "what is no figure" make trem.db style
refused 'takes a folder' "no folder" make trem.db trem-fig07 -o nowhere
refused 'unknown option --png' "an option" make trem.db --png
echo 'no database' >text.db
refused 'text.db: no results of dcsim that trem-fig07 can read: ' "no database inside" make text.db trem-fig07
mkdir bin && for tool in bash sed basename dirname; do ln -s "$(command -v $tool)" bin/; done
refused 'gnuplot is missing' "no gnuplot" env PATH="$work/bin" bash "$SOURCE_DIR/plots/make" trem.db trem-fig07
expect 0 "the list" make --list
says out '^trem-fig07 +TReM, figure 7' "the list says what figures are"
finish
