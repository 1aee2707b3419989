-- A museum: camelCase, plural tables, amounts as REAL with the currency in the name, true and false as 1 and 0.
CREATE TABLE artists (artistId INTEGER PRIMARY KEY, name TEXT NOT NULL, birthYear INTEGER, deathYear INTEGER, country TEXT NOT NULL);
CREATE TABLE rooms (roomId INTEGER PRIMARY KEY, roomName TEXT NOT NULL, floor INTEGER NOT NULL, areaSqm REAL NOT NULL, isClimateControlled INTEGER NOT NULL);
CREATE TABLE artworks (artworkId INTEGER PRIMARY KEY, title TEXT NOT NULL, artistId INTEGER REFERENCES artists(artistId), roomId INTEGER REFERENCES rooms(roomId),
  medium TEXT NOT NULL, yearMade INTEGER, heightCm REAL, widthCm REAL, insuredEur REAL NOT NULL, acquiredOn DATE NOT NULL, isOnLoan INTEGER NOT NULL);
CREATE TABLE exhibitions (exhibitionId INTEGER PRIMARY KEY, title TEXT NOT NULL, opensOn DATE NOT NULL, closesOn DATE NOT NULL, curator TEXT NOT NULL, budgetEur REAL NOT NULL);
CREATE TABLE exhibits (exhibitionId INTEGER NOT NULL REFERENCES exhibitions(exhibitionId), artworkId INTEGER NOT NULL REFERENCES artworks(artworkId),
  PRIMARY KEY (exhibitionId, artworkId));
CREATE TABLE admissions (admissionId INTEGER PRIMARY KEY, exhibitionId INTEGER REFERENCES exhibitions(exhibitionId), visitedOn DATE NOT NULL,
  ticketType TEXT NOT NULL, persons INTEGER NOT NULL, paidEur REAL NOT NULL, language TEXT NOT NULL);
INSERT INTO artists SELECT n, (word.first ->> (a % 26)) || ' ' || (word.last ->> (b % 25)), iif(c % 9, 1600 + c % 370, NULL), iif(d % 3, 1600 + c % 370 + 40 + d % 45, NULL),
  '["Italy","France","Spain","Netherlands"]' ->> (e % 4) FROM dice, word WHERE t = 1 AND n <= 45;
INSERT INTO rooms SELECT n, '["Great Hall","Blue Room","Rotunda","Print Cabinet","Vault","Attic"]' ->> (n - 1), n % 3, 30 + a % 300, b % 2 FROM dice WHERE t = 2 AND n <= 6;
INSERT INTO artworks SELECT n, '["Portrait","Still Life","Harbour","Storm","Garden","Angel","Market"]' ->> (a % 7) || ' No. ' || n, iif(b % 12, 1 + b % 42, NULL),
  iif(c % 6, 1 + c % 5, NULL), '["oil","bronze","watercolour","etching","marble"]' ->> (d % 5), iif(e % 7, 1640 + e % 330, NULL), iif(f % 8, 20 + f % 2000 / 10.0, NULL),
  iif(f % 8, 20 + g % 2500 / 10.0, NULL), 2000 + h % 900 * 500, date('1950-04-03', '+' || (g % 27000) || ' days'), h % 9 = 0 FROM dice WHERE t = 3 AND n <= 210;
INSERT INTO exhibitions SELECT n, '["Light and Water","Faces","The Sea","Paper","Stone and Metal","Masters","Women Painters"]' ->> (n - 1),
  date('2023-02-01', '+' || (n * 130) || ' days'), date('2023-02-01', '+' || (n * 130 + 110) || ' days'), (word.first ->> (n % 3)) || ' ' || (word.last ->> (n % 3)),
  20000 + a % 90 * 1000 FROM dice, word WHERE t = 4 AND n <= 7;
INSERT OR IGNORE INTO exhibits SELECT 1 + a % 6, 1 + b % 200 FROM dice WHERE t = 5 AND n <= 190;
INSERT INTO admissions SELECT n, iif(a % 5, 1 + a % 7, NULL), date('2023-06-12', '+' || (b % 900) || ' days'), '["adult","child","student","family"]' ->> (c % 4), 1 + d % 5,
  (1 + d % 5) * (4 + c % 4 * 3.5), '["English","French","German"]' ->> (e % 3) FROM dice WHERE t = 6 AND n <= 700;
