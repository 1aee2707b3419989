-- A public library with branches: titles and their copies, loans with renewals, holds, fines and events.
CREATE TABLE branches (
  branch_id INTEGER PRIMARY KEY,
  branch_name TEXT NOT NULL,
  district TEXT NOT NULL,
  opened_year INTEGER NOT NULL,
  sq_meters INTEGER NOT NULL
);
CREATE TABLE patrons (
  patron_id INTEGER PRIMARY KEY,
  first_name TEXT NOT NULL,
  last_name TEXT NOT NULL,
  birth_date DATE NOT NULL,
  card_type TEXT NOT NULL,
  home_branch_id INTEGER NOT NULL REFERENCES branches(branch_id),
  registered_on DATE NOT NULL,
  card_expires_on DATE NOT NULL,
  blocked INTEGER NOT NULL
);
CREATE TABLE authors (
  author_id INTEGER PRIMARY KEY,
  author_name TEXT NOT NULL,
  nationality TEXT NOT NULL,
  birth_year INTEGER
);
CREATE TABLE genres (
  genre_code TEXT PRIMARY KEY,
  genre_name TEXT NOT NULL
);
CREATE TABLE titles (
  title_id INTEGER PRIMARY KEY,
  title TEXT NOT NULL,
  author_id INTEGER NOT NULL REFERENCES authors(author_id),
  genre_code TEXT NOT NULL REFERENCES genres(genre_code),
  pub_year INTEGER NOT NULL,
  page_count INTEGER NOT NULL,
  lang TEXT NOT NULL
);
CREATE TABLE copies (
  copy_id INTEGER PRIMARY KEY,
  title_id INTEGER NOT NULL REFERENCES titles(title_id),
  branch_id INTEGER NOT NULL REFERENCES branches(branch_id),
  acquired_on DATE NOT NULL,
  price REAL NOT NULL,
  copy_condition TEXT NOT NULL,
  withdrawn_on DATE
);
CREATE TABLE loans (
  loan_id INTEGER PRIMARY KEY,
  copy_id INTEGER NOT NULL REFERENCES copies(copy_id),
  patron_id INTEGER NOT NULL REFERENCES patrons(patron_id),
  borrowed_on DATE NOT NULL,
  due_on DATE NOT NULL,
  returned_on DATE,
  renewals INTEGER NOT NULL
);
CREATE TABLE holds (
  hold_id INTEGER PRIMARY KEY,
  title_id INTEGER NOT NULL REFERENCES titles(title_id),
  patron_id INTEGER NOT NULL REFERENCES patrons(patron_id),
  placed_on DATE NOT NULL,
  fulfilled_on DATE,
  cancelled_on DATE
);
CREATE TABLE fines (
  fine_id INTEGER PRIMARY KEY,
  loan_id INTEGER NOT NULL REFERENCES loans(loan_id),
  amount REAL NOT NULL,
  issued_on DATE NOT NULL,
  paid_on DATE,
  waived INTEGER NOT NULL
);
CREATE TABLE events (
  event_id INTEGER PRIMARY KEY,
  branch_id INTEGER NOT NULL REFERENCES branches(branch_id),
  event_name TEXT NOT NULL,
  event_kind TEXT NOT NULL,
  held_on DATE NOT NULL,
  seats INTEGER NOT NULL,
  attendees INTEGER NOT NULL
);

INSERT INTO branches VALUES (1, 'Central', 'Old Town', 1902, 5200), (2, 'Riverside', 'Harbour', 1978, 1400), (3, 'Northgate', 'North', 1991, 900),
  (4, 'Hillcrest', 'West', 2004, 760), (5, 'University', 'West', 1965, 3100), (6, 'Meadow', 'South', 2019, 640);
INSERT INTO patrons
SELECT n, json_extract(first, '$[' || (a % 26) || ']'), json_extract(last, '$[' || (n * 7 % 25) || ']'), date('1945-01-01', '+' || (b % 26500) || ' days'),
  json_extract('["adult","adult","adult","child","student","senior"]', '$[' || (c % 6) || ']'), 1 + min(d % 6, e % 7) % 6,
  date('2019-01-01', '+' || (f % 2700) || ' days'), date('2026-02-01', '+' || (g % 700) || ' days'), h % 15 = 0
FROM dice, word WHERE t = 1 AND n <= 240;
INSERT INTO authors
SELECT n, json_extract(first, '$[' || (25 - n % 26) || ']') || ' ' || json_extract('["Abbott","Bergman","Castell","Dahl","Eames","Fontana","Gray","Holm","Ito"]', '$[' || (n % 9) || ']'),
  json_extract('["British","American","Swedish","Italian","Japanese","French"]', '$[' || (a % 6) || ']'), CASE WHEN b % 9 = 0 THEN NULL ELSE 1900 + c % 95 END
FROM dice, word WHERE t = 2 AND n <= 46;
INSERT INTO genres VALUES ('CRI', 'Crime'), ('FAN', 'Fantasy'), ('BIO', 'Biography'), ('CHI', 'Children'), ('SCI', 'Science'), ('TRA', 'Travel'), ('POE', 'Poetry');
INSERT INTO titles
SELECT n, json_extract('["The Silent","A Hidden","Beyond the","Under the","The Last","Letters from the","Shadows of the"]', '$[' || (n % 7) || ']') || ' '
  || json_extract('["Lighthouse","Garden","River","Clock","Forest","Island","Window","Bridge","Mirror","Summit","Harbor"]', '$[' || (n % 11) || ']')
  || CASE WHEN n > 77 THEN ' II' ELSE '' END,
  1 + min(a % 44, b % 42), json_extract('["CRI","CRI","FAN","BIO","CHI","CHI","SCI","TRA"]', '$[' || (c % 8) || ']'), 1960 + max(d % 66, e % 60), 40 + f % 600 + n % 2,
  json_extract('["English","English","English","German","French","Spanish"]', '$[' || (g % 6) || ']')
FROM dice WHERE t = 3 AND n <= 130;
INSERT INTO copies
SELECT n, 1 + min(a % 126, b % 130), 1 + min(c % 6, d % 8) % 6, date('2016-01-01', '+' || (e % 3800) || ' days'), 6 + f % 40 + 0.5,
  json_extract('["new","good","good","worn","damaged"]', '$[' || (g % 5) || ']'), NULL FROM dice WHERE t = 4 AND n <= 420;
UPDATE copies SET withdrawn_on = date('2025-01-10', '+' || (copy_id % 500) || ' days') WHERE copy_id % 14 = 3;
INSERT INTO loans
SELECT n, 1 + min(a % 400, b % 415), 1 + min(c % 220, d % 230), date('2024-01-02', '+' || (e % 1020) || ' days'), '', NULL, min(f % 4, g % 3) FROM dice WHERE t = 5 AND n <= 1500;
UPDATE loans SET due_on = date(borrowed_on, '+' || (21 + 14 * renewals) || ' days');
UPDATE loans SET returned_on = date(borrowed_on, '+' || (2 + loan_id * 37 % 48) || ' days') WHERE loan_id % 12 <> 5;
INSERT INTO holds
SELECT n, 1 + min(a % 110, b % 128), 1 + c % 200, date('2024-06-01', '+' || (d % 860) || ' days'), NULL, NULL FROM dice WHERE t = 6 AND n <= 310;
UPDATE holds SET fulfilled_on = date(placed_on, '+' || (1 + hold_id * 19 % 60) || ' days') WHERE hold_id % 5 < 3;
UPDATE holds SET cancelled_on = date(placed_on, '+' || (1 + hold_id % 9) || ' days') WHERE hold_id % 5 = 3;
INSERT INTO fines
SELECT row_number() OVER (ORDER BY loan_id), loan_id, round(0.25 * (julianday(returned_on) - julianday(due_on)), 2), returned_on, NULL, loan_id % 17 = 0 FROM loans WHERE returned_on > due_on;
UPDATE fines SET paid_on = date(issued_on, '+' || (fine_id * 5 % 40) || ' days') WHERE waived = 0 AND fine_id % 3 <> 1;
INSERT INTO events
SELECT n, 1 + min(a % 6, b % 7) % 6, json_extract('["Story Time","Author Evening","Coding Club","Book Swap","Poetry Slam","Homework Help"]', '$[' || (c % 6) || ']') || ' ' || n,
  json_extract('["kids","reading","workshop","market","reading","kids"]', '$[' || (c % 6) || ']'), date('2024-02-01', '+' || (d % 990) || ' days'), 20 + e % 9 * 10, min(20 + e % 9 * 10, f % 95)
FROM dice WHERE t = 7 AND n <= 150;
