-- A chain of cinemas: PascalCase, singular tables, whole numbers for flags.
CREATE TABLE Film (FilmId INTEGER PRIMARY KEY, Title TEXT NOT NULL, Genre TEXT NOT NULL, Director TEXT NOT NULL,
  RuntimeMinutes INTEGER NOT NULL, AgeLimit INTEGER NOT NULL, ReleaseDate DATE NOT NULL, Language TEXT NOT NULL);
CREATE TABLE Cinema (CinemaId INTEGER PRIMARY KEY, CinemaName TEXT NOT NULL, City TEXT NOT NULL, OpenedOn DATE NOT NULL);
CREATE TABLE Hall (HallId INTEGER PRIMARY KEY, CinemaId INTEGER NOT NULL REFERENCES Cinema(CinemaId), HallName TEXT NOT NULL,
  Seats INTEGER NOT NULL, Is3D INTEGER NOT NULL);
CREATE TABLE Screening (ScreeningId INTEGER PRIMARY KEY, FilmId INTEGER NOT NULL REFERENCES Film(FilmId),
  HallId INTEGER NOT NULL REFERENCES Hall(HallId), StartsAt DATETIME NOT NULL, Cancelled INTEGER NOT NULL);
CREATE TABLE Moviegoer (MoviegoerId INTEGER PRIMARY KEY, FullName TEXT NOT NULL, City TEXT NOT NULL, MemberSince DATE, Points INTEGER NOT NULL);
CREATE TABLE Ticket (TicketId INTEGER PRIMARY KEY, ScreeningId INTEGER NOT NULL REFERENCES Screening(ScreeningId),
  MoviegoerId INTEGER REFERENCES Moviegoer(MoviegoerId), Price REAL NOT NULL, Category TEXT NOT NULL, BoughtAt DATETIME NOT NULL, Channel TEXT NOT NULL);
CREATE TABLE SnackSale (SnackSaleId INTEGER PRIMARY KEY, CinemaId INTEGER NOT NULL REFERENCES Cinema(CinemaId),
  Snack TEXT NOT NULL, Quantity INTEGER NOT NULL, Amount REAL NOT NULL, SoldOn DATE NOT NULL);
INSERT INTO Film SELECT n, '["Silent","Golden","Last","Midnight","Broken","Hidden"]' ->> (n % 6) || ' ' || ('["Harbour","Garden","Train","Winter","Promise","River","Signal"]' ->> (n % 7)),
  '["Drama","Comedy","Thriller","Documentary","Animation"]' ->> (a % 5), (word.first ->> (b % 12)) || ' ' || (word.last ->> (b % 12)),
  78 + c % 90, '[0,6,12,16,18]' ->> (d % 5), date('2023-06-01', '+' || (e % 850) || ' days'), '["English","French","German","Korean"]' ->> (f % 4)
  FROM dice, word WHERE t = 1 AND n <= 40;
INSERT INTO Cinema VALUES (1, 'Astoria', 'Lyon', '1998-04-01'), (2, 'Capitol', 'Lyon', '2006-09-15'), (3, 'Rex', 'Nantes', '2011-03-10'),
  (4, 'Lumen', 'Lille', '2019-10-02'), (5, 'Odeon', 'Nice', '2024-06-20');
INSERT INTO Hall SELECT n, 1 + n % 5, 'Hall ' || n, 40 + a % 220, b % 3 = 0 FROM dice WHERE t = 2 AND n <= 14;
INSERT INTO Screening SELECT n, 1 + a % 37, 1 + b % 13, datetime('2024-03-01 14:00', '+' || (c % 610) || ' days', '+' || (d % 17 * 30) || ' minutes'), e % 15 = 0
  FROM dice WHERE t = 3 AND n <= 500;
INSERT INTO Moviegoer SELECT n, (word.first ->> (a % 26)) || ' ' || (word.last ->> (b % 25)), '["Lyon","Nantes","Lille","Nice","Paris"]' ->> (c % 5),
  iif(d % 3, date('2021-01-01', '+' || (d % 1700) || ' days'), NULL), e % 900 FROM dice, word WHERE t = 4 AND n <= 130;
INSERT INTO Ticket SELECT n, 1 + a % 490, iif(b % 4, 1 + b % 120, NULL), 6.5 + c % 14 / 2.0, '["adult","child","student","senior"]' ->> (d % 4),
  datetime('2024-03-01 10:00', '+' || (e % 610) || ' days'), '["web","app","counter"]' ->> (f % 3) FROM dice WHERE t = 5 AND n <= 1800;
INSERT INTO SnackSale SELECT n, 1 + a % 5, '["popcorn","nachos","cola","ice cream"]' ->> (b % 4), 1 + c % 6, 3 + d % 60 / 2.0,
  date('2024-03-01', '+' || (e % 610) || ' days') FROM dice WHERE t = 6 AND n <= 600;
