-- Runs: configs/wang/study.py speedups --output FILE.db makes them
-- A row: CPU threads and policy ("gpu": the GPU alone), place of the program, speed-up over the CPU alone with as many threads.
-- "names": place, program.
CREATE TEMP VIEW figure AS
WITH d AS MATERIALIZED (SELECT d.*, l.place FROM divided d JOIN one_size l USING (program, iterations) WHERE usual AND seed = 1),
cpu AS (SELECT program, threads, ns FROM d WHERE gpus = 0)
SELECT printf('%04d %s', cpu.threads, d.policy) AS series, d.place AS x, cpu.ns / d.ns AS y
FROM d JOIN cpu ON cpu.program = d.program AND cpu.threads = d.threads WHERE d.gpus > 0
UNION ALL SELECT printf('%04d gpu', cpu.threads), d.place, cpu.ns / d.ns FROM d JOIN cpu USING (program) WHERE d.threads = 0
UNION ALL SELECT DISTINCT 'names', place, program FROM d WHERE EXISTS (SELECT 1 FROM cpu)
ORDER BY 1, 2;
