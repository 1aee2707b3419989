-- A cooperative of farms: German names and values under English questions, text dates, a field in a year known by two columns,
-- machines lent out by the hour, keys declared only in part.
CREATE TABLE Mitglied (MitgliedNr INTEGER PRIMARY KEY, Hofname TEXT NOT NULL, Kontakt TEXT NOT NULL, Ort TEXT NOT NULL, Beitritt TEXT NOT NULL, Austritt TEXT, Anteil REAL NOT NULL, Bio TEXT NOT NULL, Telefon TEXT);
CREATE TABLE Feld (FeldNr INTEGER PRIMARY KEY, MitgliedNr INTEGER NOT NULL REFERENCES Mitglied(MitgliedNr), Feldname TEXT NOT NULL, Hektar REAL NOT NULL, Boden TEXT, Pacht TEXT NOT NULL);
CREATE TABLE Kultur (KulturCode TEXT PRIMARY KEY, KulturName TEXT NOT NULL, Gruppe TEXT NOT NULL, RichtPreis REAL NOT NULL);
CREATE TABLE Anbau (FeldNr INTEGER NOT NULL REFERENCES Feld(FeldNr), Jahr INTEGER NOT NULL, KulturCode TEXT NOT NULL REFERENCES Kultur(KulturCode), ErnteDatum TEXT, ErnteTonnen REAL, PRIMARY KEY (FeldNr, Jahr));
CREATE TABLE Silo (SiloNr INTEGER PRIMARY KEY, Standort TEXT NOT NULL, KapazitaetTonnen INTEGER NOT NULL, Baujahr INTEGER NOT NULL);
CREATE TABLE Lieferung (LieferNr INTEGER PRIMARY KEY, MitgliedNr INTEGER NOT NULL, SiloNr INTEGER NOT NULL, KulturCode TEXT NOT NULL, Datum TEXT NOT NULL, Tonnen REAL NOT NULL, Qualitaet TEXT NOT NULL, PreisProTonne REAL NOT NULL, BezahltAm TEXT);
CREATE TABLE Maschine (MaschinenNr INTEGER PRIMARY KEY, Typ TEXT NOT NULL, Hersteller TEXT NOT NULL, Baujahr INTEGER NOT NULL, PreisProStunde REAL NOT NULL, Status TEXT NOT NULL);
CREATE TABLE Ausleihe (AusleihNr INTEGER PRIMARY KEY, MaschinenNr INTEGER NOT NULL, MitgliedNr INTEGER NOT NULL, Beginn TEXT NOT NULL, Stunden REAL NOT NULL, Defekt INTEGER NOT NULL, Bemerkung TEXT);

INSERT INTO Mitglied
SELECT n, ('["Birken","Linden","Sonnen","Eichen","Wiesen","Mühlen","Berg","Wald"]' ->> (n % 8)) || ('["hof","gut","acker","feld","au"]' ->> (n % 5)) || CASE WHEN n > 80 THEN ' III' WHEN n > 40 THEN ' II' ELSE '' END, (first ->> (a % 26)) || ' ' || (last ->> (n * 7 % 25)),
  '["Lüneburg","Lüneburg","Uelzen","Celle","Gifhorn","Winsen"]' ->> (b % 6), date('1996-03-01', '+' || (c % 9800) || ' days'), CASE WHEN e % 12 = 0 THEN date('2024-06-30', '+' || (e % 500) || ' days') END, 500 * (1 + f % 18), CASE WHEN g % 3 = 0 THEN 'ja' ELSE 'nein' END, CASE WHEN h % 5 > 0 THEN '05' || (131000 + h % 8000) END FROM dice, word WHERE t = 1 AND n <= 96;
INSERT INTO Feld
SELECT n, 1 + min(a % 92, b % 100) % 92, ('["Am Bach","Hinterm Dorf","Lange Wiese","Steinacker","Krumme Furche","Neues Land","Am Moor"]' ->> (c % 7)) || ' ' || n, round(1.5 + e % 300 / 10.0, 1), '["Sand","Sand","Lehm","Lehm","Moor",null]' ->> (f % 6), '["eigen","eigen","gepachtet"]' ->> (g % 3) FROM dice WHERE t = 2 AND n <= 310;
INSERT INTO Kultur VALUES ('WW', 'Winterweizen', 'Getreide', 215), ('RO', 'Roggen', 'Getreide', 180), ('GE', 'Gerste', 'Getreide', 190), ('KA', 'Kartoffeln', 'Hackfrucht', 240), ('ZR', 'Zuckerrüben', 'Hackfrucht', 48), ('RA', 'Raps', 'Ölsaat', 460), ('MA', 'Mais', 'Futter', 165), ('SO', 'Soja', 'Ölsaat', 430);
INSERT INTO Anbau
SELECT FeldNr, 2021 + j.n, k, CASE WHEN d.c % 14 > 0 THEN date((2021 + j.n) || CASE WHEN k IN ('KA', 'ZR', 'MA') THEN '-09-05' ELSE '-07-10' END, '+' || (d.b % 40) || ' days') END,
  CASE WHEN d.c % 14 > 0 THEN round(Hektar * (80 + d.e % 50) / 100.0 * CASE k WHEN 'ZR' THEN 70 WHEN 'KA' THEN 38 WHEN 'MA' THEN 40 WHEN 'RA' THEN 3.5 ELSE 7 END, 1) END
FROM (SELECT n FROM dice WHERE t = 1 AND n <= 4) j JOIN Feld f JOIN (SELECT *, '["WW","WW","RO","GE","KA","KA","ZR","RA","MA"]' ->> (a % 9) AS k FROM dice WHERE t IN (3, 4, 5, 6)) d ON d.t = 2 + j.n AND d.n = f.FeldNr WHERE d.f % 10 > 0;
INSERT INTO Silo VALUES (1, 'Lüneburg Hafen', 12000, 1978), (2, 'Uelzen', 8000, 1991), (3, 'Celle Nord', 6500, 2004), (4, 'Winsen', 3000, 2016), (5, 'Gifhorn', 4200, 2023);
INSERT INTO Lieferung
SELECT row_number() OVER (ORDER BY tag, n), m, 1 + min(c % 4, e % 5) % 4, k, tag, round(2 + f % 240 / 10.0, 1), '["A","A","B","B","C"]' ->> (g % 5), round(RichtPreis * CASE g % 5 WHEN 4 THEN 0.82 WHEN 2 THEN 0.93 WHEN 3 THEN 0.93 ELSE 1 END * (92 + h % 17) / 100.0, 2), CASE WHEN h % 11 > 0 THEN date(tag, '+' || (10 + h % 50) || ' days') END
FROM (SELECT *, 1 + min(a % 88, b % 98) % 88 AS m, '["WW","WW","RO","GE","KA","ZR","RA","MA"]' ->> (a % 8) AS k, date('2023-07-01', '+' || (b % 900) || ' days') AS tag FROM dice WHERE t = 7 AND n <= 1400) JOIN Kultur ON KulturCode = k;
INSERT INTO Maschine
SELECT n, '["Traktor","Traktor","Mähdrescher","Pflug","Sämaschine","Feldspritze","Ballenpresse"]' ->> (n % 7), '["Claas","Fendt","Lemken","Amazone","Deutz"]' ->> (a % 5), 2004 + b % 21, 18 + c % 70 * 2 + (n % 7 = 2) * 90, '["bereit","bereit","bereit","Werkstatt"]' ->> (e % 4) FROM dice WHERE t = 8 AND n <= 32;
INSERT INTO Ausleihe
SELECT n, 1 + min(a % 30, b % 34) % 30, 1 + min(c % 80, e % 96) % 80, date('2023-02-15', '+' || (f % 1020) || ' days'), 0.5 + g % 40 * 0.5, h % 14 = 0, CASE WHEN h % 14 = 0 THEN '["Reifen platt","Hydraulik leckt","Messer stumpf",null]' ->> (h / 14 % 4) END FROM dice WHERE t = 9 AND n <= 850;
