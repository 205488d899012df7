-- Runs: dcsim validate PROFILE --slowdown --half test --csv test.csv, then sqlite3 X.db ".import --csv test.csv slowdown"
-- Errors of predicted slow-downs of kernels in pairs, sorted. A row: predictor, and "never" of applications that the network was
-- never trained on, else "all"; the share of kernels whose error is at most this, in %; |predicted / measured - 1| in %.
CREATE TEMP VIEW figure AS
WITH side AS (
    SELECT held_out, 1.0 * measured_scal * measured_inter AS measured, contention_scal * contention_inter AS contention,
        alone_scal * alone_inter AS alone, themis_scal * themis_inter AS themis, asm_scal * asm_inter AS asm,
        asm_gpm_scal * asm_gpm_inter AS asm_gpm FROM (
        SELECT *, "asm-gpm_scal" AS asm_gpm_scal, "asm-gpm_inter" AS asm_gpm_inter FROM slowdown WHERE kind = 'pair')),
error AS (
    SELECT held_out, 'contention' AS predictor, 100 * abs(contention / measured - 1) AS off FROM side
    UNION ALL SELECT held_out, 'alone', 100 * abs(alone / measured - 1) FROM side
    UNION ALL SELECT held_out, 'themis', 100 * abs(themis / measured - 1) FROM side
    UNION ALL SELECT held_out, 'asm', 100 * abs(asm / measured - 1) FROM side
    UNION ALL SELECT held_out, 'asm-gpm', 100 * abs(asm_gpm / measured - 1) FROM side),
part AS (
    SELECT 'all' AS part, * FROM error UNION ALL SELECT 'never', * FROM error WHERE held_out <> 'no')
SELECT predictor || ' ' || part AS series,
    100.0 * row_number() OVER (PARTITION BY part, predictor ORDER BY off) / count(*) OVER (PARTITION BY part, predictor) AS x,
    off AS y FROM part ORDER BY 1, 2, 3;
