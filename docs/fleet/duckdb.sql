-- Loads tables/*/{run,results,offcpu}.csv into DuckDB; offcpu.csv may be missing. Runs that are there already
-- are left out, so it can be repeated; of folders with the same run, the first counts. Columns are found by
-- name, so tables of several versions of readperf go together.
CREATE TABLE IF NOT EXISTS runs (
    run VARCHAR PRIMARY KEY, service VARCHAR, version VARCHAR, host VARCHAR, command VARCHAR,
    start UBIGINT, start_by VARCHAR, duration UBIGINT, kernel VARCHAR,
    cpu VARCHAR, samples UBIGINT, lost UBIGINT);
CREATE TABLE IF NOT EXISTS functions (
    run VARCHAR, event VARCHAR, "binary" VARCHAR, "function" VARCHAR, filename VARCHAR,
    period UBIGINT, samples UBIGINT, children_period UBIGINT, build_id VARCHAR, reason VARCHAR);
CREATE TABLE IF NOT EXISTS waits (
    run VARCHAR, comm VARCHAR, "binary" VARCHAR, "function" VARCHAR, state VARCHAR,
    waits_in VARCHAR, wait_ns UBIGINT, delay_ns UBIGINT, nr UBIGINT);

-- Databases of earlier versions lack these.
ALTER TABLE runs ADD COLUMN IF NOT EXISTS damaged UBIGINT DEFAULT 0;
ALTER TABLE runs ADD COLUMN IF NOT EXISTS truncated_bytes UBIGINT DEFAULT 0;
ALTER TABLE runs ADD COLUMN IF NOT EXISTS missing_bytes UBIGINT DEFAULT 0;

-- DuckDB refuses to read no file at all, so run.csv, which each folder has, is read beside the others. No tag
-- is called .file.
SET VARIABLE files = (SELECT list(file) FROM glob('tables/*/*.csv'));
CREATE OR REPLACE TEMP MACRO tables_called(name) AS TABLE
    FROM read_csv(list_filter(getvariable('files'), lambda file: parse_filename(file) IN ('run.csv', name)),
                  header = true, delim = ',', quote = '"', escape = '"', all_varchar = true,
                  union_by_name = true, filename = '.file')
    WHERE parse_filename(".file") = name;

-- A run without a hash, as that of a stream, cannot be told from others.
CREATE OR REPLACE TEMP TABLE new_runs AS
    SELECT run, min(parse_dirpath(".file")) AS folder
    FROM tables_called('run.csv')
    WHERE run <> '' AND run NOT IN (SELECT runs.run FROM runs)
    GROUP BY run;
CREATE OR REPLACE TEMP MACRO new_rows(name) AS TABLE
    FROM tables_called(name) AS rows SEMI JOIN new_runs
        ON rows.run = new_runs.run AND parse_dirpath(rows.".file") = new_runs.folder;

-- Columns that no folder need have
CREATE OR REPLACE TEMP TABLE telling (
    service VARCHAR, version VARCHAR, damaged VARCHAR, truncated_bytes VARCHAR, missing_bytes VARCHAR);
CREATE OR REPLACE TEMP TABLE waiting (
    comm VARCHAR, "binary" VARCHAR, "function" VARCHAR, state VARCHAR, waits_in VARCHAR,
    wait_ns VARCHAR, delay_ns VARCHAR, "count" VARCHAR);

BEGIN;
INSERT INTO functions BY NAME
    SELECT run, event, "binary", "function", coalesce(filename, '') AS filename, period, samples,
        children_period, coalesce(build_id, '') AS build_id, coalesce(reason, '') AS reason
    FROM new_rows('results.csv');
INSERT INTO waits BY NAME
    SELECT run, coalesce(comm, '') AS comm, "binary", "function", coalesce(state, '') AS state,
        coalesce(waits_in, '') AS waits_in, wait_ns, delay_ns, "count" AS nr
    FROM (FROM waiting UNION ALL BY NAME FROM new_rows('offcpu.csv'));
INSERT INTO runs BY NAME
    SELECT run, coalesce(service, '') AS service, coalesce(version, '') AS version,
        coalesce(host, '') AS host, coalesce(command, '') AS command, start,
        coalesce(start_by, '') AS start_by, duration, coalesce(kernel, '') AS kernel,
        coalesce(cpu, '') AS cpu, samples, lost, coalesce(damaged, '0') AS damaged,
        coalesce(truncated_bytes, '0') AS truncated_bytes, coalesce(missing_bytes, '0') AS missing_bytes
    FROM (FROM telling UNION ALL BY NAME FROM new_rows('run.csv'));
COMMIT;
