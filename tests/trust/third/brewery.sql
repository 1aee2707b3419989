-- A brewery: snake_case, singular tables, amounts in cents, flags as 0 and 1.
CREATE TABLE beer (id INTEGER PRIMARY KEY, name TEXT NOT NULL, style TEXT NOT NULL, abv REAL NOT NULL, ibu INTEGER, seasonal INTEGER NOT NULL,
  launched_on DATE NOT NULL);
CREATE TABLE tank (id INTEGER PRIMARY KEY, label TEXT NOT NULL, capacity_l INTEGER NOT NULL, material TEXT NOT NULL);
CREATE TABLE brewer (id INTEGER PRIMARY KEY, name TEXT NOT NULL, started_on DATE NOT NULL, left_on DATE, hourly_wage_cents INTEGER NOT NULL);
CREATE TABLE batch (id INTEGER PRIMARY KEY, beer_id INTEGER NOT NULL REFERENCES beer(id), tank_id INTEGER NOT NULL REFERENCES tank(id),
  brewer_id INTEGER NOT NULL REFERENCES brewer(id), brewed_on DATE NOT NULL, volume_l INTEGER NOT NULL, status TEXT NOT NULL, bottled_on DATE);
CREATE TABLE pub (id INTEGER PRIMARY KEY, name TEXT NOT NULL, town TEXT NOT NULL, landlord TEXT, credit_limit_cents INTEGER);
CREATE TABLE delivery (id INTEGER PRIMARY KEY, pub_id INTEGER NOT NULL REFERENCES pub(id), beer_id INTEGER NOT NULL REFERENCES beer(id),
  delivered_on DATE NOT NULL, kegs INTEGER NOT NULL, price_cents INTEGER NOT NULL, paid INTEGER NOT NULL);
INSERT INTO beer SELECT n, '["Old Badger","Harbour Gold","Night Shift","Red Kite","Sunny Spell","Winter Coat","Plain Jane","Hop Garden"]' ->> (n - 1),
  '["bitter","lager","stout","red ale","wheat","stout","mild","ipa"]' ->> (n - 1), 3.5 + a % 40 / 10.0, iif(n = 7, NULL, 15 + b % 50), n IN (5, 6),
  date('2015-03-01', '+' || (c % 3300) || ' days') FROM dice WHERE t = 1 AND n <= 8;
INSERT INTO tank SELECT n, 'T' || n, '[500,1000,2000]' ->> (a % 3), iif(b % 3, 'steel', 'copper') FROM dice WHERE t = 2 AND n <= 7;
INSERT INTO brewer SELECT n, (word.first ->> (a % 26)) || ' ' || (word.last ->> (b % 25)), date('2014-01-01', '+' || (c % 3600) || ' days'),
  iif(n = 4, '2024-06-30', NULL), 1400 + d % 1200 FROM dice, word WHERE t = 3 AND n <= 6;
INSERT INTO batch SELECT n, 1 + a % 8, 1 + b % 7, 1 + c % 5, date('2023-01-03', '+' || (d % 1000) || ' days'), 300 + e % 17 * 100,
  '["fermenting","conditioning","bottled","bottled","bottled","dumped"]' ->> (f % 6),
  iif(f % 6 BETWEEN 2 AND 4, date('2023-01-03', '+' || (d % 1000 + 20 + g % 20) || ' days'), NULL) FROM dice WHERE t = 4 AND n <= 240;
INSERT INTO pub SELECT n, 'The ' || ('["Red","Golden","Black","White","Blue"]' ->> (n % 5)) || ' ' || ('["Lion","Swan","Bull","Anchor","Bell","Fox"]' ->> (n % 6)),
  '["Whitby","Malton","Thirsk","Selby"]' ->> (b % 4), iif(c % 6, (word.first ->> (d % 26)) || ' ' || (word.last ->> (e % 25)), NULL),
  iif(f % 4, 50000 + f % 9 * 25000, NULL) FROM dice, word WHERE t = 5 AND n <= 30;
INSERT INTO delivery SELECT n, 1 + a % 27, 1 + b % 7, date('2023-02-01', '+' || (c % 980) || ' days'), 1 + d % 12, (1 + d % 12) * (8500 + e % 40 * 50),
  f % 7 > 0 FROM dice WHERE t = 6 AND n <= 800;
