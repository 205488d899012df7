"""The answer of dcsim report against the results that it is of, with random numbers in their place.

  report_answer.py DCSIM RESULTS.db TIMES       a sweep of policies over a load, with an SLA and batch work

Pins: at most 40 words; the policy that is named has the best mean of all, or of all that meet their SLA; its number;
"infeasible" and "overloaded" stand beside it in as many worlds as it is so; another is never called first in more worlds
than it is. Does not pin: its other words.
"""
import random
import re
import shutil
import sqlite3
import statistics
import subprocess
import sys
import xml.etree.ElementTree as ElementTree


def text_of(element):
    return re.sub(r'\s+', ' ', ''.join(element.itertext())).strip()


def randomise(path, rng):
    """Other numbers, verdicts and overloads; few values, so that some are equal."""
    db = sqlite3.connect(path)
    facts = {}
    for (experiment,) in db.execute('SELECT id FROM experiment').fetchall():
        met = rng.choice([1, 0.995, 0.99, 0.9, 0.4, 0, rng.random()])
        width = rng.choice([0, 0.001, 0.02])
        batch = rng.choice([0.1, 0.2, rng.random()])
        over = rng.random() < 0.2
        infeasible = rng.random() < 0.15
        low, high = max(0, met - width), min(1, met + width)
        db.execute("UPDATE summary SET value = ?, low = ?, high = ? WHERE experiment = ? AND name = 'sla_met'",
                   (met, low, high, experiment))
        db.execute("UPDATE summary SET value = ? WHERE experiment = ? AND name = 'overloaded'", (over, experiment))
        db.execute("UPDATE summary SET value = ?, low = NULL, high = NULL WHERE experiment = ? AND class = 'batch' AND "
                   "name = 'normalised_throughput'", (batch, experiment))
        db.execute('UPDATE service SET solo_ns = ? WHERE experiment = ?', (10**15 if infeasible else 1, experiment))
        verdict = ('meets' if low >= 0.99 else 'infeasible' if infeasible else 'violates' if high < 0.99 else 'undecided')
        facts[experiment] = dict(late=1 - met, batch=batch, over=over, verdict=verdict)
    db.commit()
    db.close()
    return facts


def label_facts(path, facts):
    """The facts of each policy, by its name and the option that tells it from its variant, and world by world."""
    db = sqlite3.connect(path)
    rows = {}
    for experiment, policy, revocation, rate in db.execute(
            "SELECT id, policy, json_extract(config, '$.policy.revocation'), "
            "json_extract(config, '$.workload.services[0].arrivals.rate_per_s') FROM experiment"):
        label = policy if policy != 'elastic' else f'{policy} (revocation={"true" if revocation else "false"})'
        rows.setdefault(label, {})[rate] = facts[experiment]
    db.close()
    return rows


def mean(rows, label, number):
    return statistics.fmean(f[number] for f in rows[label].values())


def check_clause(clause, rows, number, best):
    """Faults of what is said of one number."""
    faults = []
    meeting = {label for label, worlds in rows.items()
               if all(f['verdict'] == 'meets' and not f['over'] for f in worlds.values())}
    among = meeting if number == 'batch' and meeting else set(rows)
    if ('of those that meet their SLA' in clause) != (len(among) < len(rows)):
        faults.append('does not say rightly of which policies')
    named = [label for label in rows if re.match(re.escape(label) + r'(,| and \d)', clause.split(': ', 1)[1])]
    if len(named) != 1 or named[0] not in among:
        return faults + [f'names {named} among {sorted(among)}']
    value = mean(rows, named[0], number)
    for label in among:
        if best * (mean(rows, label, number) - value) > 1e-12:
            faults.append(f'{label} beats {named[0]}')
    printed = float(re.search(r'(?:\)|\w), <?>?([0-9.]+) %', clause.split(': ', 1)[1]).group(1))
    if abs(printed - 100 * value) > 0.006:
        faults.append(f'prints {printed} of {value}')
    worlds = rows[named[0]]
    for word, count in (('infeasible', sum(f['verdict'] == 'infeasible' for f in worlds.values())),
                        ('overloaded', sum(f['over'] for f in worlds.values()))):
        said = re.search(rf'{word}(?: in (\d+))?', clause)
        if (int(said.group(1) or 1) if said else 0) != count:
            faults.append(f'{word} in {count} worlds')
    first = sum(all(best * (rows[label][rate][number] - fact[number]) <= 0 for label in among)
                for rate, fact in worlds.items())
    said = re.search(r'first in (\d+|none)', clause)
    if said and said.group(1) != (str(first) if first else 'none'):
        faults.append(f'is first in {first} worlds')
    return faults


def main():
    dcsim, source, times = sys.argv[1], sys.argv[2], int(sys.argv[3])
    failed = False
    for seed in range(times):
        shutil.copy(source, 'random.db')
        rows = label_facts('random.db', randomise('random.db', random.Random(seed)))
        subprocess.run(['rm', '-f', 'random.html'], check=True)
        subprocess.run([dcsim, 'report', 'random.db', '-o', 'random.html'], check=True)
        root = ElementTree.parse('random.html').getroot()
        answer = next(text_of(e) for e in root.iter('p') if e.get('class') == 'answer')
        clauses = re.split(r'(?<=[a-z0-9%)])\. (?=Most)', answer)
        faults = [] if len(answer.split()) <= 40 else ['more than 40 words']
        if len(clauses) != 2:
            faults.append('not two sentences')
        else:
            faults += check_clause(clauses[0], rows, 'late', -1) + check_clause(clauses[1], rows, 'batch', 1)
        for fault in faults:
            print(f'seed {seed}: {fault}: {answer}')
            failed = True
    sys.exit(failed)


main()
