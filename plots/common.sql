-- What the figures share.
-- asked: the request of --request.
CREATE TEMP TABLE asked(job INTEGER NOT NULL, number INTEGER NOT NULL);
-- student: the 97.5 % quantile of Student's t by degrees of freedom. A table; from 11 on Cornish-Fisher's expansion, which
-- is low by less than 0.2 % there.
CREATE TEMP VIEW student AS
WITH RECURSIVE printed(freedom, t) AS (VALUES (1, 12.7062), (2, 4.3027), (3, 3.1824), (4, 2.7764), (5, 2.5706), (6, 2.4469),
         (7, 2.3646), (8, 2.3060), (9, 2.2622), (10, 2.2281)),
     count(n) AS (VALUES (1) UNION ALL SELECT n + 1 FROM count WHERE n < 1000)
SELECT n AS freedom, coalesce(t, 1.959964 + 2.372255 / n + 2.822497 / (n * n)) AS t
FROM count LEFT JOIN printed ON freedom = n;
