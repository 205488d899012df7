"""doc_links.py SOURCE_DIR: each link of README.md, CONTRIBUTING.md, CHANGELOG.md and docs/**/*.md that stays in the project
leads to a file, and its anchor to a heading there. Also: CITATION.cff has the version of CMakeLists.txt.

Pins: files and headings are there, also after somebody else has renamed one. Does not pin: links to elsewhere."""

import pathlib
import re
import sys
import tempfile
import urllib.parse

root = pathlib.Path(sys.argv[1]).resolve()


def read_prose(text):
    """Without blocks of code and what stands in backquotes, where brackets are no links."""
    text = re.sub(r"^(```|~~~).*?^\1", "", text, flags=re.M | re.S)
    return re.sub(r"(`+)(?!`).+?(?<!`)\1(?!`)", "", text)


def find_anchors(text):
    """Of each heading, as GitHub makes them; the second of a name ends in -1."""
    anchors, seen = set(), {}
    text = re.sub(r"^(```|~~~).*?^\1", "", text, flags=re.M | re.S)
    for heading in re.findall(r"^#{1,6} +(.*?)[ #]*$", text, flags=re.M):
        heading = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", heading)
        anchor = re.sub(r"[^\w\- ]", "", heading.lower()).strip().replace(" ", "-")
        nth = seen[anchor] = seen.get(anchor, -1) + 1
        anchors.add(f"{anchor}-{nth}" if nth else anchor)
    return anchors | set(re.findall(r'<a (?:id|name)="([^"]+)"', text))


def find_wrong(root, page, text):
    for target in re.findall(r"\]\(<?([^)\s>]+)>?(?: \"[^\"]*\")?\)", read_prose(text)):
        parts = urllib.parse.urlsplit(target)
        if parts.scheme:
            continue
        to = (page.parent / urllib.parse.unquote(parts.path)).resolve() if parts.path else page
        if not to.exists() or root not in [to, *to.parents]:
            yield f"{target}: there is no such file"
        elif parts.fragment and (to.suffix != ".md" or parts.fragment not in find_anchors(to.read_text())):
            yield f"{target}: there is no such heading"


# What is wrong in a page of the test's own is found, and nothing else.
with tempfile.TemporaryDirectory() as folder:
    case = pathlib.Path(folder).resolve() / "case.md"
    case.write_text(
        "# A `b` (c), d\n# A\n# A\n[x](#a-b-c-d) [x](#a-1) `[x](no.md)` [x](https://a.b)\n```\n# No heading\n[x](no.md)\n```\n"
        "[x](nowhere.md) [x](#a-2) [x](case.md#no-heading) ![x](no.png) [x](/etc/passwd)\n"
    )
    found = [what.split(":")[0] for what in find_wrong(case.parent, case, case.read_text())]
    assert found == ["nowhere.md", "#a-2", "case.md#no-heading", "no.png", "/etc/passwd"], found

wrong, pages = [], [root / name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md")]
for page in [*pages, *sorted((root / "docs").rglob("*.md"))]:
    wrong += [f"{page.relative_to(root)}: {what}" for what in find_wrong(root, page, page.read_text())]
version = re.search(r"project\(dcsim VERSION ([0-9.]+)", (root / "CMakeLists.txt").read_text())[1]
if f"\nversion: {version}\n" not in (root / "CITATION.cff").read_text():
    wrong.append(f"CITATION.cff: its version is not CMakeLists.txt's, {version}")
for line in wrong:
    print("FAIL:", line)
sys.exit(bool(wrong))
