-- A fitness studio: plural snake_case, a table between members and classes, visits without an amount.
CREATE TABLE members (id INTEGER PRIMARY KEY, name TEXT NOT NULL, gender TEXT NOT NULL, birth_date DATE, plan_id INTEGER NOT NULL REFERENCES plans(id), joined_at DATE NOT NULL, frozen_until DATE, cancelled_at DATE, referred_by INTEGER REFERENCES members(id));
CREATE TABLE plans (id INTEGER PRIMARY KEY, title TEXT NOT NULL, monthly_fee REAL NOT NULL, min_months INTEGER NOT NULL);
CREATE TABLE trainers (id INTEGER PRIMARY KEY, name TEXT NOT NULL, discipline TEXT NOT NULL, hourly_rate REAL NOT NULL, freelance INTEGER NOT NULL);
CREATE TABLE classes (id INTEGER PRIMARY KEY, title TEXT NOT NULL, trainer_id INTEGER REFERENCES trainers(id), weekday TEXT NOT NULL, start_time TEXT NOT NULL, capacity INTEGER NOT NULL, level TEXT NOT NULL);
CREATE TABLE bookings (id INTEGER PRIMARY KEY, class_id INTEGER NOT NULL REFERENCES classes(id), member_id INTEGER NOT NULL REFERENCES members(id), booked_for DATE NOT NULL, attended INTEGER NOT NULL);
CREATE TABLE checkins (id INTEGER PRIMARY KEY, member_id INTEGER NOT NULL REFERENCES members(id), entered_at DATETIME NOT NULL, left_at DATETIME);
CREATE TABLE payments (id INTEGER PRIMARY KEY, member_id INTEGER NOT NULL REFERENCES members(id), paid_on DATE NOT NULL, amount REAL NOT NULL, method TEXT NOT NULL, refunded INTEGER NOT NULL);
INSERT INTO plans VALUES (1, 'Basic', 24.9, 1), (2, 'Flex', 34.9, 3), (3, 'Premium', 54.9, 12), (4, 'Student', 19.9, 6);
INSERT INTO members SELECT n, (word.first ->> (a % 26)) || ' ' || (word.last ->> (b % 25)), iif(c % 2, 'female', 'male'), iif(d % 10, date('1955-01-01', '+' || (d % 18000) || ' days'), NULL), 1 + e % 4, date('2021-01-01', '+' || (f % 1700) || ' days'),
  iif(g % 20 = 0, '2026-01-31', NULL), iif(g % 5 = 1, date('2024-06-01', '+' || (g % 480) || ' days'), NULL), iif(n > 30 AND h % 4 = 0, 1 + h % 29, NULL) FROM dice, word WHERE t = 1 AND n <= 200;
INSERT INTO trainers SELECT n, (word.first ->> (a % 26)) || ' ' || (word.last ->> (b % 25)), '["yoga","spinning","boxing","pilates"]' ->> (n % 4), 28 + c % 30, d % 2 FROM dice, word WHERE t = 2 AND n <= 10;
INSERT INTO classes SELECT n, '["Morning Flow","Power Ride","Core Blast","Stretch and Relax","Box Fit"]' ->> (n % 5), iif(a % 9, 1 + a % 9, NULL), '["Monday","Tuesday","Wednesday","Thursday","Friday","Saturday"]' ->> (b % 6), printf('%02d:%02d', 7 + c % 13, c % 2 * 30), 10 + d % 20,
  '["beginner","intermediate","advanced"]' ->> (e % 3) FROM dice WHERE t = 3 AND n <= 28;
INSERT INTO bookings SELECT n, 1 + a % 26, 1 + b % 180, date('2024-05-01', '+' || (c % 560) || ' days'), d % 5 > 0 FROM dice WHERE t = 4 AND n <= 1300;
INSERT INTO checkins SELECT n, 1 + a % 190, datetime('2024-05-01 06:00', '+' || (b % 560) || ' days', '+' || (c % 900) || ' minutes'), iif(d % 15, datetime('2024-05-01 06:00', '+' || (b % 560) || ' days', '+' || (c % 900 + 20 + d % 100) || ' minutes'), NULL) FROM dice WHERE t = 5;
INSERT INTO payments SELECT n, 1 + a % 195, date('2024-05-01', '+' || (b % 560) || ' days'), '[24.9,34.9,54.9,19.9]' ->> (c % 4), '["debit","card","cash"]' ->> (d % 3), e % 40 = 0 FROM dice WHERE t = 6 AND n <= 1100;
