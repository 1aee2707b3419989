-- A repair shop for bicycles: abbreviated names with a prefix, flags as yes and no, dates as text.
CREATE TABLE cust (cust_id INTEGER PRIMARY KEY, cust_nm TEXT NOT NULL, cust_city TEXT NOT NULL, cust_mail TEXT, cust_since TEXT NOT NULL, newsletter TEXT NOT NULL);
CREATE TABLE bike (bike_id INTEGER PRIMARY KEY, cust_id INTEGER NOT NULL REFERENCES cust(cust_id), brand TEXT NOT NULL, bike_type TEXT NOT NULL,
  frame_no TEXT, color TEXT NOT NULL, electric TEXT NOT NULL, model_yr INTEGER);
CREATE TABLE mech (mech_id INTEGER PRIMARY KEY, mech_nm TEXT NOT NULL, lvl TEXT NOT NULL, hired_dt TEXT NOT NULL);
CREATE TABLE part (part_id INTEGER PRIMARY KEY, part_nm TEXT NOT NULL, supplier TEXT NOT NULL, unit_price REAL NOT NULL, qty_stock INTEGER NOT NULL, min_stock INTEGER NOT NULL);
CREATE TABLE job (job_id INTEGER PRIMARY KEY, bike_id INTEGER NOT NULL REFERENCES bike(bike_id), mech_id INTEGER REFERENCES mech(mech_id),
  dropped_dt TEXT NOT NULL, picked_dt TEXT, job_kind TEXT NOT NULL, labour_min INTEGER NOT NULL, labour_amt REAL NOT NULL, warranty TEXT NOT NULL);
CREATE TABLE job_part (job_id INTEGER NOT NULL REFERENCES job(job_id), part_id INTEGER NOT NULL REFERENCES part(part_id), qty INTEGER NOT NULL,
  PRIMARY KEY (job_id, part_id));
INSERT INTO cust SELECT n, (word.first ->> (a % 26)) || ' ' || (word.last ->> (b % 25)), '["Utrecht","Ghent","Leiden","Bruges"]' ->> (c % 4),
  iif(d % 4, lower(word.first ->> (a % 26)) || n || '@mail.example', NULL), date('2019-01-07', '+' || (e % 2300) || ' days'), iif(f % 2, 'yes', 'no')
  FROM dice, word WHERE t = 1 AND n <= 90;
INSERT INTO bike SELECT n, 1 + a % 86, '["Gazelle","Batavus","Koga","Cortina"]' ->> (b % 4), '["city","cargo","racing","mountain","folding"]' ->> (c % 5),
  iif(d % 5, 'F' || (10000 + d % 80000), NULL), '["black","red","green","blue"]' ->> (e % 4), iif(f % 3, 'no', 'yes'), iif(g % 8, 2010 + g % 15, NULL)
  FROM dice WHERE t = 2 AND n <= 130;
INSERT INTO mech SELECT n, (word.first ->> (a % 26)) || ' ' || (word.last ->> (b % 25)), '["apprentice","senior","junior"]' ->> (n % 3),
  date('2016-05-02', '+' || (c % 3100) || ' days') FROM dice, word WHERE t = 3 AND n <= 6;
INSERT INTO part SELECT n, '["inner tube","brake pad","chain","saddle","bell","pedal","spoke","tyre"]' ->> (n - 1), '["Shimano","Selle","Schwalbe"]' ->> (a % 3),
  2 + b % 400 / 10.0, c % 60, 5 + d % 15 FROM dice WHERE t = 4 AND n <= 8;
INSERT INTO job SELECT n, 1 + a % 125, iif(b % 11, 1 + b % 5, NULL), date('2023-10-02', '+' || (c % 760) || ' days'),
  iif(d % 7, date('2023-10-02', '+' || (c % 760 + 1 + d % 12) || ' days'), NULL), '["puncture","tune-up","brakes","wheel truing","motor check"]' ->> (e % 5),
  10 + f % 24 * 5, 8 + f % 24 * 4.5, iif(g % 10, 'no', 'yes') FROM dice WHERE t = 5 AND n <= 450;
INSERT OR IGNORE INTO job_part SELECT 1 + a % 440, 1 + b % 7, 1 + c % 3 FROM dice WHERE t = 6 AND n <= 500;
