-- A law firm: PascalCase, lawyers on matters by two columns, minutes and hourly rates, a view over open matters, declared keys.
CREATE TABLE Office (OfficeId INTEGER PRIMARY KEY, City TEXT NOT NULL, MonthlyRent REAL NOT NULL);
CREATE TABLE Lawyer (
  LawyerId INTEGER PRIMARY KEY, FirstName TEXT NOT NULL, LastName TEXT NOT NULL, Seniority TEXT NOT NULL, HourlyRate REAL NOT NULL, OfficeId INTEGER NOT NULL REFERENCES Office(OfficeId), AdmittedOn DATE NOT NULL, MentorId INTEGER REFERENCES Lawyer(LawyerId), LeftOn DATE
);
CREATE TABLE Client (ClientId INTEGER PRIMARY KEY, ClientName TEXT NOT NULL, Industry TEXT, Country TEXT NOT NULL, ClientSince DATE NOT NULL, ReferredByClientId INTEGER REFERENCES Client(ClientId), CreditHold INTEGER NOT NULL);
CREATE TABLE Matter (
  MatterId INTEGER PRIMARY KEY, MatterTitle TEXT NOT NULL, ClientId INTEGER NOT NULL REFERENCES Client(ClientId), PracticeArea TEXT NOT NULL, LeadLawyerId INTEGER NOT NULL REFERENCES Lawyer(LawyerId), OpenedOn DATE NOT NULL, ClosedOn DATE,
  Outcome TEXT, FeeArrangement TEXT NOT NULL, DisputeValue REAL
);
CREATE TABLE MatterTeam (MatterId INTEGER NOT NULL REFERENCES Matter(MatterId), LawyerId INTEGER NOT NULL REFERENCES Lawyer(LawyerId), TeamRole TEXT NOT NULL, PRIMARY KEY (MatterId, LawyerId));
CREATE TABLE TimeEntry (TimeEntryId INTEGER PRIMARY KEY, MatterId INTEGER NOT NULL REFERENCES Matter(MatterId), LawyerId INTEGER NOT NULL REFERENCES Lawyer(LawyerId), WorkedOn DATE NOT NULL, Minutes INTEGER NOT NULL, Activity TEXT NOT NULL, IsBillable INTEGER NOT NULL);
CREATE TABLE Hearing (HearingId INTEGER PRIMARY KEY, MatterId INTEGER NOT NULL REFERENCES Matter(MatterId), CourtName TEXT NOT NULL, ScheduledAt DATETIME NOT NULL, DurationMinutes INTEGER, WasPostponed INTEGER NOT NULL);
CREATE TABLE ClientInvoice (InvoiceId INTEGER PRIMARY KEY, MatterId INTEGER NOT NULL REFERENCES Matter(MatterId), IssuedOn DATE NOT NULL, DueOn DATE NOT NULL, NetAmount REAL NOT NULL, TaxAmount REAL NOT NULL, PaidOn DATE, WriteOffAmount REAL NOT NULL);
CREATE VIEW OpenMatter AS SELECT m.MatterId, m.MatterTitle, c.ClientName, l.LastName AS LeadLastName, m.OpenedOn, (SELECT ifnull(sum(Minutes), 0) FROM TimeEntry t WHERE t.MatterId = m.MatterId) AS TotalMinutes
  FROM Matter m JOIN Client c ON c.ClientId = m.ClientId JOIN Lawyer l ON l.LawyerId = m.LeadLawyerId WHERE m.ClosedOn IS NULL;

INSERT INTO Office VALUES (1, 'Zurich', 28500), (2, 'Geneva', 19200), (3, 'Milan', 14100), (4, 'London', 36800);
INSERT INTO Lawyer
SELECT n, first ->> (n * 7 % 26), last ->> (n * 4 % 25), k, CASE k WHEN 'Partner' THEN 480 WHEN 'Counsel' THEN 390 WHEN 'Senior Associate' THEN 310 WHEN 'Associate' THEN 240 ELSE 120 END + a % 6 * 10, '[1,1,1,2,2,3,4]' ->> (b % 7), date('1992-05-01', '+' || (c % 11900) || ' days'),
  CASE WHEN k IN ('Associate', 'Trainee') THEN 1 + e % 6 END, CASE WHEN f % 11 = 0 THEN date('2024-11-01', '+' || (g % 380) || ' days') END FROM (SELECT *, CASE WHEN n <= 7 THEN 'Partner' ELSE '["Associate","Associate","Associate","Senior Associate","Senior Associate","Counsel","Trainee"]' ->> (h % 7) END AS k FROM dice, word WHERE t = 1 AND n <= 46);
INSERT INTO Client
SELECT n, CASE WHEN a % 4 = 0 THEN (first ->> (b % 26)) || ' ' || (last ->> (n * 7 % 25)) ELSE (last ->> (n * 3 % 25)) || ' ' || ('["Pharma AG","Shipping SA","Energy Ltd","Holding AG","Foods SpA","Logistics GmbH","Watches SA"]' ->> (n % 7)) || CASE WHEN n > 90 THEN ' II' ELSE '' END END,
  CASE WHEN a % 4 > 0 THEN '["Pharma","Shipping","Energy","Finance","Food","Logistics","Luxury"]' ->> (n % 7) END, '["Switzerland","Switzerland","Switzerland","Italy","United Kingdom","Germany","France"]' ->> (c % 7), date('2009-01-15', '+' || (e % 6000) || ' days'), CASE WHEN f % 5 = 0 AND n > 20 THEN 1 + g % 20 END, h % 17 = 0
FROM dice, word WHERE t = 2 AND n <= 165;
INSERT INTO Matter
SELECT n, ('["Merger with","Claim against","Lease of","Defence in re","Licence for","Estate of","Restructuring of"]' ->> (a % 7)) || ' ' || ('["Alpina","Bellevue","Cassius","Delfino","Eiger","Fontane","Gotthard","Helios","Isar","Juno","Kronos"]' ->> (n % 11)) || ' ' || (2000 + n), 1 + min(b % 150, c % 170) % 155,
  '["Corporate","Litigation","Real Estate","Litigation","Intellectual Property","Estates","Corporate"]' ->> (a % 7), 1 + min(e % 20, f % 24), date('2021-02-01', '+' || (n * 1780 / 420 + g % 20) || ' days'), NULL, NULL, '["hourly","hourly","hourly","fixed fee","contingency"]' ->> (g % 5), CASE WHEN a % 7 IN (1, 3) AND h % 6 > 0 THEN 10000 + h % 900 * 2500 END FROM dice WHERE t = 3 AND n <= 420;
UPDATE Matter SET ClosedOn = date(OpenedOn, '+' || (25 + MatterId * 53 % 700) || ' days');
UPDATE Matter SET ClosedOn = NULL WHERE ClosedOn > '2025-12-15' OR MatterId % 19 = 3;
UPDATE Matter SET Outcome = '["won","settled","settled","lost","won"]' ->> (MatterId * 7 % 5) WHERE PracticeArea = 'Litigation' AND ClosedOn IS NOT NULL;
INSERT INTO MatterTeam SELECT MatterId, LeadLawyerId, 'Lead' FROM Matter;
INSERT OR IGNORE INTO MatterTeam SELECT 1 + a % 420, 3 + min(b % 42, c % 43), '["Support","Support","Research","Second Chair"]' ->> (e % 4) FROM dice WHERE t = 4 AND n <= 800;
INSERT INTO TimeEntry
SELECT row_number() OVER (ORDER BY w.t, w.n), p.MatterId, p.LawyerId, min('2025-12-12', date(OpenedOn, '+' || (w.b % 1000 * (julianday(ifnull(ClosedOn, '2025-12-12')) - julianday(OpenedOn)) / 1000) || ' days')), 6 * (1 + w.c % 60), '["Drafting","Research","Call","Meeting","Court","Review","Drafting"]' ->> (w.e % 7), w.f % 7 > 0
FROM dice w JOIN (SELECT row_number() OVER (ORDER BY MatterId, LawyerId) AS place, * FROM MatterTeam) p ON p.place = 1 + min(w.a % 1150, w.g % 1300) JOIN Matter m ON m.MatterId = p.MatterId WHERE w.t IN (5, 6);
INSERT INTO Hearing
SELECT row_number() OVER (ORDER BY n), MatterId, '["District Court Zurich","Commercial Court","High Court","Court of Appeal","Tribunale di Milano"]' ->> (b % 5), datetime(OpenedOn, '+' || (30 + c % 400) || ' days', '+' || (480 + e % 16 * 30) || ' minutes'), CASE WHEN f % 8 > 0 THEN 20 + g % 200 END, h % 6 = 0 FROM dice JOIN (SELECT row_number() OVER (ORDER BY MatterId) AS place, * FROM Matter WHERE PracticeArea = 'Litigation') ON place = 1 + a % 100 WHERE t = 7 AND n <= 240;
INSERT INTO ClientInvoice
SELECT row_number() OVER (ORDER BY issued, MatterId), MatterId, issued, date(issued, '+30 days'), net, round(net * 0.081, 2), CASE WHEN h % 9 > 0 THEN date(issued, '+' || (4 + h % 70) || ' days') END, CASE WHEN h % 25 = 0 THEN round(net / 4, 2) ELSE 0 END
FROM (SELECT MatterId, h, min('2025-12-20', date(OpenedOn, '+' || (20 + b % 420) || ' days')) AS issued, 900 + c % 600 * 35 AS net FROM dice JOIN Matter ON MatterId = 1 + min(a % 412, e % 500) WHERE t = 8 AND n <= 950);
