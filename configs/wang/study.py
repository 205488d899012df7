#!/usr/bin/env python3
"""The runs behind docs/validation/cap.md: divisible programs on a CPU and a GPU under CAP, Quick, Split and Static.

    configs/wang/study.py speedups|steps|probes|thresholds|passes|all [--profile NAME] [--dcsim PROGRAM]
                          [--replications N] [--output FILE.db]

speedups: each program, size and number of CPU threads that the profile has measured: the CPU alone, the GPU alone, and both
under each policy. steps: CAP's shares, step by step. probes, thresholds: CAP with other first steps and thresholds. passes:
what a program of several passes takes if later passes keep the shares of the first.

Tables: plots/wang.py FILE.db. Pictures: plots/make FILE.db wang-fig03 wang-fig05. Needs Python 3 alone.
"""
import argparse
import json
import os
import sqlite3
import subprocess
import sys
import tempfile

POLICIES = ["split-static", "split-quick", "split-even", "cap"]
PROBES = [1 / 256, 1 / 128, 1 / 64]
THRESHOLDS = [0, 5e-6, 5e-5, 5e-4, 5e-3]


class Study:
    def __init__(self, args):
        self.args = args
        with tempfile.TemporaryDirectory() as folder:
            path = args.profile
            if not path.endswith(".db"):
                path = os.path.join(folder, "profile.db")
                self.dcsim("profile", "build", args.profile, path)
            db = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
            tables = db.execute("SELECT count(*) FROM sqlite_master WHERE name IN ('split_program', 'split_time')").fetchone()[0]
            self.works = self.threads = []
            if tables == 2:
                self.works = db.execute("SELECT program, iterations, passes FROM split_program ORDER BY 1, 2").fetchall()
                self.threads = [row[0] for row in db.execute(
                    "SELECT DISTINCT threads FROM split_time WHERE side = 'cpu' AND beside = 0 ORDER BY 1")]
        if not self.works:
            sys.exit(f"study.py: profile {args.profile} has no divisible programs: measure them with dcsim-calibrate split")

    def dcsim(self, *arguments, text=None):
        done = subprocess.run([self.args.dcsim, *arguments], input=text, stdout=subprocess.PIPE, text=True, check=False)
        if done.returncode != 0:
            sys.exit(done.returncode)

    def run(self, part, works, places, policies, replications, **more):
        """A sweep over works (program, iterations), places (devices, CPU threads) and policies (sections)."""
        axes = [
            {"zip": [{"key": "divisible[0].program", "values": [w[0] for w in works]},
                     {"key": "divisible[0].iterations", "values": [w[1] for w in works]}]},
            {"zip": [{"key": "cluster.devices", "values": [p[0] for p in places]},
                     {"key": "cluster.cpu_threads", "values": [p[1] for p in places]}]},
            {"key": "policy", "values": policies},
        ]
        config = {
            "name": f"wang-{part}", "profile": self.args.profile, "sharing": {"model": "divisible"},
            "divisible": [{"name": "work", "program": "", "iterations": 0}],
            "cluster": {"devices": 2}, "policy": {"name": "cap"},
            "workload": {"batch": [{"application": "work", "requests": 1}]},
            "horizon": {"duration_s": 0}, "replications": replications, "sweep": {"axes": axes}, **more,
        }
        self.dcsim("--output", self.args.output, "--config", "-", text=json.dumps(config))

    def both(self):
        return [(2, t) for t in self.threads]

    def speedups(self):
        n, works = self.args.replications, [w[:2] for w in self.works]
        alone = [(1, t) for t in self.threads] + [(1, 0)]
        self.run("alone", works, alone, [{"name": "cap"}], n)
        self.run("speedups", works, self.both(), [{"name": p} for p in POLICIES], n)
        self.run("bound", works, self.both(), [{"name": "split-predicted"}], n, predictor="clairvoyant")

    def steps(self):
        self.run("steps", [w[:2] for w in self.works], self.both(), [{"name": "cap"}], 1,
                 outputs={"decisions": True}, seed=2)  # another experiment than that of speedups, which keeps no reasons

    def probes(self):
        self.run("probes", [w[:2] for w in self.works], self.both(), [{"name": "cap", "probe": p} for p in PROBES],
                 self.args.replications)

    def thresholds(self):
        self.run("thresholds", [w[:2] for w in self.works], self.both(),
                 [{"name": "cap", "threshold": t} for t in THRESHOLDS], self.args.replications)

    def passes(self):
        works = [w[:2] for w in self.works if w[2] > 1]
        if works:
            self.run("passes", works, self.both(), [{"name": "cap", "passes": p} for p in ("anew", "keep")],
                     self.args.replications)


def main():
    parts = ["speedups", "steps", "probes", "thresholds", "passes"]
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("part", choices=[*parts, "all"])
    parser.add_argument("--profile", default="nvidia-h200-host")
    parser.add_argument("--dcsim", default=os.environ.get("DCSIM", "dcsim"))
    parser.add_argument("--replications", type=int, default=20)
    parser.add_argument("--output", default="wang.db")
    args = parser.parse_args()
    study = Study(args)
    for part in parts if args.part == "all" else [args.part]:
        getattr(study, part)()


if __name__ == "__main__":
    main()
