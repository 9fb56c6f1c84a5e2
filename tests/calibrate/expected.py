#!/usr/bin/env python3
"""The tables of expected values in tests/unit/test_verdict.c, by another way than the program's.

Written after the section METHOD of readperf-diff(1), and not after the code. Needs scipy; printed
with version 1.10.1. Tails are scipy.special.betainc() and scipy.stats.t.sf(), quantiles
scipy.optimize.brentq() of them (t.isf() has but 9 digits), the limits of a side the roots of
(q - p)^2 = t^2 p (1 - p) / n, and what is likely of runs comes from scipy.stats.f.logpdf().
"""

from math import inf, sqrt

import numpy as np
from scipy import optimize, special, stats

SHARE, PERIOD, RATE = "share", "period", "rate"
DEVIATION = 0.02


def quantile(tail, df):
    sf = stats.norm.sf if df == inf else lambda t: stats.t.sf(t, df)
    return optimize.brentq(lambda t: sf(t) - tail, 0, 1e6, xtol=1e-14, rtol=1e-15)


def t_tail(t, df):
    if df == inf:
        return stats.norm.sf(t)
    return special.betainc(df / 2, 0.5, df / (df + t * t)) / 2


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


def plain(x, y, n, whole):
    part = y / whole
    return (part * (1 - part)) ** 2 * (1 / x + 1 / (n - x)) if 0 < x < n else 0.0


def blocks(side, f):
    use = [r for r in range(side.runs) if side.noise[f, r] > 0 and side.samples[f, r] > 0
           and side.df[f, r] > 0]
    df = sum(side.df[f, r] for r in use)
    return (sum(side.df[f, r] * side.noise[f, r] for r in use) / df if use else 0.0), df


def typical_in_run(sides, nr):
    found = sorted(b for s in sides for b in (blocks(s, f) for f in range(nr)) if b[1] > 0)
    weight = 0
    for value, df in found:
        weight += df
        if weight >= sum(d for _, d in found) / 2:
            return value
    return 0.0


def in_run(side, f, typical):
    if typical == 0:
        return 1.0, inf
    value, df = blocks(side, f)
    return (df * value + 8 * max(typical, 1)) / (df + 8), df + 8


def value_of(side, f, measure):
    return side.periods[f].sum() / side.units(measure).sum()


def within(side, f, measure, factor):
    x, y = side.samples[f].sum(), side.periods[f].sum()
    if measure == SHARE:
        return 1e4 * factor * plain(x, y, side.totals.sum(), side.all_periods.sum())
    return factor * value_of(side, f, measure) ** 2 / x if x > 0 else 0.0


def between(sides, f, measure, factors):
    """R, its degrees of freedom, and n."""
    squares = d = counts = samples = 0.0
    for side, (factor, _) in zip(sides, factors):
        w = within(side, f, measure, factor)
        if side.runs < 2 or w == 0:
            continue
        value, units = value_of(side, f, measure), side.units(measure)
        off = side.periods[f] - value * units
        variance = side.runs / (side.runs - 1) * (off**2).sum() / units.sum() ** 2
        squares += (side.runs - 1) * variance / w
        counts += (side.runs - 1) * value**2 / (w * side.runs)
        d += side.runs - 1
        samples += side.samples[f].sum()
    if d == 0:
        return 0.0, 0.0, 0.0
    return squares / d, 1 / (1 / d + 1 / (2 * samples)), counts / d


def likely(seen):
    """s and k."""
    deviations = [0.0] + [0.001 * 2 ** (i / 2) for i in range(19)]
    widths = [0.001 * 2**-0.25] + [s * (2**0.25 - 2**-0.25) for s in deviations[1:]]
    rates = [0, 1 / 64, 1 / 32, 1 / 16, 1 / 8, 1 / 4, 1 / 2]
    logs = np.zeros((len(deviations), len(rates)))
    for i, s in enumerate(deviations):
        for j, rate in enumerate(rates):
            logs[i, j] = np.log(widths[i]) - np.log1p((s / DEVIATION) ** 2)
            for value, d, n in seen:
                factor = 1 + s * s * n
                x = max(value, 1e-6) / factor
                one = stats.f.logpdf(x, d, 1 / rate) if rate else stats.gamma.logpdf(x, d / 2, scale=2 / d)
                logs[i, j] += one - np.log(factor)
    weights = np.exp(logs - logs.max())
    weights /= weights.sum()
    return (weights.sum(1) * deviations).sum(), 1 / (weights.sum(0) * rates).sum()


def limits(p, n, t, measure):
    """The roots of the score test's equation; p in percent, or a count per n."""
    if measure == SHARE:
        p /= 100
        a, b, c = 1 + t * t / n, -(2 * p + t * t / n), p * p
        unit = 100
    else:
        a, b, c = 1, -(2 * p + t * t / n), p * p
        unit = 1
    root = sqrt(max(b * b - 4 * a * c, 0))
    return c / ((-b + root) / 2) * unit, (-b + root) / (2 * a) * unit


def mid_p(x, n, chance):
    """The smaller tail, with half of the probability of x."""

    def upper(k, p):
        at = 1.0 if k <= 0 else special.betainc(k, n - k + 1, p)
        above = 0.0 if k >= n else special.betainc(k + 1, n - k, p)
        return (at + above) / 2

    return min(upper(x, chance), upper(n - x, 1 - chance))


def p_value(x, n, chance, df):
    return min(1, 2 * t_tail(stats.norm.isf(mid_p(x, n, chance)), df))


def compare(sides, nr, measure):
    typical = typical_in_run(sides, nr)
    several = sum(s.runs for s in sides) > 2
    factors = [[in_run(s, f, typical) for s in sides] for f in range(nr)]
    seen = [between(sides, f, measure, factors[f]) for f in range(nr)]
    s, k = likely([r for r in seen if r[1] > 0 and 2 * r[2] >= 50]) if several else (DEVIATION, inf)
    rows = []
    for f in range(nr):
        rows.append(compare_one(sides, f, measure, factors[f], seen[f], several, s, k))
    tests = sorted((row for row in rows if row["can"]), key=lambda row: row["p"])
    for row in rows:
        row["q"] = 1.0
    for i, row in enumerate(tests):
        row["q"] = min(r["p"] * len(tests) / (j + 1) for j, r in enumerate(tests) if j >= i)
    for row in rows:
        row["verdict"] = verdict(row)
    return rows


def compare_one(sides, f, measure, factors, seen, several, s, k):
    values = [value_of(side, f, measure) for side in sides]
    all_x = sum(side.samples[f].sum() for side in sides)
    all_n = sum(side.totals.sum() for side in sides)
    part = sum(side.totals.sum() * side.periods[f].sum() / side.all_periods.sum() for side in sides) / all_n
    # A sample of the function weighs so much, against the mean of all samples.
    weight = part * all_n / all_x
    if measure == SHARE:
        rest = (1 - part) * all_n / (all_n - all_x)

    def trials(i, factor):
        return sides[i].totals.sum() / (factor * weight * (rest if measure == SHARE else 1))

    def worth(i, factor):
        """Independent counts per unit of value: shares count against what is not the function."""
        other = 1 - part if measure == SHARE else 1
        return trials(i, factor) * sides[i].units(measure).sum() / sides[i].all_periods.sum() / other

    variances = []
    for i in range(2):
        w = worth(i, factors[i][0])
        variances.append(max(values[i] * w, 0.5) / w**2)
    spread = sum(v * v / factors[i][1] for i, v in enumerate(variances))
    e = sum(variances) ** 2 / spread if spread else inf
    if several:
        weight_typical = 1 / ((0 if k == inf else 1 / k) + (0 if e == inf else 1 / e))
        value, d, n = seen
        factor = (d * value + weight_typical * (1 + s * s * n)) / (d + weight_typical)
        df = d + weight_typical
    else:
        counts = [values[i] ** 2 / w for i, w in
                  enumerate(within(sides[i], f, measure, factors[i][0]) for i in range(2)) if w > 0]
        factor, df = 1 + s * s * (sum(counts) / len(counts)), e
    t = quantile(0.025, df)
    low, high = [], []
    for i in range(2):
        total = factors[i][0] * factor
        lo, hi = limits(values[i], trials(i, total) if measure == SHARE else worth(i, total), t, measure)
        low.append(lo)
        high.append(hi)
    delta = values[1] - values[0]
    worths = [worth(i, factors[i][0] * factor) for i in range(2)]
    counts = [values[i] * worths[i] for i in range(2)]
    chance = worths[1] / sum(worths)
    n = sum(counts)
    return {
        "old": values[0], "new": values[1], "delta": delta,
        "low": delta - sqrt((values[1] - low[1]) ** 2 + (high[0] - values[0]) ** 2),
        "high": delta + sqrt((high[1] - values[1]) ** 2 + (values[0] - low[0]) ** 2),
        "ratio": values[1] / values[0] if values[0] else inf,
        "p": p_value(counts[1], n, chance, df),
        "can": min(p_value(0, n, chance, df), p_value(n, n, chance, df)) < 0.05,
        "samples": [side.samples[f].sum() for side in sides],
    }


def verdict(row):
    if row["q"] >= 0.05:
        return "SAME"
    if row["delta"] > 0:
        return "SLOWER" if row["samples"][0] else "NEW"
    return "FASTER" if row["samples"][1] else "GONE"


def show(name, sides, nr, measure):
    print("static const struct row %s[] = {" % name)
    for row in compare(sides, nr, measure):
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
    noise = np.array([[1.5, 1.4, 1.7, 1.2, 1.3], [0.9, 1.1, 1.2, 1, 0.8], [2, 2.5, 2.2, 2.1, 1.9],
                      [0, 1, 1.2, 0.9, 1.1], [1, 1, 1, 1, 1]])
    df = np.array([[60] * 5, [59] * 5, [58] * 5, [0, 25, 24, 27, 26], [20] * 5])
    totals = samples.sum(0)
    old = Side(totals[:1], [3], samples[:, :1], noise[:, :1], df[:, :1])
    new = Side(totals[1:], [3, 3, 3, 3], samples[:, 1:], noise[:, 1:], df[:, 1:])
    show("one_against_four", [old, new], 5, SHARE)


one_run_a_side()
sums_alone()
several_runs_a_side()
one_run_against_four()
