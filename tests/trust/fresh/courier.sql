-- Meals brought home: camelCase, two keys from deliveries to addresses of one table, minutes and tips.
CREATE TABLE restaurants (id INTEGER PRIMARY KEY, name TEXT NOT NULL, cuisine TEXT NOT NULL, zoneId INTEGER NOT NULL REFERENCES zones(id), rating REAL, openedOn DATE);
CREATE TABLE zones (id INTEGER PRIMARY KEY, zoneName TEXT NOT NULL, deliveryFee REAL NOT NULL);
CREATE TABLE couriers (id INTEGER PRIMARY KEY, fullName TEXT NOT NULL, vehicle TEXT NOT NULL, hiredOn DATE NOT NULL, leftOn DATE, homeZoneId INTEGER REFERENCES zones(id));
CREATE TABLE eaters (id INTEGER PRIMARY KEY, fullName TEXT NOT NULL, zoneId INTEGER NOT NULL REFERENCES zones(id), signedUpOn DATE NOT NULL, newsletter INTEGER NOT NULL);
CREATE TABLE deliveries (id INTEGER PRIMARY KEY, restaurantId INTEGER NOT NULL REFERENCES restaurants(id), eaterId INTEGER NOT NULL REFERENCES eaters(id),
  courierId INTEGER REFERENCES couriers(id), orderedAt DATETIME NOT NULL, deliveredAt DATETIME, minutesTaken INTEGER, total REAL NOT NULL, tip REAL NOT NULL,
  status TEXT NOT NULL, payment TEXT NOT NULL, stars INTEGER);
CREATE TABLE dishes (id INTEGER PRIMARY KEY, restaurantId INTEGER NOT NULL REFERENCES restaurants(id), dishName TEXT NOT NULL, price REAL NOT NULL, vegetarian INTEGER NOT NULL, calories INTEGER);
CREATE TABLE deliveryItems (deliveryId INTEGER NOT NULL REFERENCES deliveries(id), dishId INTEGER NOT NULL REFERENCES dishes(id), quantity INTEGER NOT NULL, PRIMARY KEY (deliveryId, dishId));
INSERT INTO zones VALUES (1, 'Old Town', 1.9), (2, 'Harbour', 2.5), (3, 'Hillside', 3.2), (4, 'Airport', 4.9);
INSERT INTO restaurants SELECT n, '["Luigi","Saigon","Taco","Spice","Green","Blue"]' ->> (n % 6) || ' ' || ('["Corner","House","Kitchen","Garden"]' ->> (n % 4)),
  '["italian","vietnamese","mexican","indian","greek"]' ->> (n % 5), 1 + a % 4, iif(b % 8, round(2.5 + b % 25 / 10.0, 1), NULL), date('2015-01-01', '+' || (c % 3600) || ' days')
  FROM dice WHERE t = 1 AND n <= 24;
INSERT INTO couriers SELECT n, (word.first ->> (a % 26)) || ' ' || (word.last ->> (b % 25)), '["bicycle","scooter","car"]' ->> (c % 3),
  date('2021-02-01', '+' || (d % 1500) || ' days'), iif(e % 5 = 0, date('2025-02-01', '+' || (e % 200) || ' days'), NULL), iif(f % 6, 1 + f % 4, NULL) FROM dice, word WHERE t = 2 AND n <= 30;
INSERT INTO eaters SELECT n, (word.first ->> (a % 26)) || ' ' || (word.last ->> (b % 25)), 1 + c % 4, date('2022-01-01', '+' || (d % 1400) || ' days'), e % 2 FROM dice, word WHERE t = 3 AND n <= 150;
INSERT INTO deliveries SELECT n, 1 + a % 22, 1 + b % 140, iif(c % 14, 1 + c % 28, NULL), datetime('2024-01-03 11:00', '+' || (d % 690) || ' days', '+' || (e % 600) || ' minutes'),
  iif(f % 12, datetime('2024-01-03 11:00', '+' || (d % 690) || ' days', '+' || (e % 600 + 15 + g % 60) || ' minutes'), NULL), iif(f % 12, 15 + g % 60, NULL), 9 + h % 700 / 10.0, a % 7 * 0.5,
  iif(f % 12, 'delivered', '["cancelled","lost"]' ->> (g % 2)), '["card","cash","voucher"]' ->> (b % 3), iif(c % 3, 1 + c % 5, NULL) FROM dice WHERE t = 4 AND n <= 1200;
INSERT INTO dishes SELECT n, 1 + n % 24, '["Lasagne","Pho","Burrito","Curry","Salad","Soup","Falafel"]' ->> (n % 7) || ' ' || n, 5 + a % 30 / 2.0, b % 3 = 0, iif(c % 5, 250 + c % 900, NULL) FROM dice WHERE t = 5 AND n <= 110;
INSERT OR IGNORE INTO deliveryItems SELECT 1 + a % 1190, 1 + b % 105, 1 + c % 3 FROM dice WHERE t = 6;
