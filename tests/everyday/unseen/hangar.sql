-- Aircraft maintenance: snake_case, text keys nearly everywhere (registrations, airport codes, part numbers), no declared foreign keys,
-- two airports on every flight, work orders from one time stamp to another.
CREATE TABLE airport (iata TEXT PRIMARY KEY, airport_name TEXT NOT NULL, country TEXT NOT NULL, has_hangar INTEGER NOT NULL);
CREATE TABLE aircraft_model (model_code TEXT PRIMARY KEY, maker TEXT NOT NULL, model_name TEXT NOT NULL, seats INTEGER NOT NULL, range_km INTEGER NOT NULL);
CREATE TABLE aircraft (tail_no TEXT PRIMARY KEY, model_code TEXT NOT NULL, base_iata TEXT NOT NULL, delivered_on TEXT NOT NULL, is_leased INTEGER NOT NULL, retired_on TEXT, nickname TEXT);
CREATE TABLE mechanic (mechanic_id INTEGER PRIMARY KEY, full_name TEXT NOT NULL, license_level TEXT NOT NULL, base_iata TEXT NOT NULL, license_valid_until TEXT NOT NULL, hourly_rate REAL NOT NULL);
CREATE TABLE work_order (
  order_no TEXT PRIMARY KEY, tail_no TEXT NOT NULL, check_type TEXT NOT NULL, iata TEXT NOT NULL, opened_at TEXT NOT NULL, closed_at TEXT, aog INTEGER NOT NULL, cost_estimate REAL NOT NULL, cost_actual REAL
);
CREATE TABLE labor_entry (entry_id INTEGER PRIMARY KEY, order_no TEXT NOT NULL, mechanic_id INTEGER NOT NULL, work_date TEXT NOT NULL, hours REAL NOT NULL, overtime INTEGER NOT NULL);
CREATE TABLE spare_part (part_no TEXT PRIMARY KEY, part_name TEXT NOT NULL, vendor TEXT NOT NULL, unit_cost REAL NOT NULL, shelf_life_days INTEGER, on_stock INTEGER NOT NULL, min_stock INTEGER NOT NULL);
CREATE TABLE part_usage (order_no TEXT NOT NULL, part_no TEXT NOT NULL, quantity INTEGER NOT NULL, PRIMARY KEY (order_no, part_no));
CREATE TABLE flight_log (flight_id INTEGER PRIMARY KEY, tail_no TEXT NOT NULL, flown_on TEXT NOT NULL, origin_iata TEXT NOT NULL, destination_iata TEXT NOT NULL, block_minutes INTEGER NOT NULL, delay_minutes INTEGER, delay_reason TEXT);

INSERT INTO airport VALUES ('HAM', 'Hamburg', 'Germany', 1), ('MUC', 'Munich', 'Germany', 1), ('LIS', 'Lisbon', 'Portugal', 0), ('PMI', 'Palma', 'Spain', 0), ('ARN', 'Stockholm Arlanda', 'Sweden', 1), ('DUB', 'Dublin', 'Ireland', 0), ('ATH', 'Athens', 'Greece', 0), ('KEF', 'Keflavik', 'Iceland', 0), ('OTP', 'Bucharest', 'Romania', 1);
INSERT INTO aircraft_model VALUES ('A20N', 'Airbus', 'A320neo', 180, 6300), ('A321', 'Airbus', 'A321-200', 212, 5900), ('B738', 'Boeing', '737-800', 189, 5765), ('E295', 'Embraer', 'E195-E2', 132, 4815), ('AT76', 'ATR', '72-600', 70, 1530), ('B39M', 'Boeing', '737 MAX 9', 204, 6570);
INSERT INTO aircraft
SELECT 'D-' || char(65 + n % 5, 65 + n * 7 % 26, 65 + a % 26, 65 + n % 26), '["A20N","A20N","A321","B738","B738","E295","AT76"]' ->> (b % 7), '["HAM","HAM","MUC","ARN"]' ->> (c % 4), date('2006-03-01', '+' || (e % 6600) || ' days'), f % 3 = 0, CASE WHEN n % 13 = 4 THEN date('2025-02-01', '+' || (g % 250) || ' days') END,
  CASE WHEN h % 3 = 0 THEN ('["Seagull","Comet","Lighthouse","Nordlicht","Albatross","Pilgrim"]' ->> (h / 3 % 6)) || ' ' || n END FROM dice WHERE t = 1 AND n <= 44;
INSERT INTO mechanic
SELECT n, (first ->> (n * 5 % 26)) || ' ' || (last ->> (n * 9 % 25)), '["A","B1","B1","B2","C"]' ->> (a % 5), '["HAM","HAM","MUC","ARN","OTP"]' ->> (b % 5), date('2025-06-01', '+' || (c % 1200) || ' days'), 28 + e % 60 * 0.5 FROM dice, word WHERE t = 2 AND n <= 56;
INSERT INTO work_order
SELECT 'WO-' || printf('%05d', 20000 + row_number() OVER (ORDER BY opened)), tail_no, kind, CASE WHEN a % 5 = 0 THEN '["LIS","PMI","OTP","ATH"]' ->> (b % 4) ELSE base_iata END, opened,
  CASE WHEN opened < '2025-12-01' OR c % 3 = 0 THEN datetime(opened, '+' || CASE kind WHEN 'line' THEN 60 + e % 900 WHEN 'A-check' THEN 600 + e % 2600 WHEN 'C-check' THEN 9000 + e % 26000 ELSE 90 + e % 5200 END || ' minutes') END, kind = 'unscheduled' AND f % 4 = 0,
  est, NULL FROM (SELECT *, datetime('2024-01-03', '+' || (g % 1040000) || ' minutes') AS opened, '["line","line","line","line","A-check","A-check","unscheduled","unscheduled","unscheduled","C-check"]' ->> (h % 10) AS kind,
  round((200 + f % 6000) * CASE h % 10 WHEN 9 THEN 40 WHEN 4 THEN 5 WHEN 5 THEN 5 ELSE 1 END, -1) AS est FROM dice WHERE t = 3 AND n <= 900) JOIN (SELECT row_number() OVER (ORDER BY tail_no) AS place, * FROM aircraft) ON place = 1 + min(a % 43, b % 46);
UPDATE work_order SET cost_actual = round(cost_estimate * (70 + rowid * 37 % 85) / 100.0, 2) WHERE closed_at IS NOT NULL;
INSERT INTO labor_entry
SELECT row_number() OVER (ORDER BY order_no, k), order_no, 1 + min(w.a % 52, w.b % 60) % 52, date(opened_at, '+' || (k - 1) || ' days'), 0.5 + w.c % 18 * 0.5, w.e % 6 = 0 FROM (SELECT row_number() OVER (ORDER BY order_no) AS place, * FROM work_order) o
  JOIN (SELECT 1 AS k UNION ALL SELECT 2 UNION ALL SELECT 3) ON k = 1 OR check_type = 'C-check' OR (check_type = 'A-check' AND k = 2) JOIN dice w ON w.t = 3 + k AND w.n = place WHERE place % 29 > 0;
INSERT INTO spare_part
SELECT 'P' || (4000 + n * 17), ('["Main","Nose","Left","Right","Auxiliary","Standby"]' ->> (n % 6)) || ' ' || ('["Wheel","Brake","Pump","Valve","Sensor","Filter","Seal","Lamp","Generator","Actuator"]' ->> (n % 10)) || CASE WHEN n > 30 THEN ' B' ELSE '' END, '["Liebherr","Safran","Collins","Honeywell","Moog"]' ->> (a % 5),
  round(18 + (b % 400) * (c % 90) / 3.0, 2), CASE WHEN e % 3 = 0 THEN '[180,365,730]' ->> (e / 3 % 3) END, min(f % 40, g % 60), 2 + h % 9 FROM dice WHERE t = 7 AND n <= 60;
INSERT OR IGNORE INTO part_usage
SELECT order_no, part_no, 1 + w.c % 4 FROM dice w JOIN (SELECT row_number() OVER (ORDER BY order_no) AS place, * FROM work_order) o ON o.place = 1 + w.a % 890 JOIN (SELECT row_number() OVER (ORDER BY part_no) AS place, * FROM spare_part) p ON p.place = 1 + min(w.b % 55, w.e % 60) WHERE w.t = 8 AND w.n <= 1300;
INSERT INTO flight_log
SELECT row_number() OVER (ORDER BY flown, w.n), tail_no, flown, base_iata, dest, 65 + w.c % 200, CASE WHEN w.e % 40 > 0 THEN max(0, w.e % 160 - 95) END, NULL FROM (SELECT *, date('2025-01-01', '+' || (b % 365) || ' days') AS flown, '["LIS","PMI","PMI","DUB","ATH","KEF","LIS"]' ->> (f % 7) AS dest FROM dice WHERE t IN (9, 10)) w
  JOIN (SELECT row_number() OVER (ORDER BY tail_no) AS place, * FROM aircraft) ON place = 1 + min(w.a % 44, w.g % 50) % 44 WHERE retired_on IS NULL OR flown < retired_on;
UPDATE flight_log SET delay_reason = '["technical","weather","crew","air traffic control","technical",null]' ->> (flight_id * 13 % 6) WHERE delay_minutes > 15;
