-- Runs: tests/stat/queueing.sh DATABASE makes them
-- A row: load, place, queue, mean response over its closed form, its 95 % interval. Mutants are left out.
CREATE TEMP VIEW figure AS
SELECT 'load ' || substr(e.name, -4) AS series,
       row_number() OVER (PARTITION BY substr(e.name, -4) ORDER BY substr(e.name, 1, length(e.name) - 8)) AS place,
       rtrim(substr(e.name, 1, length(e.name) - 8), ',') AS queue, value / closed, low / closed, high / closed
FROM summary s JOIN (SELECT id, name, 1e6 * substr(description, 14) AS closed FROM experiment
                     WHERE description LIKE 'closed form: %' AND name NOT LIKE 'mutant%') e ON e.id = s.experiment
WHERE s.name = 'response_mean' AND s.class = 'latency' ORDER BY 1, 2;
