-- The tables of load.sh in ClickHouse.
CREATE TABLE IF NOT EXISTS runs (
    run String, service String, version String, host String, command String, start UInt64,
    start_by String, duration UInt64, kernel String, cpu String, samples UInt64, lost UInt64,
    damaged UInt64, truncated_bytes UInt64, missing_bytes UInt64)
    ENGINE = MergeTree() ORDER BY run;
CREATE TABLE IF NOT EXISTS functions (
    run String, event String, "binary" String, "function" String, filename String,
    period UInt64, samples UInt64, children_period UInt64, build_id String, reason String)
    ENGINE = MergeTree() ORDER BY (event, "function", run);
CREATE TABLE IF NOT EXISTS waits (
    run String, comm String, "binary" String, "function" String, state String,
    waits_in String, wait_ns UInt64, delay_ns UInt64, nr UInt64)
    ENGINE = MergeTree() ORDER BY (waits_in, run);
