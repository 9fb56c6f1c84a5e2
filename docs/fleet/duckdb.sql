-- Loads tables/*/{run,results,offcpu}.csv into DuckDB. Runs that are there already are left out, so it
-- can be repeated; columns are found by name, so tables of several versions of readperf go together.
CREATE TABLE IF NOT EXISTS runs (
    run VARCHAR PRIMARY KEY, service VARCHAR, version VARCHAR, host VARCHAR, command VARCHAR,
    start UBIGINT, duration UBIGINT, kernel VARCHAR, cpu VARCHAR, samples UBIGINT, lost UBIGINT);
CREATE TABLE IF NOT EXISTS functions (
    run VARCHAR, event VARCHAR, "binary" VARCHAR, "function" VARCHAR, filename VARCHAR,
    period UBIGINT, samples UBIGINT, children_period UBIGINT, build_id VARCHAR, reason VARCHAR);
CREATE TABLE IF NOT EXISTS waits (
    run VARCHAR, comm VARCHAR, "binary" VARCHAR, "function" VARCHAR, state VARCHAR,
    waits_in VARCHAR, wait_ns UBIGINT, delay_ns UBIGINT, nr UBIGINT);

CREATE OR REPLACE TEMP MACRO tables_called(name) AS TABLE
    FROM read_csv('tables/*/' || name || '.csv', header = true, delim = ',', quote = '"',
                  escape = '"', all_varchar = true, union_by_name = true)
    WHERE run NOT IN (SELECT runs.run FROM runs);

BEGIN;
INSERT INTO functions
    SELECT run, event, "binary", "function", coalesce(filename, ''), period, samples,
        children_period, coalesce(build_id, ''), coalesce(reason, '')
    FROM tables_called('results');
INSERT INTO waits
    SELECT run, coalesce(comm, ''), "binary", "function", coalesce(state, ''),
        coalesce(waits_in, ''), wait_ns, delay_ns, "count"
    FROM tables_called('offcpu');
INSERT INTO runs
    SELECT run, service, version, coalesce(host, ''), coalesce(command, ''), start, duration,
        coalesce(kernel, ''), coalesce(cpu, ''), samples, lost
    FROM tables_called('run');
COMMIT;
