#!/usr/bin/env python3
"""Reads a results database into pandas: python3 examples/with_pandas.py results.db

Prints the headline numbers, and the policies' paired differences in the share of late requests.
"""

import sqlite3
import sys

import pandas as pd

if len(sys.argv) != 2:
    sys.exit("usage: with_pandas.py RESULTS.db")
results = sqlite3.connect(f"file:{sys.argv[1]}?mode=ro", uri=True)

headline = pd.read_sql("SELECT * FROM headline", results)
print(headline[["name", "policy", "replications", "sla_met", "sla_met_low", "sla_met_high", "utilisation"]])

# One row a replication, one column an experiment: what was measured in the same world is in one row.
metric = pd.read_sql(
    "SELECT e.policy || ' ' || substr(e.hash, 1, 6) AS experiment, m.replication, m.value"
    " FROM metric m JOIN experiment e ON e.id = m.experiment"
    " WHERE m.name = 'sla_met' AND m.class = 'latency'",
    results,
)
met = metric.pivot(index="replication", columns="experiment", values="value")
late = 1 - met
print(late.describe().loc[["count", "mean", "std"]])
baseline = late.columns[0]
print(f"against {baseline}, run by run:")
print(late.sub(late[baseline], axis=0).agg(["mean", "sem"]))
