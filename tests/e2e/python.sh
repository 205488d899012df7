#!/bin/bash
# Python beside dcsim: the code of docs/python.md runs in its order and prints its table; the cells of
# examples/notebook run, by nbconvert where it is, else by Python itself. Needs pandas, the notebook matplotlib, too.
# Does not pin: how the figure looks.
# shellcheck source=tests/e2e/lib.sh
. "$(dirname "$0")/lib.sh"
mkdir bin && ln -s "$DCSIM" bin/dcsim
PATH=$PWD/bin:$PATH
has() { for module in "${@:2}"; do "$1" -c "import $module" 2>/dev/null || return 1; done; }

python=
for candidate in python3 /usr/bin/python3; do
    if has "$candidate" pandas; then
        python=$candidate
        break
    fi
done
[[ -n $python ]] || {
    echo "skipped: python3-pandas is missing"
    exit 77
}

# shellcheck disable=SC2016
sed -n '/^```python$/,/^```$/{/^```/!p}' "$SOURCE_DIR/docs/python.md" >page.py
[[ $(wc -l <"$SOURCE_DIR/docs/python.md") -le 60 ]] || fail "docs/python.md has more than 60 lines"
expect 0 "docs/python.md" "$python" page.py
says out '^devices' "docs/python.md"
for devices in 4 6 8; do says out "^$devices +[01]\\.[0-9]+ +[01]\\.[0-9]+\$" "docs/python.md"; done
# Six, and three more, of which one may be among them.
[[ $(sqlite3 sizes.db 'SELECT count(*) FROM experiment') == [89] ]] || fail "docs/python.md: 8 or 9 experiments expected"

notebook=$SOURCE_DIR/examples/notebook/results.ipynb
"$python" - "$notebook" >cells.py <<'PY' || fail "the notebook has outputs, or is none"
import json, sys
notebook = json.load(open(sys.argv[1]))
cells = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
assert notebook["nbformat"] == 4 and not any(cell["outputs"] for cell in cells)
for cell in cells: # as a notebook does, the value of a last line is printed
    lines = "".join(cell["source"]).rstrip().split("\n")
    if lines[-1].startswith(("points.", "latency[")):
        lines[-1] = f"print({lines[-1]})"
    print("\n".join(lines))
PY
export MPLBACKEND=Agg
if ! has "$python" matplotlib; then
    echo "python3-matplotlib is missing: the notebook is skipped"
    finish
fi
expect 0 "the notebook's cells" "$python" cells.py
says out '^dark-gray +[0-9]' "the notebook's table of response times"
[[ -s notebook.png ]] || fail "the notebook draws nothing"
if has "$python" nbconvert ipykernel; then
    rm notebook.png
    expect 0 "the notebook" "$python" -m nbconvert --to notebook --execute --output-dir . "$notebook"
    [[ -s results.ipynb && -s notebook.png ]] || fail "nbconvert executed nothing"
fi
finish
