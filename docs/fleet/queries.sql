-- Ten questions over many runs, the same for DuckDB, PostgreSQL and ClickHouse (18.16 needs
-- join_default_strictness = 'ALL'). Names in quotes are reserved words in one of them. What is compared by run
-- leaves out runs whose files were damaged or cut off: they are short of samples.

-- 1. The top functions of a service, by version: at least a tenth of its period
SELECT version, "function", "binary", 100.0 * part / whole AS percent
FROM (SELECT version, "function", "binary", sum(period) AS part
      FROM functions JOIN runs USING (run)
      WHERE service = 'shop' AND event = 'cpu-clock:u'
      GROUP BY version, "function", "binary") AS parts
JOIN (SELECT version, sum(period) AS whole
      FROM functions JOIN runs USING (run)
      WHERE service = 'shop' AND event = 'cpu-clock:u'
      GROUP BY version) AS wholes USING (version)
WHERE part * 10 > whole
ORDER BY version, percent DESC, "function", "binary";

-- 2. Regressions from one release to the next: a tenth more per run
SELECT "function", "binary", 1.0 * old_period / old_runs AS old_per_run,
    1.0 * new_period / new_runs AS new_per_run
FROM (SELECT "function", "binary",
          sum(CASE WHEN version = '1.8' THEN period ELSE 0 END) AS old_period,
          sum(CASE WHEN version = '1.9' THEN period ELSE 0 END) AS new_period
      FROM functions JOIN runs USING (run)
      WHERE service = 'shop' AND event = 'cpu-clock:u' AND damaged + truncated_bytes + missing_bytes = 0
      GROUP BY "function", "binary") AS periods
CROSS JOIN (SELECT sum(CASE WHEN version = '1.8' THEN 1 ELSE 0 END) AS old_runs,
                sum(CASE WHEN version = '1.9' THEN 1 ELSE 0 END) AS new_runs
            FROM runs
            WHERE service = 'shop' AND damaged + truncated_bytes + missing_bytes = 0) AS numbers
WHERE new_period * old_runs > 1.1 * old_period * new_runs
ORDER BY new_per_run DESC, "function", "binary";

-- 3. A function across hosts: where it takes most in a run
SELECT host, count(DISTINCT run) AS nr, 1.0 * sum(period) / count(DISTINCT run) AS per_run
FROM functions JOIN runs USING (run)
WHERE "function" = 'count_words' AND event = 'cpu-clock:u' AND damaged + truncated_bytes + missing_bytes = 0
GROUP BY host
ORDER BY per_run DESC, host
LIMIT 10;

-- 4. The share of unnamed code, by version and event
SELECT version, event,
    100.0 * sum(CASE WHEN reason <> '' THEN functions.samples ELSE 0 END) / sum(functions.samples) AS unnamed
FROM functions JOIN runs USING (run)
GROUP BY version, event
HAVING sum(functions.samples) > 0
ORDER BY version, event;

-- 5. Waits by kernel version: for what, and how long each
SELECT kernel, waits_in, sum(nr) AS times, 1.0 * sum(wait_ns) / sum(nr) AS ns_each
FROM waits JOIN runs USING (run)
GROUP BY kernel, waits_in
HAVING sum(nr) > 0
ORDER BY kernel, waits_in;

-- 6. A function over the days: its share of the period
SELECT floor(start / 86400000000000) AS days_since_1970,
    100.0 * sum(CASE WHEN "function" = 'count_words' THEN period ELSE 0 END) / sum(period) AS percent
FROM functions JOIN runs USING (run)
WHERE event = 'cpu-clock:u'
GROUP BY days_since_1970
ORDER BY days_since_1970;

-- 7. Functions that differ most from run to run of one version; a run that counted the event, but not in the
-- function, has 0 of it
SELECT "function", "binary", nr, CASE WHEN with_it < nr THEN 0 ELSE lowest END AS least,
    1.0 * total / nr AS mean, most
FROM (SELECT "function", "binary", count(*) AS with_it, min(part) AS lowest, max(part) AS most,
          sum(part) AS total
      FROM (SELECT run, "function", "binary", sum(period) AS part
            FROM functions JOIN runs USING (run)
            WHERE version = '1.9' AND event = 'cpu-clock:u' AND damaged + truncated_bytes + missing_bytes = 0
            GROUP BY run, "function", "binary") AS parts
      GROUP BY "function", "binary") AS sums
CROSS JOIN (SELECT count(DISTINCT run) AS nr
            FROM functions JOIN runs USING (run)
            WHERE version = '1.9' AND event = 'cpu-clock:u'
                AND damaged + truncated_bytes + missing_bytes = 0) AS numbers
WHERE nr > 1 AND total > 0
ORDER BY 1.0 * nr * most / total DESC, "function", "binary"
LIMIT 10;

-- 8. Hosts that lose records, and those whose files were damaged or cut off
SELECT host, count(*) AS nr, sum(lost) AS lost_records, sum(samples) AS all_samples,
    sum(CASE WHEN damaged + truncated_bytes + missing_bytes > 0 THEN 1 ELSE 0 END) AS not_whole
FROM runs
GROUP BY host
ORDER BY not_whole DESC, lost_records DESC, all_samples DESC, host
LIMIT 10;

-- 9. Builds of each binary: on how many hosts, since when
SELECT "binary", build_id, count(DISTINCT host) AS hosts, min(start) AS first_start,
    max(start) AS last_start, sum(functions.samples) AS all_samples
FROM functions JOIN runs USING (run)
WHERE build_id <> ''
GROUP BY "binary", build_id
ORDER BY "binary", build_id;

-- 10. Runs to look at: the most CPU time per second
SELECT run, host, version, 1.0 * total / duration AS cpus_busy
FROM (SELECT run, sum(period) AS total
      FROM functions
      WHERE event = 'cpu-clock:u'
      GROUP BY run) AS sums
JOIN runs USING (run)
WHERE duration > 0
ORDER BY cpus_busy DESC, run
LIMIT 10;
