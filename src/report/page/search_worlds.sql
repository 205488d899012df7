-- For each search of dcsim capacity what its config says throughout, where other searches say something else. Not who
-- decides, which stands in the question, nor what is varied. An option of a policy is compared with that policy's alone.
WITH looked AS (SELECT DISTINCT question, vary, experiment FROM capacity_look),
search AS (SELECT question, vary, count(*) AS looks, max(e.policy) AS policy FROM looked l JOIN experiment e
  ON e.id = l.experiment GROUP BY question),
leaf AS (SELECT l.question, substr(replace(t.fullkey, '"', ''), 3) AS key,
  CASE t.type WHEN 'true' THEN 'true' WHEN 'false' THEN 'false' ELSE t.atom END AS value
  FROM looked l JOIN experiment e ON e.id = l.experiment,
  json_tree(json_remove(e.config, '$.name', '$.description', '$.outputs', '$.replications', '$.until')) t
  WHERE t.type NOT IN ('object', 'array')),
fixed AS (SELECT l.question, l.key, max(l.value) AS value, iif(l.key LIKE 'policy.%', s.policy, '') AS among
  FROM leaf l JOIN search s USING (question)
  WHERE l.key NOT IN ('policy.name', 'cluster.queue.order', 'cluster.queue.placement')
  AND instr(',' || s.vary || ',', ',' || l.key || ',') = 0
  GROUP BY l.question, l.key HAVING count(DISTINCT l.value) = 1 AND count(*) = max(s.looks)),
telling AS (SELECT key, among FROM fixed f GROUP BY key, among HAVING count(DISTINCT value) > 1
  OR count(*) < (SELECT count(*) FROM search s WHERE f.among IN ('', s.policy)))
SELECT s.question, coalesce((SELECT group_concat(key || '=' || value, ', ') || iif(max(of) > 6, ', ...', '') FROM
  (SELECT f.key, f.value, count(*) OVER () AS of FROM fixed f JOIN telling USING (key, among)
  WHERE f.question = s.question ORDER BY f.key LIMIT 6)), '')
FROM search s ORDER BY s.question
