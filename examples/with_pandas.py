#!/usr/bin/env python3
"""Reads a results database into pandas: python3 examples/with_pandas.py results.db

Prints the headline numbers, and for each world (all but the policy is the same) the policies' paired
differences in the share of late requests.
"""

import sqlite3
import sys

import pandas as pd

if len(sys.argv) != 2:
    sys.exit("usage: with_pandas.py RESULTS.db")
results = sqlite3.connect(f"file:{sys.argv[1]}?mode=ro", uri=True)

headline = pd.read_sql("SELECT * FROM headline", results)
print(headline[["name", "policy", "replications", "sla_met", "sla_met_low", "sla_met_high", "utilisation"]])

metric = pd.read_sql(
    "SELECT json_remove(e.config, '$.name', '$.description', '$.outputs', '$.replications', '$.until',"
    " '$.policy') AS world, e.policy || ' ' || substr(e.hash, 1, 6) AS experiment, m.replication, m.value"
    " FROM metric m JOIN experiment e ON e.id = m.experiment"
    " WHERE m.name = 'sla_met' AND m.class = 'latency'",
    results,
)
for _, world in metric.groupby("world"):
    # One row a replication, one column an experiment.
    late = 1 - world.pivot(index="replication", columns="experiment", values="value")
    print(late.describe().loc[["count", "mean", "std"]])
    baseline = late.columns[0]
    print(f"against {baseline}, run by run:")
    print(late.sub(late[baseline], axis=0).agg(["mean", "sem"]))
