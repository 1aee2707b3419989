-- A ferry line: PascalCase, plural tables, amounts as REAL, states as single words.
CREATE TABLE Harbours (HarbourId INTEGER PRIMARY KEY, HarbourName TEXT NOT NULL, Island TEXT, Berths INTEGER NOT NULL);
CREATE TABLE Vessels (VesselId INTEGER PRIMARY KEY, VesselName TEXT NOT NULL, BuiltYear INTEGER NOT NULL, MaxPassengers INTEGER NOT NULL,
  CarDeck TEXT NOT NULL, LengthMetres REAL NOT NULL);
CREATE TABLE Captains (CaptainId INTEGER PRIMARY KEY, FirstName TEXT NOT NULL, LastName TEXT NOT NULL, Nationality TEXT NOT NULL, LicenceExpires DATE NOT NULL);
CREATE TABLE Routes (RouteId INTEGER PRIMARY KEY, FromHarbourId INTEGER NOT NULL REFERENCES Harbours(HarbourId),
  ToHarbourId INTEGER NOT NULL REFERENCES Harbours(HarbourId), DistanceMiles REAL NOT NULL);
CREATE TABLE Sailings (SailingId INTEGER PRIMARY KEY, RouteId INTEGER NOT NULL REFERENCES Routes(RouteId), VesselId INTEGER NOT NULL REFERENCES Vessels(VesselId),
  CaptainId INTEGER NOT NULL REFERENCES Captains(CaptainId), DepartsAt DATETIME NOT NULL, DelayMinutes INTEGER, SailingStatus TEXT NOT NULL);
CREATE TABLE Bookings (BookingId INTEGER PRIMARY KEY, SailingId INTEGER NOT NULL REFERENCES Sailings(SailingId), PassengerName TEXT NOT NULL,
  Adults INTEGER NOT NULL, Children INTEGER NOT NULL, VehicleType TEXT, Fare REAL NOT NULL, BookedAt DATETIME NOT NULL, Channel TEXT NOT NULL);
INSERT INTO Harbours SELECT n, '["Oban","Craignure","Mallaig","Armadale","Ullapool","Stornoway"]' ->> (n - 1),
  '[null,"Mull",null,"Skye",null,"Lewis"]' ->> (n - 1), 1 + a % 4 FROM dice WHERE t = 1 AND n <= 6;
INSERT INTO Vessels SELECT n, '["Isle Star","Sea Rose","Northern Wind","Grey Seal","Morning Light"]' ->> (n - 1), 1988 + a % 34, 120 + b % 80 * 10,
  iif(n = 4, 'no', 'yes'), 40 + c % 600 / 10.0 FROM dice WHERE t = 2 AND n <= 5;
INSERT INTO Captains SELECT n, word.first ->> (a % 26), word.last ->> (b % 25), '["Scottish","Norwegian","Irish"]' ->> (c % 3),
  date('2025-01-10', '+' || (d % 1400) || ' days') FROM dice, word WHERE t = 3 AND n <= 9;
INSERT INTO Routes VALUES (1, 1, 2, 9.5), (2, 2, 1, 9.5), (3, 3, 4, 5.2), (4, 4, 3, 5.2), (5, 5, 6, 51.0), (6, 6, 5, 51.0);
INSERT INTO Sailings SELECT n, 1 + a % 6, 1 + b % 5, 1 + c % 8, datetime('2024-01-02 06:00', '+' || (d % 690) || ' days', '+' || (e % 16) || ' hours'),
  iif(f % 9 = 0, NULL, max(0, f % 60 - 30)), iif(f % 9 = 0, 'cancelled', 'sailed') FROM dice WHERE t = 4 AND n <= 500;
INSERT INTO Bookings SELECT n, 1 + a % 480, (word.first ->> (b % 26)) || ' ' || (word.last ->> (c % 25)), 1 + d % 4, e % 3,
  iif(f % 3, '["car","van","motorbike","bicycle"]' ->> (f % 4), NULL), 8 + g % 700 / 4.0, datetime('2023-12-20 09:00', '+' || (h % 690) || ' days'),
  '["web","phone","counter"]' ->> (d % 3) FROM dice, word WHERE t = 5 AND n <= 900;
