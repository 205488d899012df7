"""Types what a page of docs/how-to tells to type, and compares what is printed with what the page shows.

  how_to_page.py [--update] PAGE.md          in the folder where the commands are typed; rules: how_to.sh
"""
import difflib
import glob
import os
import re
import subprocess
import sys
import xml.etree.ElementTree as ElementTree

BLOCK = re.compile(r'^```([^\n]*)\n(.*?)^```$\n', re.M | re.S)
LONGEST = 60     # lines of a page
PATIENCE_S = 300  # of a block, on a machine that does other things, too

faults = []


def blocks_of(page):
    """[(word after the fence, text, where the text begins)]"""
    return [(match[1].strip(), match[2], match.start(2)) for match in BLOCK.finditer(page)]


def type_in(commands):
    shell = subprocess.run(['bash', '-euo', 'pipefail', '-c', commands], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                           stderr=subprocess.PIPE, encoding='utf-8', timeout=PATIENCE_S, check=False)
    if shell.returncode != 0:
        faults.append(f'exit code {shell.returncode} of:\n{commands}{shell.stderr}')
    return shell.stdout


def masked(text, word):
    if word != 'text numbers-vary':
        return text
    return re.sub(r'[ -]{2,}', ' ', re.sub(r'\d+([.:]\d+)*', 'N', text))


def compare(shown, printed, word):
    a, b = masked(shown, word), masked(printed, word)
    if a != b:
        faults.append('printed is not what the page shows:\n' +
                      ''.join(difflib.unified_diff(a.splitlines(True), b.splitlines(True), 'page', 'printed', n=1)))


def walk(page):
    """Runs the page's commands; returns the page with what was printed in place of what it shows."""
    out, done, printed = [], 0, None
    for word, text, at in blocks_of(page):
        if word == 'sh':
            printed = type_in(text)
        elif word in ('', 'text numbers-vary'):
            if printed is None:
                faults.append(f'a block of output follows no command:\n{text}')
                continue
            compare(text, printed, word)
            out += [page[done:at], printed]
            done, printed = at + len(text), None
    return ''.join(out) + page[done:]


def look_at_pictures(page, folder):
    pictures = re.findall(r'!\[[^\]]+\]\(\.\./img/how-to/([^)]+)\)', page)
    if not pictures:
        faults.append('the page has no picture')
    made = {os.path.basename(path): path for path in glob.glob('*.svg') + glob.glob('docs/img/how-to/*')}
    for name in pictures:
        if name not in made:
            faults.append(f'no command of the page makes {name}')
        if not os.path.isfile(os.path.join(folder, '../img/how-to', name)) and '--update' not in sys.argv:
            faults.append(f'{name} is not in docs/img/how-to')
    for name, drawn in made.items():
        drawing = ElementTree.parse(drawn).getroot()
        if not drawing.findall('.//{*}path'):
            faults.append(f'{name} shows nothing')


def main():
    path = sys.argv[-1]
    with open(path, encoding='utf-8') as file:
        page = file.read()
    now = walk(page)
    look_at_pictures(page, os.path.dirname(path))
    if '--update' in sys.argv:
        faults[:] = [fault for fault in faults if not fault.startswith('printed is not')]
        if not faults and now != page:
            part = f'{path}.partial-{os.getpid()}'
            with open(part, 'w', encoding='utf-8') as file:
                file.write(now)
            os.rename(part, path)
    if now.count('\n') > LONGEST:
        faults.append(f'{now.count(chr(10))} lines, more than {LONGEST}')
    for fault in faults:
        print(f'{os.path.basename(path)}: {fault}')
    sys.exit(bool(faults))


main()
