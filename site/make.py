#!/usr/bin/env python3
"""The documentation as static pages: site/make.py FOLDER writes FOLDER/html, by mkdocs.

    cmake --build --preset release --target site      build/release/site/html/index.html

Pages are README.md, CONTRIBUTING.md, CHANGELOG.md, every docs/**/*.md, the man pages, and a gallery of all figures
below docs/img. They keep their places, so that their links hold here as they do in the sources. Then every internal link,
anchor, image and style sheet of what was written is looked up. The pages need no network and open from disk.
"""

import html.parser
import pathlib
import re
import shutil
import subprocess
import sys
import urllib.parse

try:
    import yaml
except ImportError:  # mkdocs depends on it
    sys.exit("site/make.py: mkdocs is missing (Debian: mkdocs)")

ROOT = pathlib.Path(__file__).resolve().parent.parent
PAGES = ["README.md", "CONTRIBUTING.md", "CHANGELOG.md", "LICENSE", "NOTICE"]
# What a page may link to besides pages: it lies in the site as it is.
FOLDERS = ["docs", "examples", "configs", "src/policies", "calibrate", "plots", "traces", "scripts"]
KINDS = {".md", ".png", ".svg", ".jpg", ".html", ".json", ".py", ".ipynb", ".R", ".c", ".cu", ".h", ".sh", ".csv", ".css"}


def slugify(text, separator="-"):
    """A heading's anchor as GitHub makes it, so that a link to one holds in both places."""
    return re.sub(r"[^\w\- ]", "", text.strip().lower()).replace(" ", separator)


def copy_sources(pages):
    """Files that are tracked, or new and not ignored."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", "--", *PAGES, *FOLDERS],
        cwd=ROOT, capture_output=True,
    )  # fmt: skip
    names = [name for name in listed.stdout.decode().split("\0") if name]
    if listed.returncode != 0:  # no git: an archive of the sources
        found = [path for name in PAGES + FOLDERS for path in [ROOT / name, *(ROOT / name).rglob("*")]]
        names = [str(path.relative_to(ROOT)) for path in found if path.is_file()]
    for name in names:
        keep = name in PAGES or pathlib.Path(name).suffix in KINDS
        if keep and (ROOT / name).is_file():
            (pages / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(ROOT / name, pages / name)
    for name in ("LICENSE", "NOTICE"):  # a browser shows a file without an ending as a download
        text = (pages / name).read_text()
        (pages / f"{name}.md").write_text(f"# {name.title()}\n\n```\n{text}\n```\n")
    shutil.copyfile(ROOT / "site/site.css", pages / "site.css")


def write_man_pages(pages):
    for page in ("dcsim.1", "dcsim-calibrate.1"):
        try:
            text = subprocess.check_output(["mandoc", "-T", "markdown", ROOT / "docs" / page], text=True)
        except FileNotFoundError:
            sys.exit("site/make.py: mandoc is missing (Debian: mandoc)")
        text = re.sub(r"^[A-Z-]+\(1\).*\n", "", text)
        (pages / f"docs/{page}.md").write_text(f"# {page[:-2]}: the man page\n{re.sub('^# ', '## ', text, flags=re.M)}")


def find_figures(pages):
    """{image: (alternative text, page)}: where a page shows it."""
    shown = {}
    for page in sorted([pages / "README.md", *(pages / "docs").rglob("*.md")]):
        for text, target in re.findall(r"!\[([^\]]*)\]\(([^)\s]+)\)", page.read_text()):
            shown.setdefault((page.parent / target).resolve(), (" ".join(text.split()), page))
    return shown


def write_gallery(pages):
    shown = find_figures(pages)
    lines = ["# Gallery", "", "Every figure of these pages, with the page that explains it.", ""]
    for image in sorted((pages / "docs/img").rglob("*")):
        if image.suffix not in (".png", ".svg", ".jpg"):
            continue
        text, page = shown.get(image.resolve(), (image.stem, None))
        lines += [f"![{text}]({image.relative_to(pages)})", "", text + ("." if text[-1:] not in ".?!" else "")]
        if page is not None:
            title = re.search(r"^# (.*)", page.read_text(), flags=re.M)[1]
            lines.append(f"From *[{title}]({page.relative_to(pages)})*.")
        lines.append("")
    (pages / "gallery.md").write_text("\n".join(lines))


def list_pages(pages):
    """The navigation, of the files that are there. Titles are the pages' own."""

    def find(pattern):
        # A folder's README is its first page.
        found = sorted(pages.glob(pattern), key=lambda path: (path.name != "README.md", path.name))
        return [str(path.relative_to(pages)) for path in found]

    trust = find("docs/trust.md")
    man = find("docs/*.1.md")
    index = find("docs/README.md")
    rest = [page for page in find("docs/*.md") if page not in trust + man + index]
    parts = [
        ("How to", find("docs/how-to/*.md")),
        ("How far to trust it", trust + find("docs/validation*.md") + find("docs/validation/*.md")),
        ("Documentation", [page for page in rest if not page.startswith("docs/validation")] + man),
        ("Project", ["CONTRIBUTING.md", "CHANGELOG.md", "LICENSE.md", "NOTICE.md"]),
    ]
    first = ["README.md", *({"By question": page} for page in index), {"Gallery": "gallery.md"}]
    return [{"Home": "README.md"}, *first[1:], *({name: list_} for name, list_ in parts if list_)]


def build(pages, out):
    config = {
        "site_name": "dcsim",
        "docs_dir": str(pages),
        "site_dir": str(out),
        "theme": {"name": "mkdocs", "highlightjs": False, "navigation_depth": 3},
        "use_directory_urls": False,
        "extra_css": ["site.css"],
        "plugins": ["search"],
        "nav": list_pages(pages),
        "markdown_extensions": ["tables", "fenced_code", "sane_lists"],
    }
    text = yaml.safe_dump(config, sort_keys=False)
    # A function, which YAML can only name. That of the pages' anchors is above.
    text += "- toc:\n    slugify: !!python/name:make.slugify\n    permalink: false\n"
    file = pages.parent / "mkdocs.yml"
    file.write_text(text)
    try:
        subprocess.run(
            ["mkdocs", "build", "--quiet", "--clean", "--config-file", file],
            check=True, env={"PATH": "/usr/bin:/bin", "PYTHONPATH": str(ROOT / "site"), "LC_ALL": "C.UTF-8"},
        )  # fmt: skip
    except FileNotFoundError:
        sys.exit("site/make.py: mkdocs is missing (Debian: mkdocs)")
    except subprocess.CalledProcessError as error:
        sys.exit(f"site/make.py: mkdocs failed with exit code {error.returncode}")


class Page(html.parser.HTMLParser):
    """What a page can be linked to by, and what it links to."""

    def __init__(self, file):
        super().__init__()
        self.anchors, self.targets = {"", "top"}, set()
        self.feed(file.read_text())

    def handle_starttag(self, tag, attributes):
        for name, value in attributes:
            if name == "id" or (tag == "a" and name == "name"):
                self.anchors.add(value)
            elif name in ("href", "src") and value is not None:
                self.targets.add(value)


def check(out):
    """Returns what is wrong with the links of the pages."""
    pages = {file: Page(file) for file in sorted(out.rglob("*.html"))}
    wrong = []
    for file, page in pages.items():
        for target in sorted(page.targets):
            parts = urllib.parse.urlsplit(target)
            if parts.scheme in ("http", "https", "mailto", "javascript", "data"):
                continue
            path = urllib.parse.unquote(parts.path)
            to = (file.parent / path).resolve() if path else file
            anchor = urllib.parse.unquote(parts.fragment)
            if not to.is_file() and not (to.is_dir() and any(to.iterdir())):
                wrong.append(f"{file.relative_to(out)}: {target}: there is no such file")
            elif to in pages and anchor not in pages[to].anchors:
                wrong.append(f"{file.relative_to(out)}: {target}: there is no such heading")
    return wrong


def main():
    if len(sys.argv) != 2:
        sys.exit("usage: site/make.py FOLDER")
    folder = pathlib.Path(sys.argv[1]).resolve()
    pages, out = folder / "pages", folder / "html"
    shutil.rmtree(pages, ignore_errors=True)
    pages.mkdir(parents=True)
    copy_sources(pages)
    write_man_pages(pages)
    write_gallery(pages)
    build(pages, out)
    (out / "404.html").unlink()  # of a server at the root of a host: its links begin with "/"
    wrong = check(out)
    print("\n".join(wrong[:50]), file=sys.stderr)
    if wrong:
        sys.exit(f"site/make.py: {len(wrong)} links lead nowhere")
    print(f"{len(list(out.rglob('*.html')))} pages: {out / 'index.html'}")


if __name__ == "__main__":
    main()
