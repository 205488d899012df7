"""What every page of dcsim report must be: well-formed, self-contained, and usable without seeing the figures.

  report_page.py PAGE.html MINIMUM-OF-FIGURES [TEXT]...       each TEXT must stand on the page
"""
import re
import sys
import xml.etree.ElementTree as ElementTree

faults = []


def box(text):
    """Where a text of 12 px is drawn, about: (left, top, right, bottom)."""
    x, y, wide = float(text.get('x')), float(text.get('y')), 6 * len(text_of(text))
    left = x - {'middle': wide / 2, 'end': wide}.get(text.get('text-anchor'), 0)
    return left, y - 9, left + wide, y


def overlap(one, other):
    a, b = box(one), box(other)
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]


def check(good, what):
    if not good:
        faults.append(what)


def text_of(element):
    return re.sub(r'\s+', ' ', ''.join(element.itertext()))


def main():
    path, minimum, wanted = sys.argv[1], int(sys.argv[2]), sys.argv[3:]
    with open(path, encoding='utf-8') as file:
        source = file.read()
    root = ElementTree.fromstring(source)
    check(source.startswith('<!DOCTYPE html>'), 'no document type')
    check(root.get('lang') == 'en', 'no language')
    tags = [element.tag for element in root.iter()]
    check('script' not in tags, 'a script')
    check(not {'img', 'link', 'iframe', 'object'} & set(tags), 'something that is loaded')
    for element in root.iter():
        for name, value in element.attrib.items():
            check(name not in ('src', 'href') and not name.startswith('on'), f'attribute {name}')
            if element.tag == 'path' and name == 'd':
                check(re.fullmatch(r'[MLHVmlhvazA-Z0-9 .,-]*', value) is not None and 'nan' not in value and
                      'inf' not in value, f'a path is not one: {value[:60]}')
    check(not re.search(r'url\(|@import|https?:', source), 'a reference to elsewhere')
    ids = [element.get('id') for element in root.iter() if element.get('id')]
    check(len(ids) == len(set(ids)), 'an id twice')
    for element in root.iter():
        label = element.get('aria-labelledby')
        check(label is None or label in ids, f'{element.tag} is labelled by what is not there')
    figures = list(root.iter('figure'))
    check(len(figures) >= minimum, f'{len(figures)} figures, expected {minimum}')
    for figure in figures:
        title = text_of(figure.find('figcaption'))
        plot = figure.find('svg')
        check(plot is not None and plot.get('role') == 'img', f'{title}: no picture')
        check(plot.find('title') is not None, f'{title}: the picture has no title')
        check(figure.find('.//tbody/tr/td') is not None, f'{title}: no numbers')
        drawn = [e for e in plot.iter('path') if re.match(r'(line|area|f\d|s\d)', e.get('class', ''))]
        check(any(len(e.get('d')) > 10 for e in drawn), f'{title}: nothing is drawn')
        x, y, width, height = map(float, plot.get('viewBox').split())
        for text in plot.iter('text'):
            inside = x <= float(text.get('x')) <= x + width and y <= float(text.get('y')) <= y + height
            check(inside, f'{title}: "{text_of(text)}" lies outside')
        # What a vertical line is stands behind it, and covers no number of the axes.
        children = list(plot)
        for mark, text in zip(children, children[1:]):
            if mark.get('class') == 'mark' and 'V' in mark.get('d') and text.tag == 'text':
                for tick in plot.iter('text'):
                    check(tick.get('class') != 'tick' or not overlap(text, tick),
                          f'{title}: "{text_of(text)}" covers "{text_of(tick)}"')
    for table in root.iter('table'):
        columns = len(table.findall('thead/tr/th'))
        for row in table.findall('tbody/tr'):
            check(len(list(row)) == columns, 'a row with other columns than its table')
            check(row[0].tag == 'th' and row[0].get('scope') == 'row', 'a row without a heading')
    heads = [e.tag for e in root.iter() if e.tag in ('h1', 'h2', 'h3')]
    check(heads.count('h1') == 1 and heads[0] == 'h1', 'not one h1')
    page = text_of(root.find('body'))
    for text in wanted:
        check(text in page, f'does not say "{text}"')
    for fault in faults[:10]:
        print(f'{path}: {fault}')
    sys.exit(1 if faults else 0)


main()
