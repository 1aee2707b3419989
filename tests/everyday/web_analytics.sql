-- Web analytics: visitors, visits, pages and goals; two pages on every session, users who invited
-- users, a bridge between experiments and users.
CREATE TABLE traffic_sources (
  source_id INTEGER PRIMARY KEY,
  source_name TEXT NOT NULL,
  medium TEXT NOT NULL,
  is_paid INTEGER NOT NULL
);
CREATE TABLE users (
  user_id INTEGER PRIMARY KEY,
  username TEXT NOT NULL,
  email TEXT,
  country TEXT NOT NULL,
  signup_date DATE NOT NULL,
  plan TEXT NOT NULL,
  is_verified INTEGER NOT NULL,
  invited_by INTEGER REFERENCES users(user_id)
);
CREATE TABLE pages (
  page_id INTEGER PRIMARY KEY,
  url_path TEXT NOT NULL,
  title TEXT NOT NULL,
  section TEXT NOT NULL,
  published_on DATE NOT NULL,
  word_count INTEGER NOT NULL
);
CREATE TABLE sessions (
  session_id INTEGER PRIMARY KEY,
  user_id INTEGER REFERENCES users(user_id),
  source_id INTEGER NOT NULL REFERENCES traffic_sources(source_id),
  landing_page_id INTEGER NOT NULL REFERENCES pages(page_id),
  exit_page_id INTEGER NOT NULL REFERENCES pages(page_id),
  started_at DATETIME NOT NULL,
  duration_sec INTEGER NOT NULL,
  device_type TEXT NOT NULL,
  browser TEXT NOT NULL,
  country TEXT NOT NULL,
  is_bounce INTEGER NOT NULL
);
CREATE TABLE pageviews (
  pageview_id INTEGER PRIMARY KEY,
  session_id INTEGER NOT NULL REFERENCES sessions(session_id),
  page_id INTEGER NOT NULL REFERENCES pages(page_id),
  viewed_at DATETIME NOT NULL,
  time_on_page_sec INTEGER NOT NULL,
  scroll_depth_pct INTEGER
);
CREATE TABLE events (
  event_id INTEGER PRIMARY KEY,
  session_id INTEGER NOT NULL REFERENCES sessions(session_id),
  event_type TEXT NOT NULL,
  occurred_at DATETIME NOT NULL
);
CREATE TABLE goals (
  goal_id INTEGER PRIMARY KEY,
  goal_name TEXT NOT NULL,
  target_per_month INTEGER NOT NULL
);
CREATE TABLE conversions (
  conversion_id INTEGER PRIMARY KEY,
  session_id INTEGER NOT NULL REFERENCES sessions(session_id),
  goal_id INTEGER NOT NULL REFERENCES goals(goal_id),
  converted_at DATETIME NOT NULL,
  revenue REAL NOT NULL
);
CREATE TABLE experiments (
  experiment_id INTEGER PRIMARY KEY,
  experiment_name TEXT NOT NULL,
  start_date DATE NOT NULL,
  end_date DATE,
  status TEXT NOT NULL
);
CREATE TABLE experiment_users (
  experiment_id INTEGER NOT NULL REFERENCES experiments(experiment_id),
  user_id INTEGER NOT NULL REFERENCES users(user_id),
  variant TEXT NOT NULL,
  PRIMARY KEY (experiment_id, user_id)
);
CREATE TABLE ad_spend (
  spend_id INTEGER PRIMARY KEY,
  source_id INTEGER NOT NULL REFERENCES traffic_sources(source_id),
  spend_date DATE NOT NULL,
  impressions INTEGER NOT NULL,
  clicks INTEGER NOT NULL,
  cost REAL NOT NULL
);

INSERT INTO traffic_sources VALUES (1,'Google','organic',0), (2,'Google Ads','cpc',1), (3,'Bing','organic',0),
  (4,'Facebook Ads','social',1), (5,'LinkedIn','social',0), (6,'Newsletter','email',0), (7,'Direct','direct',0),
  (8,'Partner Blog','referral',0), (9,'Podcast','referral',1);
INSERT INTO users
SELECT n, lower(json_extract(first, '$[' || (a % 26) || ']') || '_' || json_extract(last, '$[' || (b % 25) || ']')) || n,
  CASE WHEN c % 12 = 0 THEN NULL ELSE 'user' || n || '@inbox.example' END,
  json_extract('["United States","United States","United States","Germany","Germany","France","India","India","Brazil","Japan"]', '$[' || (d % 10) || ']'),
  date('2023-01-01', '+' || max(e % 1096, f % 700) || ' days'),
  json_extract('["free","free","free","free","free","pro","pro","team"]', '$[' || (g % 8) || ']'), h % 5 <> 0,
  CASE WHEN n > 60 AND h % 4 = 1 THEN 1 + min(a % 50, c % 55, g % 60) END
FROM dice, word WHERE t = 1 AND n <= 460;
INSERT INTO pages
SELECT n, CASE WHEN n = 1 THEN '/' ELSE '/' || lower(json_extract('["Blog","Docs","Product","Help"]', '$[' || (n % 4) || ']')) || '/' || n END,
  CASE n WHEN 1 THEN 'Home' WHEN 2 THEN 'Pricing' WHEN 3 THEN 'Contact Us' WHEN 4 THEN 'Sign Up' ELSE
    json_extract('["Guide to","Why","How to use","What is","Tips for"]', '$[' || (n % 5) || ']') || ' ' || json_extract('["Dashboards","Reports","Alerts","Funnels","Cohorts","Exports","Tags","Filters","Teams"]', '$[' || (n % 9) || ']') END,
  CASE WHEN n <= 4 THEN 'main' ELSE json_extract('["blog","docs","product","help"]', '$[' || (n % 4) || ']') END,
  date('2022-06-01', '+' || (a % 1200) || ' days'), 150 + b % 2900
FROM dice WHERE t = 2 AND n <= 44;
INSERT INTO sessions
SELECT n, CASE WHEN a % 3 = 0 THEN NULL ELSE 1 + min(b % 440, c % 520) END,
  json_extract('[1,1,1,1,2,2,3,4,4,5,6,6,7,7,7,8]', '$[' || (d % 16) || ']'),
  1 + min(e % 42, f % 44, g % 48), 1 + min(e % 42, f % 50),
  datetime('2023-01-01', '+' || (g % 1096 * 86400 + h % 86400) || ' seconds'), 0,
  json_extract('["mobile","mobile","mobile","mobile","desktop","desktop","desktop","tablet"]', '$[' || (h / 9 % 8) || ']'),
  json_extract('["Chrome","Chrome","Chrome","Safari","Safari","Firefox","Edge"]', '$[' || (a / 7 % 7) || ']'),
  json_extract('["United States","United States","United States","Germany","Germany","France","India","Brazil","Japan"]', '$[' || (b / 11 % 9) || ']'), c / 13 % 5 < 2
FROM dice WHERE t = 3;
UPDATE sessions SET duration_sec = CASE WHEN is_bounce THEN 1 + session_id * 7 % 20 ELSE 25 + session_id * 389 % 1900 END;
INSERT INTO pageviews (session_id, page_id, viewed_at, time_on_page_sec, scroll_depth_pct)
SELECT session_id, landing_page_id, started_at, duration_sec / 2 + 1, CASE WHEN session_id % 9 = 0 THEN NULL ELSE 5 + session_id * 37 % 96 END
FROM sessions WHERE session_id <= 900;
INSERT INTO pageviews (session_id, page_id, viewed_at, time_on_page_sec, scroll_depth_pct)
SELECT s.session_id, 1 + min(b % 43, c % 60), datetime(s.started_at, '+' || (20 + d % 400) || ' seconds'), 3 + e % 300, CASE WHEN f % 8 = 0 THEN NULL ELSE 5 + f % 96 END
FROM dice JOIN sessions s ON s.session_id = 1 + a % 900 WHERE t = 4 AND n <= 1600 AND NOT s.is_bounce;
UPDATE pageviews SET page_id = page_id % 40 + 1 WHERE page_id > 41;
INSERT INTO events
SELECT n, s.session_id, json_extract('["click","click","click","click","download","video play","form submit","search","search"]', '$[' || (b % 9) || ']'),
  datetime(s.started_at, '+' || (c % 300) || ' seconds')
FROM dice JOIN sessions s ON s.session_id = 1 + a % 2000 WHERE t = 5 AND n <= 1900;
INSERT INTO goals VALUES (1,'Newsletter signup',20), (2,'Trial start',12), (3,'Purchase',8), (4,'Demo request',6), (5,'Referral invite',3);
INSERT INTO conversions
SELECT n, s.session_id, json_extract('[1,1,1,2,2,3,3,4]', '$[' || (b % 8) || ']'), datetime(s.started_at, '+' || (30 + c % 900) || ' seconds'),
  CASE b % 8 WHEN 5 THEN 19 + d % 40 * 10 WHEN 6 THEN 49 + d % 20 * 25 ELSE 0 END
FROM dice JOIN sessions s ON s.session_id = 1 + a % 2000 WHERE t = 6 AND n <= 420;
INSERT INTO experiments VALUES (1,'Blue button','2023-03-01','2023-04-15','finished'), (2,'Short pricing page','2023-09-10','2023-11-01','finished'),
  (3,'New onboarding','2024-02-05','2024-05-05','finished'), (4,'Dark mode','2024-10-01','2024-10-20','aborted'),
  (5,'Annual discount','2025-08-15',NULL,'running'), (6,'Chat widget','2025-11-01',NULL,'running'), (7,'Voice search','2026-01-15',NULL,'planned');
INSERT OR IGNORE INTO experiment_users
SELECT 1 + min(a % 6, b % 7), 1 + c % 420, CASE WHEN d % 2 = 0 THEN 'control' ELSE 'treatment' END FROM dice WHERE t = 7 AND n <= 700;
DELETE FROM experiment_users WHERE experiment_id = 7;
INSERT INTO ad_spend
SELECT n, json_extract('[2,4,9,2,4]', '$[' || (n % 5) || ']'), date('2023-01-05', '+' || (n * 3 - n % 2) || ' days'), 1000 + a % 40000, 20 + b % 900, round(15 + c % 30000 / 100.0, 2)
FROM dice WHERE t = 8 AND n <= 360;
