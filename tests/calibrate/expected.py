#!/usr/bin/env python3
"""What readperf diff must say, by another way than the program's.

Written after docs/diff-method.md, and not after the code. Needs numpy and scipy; printed with 1.24 and
1.10. Tails are those of scipy.stats, quantiles scipy.optimize.brentq() of them, the limits of a side
the roots of (q - p)^2 = c^2 p (1 - p) / n, and weights are computed by logarithms.

    expected.py               the tables of expected values in tests/unit/test_verdict.c
    expected.py READPERF N    N tables of random functions, given to the program as results.csv files;
                              its p values, intervals and verdicts beside these
"""

import csv
import os
import random
import subprocess
import sys
import tempfile
from math import exp, inf, log, sqrt

import numpy as np
from scipy import optimize, special, stats

SHARE, PERIOD, RATE = "share", "period", "rate"
DEVIATION = 0.03
GRID = [0.0] + [0.0025 * 2 ** ((j - 1) / 2) for j in range(1, 25)]
BASES = {1 / 8: 1 / 16, 1 / 4: 2 / 16, 1 / 2: 4 / 16, 1: 9 / 16}


class Side:
    """A side of a comparison: arrays by run; of functions, by function and run."""

    def __init__(self, totals, seconds, samples, noise=None, df=None, periods=None, all_periods=None):
        self.totals = np.array(totals, float)
        self.seconds = np.array(seconds, float)
        self.samples = np.array(samples, float)
        self.periods = self.samples * 1000 if periods is None else np.array(periods, float)
        self.all_periods = self.totals * 1000 if all_periods is None else np.array(all_periods, float)
        none = np.zeros_like(self.samples)
        self.noise = none if noise is None else np.array(noise, float)  # times the plain variance
        self.df = none if df is None else np.array(df, float)
        self.runs = len(self.totals)

    def units(self, measure):
        if measure == SHARE:
            return self.all_periods / 100
        return self.seconds if measure == RATE else np.ones(self.runs)

    def value(self, f, measure):
        return self.periods[f].sum() / self.units(measure).sum()

    def whole(self, measure):
        return self.all_periods.sum() / self.units(measure).sum()


def plain_part(x, y, n, whole):
    part = y / whole
    return (part * (1 - part)) ** 2 * (1 / x + 1 / (n - x)) if 0 < x < n else 0.0


# ---- noise within runs: of use where there is one run a side -------------------------------------

def blocks(side, f):
    use = [r for r in range(side.runs) if side.noise[f, r] > 0 and side.df[f, r] > 0
           and 0 < side.samples[f, r] < side.totals[r]]
    df = sum(side.df[f, r] for r in use)
    return (sum(side.df[f, r] * side.noise[f, r] for r in use) / df if use else 0.0), df


def typical(sides, nr):
    seen = sorted(blocks(side, f) for f in range(nr) for side in sides if blocks(side, f)[1] > 0)
    half, upto = sum(df for _, df in seen) / 2, 0
    for value, df in seen:
        upto += df
        if upto >= half:
            return value
    return 0.0


def base(side, f, usual, several):
    if several or usual <= 0:
        return 1.0, inf
    value, df = blocks(side, f)
    return (value * df + max(usual, 1) * 8) / (df + 8), df + 8


# ---- what functions have in common ---------------------------------------------------------------

def spread(values):
    return np.var(np.concatenate(values), ddof=1)


def common_ratios(sides, nr, measure):
    """For each function the ratio of most of the others, and whether that is held against them."""
    nothing = [1.0] * nr, False
    if measure == SHARE:
        return nothing
    per = [side.units(measure) for side in sides]
    whole = [side.all_periods / u for side, u in zip(sides, per)]
    each = sum(spread([side.periods[f] / u for side, u in zip(sides, per)]) for f in range(nr))
    if not spread(whole) > 2 * each:
        return nothing
    values = [(sides[0].value(f, measure), sides[1].value(f, measure)) for f in range(nr)]
    order = sorted(range(nr), key=lambda f: (values[f][1] / values[f][0] if values[f][0] else inf, f))

    def middle(without):
        some = [f for f in order if f != without]
        weights = [sum(values[f]) for f in some]
        upto = np.cumsum(weights)
        if not some or upto[-1] <= 0:
            return 1.0
        first = next((i for i, u in enumerate(upto) if u > upto[-1] / 4), len(some))
        last = next((i for i, u in enumerate(upto) if u > upto[-1] * 3 / 4), len(some) - 1)
        old = sum(values[some[i]][0] for i in range(first, last + 1))
        new = sum(values[some[i]][1] for i in range(first, last + 1))
        return new / old if old > 0 and new > 0 else 1.0

    ratio, df = abs(log(middle(None))), sum(side.runs - 1 for side in sides)
    if ratio > log(2):
        return nothing
    if df > 0:
        squares = sum(((w / w.mean() - 1) ** 2).sum() for w in whole)
        deviation = sqrt(squares / df * sum(1 / side.runs for side in sides))
        if (2 * stats.t.sf(ratio / deviation, df) if deviation > 0 else 0) < 0.001:
            return nothing
    return [min(max(middle(f), 0.5), 2.0) for f in range(nr)], True


# ---- noise between runs --------------------------------------------------------------------------

def within(side, f, measure, factor):
    x, y = side.samples[f].sum(), side.periods[f].sum()
    if measure == SHARE:
        return factor * 1e4 * plain_part(x, y, side.totals.sum(), side.all_periods.sum())
    return factor * side.value(f, measure) ** 2 / x if x > 0 else 0.0


def between(side, f, measure, against_others):
    against = side.all_periods - side.periods[f] if against_others else side.units(measure)
    m = side.runs
    off = side.periods[f] - side.periods[f].sum() * against / against.sum()
    return m / (m - 1) * (off ** 2).sum() / side.units(measure).sum() ** 2


def seen(sides, f, measure, factors, against_others):
    """R, d, n, x"""
    some = [(side, within(side, f, measure, factor[0])) for side, factor in zip(sides, factors)]
    some = [(side, w) for side, w in some if w > 0]
    several = [(side, w) for side, w in some if side.runs > 1]
    if not several:
        counts = [side.value(f, measure) ** 2 / w for side, w in some]
        return 0.0, 0.0, np.mean(counts) if counts else 0.0, 0.0
    df = sum(side.runs - 1 for side, _ in several)
    r = sum((s.runs - 1) * between(s, f, measure, against_others) / w for s, w in several) / df
    n = sum((s.runs - 1) * s.value(f, measure) ** 2 / w / s.runs for s, w in several) / df
    x = sum(s.samples[f].sum() for s, _ in several)
    return r, 1 / (1 / df + 1 / (2 * x)), n, x


def prior(kernel, several):
    scale = DEVIATION * (10 if kernel else 1)
    cdf = (lambda s: 2 * stats.t.cdf(s / scale, 3 if several else 2) - 1)
    edges = [0.0] + [s / 2 ** 0.25 for s in GRID[1:]] + [inf]
    mass = np.array([cdf(edges[j + 1]) - cdf(edges[j]) for j in range(len(GRID))])
    if not several:
        return {(1.0, s): m for s, m in zip(GRID, mass)}
    any_of = np.array([s >= 0.05 for s in GRID], float)
    mass = 0.95 * mass + 0.05 * any_of / any_of.sum()
    return {(b, s): pb * m for b, pb in BASES.items() for s, m in zip(GRID, mass)}


def likelihoods(points, what):
    r, d, n, _ = what
    f = np.array([b + s * s * n for b, s in points])
    if d == 0:
        return np.ones(len(points)), f
    logs = -d / 2 * np.log(f) - d * r / (2 * f)
    return np.exp(logs - logs.max()), f


def learn(whats, kinds, several):
    result = {}
    for kind in (False, True):
        before = prior(kind, several)
        points, start = list(before), np.array(list(before.values()))
        w = start.copy()
        likely = [likelihoods(points, what)[0] for what, k in zip(whats, kinds)
                  if k == kind and what[1] > 0 and what[3] >= 10]
        if several:
            for _ in range(50):
                parts = [w * one / (w * one).sum() for one in likely]
                w = (sum(parts) + 8 * start) / (len(likely) + 8)
            w = 0.95 * w + 0.05 * start
        result[kind] = points, w
    return result


# ---- verdicts ------------------------------------------------------------------------------------

def midtail(x, n, p):
    def at_least(x):
        return 1.0 if x <= 0 else 0.0 if x >= n + 1 else special.betainc(x, n - x + 1, p)
    return (at_least(x) + at_least(x + 1)) / 2


def deviate(x, n, p):
    tail = midtail(x, n, p) if x >= n * p else midtail(n - x, n, 1 - p)
    if tail < 1e-290:  # the signed root of the deviance: no double holds such a tail
        def part(x, m):
            return x * log(x / m) + m - x if x > 0 else m
        root = sqrt(2 * (part(x, n * p) + part(n - x, n * (1 - p))))
        return root if x >= n * p else -root
    return stats.norm.isf(midtail(x, n, p)) if x >= n * p else -stats.norm.isf(midtail(n - x, n, 1 - p))


def side_limits(value, n, c, measure):
    if measure == SHARE:
        q = value / 100
        a, b, k = 1 + c * c / n, 2 * q + c * c / n, q * q
        root = sqrt(max(b * b - 4 * a * k, 0))
        return max(100 * (b - root) / (2 * a), 0), 100 * (b + root) / (2 * a)
    b = 2 * value + c * c / n
    root = sqrt(b * b - 4 * value * value)
    return (b - root) / 2, (b + root) / 2


def difference(values, ns, c, measure):
    low, high = zip(*(side_limits(values[i], ns[i], c, measure) for i in range(2)))
    delta = values[1] - values[0]
    return (delta - sqrt((values[1] - low[1]) ** 2 + (high[0] - values[0]) ** 2),
            delta + sqrt((high[1] - values[1]) ** 2 + (values[0] - low[0]) ** 2))


def judge(sides, f, measure, factors, what, common, learned):
    xs = [side.samples[f].sum() for side in sides]
    ns = [side.totals.sum() for side in sides]
    ys = [side.all_periods.sum() for side in sides]
    part = sum(side.periods[f].sum() / y * n for side, y, n in zip(sides, ys, ns)) / sum(ns)
    values = [side.value(f, measure) for side in sides]
    alone = measure == SHARE and not (sum(xs) < sum(ns) and part < 1)
    weight = part * sum(ns) / sum(xs)
    rest = 1.0
    if measure == SHARE and not alone:
        rest = 1 - part
        weight *= rest * sum(ns) / (sum(ns) - sum(xs))
    trials = [n / (weight * factor[0]) for n, factor in zip(ns, factors)]
    worths = [t * side.units(measure).sum() / (y * rest) for t, side, y in zip(trials, sides, ys)]
    counts = [max(v * w, 0.5) for v, w in zip(values, worths)]
    variances = [c / w ** 2 for c, w in zip(counts, worths)]
    squares = sum(v * v / factor[1] for v, factor in zip(variances, factors))
    df = sum(variances) ** 2 / squares if squares > 0 else inf

    points, w = learned
    likely, factor = likelihoods(points, what)
    weights, roots = w * likely / (w * likely).sum(), np.sqrt(factor)
    tail = stats.norm.sf if df == inf else lambda t: stats.t.sf(t, df)

    def p_of(z):
        return float(min((weights * 2 * tail(abs(z) / roots)).sum(), 1))

    n = sum(v * w for v, w in zip(values, worths))
    low, high = sorted((1.0, common))
    ratio = min(max(values[1] / values[0] if values[0] else inf, low), high)
    chance = worths[1] * ratio / (worths[0] + worths[1] * ratio)
    c = optimize.brentq(lambda z: p_of(z) - 0.05, 0, 1e4, xtol=1e-13, rtol=1e-14)
    use = trials if measure == SHARE else worths
    one = difference(values, use, c, measure)
    other = difference([values[0], values[1] / common], [use[0], use[1] * common], c, measure) \
        if common != 1 else one
    return {
        "old": values[0], "new": values[1], "delta": values[1] - values[0],
        "low": min(one[0], other[0]), "high": max(one[1], other[1]),
        "ratio": values[1] / values[0] if values[0] else inf,
        "p": 1.0 if alone else p_of(deviate(values[1] * worths[1], n, chance)),
        "can": not alone and min(p_of(deviate(0, n, chance)), p_of(deviate(n, n, chance))) < 0.05,
        "samples": xs,
    }


def verdict(row, whole):
    if row["q"] < 0.05:
        if row["delta"] > 0:
            return "MORE" if row["samples"][0] else "NEW"
        return "LESS" if row["samples"][1] else "GONE"
    ends = max(-row["low"], 0), max(row["high"], 0)
    if any(end >= 0.01 * whole and end >= 0.1 * row["old"] for end in ends):
        return "UNSURE"
    return "SAME"


def compare(sides, nr, measure, kinds=None):
    kinds = kinds or [False] * nr
    several = sides[0].runs + sides[1].runs > 2
    usual = typical(sides, nr)
    ratios, against_others = common_ratios(sides, nr, measure)
    factors = [[base(side, f, usual, several) for side in sides] for f in range(nr)]
    whats = [seen(sides, f, measure, factors[f], against_others) for f in range(nr)]
    learned = learn(whats, kinds, several)
    rows = [judge(sides, f, measure, factors[f], whats[f], ratios[f], learned[kinds[f]])
            for f in range(nr)]
    able = sorted((row for row in rows if row["can"]), key=lambda row: row["p"])
    least = 1.0
    for row in rows:
        row["q"] = 1.0
    for i in range(len(able), 0, -1):
        least = min(least, able[i - 1]["p"] * len(able) / i)
        able[i - 1]["q"] = least
    for row in rows:
        row["verdict"] = verdict(row, sides[0].whole(measure))
    return rows


# ---- tables for the unit tests -------------------------------------------------------------------

def show(name, sides, nr, measure, kinds=None):
    print("static const struct row %s[] = {" % name)
    for row in compare(sides, nr, measure, kinds):
        cells = [row[c] for c in ("old", "new", "delta", "low", "high", "ratio", "p", "q")]
        text = ["INFINITY" if c == inf else repr(float(c)) for c in cells]
        print("\t{{%s},\n\t VERDICT_%s}," % (", ".join(text), row["verdict"]))
    print("};")


def column(*cells):
    return [[c] for c in cells]


def one_run_a_side():
    old = Side([2000], [2], column(1000, 600, 380, 0, 18, 2), column(2, 0.5, 1.2, 0, 0, 0),
               column(60, 50, 45, 0, 0, 0))
    new = Side([2200], [2.2], column(1000, 800, 360, 37, 0, 3), column(1.5, 0.6, 1.1, 1, 0, 0),
               column(60, 50, 45, 20, 0, 0))
    show("one_run", [old, new], 6, SHARE)


def sums_alone():
    old = Side([2000], [2], column(1500, 400, 100), periods=column(1200000, 500000, 300000))
    new = Side([2200], [2], column(1500, 500, 200), periods=column(1200000, 640000, 360000))
    show("plain", [old, new], 3, SHARE)


def several_runs_a_side():
    samples = np.array([[500, 560, 440, 420, 520], [300, 330, 290, 380, 440],
                        [195, 205, 168, 195, 238], [5, 5, 2, 5, 2]])
    old = Side([1000, 1100, 900], [1.0, 1.2, 0.9], samples[:, :3])
    new = Side([1000, 1200], [1.1, 1.3], samples[:, 3:])
    show("several", [old, new], 4, SHARE)
    show("several_period", [old, new], 4, PERIOD)
    show("several_rate", [old, new], 4, RATE)


def one_run_against_four():
    samples = np.array([[9000, 9200, 8700, 9100, 9050], [5000, 5300, 5450, 5200, 5600],
                        [4000, 3600, 3900, 3750, 3500], [0, 40, 35, 50, 45], [30, 20, 25, 28, 22]])
    totals = samples.sum(0)
    old = Side(totals[:1], [3], samples[:, :1])
    new = Side(totals[1:], [3, 3, 3, 3], samples[:, 1:])
    show("one_against_four", [old, new], 5, SHARE)


def a_burst():
    """A function of the kernel that comes in bursts, and one that is new on a side."""
    samples = np.array([[200, 210, 195, 240, 251, 245], [400, 390, 410, 402, 395, 405],
                        [50, 61, 44, 52, 49, 58], [20, 22, 18, 0, 1, 0], [1, 0, 0, 0, 41, 16],
                        [0, 0, 0, 6, 5, 7], [30, 33, 28, 31, 35, 29]])
    kinds = [False, False, False, False, True, False, True]
    totals = samples.sum(0)
    old, new = Side(totals[:3], [1] * 3, samples[:, :3]), Side(totals[3:], [1] * 3, samples[:, 3:])
    show("burst_period", [old, new], 7, PERIOD, kinds)
    show("burst_share", [old, new], 7, SHARE, kinds)


def a_busy_machine():
    """Runs differ by up to a half in all functions; one function takes a third more beside that."""
    machine = np.array([1.0, 1.5, 1.2, 1.4, 1.1, 1.5])
    usual = np.array([[400], [250], [160], [90], [60], [40]]) * machine
    usual[2, 3:] *= 4 / 3
    samples = np.round(usual + np.array([[3, -2, 4, 1, -5, 2], [-1, 4, 2, -3, 1, 0],
                                         [2, 1, -3, 2, 0, -2], [1, 0, 2, -2, 1, 3],
                                         [0, 2, -1, 1, -2, 1], [1, -1, 0, 2, 1, -1]]))
    totals = samples.sum(0)
    old, new = Side(totals[:3], [1] * 3, samples[:, :3]), Side(totals[3:], [1] * 3, samples[:, 3:])
    show("machine", [old, new], 6, PERIOD)


# ---- the program's own answers to random tables --------------------------------------------------

def random_table(state):
    runs = [state.choice([1, 2, 3, 5, 8]), state.choice([1, 2, 3, 5, 8])]
    nr = state.choice([3, 8, 20, 60])
    machine = state.choice([0.0, 0.02, 0.3])
    kinds = [state.random() < 0.3 for _ in range(nr)]
    means = [exp(state.gauss(3.5, 1.5)) for _ in range(nr)]
    deviations = [state.choice([0.0, 0.03, 0.3]) for _ in range(nr)]
    effects = [state.choice([1, 1, 1, 1, 1, 1.2, 0.5, 0]) for _ in range(nr)]
    samples = []
    for side in range(2):
        columns = []
        for _ in range(runs[side]):
            busy = exp(state.gauss(0, machine))
            columns.append([np.random.default_rng(state.randrange(2 ** 32)).poisson(
                m * busy * exp(state.gauss(0, d)) * (e if side else 1))
                for m, d, e in zip(means, deviations, effects)])
        samples.append(np.array(columns).T)
    some = (samples[0].sum(1) + samples[1].sum(1)) > 0
    samples = [s[some] for s in samples]
    kinds = [k for k, s in zip(kinds, some) if s]
    if any((s.sum(0) == 0).any() for s in samples):
        return random_table(state)
    return [Side(s.sum(0), np.ones(s.shape[1]), s) for s in samples], kinds


def write_run(path, side, run, kinds):
    with open(path, "w", newline="") as out:
        table = csv.writer(out, lineterminator="\n")
        table.writerow(["period", "samples", "filename", "function", "event", "binary"])
        for f, kind in enumerate(kinds):
            if side.samples[f, run] > 0:
                table.writerow([int(side.periods[f, run]), int(side.samples[f, run]), "",
                                "f%d" % f, "cpu-clock", "[kernel.kallsyms]" if kind else "/bin/x"])


def program_rows(readperf, sides, kinds, measure, folder):
    names = [[], []]
    for i, side in enumerate(sides):
        for run in range(side.runs):
            names[i].append(os.path.join(folder, "%d.%d.csv" % (i, run)))
            write_run(names[i][-1], side, run, kinds)
    subprocess.run([readperf, "diff", "-q", "--by=" + measure, "-o", folder] + names[0] + ["vs"] +
                   names[1], check=True, stderr=subprocess.DEVNULL)
    with open(os.path.join(folder, "diff.csv"), newline="") as table:
        return {row["function"]: row for row in csv.DictReader(table)}


WORDS = {"MORE": ("slower", "larger"), "LESS": ("faster", "smaller")}


def check_table(readperf, sides, kinds, measure, folder):
    """The largest difference of a p value, and of an end of an interval in percent of the whole."""
    mine = compare(sides, len(kinds), measure, kinds)
    theirs = program_rows(readperf, sides, kinds, measure, folder)
    unit = 1 if measure == SHARE else sides[0].whole(measure) / 100
    worst = [0.0, 0.0]
    for f, row in enumerate(mine):
        other = theirs["f%d" % f]
        worst[0] = max(worst[0], abs(row["p"] - float(other["p_value"])))
        worst[1] = max(worst[1], abs(row["low"] / unit - float(other["ci_low"])),
                       abs(row["high"] / unit - float(other["ci_high"])))
        word = WORDS.get(row["verdict"], (row["verdict"].lower(),) * 2)[measure == SHARE]
        if word != other["verdict"] and abs(row["q"] - 0.05) > 1e-6:
            raise SystemExit("f%d is %s here, but %s there" % (f, word, other["verdict"]))
    return worst


def check_random(readperf, nr):
    state, rows, worst = random.Random(1), 0, [0.0, 0.0]
    for _ in range(nr):
        sides, kinds = random_table(state)
        with tempfile.TemporaryDirectory() as folder:
            for measure in (PERIOD, SHARE):
                found = check_table(readperf, sides, kinds, measure, folder)
                worst = [max(pair) for pair in zip(worst, found)]
                rows += len(kinds)
    print("%d random tables, %d rows by period and share: p values differ by %.1e at most (6 decimals "
          "are printed), intervals by %.1e points (4 decimals)" % (nr, rows, *worst))
    if worst[0] > 6e-7 or worst[1] > 6e-5:
        raise SystemExit("too much")


if len(sys.argv) == 3:
    check_random(sys.argv[1], int(sys.argv[2]))
else:
    one_run_a_side()
    sums_alone()
    several_runs_a_side()
    one_run_against_four()
    a_burst()
    a_busy_machine()
