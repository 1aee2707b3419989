-- An animal practice: snake_case, plural tables, flags as Y and N, amounts with decimals.
CREATE TABLE owners (owner_id INTEGER PRIMARY KEY, first_name TEXT NOT NULL, last_name TEXT NOT NULL, city TEXT NOT NULL,
  phone TEXT, email TEXT, registered_on DATE NOT NULL);
CREATE TABLE pets (pet_id INTEGER PRIMARY KEY, owner_id INTEGER NOT NULL REFERENCES owners(owner_id), name TEXT NOT NULL,
  species TEXT NOT NULL, breed TEXT, sex TEXT NOT NULL, born_on DATE, weight_kg REAL, neutered TEXT NOT NULL, died_on DATE);
CREATE TABLE vets (vet_id INTEGER PRIMARY KEY, full_name TEXT NOT NULL, specialty TEXT NOT NULL, hired_on DATE NOT NULL);
CREATE TABLE visits (visit_id INTEGER PRIMARY KEY, pet_id INTEGER NOT NULL REFERENCES pets(pet_id),
  vet_id INTEGER NOT NULL REFERENCES vets(vet_id), visited_at DATETIME NOT NULL, reason TEXT NOT NULL, status TEXT NOT NULL,
  fee REAL NOT NULL, paid_on DATE);
CREATE TABLE vaccines (vaccine_id INTEGER PRIMARY KEY, name TEXT NOT NULL, price REAL NOT NULL, valid_months INTEGER NOT NULL);
CREATE TABLE shots (shot_id INTEGER PRIMARY KEY, visit_id INTEGER NOT NULL REFERENCES visits(visit_id),
  vaccine_id INTEGER NOT NULL REFERENCES vaccines(vaccine_id), batch TEXT);
INSERT INTO owners SELECT n, word.first ->> (a % 26), word.last ->> (b % 25),
  '["Leeds","York","Hull","Bradford","Ripon"]' ->> (c % 5), iif(d % 5, '0113 ' || (100000 + d % 900000), NULL),
  iif(e % 4, lower(word.first ->> (a % 26)) || n || '@mail.example', NULL), date('2020-01-05', '+' || (f % 2100) || ' days')
  FROM dice, word WHERE t = 1 AND n <= 120;
INSERT INTO pets SELECT n, 1 + a % 115, '["Rex","Luna","Bella","Milo","Coco","Oscar","Nala","Simba","Daisy","Max"]' ->> (b % 10),
  '["dog","cat","rabbit","parrot","hamster"]' ->> (c % 9 % 5),
  '["Labrador","Siamese","Dwarf","Beagle","Persian"]' ->> (c % 9 % 5), iif(d % 2, 'F', 'M'),
  iif(e % 12, date('2010-03-01', '+' || (e % 5200) || ' days'), NULL), round(0.4 + f % 380 / 10.0, 1), iif(g % 3, 'Y', 'N'),
  iif(h % 9 = 0, date('2024-02-01', '+' || (h % 600) || ' days'), NULL) FROM dice WHERE t = 2 AND n <= 180;
INSERT INTO vets SELECT n, 'Dr ' || (word.first ->> (a % 26)) || ' ' || (word.last ->> (b % 25)),
  '["surgery","dentistry","small animals","dermatology"]' ->> (n % 4), date('2012-01-01', '+' || (c % 4500) || ' days')
  FROM dice, word WHERE t = 3 AND n <= 9;
INSERT INTO visits SELECT n, 1 + a % 172, 1 + b % 8, datetime('2023-11-02 08:00', '+' || (c % 760) || ' days', '+' || (d % 20 * 30) || ' minutes'),
  '["checkup","vaccination","injury","surgery","dental cleaning","skin rash"]' ->> (e % 6),
  '["done","done","done","cancelled","missed"]' ->> (f % 5), 25 + g % 900 / 5.0,
  iif(h % 6, date('2023-11-02', '+' || (c % 760 + h % 30) || ' days'), NULL) FROM dice WHERE t = 4 AND n <= 700;
INSERT INTO vaccines VALUES (1, 'Rabies', 32, 36), (2, 'Distemper', 28.5, 12), (3, 'Leukaemia', 35, 12), (4, 'Myxomatosis', 24, 6);
INSERT INTO shots SELECT n, 1 + a % 690, 1 + b % 4, 'B' || (100 + c % 40) FROM dice WHERE t = 5 AND n <= 260;
