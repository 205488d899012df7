#!/usr/bin/env python3
"""One figure of a page of dcsim report as a picture of its own.

  plots/report_figure.py PAGE.html TITLE -o FILE.svg

TITLE is the figure's, or the beginning of it; of several the first is taken. The SVG has the title above, the legend and
the page's note below, and the page's colours, light and dark. A browser draws it; it needs nothing beside it.
"""
import argparse
import os
import sys
import textwrap
import xml.etree.ElementTree as ElementTree
from xml.sax.saxutils import escape

WIDTH = 420        # of the figures of a report
TITLE = 24         # room above for the title
LEGEND = 18        # height of a row of the legend
KEY = 34           # room for the line or mark before a name
LETTER = 8.2       # width of one at 12 px, generously
NOTE = 60          # letters in a row of the note


def stop(why):
    sys.exit(f'report_figure.py: {why}')


def words(element):
    return ' '.join(''.join(element.itertext()).split())


def inside(svg):
    """What is drawn in an SVG, without its title: the picture gets one of its own."""
    return ''.join(ElementTree.tostring(child, 'unicode') for child in svg if child.tag != 'title')


def put_in_rows(items):
    """Places of the legend's items, left to right and down: (x, row)."""
    places, x, row = [], 4, 0
    for item in items:
        wide = KEY + LETTER * len(words(item)) + 14
        if x > 4 and x + wide > WIDTH:
            x, row = 4, row + 1
        places.append((x, row))
        x += wide
    return places


def picture(root, figure):
    title, plot = words(figure.find('figcaption')), figure.find('svg')
    items = figure.findall('ul[@class="legend"]/li')
    places = put_in_rows(items)
    bottom = TITLE + float(plot.get('viewBox').split()[3])
    under = bottom + (LEGEND * (places[-1][1] + 1) if items else 0) + 6
    note = figure.find('p[@class="note"]')
    rows = [] if note is None else textwrap.wrap(words(note), NOTE)
    height = under + (LEGEND * len(rows) + 6 if rows else 0)
    legend = ''.join(f'<g transform="translate({x:g} {bottom + LEGEND * row + 2:g})">{inside(item.find("svg"))}'
                     f'<text x="{KEY}" y="10">{escape(words(item))}</text></g>\n'
                     for item, (x, row) in zip(items, places))
    legend += ''.join(f'<text class="tick" x="4" y="{under + LEGEND * row + 10:g}">{escape(line)}</text>\n'
                      for row, line in enumerate(rows))
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height:g}" width="{1.5 * WIDTH:g}" '
            f'height="{1.5 * height:g}" role="img">\n<title>{escape(title)}</title>\n'
            f'<style>{root.find("head/style").text}</style>\n<rect width="100%" height="100%" style="fill:var(--ground)"/>\n'
            f'<text x="4" y="16" style="font-weight:600">{escape(title)}</text>\n'
            f'<g transform="translate(0 {TITLE})">{inside(plot)}</g>\n{legend}</svg>\n')


def main():
    parser = argparse.ArgumentParser(description=__doc__.split('\n', maxsplit=1)[0])
    parser.add_argument('page')
    parser.add_argument('title')
    parser.add_argument('-o', '--output', required=True)
    arguments = parser.parse_args()
    try:
        root = ElementTree.parse(arguments.page).getroot()
    except (OSError, ElementTree.ParseError) as why:
        stop(f'{arguments.page}: no page of dcsim report: {why}')
    figures = root.findall('.//figure')
    chosen = [figure for figure in figures if words(figure.find('figcaption')).startswith(arguments.title)]
    if not chosen:
        stop(f'{arguments.page}: no figure "{arguments.title}"; it has ' +
             ', '.join(f'"{words(figure.find("figcaption"))}"' for figure in figures))
    part = f'{arguments.output}.partial-{os.getpid()}'
    with open(part, 'w', encoding='utf-8') as file:
        file.write(picture(root, chosen[0]))
    os.rename(part, arguments.output)


if __name__ == '__main__':
    main()
