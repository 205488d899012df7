#!/bin/bash
# The pages as a site, without making it: `--target site` in .ci/full does that.
#
# Pins: without mkdocs one line names it; a link to a folder with files is one that leads somewhere, a link to an empty
# folder, to none, or to a heading that is not there is named. No mkdocs is needed here.
# shellcheck source=tests/e2e/lib.sh
source "$SOURCE_DIR/tests/e2e/lib.sh"

# -S: without the system's modules, as on a machine without mkdocs.
expect 1 "no mkdocs" python3 -S "$SOURCE_DIR/site/make.py" html
[[ $(cat err) == "site/make.py: mkdocs is missing (Debian: mkdocs)" ]] || fail "no mkdocs: not one line: $(tail -1 err)"

mkdir -p modules html/examples html/empty
touch modules/yaml.py html/examples/my-gpu.json
cat >html/index.html <<'END'
<h1 id="top">x</h1><a href="examples/">1</a><a href="examples/my-gpu.json">2</a><a href="empty/">3</a>
<a href="none/">4</a><a href="#none">5</a><a href="#top">6</a>
END
cat >wrong <<'END'
index.html: #none: there is no such heading
index.html: empty/: there is no such file
index.html: none/: there is no such file
END
PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=$SOURCE_DIR/site:modules expect 0 "links" \
    python3 -c 'import make, pathlib; print("\n".join(make.check(pathlib.Path("html").resolve())))'
diff wrong out || fail "links: not those that lead nowhere"
finish
