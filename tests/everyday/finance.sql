-- Retail banking: abbreviated names, customers who referred each other, accounts shared through a
-- bridge, two accounts on every transfer.
CREATE TABLE cust (
  cust_id INTEGER PRIMARY KEY,
  cust_nm TEXT NOT NULL,
  seg TEXT NOT NULL,
  cntry TEXT NOT NULL,
  birth_dt DATE,
  join_dt DATE NOT NULL,
  risk_rtg TEXT NOT NULL,
  kyc_ok INTEGER NOT NULL,
  referred_by INTEGER REFERENCES cust(cust_id)
);
CREATE TABLE branch (
  br_id INTEGER PRIMARY KEY,
  br_nm TEXT NOT NULL,
  city TEXT NOT NULL,
  mgr_nm TEXT NOT NULL,
  open_dt DATE NOT NULL
);
CREATE TABLE acct (
  acct_id INTEGER PRIMARY KEY,
  acct_no TEXT NOT NULL,
  br_id INTEGER NOT NULL REFERENCES branch(br_id),
  acct_typ TEXT NOT NULL,
  ccy TEXT NOT NULL,
  bal REAL NOT NULL,
  open_dt DATE NOT NULL,
  close_dt DATE,
  is_frozen INTEGER NOT NULL
);
CREATE TABLE acct_holder (
  acct_id INTEGER NOT NULL REFERENCES acct(acct_id),
  cust_id INTEGER NOT NULL REFERENCES cust(cust_id),
  role TEXT NOT NULL,
  PRIMARY KEY (acct_id, cust_id)
);
CREATE TABLE mcht (
  mcht_id INTEGER PRIMARY KEY,
  mcht_nm TEXT NOT NULL,
  mcht_cat TEXT NOT NULL,
  city TEXT NOT NULL
);
CREATE TABLE txn (
  txn_id INTEGER PRIMARY KEY,
  acct_id INTEGER NOT NULL REFERENCES acct(acct_id),
  mcht_id INTEGER REFERENCES mcht(mcht_id),
  txn_dt DATE NOT NULL,
  txn_typ TEXT NOT NULL,
  amt REAL NOT NULL,
  chnl TEXT NOT NULL
);
CREATE TABLE xfer (
  xfer_id INTEGER PRIMARY KEY,
  from_acct_id INTEGER NOT NULL REFERENCES acct(acct_id),
  to_acct_id INTEGER NOT NULL REFERENCES acct(acct_id),
  xfer_dt DATE NOT NULL,
  amt REAL NOT NULL,
  status TEXT NOT NULL
);
CREATE TABLE loan (
  loan_id INTEGER PRIMARY KEY,
  cust_id INTEGER NOT NULL REFERENCES cust(cust_id),
  br_id INTEGER NOT NULL REFERENCES branch(br_id),
  loan_typ TEXT NOT NULL,
  principal REAL NOT NULL,
  int_rate REAL NOT NULL,
  term_mths INTEGER NOT NULL,
  start_dt DATE NOT NULL,
  status TEXT NOT NULL
);
CREATE TABLE loan_pmt (
  pmt_id INTEGER PRIMARY KEY,
  loan_id INTEGER NOT NULL REFERENCES loan(loan_id),
  due_dt DATE NOT NULL,
  paid_dt DATE,
  amt_due REAL NOT NULL,
  amt_paid REAL NOT NULL
);
CREATE TABLE card (
  card_id INTEGER PRIMARY KEY,
  acct_id INTEGER NOT NULL REFERENCES acct(acct_id),
  card_typ TEXT NOT NULL,
  network TEXT NOT NULL,
  exp_dt DATE NOT NULL,
  credit_lmt REAL,
  is_blocked INTEGER NOT NULL
);

INSERT INTO branch VALUES (1,'Central','Berlin','Ida Kraft','1998-05-04'), (2,'Riverside','Cologne','Otto Blum','2003-09-15'),
  (3,'Old Town','Prague','Jana Dvorak','2007-02-01'), (4,'Harbour','Hamburg','Lars Holm','2001-11-20'),
  (5,'University','Vienna','Eva Stein','2012-06-30'), (6,'Airport','Munich','Paul Lang','2016-04-11'),
  (7,'Market Square','Leipzig','Nora Seidel','2022-10-03'), (8,'Tech Park','Munich','Timo Falk','2024-03-18');
INSERT INTO cust
SELECT n, json_extract(first, '$[' || (a % 26) || ']') || ' ' || json_extract(last, '$[' || (b % 25) || ']'),
  json_extract('["retail","retail","retail","retail","private","business","business"]', '$[' || (c % 7) || ']'),
  json_extract('["Germany","Germany","Germany","Germany","Austria","Austria","Czechia","Poland","Switzerland"]', '$[' || (d % 9) || ']'),
  CASE WHEN c % 7 >= 5 THEN NULL ELSE date('1945-01-01', '+' || (e % 22000) || ' days') END,
  date('2015-01-01', '+' || (f % 3980) || ' days'),
  json_extract('["low","low","low","low","medium","medium","high"]', '$[' || (g % 7) || ']'), h % 9 <> 0,
  CASE WHEN n > 40 AND h % 4 = 0 THEN 1 + min(a % 40, g % 45) END
FROM dice, word WHERE t = 1 AND n <= 310;
INSERT INTO acct
SELECT n, printf('DE%08d', 10000000 + a % 89999999), 1 + min(b % 7, c % 8),
  json_extract('["checking","checking","checking","savings","savings","business","credit"]', '$[' || (d % 7) || ']'),
  json_extract('["EUR","EUR","EUR","EUR","EUR","USD","CHF"]', '$[' || (e % 7) || ']'),
  round((min(f % 6000000, g % 9000000) - 150000) / 100.0, 2), date('2018-01-01', '+' || (h % 2900) || ' days'), NULL, f % 23 = 0
FROM dice WHERE t = 2 AND n <= 420;
UPDATE acct SET close_dt = min(date(open_dt, '+' || (300 + acct_id * 31 % 700) || ' days'), '2025-12-28'), bal = 0 WHERE acct_id % 13 = 4;
UPDATE acct SET bal = abs(bal) WHERE acct_typ = 'savings';
INSERT INTO acct_holder SELECT n, 1 + min(a % 300, b % 330), 'primary' FROM dice WHERE t = 3 AND n <= 420;
INSERT OR IGNORE INTO acct_holder SELECT n, 1 + c % 290, 'joint' FROM dice WHERE t = 3 AND n <= 420 AND d % 5 = 0;
INSERT INTO mcht
SELECT n, json_extract('["Green","Golden","City","Happy","Royal","Little","Old Mill","Sunny"]', '$[' || (n % 8) || ']') || ' ' || json_extract('["Market","Bistro","Books","Fuel","Pharmacy","Cinema","Travel"]', '$[' || (n % 7) || ']'),
  json_extract('["groceries","restaurants","shopping","transport","health","entertainment","travel"]', '$[' || (n % 7) || ']'),
  json_extract('["Berlin","Cologne","Prague","Hamburg","Vienna","Munich"]', '$[' || (a % 6) || ']')
FROM dice WHERE t = 4 AND n <= 56;
INSERT INTO txn
SELECT n, 1 + min(a % 420, b % 500),
  CASE WHEN c % 10 < 5 THEN 1 + min(d % 54, e % 60) END, date('2023-01-01', '+' || (f % 1096) || ' days'),
  CASE WHEN c % 10 < 5 THEN 'card payment' ELSE json_extract('["deposit","deposit","withdrawal","fee","interest"]', '$[' || (c % 10 - 5) || ']') END,
  CASE WHEN c % 10 < 5 THEN 3 + g % 22000 / 100.0 WHEN c % 10 < 7 THEN 100 + g % 490000 / 100.0 WHEN c % 10 = 7 THEN 10 + g % 60 * 10 WHEN c % 10 = 8 THEN 2.5 + g % 30 ELSE 0.5 + g % 900 / 10.0 END,
  json_extract('["mobile","mobile","online","online","atm","branch"]', '$[' || (h % 6) || ']')
FROM dice WHERE t = 5 AND n <= 2000;
INSERT INTO xfer
SELECT n, 1 + a % 420, 1 + (a + 1 + b % 418) % 420, date('2023-01-01', '+' || (c % 1096) || ' days'), 5 + min(d % 400000, e % 700000) / 100.0,
  json_extract('["completed","completed","completed","completed","completed","completed","pending","failed"]', '$[' || (f % 8) || ']')
FROM dice WHERE t = 6 AND n <= 760;
INSERT INTO loan
SELECT n, 1 + a % 300, 1 + min(b % 8, c % 7), json_extract('["mortgage","personal","personal","personal","auto","auto","student"]', '$[' || (d % 7) || ']'),
  CASE d % 7 WHEN 0 THEN 120000 + e % 380 * 1000 ELSE 2000 + e % 480 * 100 END + n, 1.5 + f % 70 / 10.0, 12 * (1 + g % 10),
  date('2019-01-01', '+' || (h % 2550) || ' days'), json_extract('["active","active","active","paid off","paid off","defaulted"]', '$[' || (min(a % 6, e % 6)) || ']')
FROM dice WHERE t = 7 AND n <= 150;
INSERT INTO loan_pmt
SELECT n, l.loan_id, date('2023-01-01', '+' || (b % 36) || ' months'), NULL, round(l.principal / l.term_mths * 1.03, 2), 0
FROM dice JOIN loan l ON l.loan_id = 1 + a % 150 WHERE t = 8 AND n <= 1100;
UPDATE loan_pmt SET paid_dt = CASE WHEN pmt_id * 37 % 11 < 8 THEN date(due_dt, '-' || (pmt_id % 6) || ' days')
  WHEN pmt_id * 37 % 11 < 10 THEN date(due_dt, '+' || (1 + pmt_id % 35) || ' days') END;
UPDATE loan_pmt SET amt_paid = CASE WHEN pmt_id % 29 = 0 THEN round(amt_due / 2, 2) ELSE amt_due END WHERE paid_dt IS NOT NULL;
INSERT INTO card
SELECT n, 1 + a % 400, CASE WHEN b % 3 = 0 THEN 'credit' ELSE 'debit' END, json_extract('["Visa","Visa","Mastercard"]', '$[' || (c % 3) || ']'),
  date('2024-01-01', '+' || (1 + d % 60) || ' months', '-1 day'), CASE WHEN b % 3 = 0 THEN 500 + e % 40 * 250 END, f % 13 = 0
FROM dice WHERE t = 9 AND n <= 350;
