-- A city's permit office: snake_case, declared keys, a text key for the kinds of permit, supervisors in the same table,
-- workers who decide and workers who inspect.
CREATE TABLE districts (
  district_id INTEGER PRIMARY KEY,
  district_name TEXT NOT NULL,
  population INTEGER NOT NULL,
  area_km2 REAL NOT NULL
);
CREATE TABLE applicants (
  applicant_id INTEGER PRIMARY KEY,
  full_name TEXT NOT NULL,
  applicant_kind TEXT NOT NULL,
  email TEXT,
  phone TEXT,
  district_id INTEGER NOT NULL REFERENCES districts(district_id),
  registered_on DATE NOT NULL
);
CREATE TABLE permit_types (
  type_code TEXT PRIMARY KEY,
  type_name TEXT NOT NULL,
  base_fee REAL NOT NULL,
  legal_deadline_days INTEGER NOT NULL,
  requires_inspection INTEGER NOT NULL
);
CREATE TABLE case_workers (
  worker_id INTEGER PRIMARY KEY,
  worker_name TEXT NOT NULL,
  unit TEXT NOT NULL,
  hired_on DATE NOT NULL,
  weekly_hours INTEGER NOT NULL,
  supervisor_id INTEGER REFERENCES case_workers(worker_id)
);
CREATE TABLE applications (
  application_id INTEGER PRIMARY KEY,
  reference_no TEXT NOT NULL,
  applicant_id INTEGER NOT NULL REFERENCES applicants(applicant_id),
  type_code TEXT NOT NULL REFERENCES permit_types(type_code),
  district_id INTEGER NOT NULL REFERENCES districts(district_id),
  worker_id INTEGER REFERENCES case_workers(worker_id),
  submitted_on DATE NOT NULL,
  decided_on DATE,
  status TEXT NOT NULL,
  fee_charged REAL NOT NULL,
  is_express INTEGER NOT NULL
);
CREATE TABLE fee_payments (
  payment_id INTEGER PRIMARY KEY,
  application_id INTEGER NOT NULL REFERENCES applications(application_id),
  paid_on DATE NOT NULL,
  amount REAL NOT NULL,
  method TEXT NOT NULL
);
CREATE TABLE inspections (
  inspection_id INTEGER PRIMARY KEY,
  application_id INTEGER NOT NULL REFERENCES applications(application_id),
  inspector_id INTEGER NOT NULL REFERENCES case_workers(worker_id),
  planned_on DATE NOT NULL,
  carried_out_on DATE,
  duration_min INTEGER,
  result TEXT
);
CREATE TABLE objections (
  objection_id INTEGER PRIMARY KEY,
  application_id INTEGER NOT NULL REFERENCES applications(application_id),
  raised_by TEXT NOT NULL,
  filed_on DATE NOT NULL,
  outcome TEXT
);

INSERT INTO districts VALUES (1, 'Altmarkt', 18240, 3.1), (2, 'Brookfield', 41300, 12.6), (3, 'Castle Hill', 27950, 8.4), (4, 'Docklands', 15870, 9.9),
  (5, 'Eastgate', 52310, 14.2), (6, 'Fairview', 33080, 17.5), (7, 'Greenside', 24460, 21.3), (8, 'Hammersfield', 9120, 26.8), (9, 'Ivy Park', 12700, 5.7);
INSERT INTO applicants
SELECT n, CASE WHEN k = 'private' THEN (first ->> (a % 26)) || ' ' || (last ->> (n * 7 % 25)) WHEN k = 'business' THEN (last ->> (n % 25)) || ' '
    || ('["Bau GmbH","Events Ltd","Catering","Holdings","Gastro KG","Roofing"]' ->> (b % 6)) || ' ' || (1 + n % 13)
    ELSE ('["Allotment","Sports","Music","Heritage","Scouts","Neighbours"]' ->> (n % 6)) || ' Association ' || (d9 ->> (n % 9)) || ' ' || n END,
  k, CASE WHEN c % 7 > 0 THEN 'contact' || n || '@example.org' END, CASE WHEN d % 3 > 0 THEN '0351-' || (200000 + e % 700000) END,
  1 + min(f % 9, g % 11) % 9, date('2019-03-01', '+' || (h % 2300) || ' days')
FROM (SELECT *, '["private","private","private","business","business","association"]' ->> (b % 6) AS k,
  '["East","West","North","South","Centre","River","Hill","Park","Gate"]' AS d9 FROM dice, word WHERE t = 1 AND n <= 320);
INSERT INTO permit_types VALUES ('BLD', 'Building permit', 480, 90, 1), ('DEM', 'Demolition permit', 260, 60, 1), ('EVT', 'Street event', 95, 30, 0), ('TER', 'Outdoor terrace', 140, 45, 1),
  ('TRE', 'Tree felling', 60, 30, 1), ('SGN', 'Shop sign', 75, 21, 0), ('PRK', 'Resident parking', 30, 14, 0), ('FIR', 'Fireworks', 110, 21, 0), ('DRN', 'Drone flight', 45, 14, 0);
INSERT INTO case_workers
SELECT n, (first ->> (n * 5 % 26)) || ' ' || (last ->> (n * 3 % 25)), '["Construction","Public Space","Environment","Traffic"]' ->> (n % 4), date('2004-02-01', '+' || (a % 7300) || ' days'),
  '[39,39,39,30,20]' ->> (b % 5), CASE WHEN n > 4 THEN 1 + n % 4 END FROM dice, word WHERE t = 2 AND n <= 24;
INSERT INTO applications
SELECT n, CASE WHEN n > 940 THEN '25' WHEN n > 460 THEN '24' ELSE '23' END || '-' || printf('%04d', n), 1 + min(b % 290, c % 330) % 300,
  '["BLD","BLD","EVT","EVT","EVT","TER","TRE","TRE","SGN","SGN","PRK","PRK","PRK","PRK","FIR","DEM"]' ->> (d % 16), 1 + e % 9,
  CASE WHEN f % 14 > 0 THEN 1 + min(f % 24, g % 24) END, date('2023-01-02', '+' || (n * 73 / 96 + a % 9) || ' days'), NULL,
  '["approved","approved","approved","approved","approved","rejected","withdrawn","in review","received","approved"]' ->> (g % 10), 0, h % 8 = 0
FROM dice WHERE t = 3 AND n <= 1400;
UPDATE applications SET status = 'approved' WHERE status IN ('in review', 'received') AND application_id < 1100;
UPDATE applications SET decided_on = date(submitted_on, '+' || (3 + (application_id * 37 % 101) * CASE WHEN is_express THEN 1 ELSE 2 END
  * (SELECT legal_deadline_days FROM permit_types p WHERE p.type_code = applications.type_code) / 140) || ' days') WHERE status IN ('approved', 'rejected');
UPDATE applications SET fee_charged = (SELECT base_fee FROM permit_types p WHERE p.type_code = applications.type_code) * (1 + 0.5 * is_express) + application_id * 31 % 7 * 5;
INSERT INTO fee_payments
SELECT row_number() OVER (ORDER BY d, application_id), application_id, d, amount, method FROM (
  SELECT application_id, date(submitted_on, '+' || (1 + application_id * 11 % 34) || ' days') AS d, CASE WHEN application_id % 9 = 4 THEN fee_charged / 2 ELSE fee_charged END AS amount,
    '["card","card","bank transfer","bank transfer","cash","online"]' ->> (application_id * 17 % 23 % 6) AS method FROM applications WHERE application_id % 8 <> 3
  UNION ALL SELECT application_id, date(submitted_on, '+' || (40 + application_id % 30) || ' days'), fee_charged / 2, 'bank transfer' FROM applications WHERE application_id % 9 = 4 AND application_id % 2 = 0 AND application_id % 8 <> 3);
INSERT INTO inspections
SELECT row_number() OVER (ORDER BY application_id), application_id, 1 + (application_id * 13 + 5) % 19, date(submitted_on, '+' || (8 + application_id * 7 % 40) || ' days'),
  CASE WHEN application_id % 11 > 0 THEN date(submitted_on, '+' || (8 + application_id * 7 % 40 + application_id % 5 * 3) || ' days') END,
  CASE WHEN application_id % 11 > 0 THEN 20 + application_id * 29 % 140 END,
  CASE WHEN application_id % 11 > 0 THEN '["passed","passed","passed","failed","conditional","passed","failed"]' ->> (application_id * 5 % 7) END
FROM applications JOIN permit_types USING (type_code) WHERE requires_inspection = 1 AND application_id % 10 <> 6;
INSERT INTO objections
SELECT n, 1 + a % 1390, '["neighbour","neighbour","applicant","heritage office","residents group"]' ->> (b % 5), '', '["upheld","dismissed","dismissed",null]' ->> (c % 4) FROM dice WHERE t = 4 AND n <= 140;
UPDATE objections SET filed_on = (SELECT date(submitted_on, '+' || (5 + objection_id * 3 % 50) || ' days') FROM applications a WHERE a.application_id = objections.application_id);
