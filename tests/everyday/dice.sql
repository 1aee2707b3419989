-- Numbers that look drawn but are the same on every machine: dice(t, n, a..h), t = 1..11 is the
-- table being filled, n = 1..2000 its row. Loaded before each schema, never stored.
CREATE TEMP TABLE dice AS
WITH RECURSIVE draw(i, r) AS (
  SELECT 0, 20240229
  UNION ALL
  SELECT i + 1, (r * 1103515245 + 12345) % 2147483648 FROM draw WHERE i < 175999
)
SELECT i / 16000 + 1 AS t, i / 8 % 2000 + 1 AS n,
  max(r >> 9) FILTER (WHERE i % 8 = 0) AS a, max(r >> 9) FILTER (WHERE i % 8 = 1) AS b,
  max(r >> 9) FILTER (WHERE i % 8 = 2) AS c, max(r >> 9) FILTER (WHERE i % 8 = 3) AS d,
  max(r >> 9) FILTER (WHERE i % 8 = 4) AS e, max(r >> 9) FILTER (WHERE i % 8 = 5) AS f,
  max(r >> 9) FILTER (WHERE i % 8 = 6) AS g, max(r >> 9) FILTER (WHERE i % 8 = 7) AS h
FROM draw GROUP BY i / 8;
CREATE TEMP TABLE word AS
SELECT '["Anna","Ben","Clara","David","Elena","Felix","Grace","Hugo","Irene","Jonas","Karin","Leo","Maria","Nils","Olivia","Peter","Quinn","Rosa","Samir","Tessa","Ugo","Vera","Walter","Ximena","Yusuf","Zoe"]' AS first,
  '["Adler","Brown","Conti","Dubois","Ekman","Fischer","Garcia","Huber","Ivanov","Jensen","Keller","Lopez","Moreau","Novak","Olsen","Petrov","Quist","Ricci","Sato","Thomas","Unger","Vogel","Weber","Young","Zhang"]' AS last;
