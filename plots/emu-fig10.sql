-- Runs: configs/emu/study.py pairs --output FILE.db makes them
-- A row: setting, place of the pair (by service, then batch application), its name, p99 of a query over its target,
-- its 95 % interval, batch throughput over that alone, its interval (view pair in emu.sql).
CREATE TEMP VIEW figure AS
SELECT * FROM pair WHERE setting IN ('emu', 'static-opt') ORDER BY 1, 2;
