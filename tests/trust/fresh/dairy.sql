-- Farms that deliver milk to a co-operative: words run together, short names.
CREATE TABLE farm (farmno INTEGER PRIMARY KEY, farmname TEXT NOT NULL, village TEXT NOT NULL, hectares REAL NOT NULL, organic INTEGER NOT NULL, joinyear INTEGER NOT NULL);
CREATE TABLE cow (cowno INTEGER PRIMARY KEY, farmno INTEGER NOT NULL REFERENCES farm(farmno), cowname TEXT NOT NULL, breed TEXT NOT NULL, birthdate DATE NOT NULL, soldon DATE, motherno INTEGER REFERENCES cow(cowno));
CREATE TABLE milking (milkno INTEGER PRIMARY KEY, cowno INTEGER NOT NULL REFERENCES cow(cowno), milkdate DATE NOT NULL, shift TEXT NOT NULL, litres REAL NOT NULL, fatpct REAL);
CREATE TABLE pickup (pickupno INTEGER PRIMARY KEY, farmno INTEGER NOT NULL REFERENCES farm(farmno), driverno INTEGER NOT NULL REFERENCES driver(driverno), pickupdate DATE NOT NULL, litres REAL NOT NULL, pricelitre REAL NOT NULL, rejected INTEGER NOT NULL);
CREATE TABLE driver (driverno INTEGER PRIMARY KEY, drivername TEXT NOT NULL, truck TEXT NOT NULL, licensedate DATE NOT NULL);
CREATE TABLE vetcheck (checkno INTEGER PRIMARY KEY, cowno INTEGER NOT NULL REFERENCES cow(cowno), checkdate DATE NOT NULL, finding TEXT NOT NULL, cost REAL NOT NULL);
INSERT INTO farm SELECT n, (word.last ->> n) || ' farm', '["Altdorf","Brugg","Cham","Dornach"]' ->> (a % 4), 12 + b % 600 / 5.0, c % 3 = 0, 1995 + d % 28 FROM dice, word WHERE t = 1 AND n <= 18;
INSERT INTO cow SELECT n, 1 + a % 17, '["Bessie","Daisy","Heidi","Lotte","Bruna","Flora","Alma"]' ->> (b % 7), '["Holstein","Jersey","Brown Swiss","Simmental"]' ->> (c % 4), date('2014-01-01', '+' || (d % 3600) || ' days'),
  iif(e % 8 = 0, date('2024-03-01', '+' || (e % 580) || ' days'), NULL), iif(n > 40 AND f % 3, 1 + f % 39, NULL) FROM dice, word WHERE t = 2 AND n <= 160;
INSERT INTO milking SELECT n, 1 + a % 150, date('2024-01-01', '+' || (b % 690) || ' days'), iif(c % 2, 'morning', 'evening'), round(6 + d % 160 / 10.0, 1), iif(e % 9, round(3.2 + e % 20 / 10.0, 1), NULL) FROM dice WHERE t = 3;
INSERT INTO driver SELECT n, (word.first ->> (a % 26)) || ' ' || (word.last ->> (b % 25)), 'T-' || (10 + n), date('2005-01-01', '+' || (c % 6000) || ' days') FROM dice, word WHERE t = 4 AND n <= 6;
INSERT INTO pickup SELECT n, 1 + a % 17, 1 + b % 5, date('2024-01-01', '+' || (c % 690) || ' days'), 200 + d % 1800, 0.38 + e % 20 / 100.0, f % 25 = 0 FROM dice WHERE t = 5 AND n <= 800;
INSERT INTO vetcheck SELECT n, 1 + a % 155, date('2024-01-01', '+' || (b % 690) || ' days'), '["healthy","mastitis","lame","pregnant"]' ->> (c % 4), 30 + d % 160 FROM dice WHERE t = 6 AND n <= 300;
