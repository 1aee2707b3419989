-- A hotel chain: plain words with prefixes, rooms and their kinds known by two columns together, amounts in cents,
-- birth and hiring dates as DD.MM.YYYY, stays as text dates.
CREATE TABLE tbl_Hotel (h_id INTEGER PRIMARY KEY, h_name TEXT NOT NULL, h_city TEXT NOT NULL, h_country TEXT NOT NULL, h_stars INTEGER NOT NULL, h_opened INTEGER NOT NULL, h_pool INTEGER NOT NULL);
CREATE TABLE tbl_RoomKind (
  h_id INTEGER NOT NULL REFERENCES tbl_Hotel(h_id), k_code TEXT NOT NULL, k_label TEXT NOT NULL, k_beds INTEGER NOT NULL, k_list_price INTEGER NOT NULL, PRIMARY KEY (h_id, k_code)
);
CREATE TABLE tbl_Room (
  h_id INTEGER NOT NULL, r_no INTEGER NOT NULL, k_code TEXT NOT NULL, r_floor INTEGER NOT NULL, r_sqm REAL, r_renovated INTEGER,
  PRIMARY KEY (h_id, r_no), FOREIGN KEY (h_id, k_code) REFERENCES tbl_RoomKind(h_id, k_code)
);
CREATE TABLE tbl_Guest (g_id INTEGER PRIMARY KEY, g_name TEXT NOT NULL, g_country TEXT NOT NULL, g_born TEXT, g_loyalty TEXT, g_mail_ok INTEGER NOT NULL);
CREATE TABLE tbl_Booking (
  b_id INTEGER PRIMARY KEY, g_id INTEGER NOT NULL REFERENCES tbl_Guest(g_id), h_id INTEGER NOT NULL, r_no INTEGER NOT NULL, b_made TEXT NOT NULL, b_arrival TEXT NOT NULL, b_departure TEXT NOT NULL,
  b_channel TEXT NOT NULL, b_state TEXT NOT NULL, b_night_price INTEGER NOT NULL, b_adults INTEGER NOT NULL, b_children INTEGER NOT NULL, FOREIGN KEY (h_id, r_no) REFERENCES tbl_Room(h_id, r_no)
);
CREATE TABLE tbl_Extra (x_id INTEGER PRIMARY KEY, b_id INTEGER NOT NULL REFERENCES tbl_Booking(b_id), x_kind TEXT NOT NULL, x_amount INTEGER NOT NULL, x_day TEXT NOT NULL);
CREATE TABLE tbl_Review (v_id INTEGER PRIMARY KEY, b_id INTEGER NOT NULL REFERENCES tbl_Booking(b_id), v_score INTEGER NOT NULL, v_comment TEXT, v_posted TEXT NOT NULL);
CREATE TABLE tbl_Staff (s_id INTEGER PRIMARY KEY, s_name TEXT NOT NULL, h_id INTEGER NOT NULL REFERENCES tbl_Hotel(h_id), s_job TEXT NOT NULL, s_salary REAL NOT NULL, s_hired TEXT NOT NULL, s_left TEXT);

INSERT INTO tbl_Hotel VALUES (1, 'Seaview Palace', 'Split', 'Croatia', 5, 1998, 1), (2, 'Alpenrose', 'Innsbruck', 'Austria', 4, 1976, 0), (3, 'Canal House', 'Utrecht', 'Netherlands', 3, 2011, 0),
  (4, 'Gran Plaza', 'Valencia', 'Spain', 4, 2004, 1), (5, 'Station Inn', 'Leipzig', 'Germany', 3, 1989, 0), (6, 'Villa Serena', 'Sorrento', 'Italy', 5, 2017, 1), (7, 'Harbour Lodge', 'Bergen', 'Norway', 3, 1994, 0);
INSERT INTO tbl_RoomKind SELECT h_id, code, label, beds, (price + h_stars * 1700 + h_id * 130) FROM tbl_Hotel, (SELECT 'SGL' AS code, 'Single' AS label, 1 AS beds, 2900 AS price UNION ALL SELECT 'DBL', 'Double', 2, 4700 UNION ALL SELECT 'FAM', 'Family', 4, 7900 UNION ALL SELECT 'STE', 'Suite', 2, 16500)
  WHERE code <> 'STE' OR h_stars > 3;
INSERT INTO tbl_Room
SELECT h_id, 100 * (1 + (n - 1) / 9) + (n - 1) % 9 + 1, CASE WHEN a % 11 = 0 AND h_stars > 3 THEN 'STE' ELSE '["SGL","DBL","DBL","DBL","FAM"]' ->> (b % 5) END, 1 + (n - 1) / 9, CASE WHEN c % 10 > 0 THEN 14 + d % 50 * 0.5 END, CASE WHEN e % 3 > 0 THEN 2008 + f % 17 END
FROM tbl_Hotel JOIN dice ON t = h_id AND n <= 18 + h_id * 5 % 4 * 9;
INSERT INTO tbl_Guest
SELECT n, (first ->> (a % 26)) || ' ' || (last ->> (n * 7 % 25)), '["Germany","Germany","Germany","United Kingdom","France","Italy","Poland","Sweden","Netherlands","United States","Japan"]' ->> (min(b % 11, c % 14)),
  CASE WHEN d % 9 > 0 THEN strftime('%d.%m.%Y', date('1944-05-01', '+' || (e % 22500) || ' days')) END, '["Gold","Silver","Silver","Blue","Blue",null,null,null]' ->> (f % 8), g % 3 > 0 FROM dice, word WHERE t = 8 AND n <= 380;
INSERT INTO tbl_Booking
SELECT row_number() OVER (ORDER BY arr, d.n), 1 + min(d.a % 360, d.b % 400) % 370, h_id, r_no, date(arr, '-' || (d.c % 95) || ' days'), arr, date(arr, '+' || (1 + min(d.d % 12, d.e % 9)) || ' days'), '["Website","Website","Travel agent","Phone","BookNow","BookNow","BookNow"]' ->> (d.f % 7),
  CASE WHEN d.g % 9 = 0 THEN 'cancelled' WHEN d.g % 31 = 1 THEN 'no-show' ELSE 'stayed' END, k_list_price * (80 + d.h % 45) / 100, 1 + d.h / 50 % 2 + (k_code = 'FAM') * (d.h / 7 % 2), (k_code = 'FAM') * (d.h / 3 % 3)
FROM (SELECT *, date('2024-01-02', '+' || (d.b / 11 % 725) || ' days') AS arr FROM dice d WHERE d.t = 9 AND d.n <= 1300) d JOIN (SELECT row_number() OVER (ORDER BY h_id, r_no) AS place, * FROM tbl_Room JOIN tbl_RoomKind USING (h_id, k_code)) ON place = 1 + d.a / 3 % 200;
INSERT INTO tbl_Extra
SELECT n, b_id, '["Breakfast","Breakfast","Minibar","Spa","Parking","Late check-out","Airport transfer"]' ->> (b % 7), 450 + c % 90 * 50, date(b_arrival, '+' || (d % 2) || ' days') FROM dice JOIN tbl_Booking ON b_id = 1 + a % 1300 WHERE t = 10 AND n <= 1600 AND b_state = 'stayed';
INSERT INTO tbl_Review
SELECT row_number() OVER (ORDER BY n), n, max(2, 10 - min(a % 9, b % 7)), CASE WHEN c % 3 = 0 THEN '["Lovely staff","Noisy street","Great breakfast","Too expensive","Will come again","Room was cold"]' ->> (d % 6) END, date(b_departure, '+' || (e % 21) || ' days') FROM dice JOIN tbl_Booking ON b_id = n WHERE t = 11 AND b_state = 'stayed' AND f % 5 < 2;
INSERT INTO tbl_Staff
SELECT n, (first ->> (n * 3 % 26)) || ' ' || (last ->> (n * 11 % 25)), 1 + a % 7, '["Reception","Reception","Housekeeping","Housekeeping","Kitchen","Bar","Manager","Technician"]' ->> (n % 8), 1850 + b % 180 * 10 + (n % 8 = 6) * 1400,
  strftime('%d.%m.%Y', date('2009-01-01', '+' || (c % 5900) || ' days')), CASE WHEN d % 9 = 0 THEN strftime('%d.%m.%Y', date('2025-03-01', '+' || (e % 250) || ' days')) END FROM dice, word WHERE t = 1 AND n BETWEEN 201 AND 290;
