-- The tables of load.sh in PostgreSQL, which has no unsigned integers: periods may be beyond 2^63.
CREATE TABLE IF NOT EXISTS runs (
    run text PRIMARY KEY, service text, version text, host text, command text, start bigint,
    start_by text, duration bigint, kernel text, cpu text, samples bigint, lost bigint);
CREATE TABLE IF NOT EXISTS functions (
    run text, event text, "binary" text, "function" text, filename text, period numeric(20),
    samples bigint, children_period numeric(20), build_id text, reason text);
CREATE TABLE IF NOT EXISTS waits (
    run text, comm text, "binary" text, "function" text, state text, waits_in text,
    wait_ns bigint, delay_ns bigint, nr bigint);
-- Databases of earlier versions lack these.
ALTER TABLE runs ADD COLUMN IF NOT EXISTS damaged bigint DEFAULT 0,
    ADD COLUMN IF NOT EXISTS truncated_bytes bigint DEFAULT 0,
    ADD COLUMN IF NOT EXISTS missing_bytes bigint DEFAULT 0;
CREATE INDEX IF NOT EXISTS functions_by_name ON functions ("function", event);
