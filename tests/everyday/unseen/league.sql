-- A football league over three seasons: camelCase, two teams on every match and every transfer, kick-off as HH:MM, dates as text.
CREATE TABLE stadiums (
  stadiumId INTEGER PRIMARY KEY,
  stadiumName TEXT NOT NULL,
  city TEXT NOT NULL,
  capacity INTEGER NOT NULL,
  builtYear INTEGER NOT NULL,
  hasRoof INTEGER NOT NULL
);
CREATE TABLE teams (
  teamId INTEGER PRIMARY KEY,
  teamName TEXT NOT NULL,
  shortName TEXT NOT NULL,
  stadiumId INTEGER NOT NULL REFERENCES stadiums(stadiumId),
  foundedYear INTEGER NOT NULL,
  yearlyBudget REAL NOT NULL
);
CREATE TABLE players (
  playerId INTEGER PRIMARY KEY,
  fullName TEXT NOT NULL,
  teamId INTEGER REFERENCES teams(teamId),
  position TEXT NOT NULL,
  nationality TEXT NOT NULL,
  birthDate TEXT NOT NULL,
  heightCm INTEGER,
  shirtNumber INTEGER,
  marketValue REAL NOT NULL
);
CREATE TABLE referees (
  refereeId INTEGER PRIMARY KEY,
  refereeName TEXT NOT NULL,
  licensedSince INTEGER NOT NULL
);
CREATE TABLE matches (
  matchId INTEGER PRIMARY KEY,
  season TEXT NOT NULL,
  matchday INTEGER NOT NULL,
  homeTeamId INTEGER NOT NULL REFERENCES teams(teamId),
  awayTeamId INTEGER NOT NULL REFERENCES teams(teamId),
  refereeId INTEGER NOT NULL REFERENCES referees(refereeId),
  playedOn TEXT NOT NULL,
  kickoffTime TEXT NOT NULL,
  homeGoals INTEGER NOT NULL,
  awayGoals INTEGER NOT NULL,
  attendance INTEGER
);
CREATE TABLE goals (
  goalId INTEGER PRIMARY KEY,
  matchId INTEGER NOT NULL REFERENCES matches(matchId),
  playerId INTEGER NOT NULL REFERENCES players(playerId),
  minute INTEGER NOT NULL,
  isPenalty INTEGER NOT NULL,
  isOwnGoal INTEGER NOT NULL
);
CREATE TABLE cards (
  cardId INTEGER PRIMARY KEY,
  matchId INTEGER NOT NULL REFERENCES matches(matchId),
  playerId INTEGER NOT NULL REFERENCES players(playerId),
  minute INTEGER NOT NULL,
  cardColor TEXT NOT NULL
);
CREATE TABLE transfers (
  transferId INTEGER PRIMARY KEY,
  playerId INTEGER NOT NULL REFERENCES players(playerId),
  fromTeamId INTEGER REFERENCES teams(teamId),
  toTeamId INTEGER NOT NULL REFERENCES teams(teamId),
  transferDate TEXT NOT NULL,
  transferFee REAL
);

INSERT INTO stadiums VALUES (1, 'Harbour Park', 'Portwell', 31200, 1936, 0), (2, 'Kingsfield', 'Ashford', 18400, 1911, 0), (3, 'Glass Arena', 'Lyndon', 52000, 2015, 1), (4, 'Mill Lane', 'Ottery', 9800, 1924, 0),
  (5, 'Union Ground', 'Lyndon', 24700, 1958, 0), (6, 'Stahlwerk', 'Redhill', 27600, 1987, 1), (7, 'Valley Stadium', 'Penrith', 14100, 1969, 0), (8, 'Castle Meadow', 'Marlow', 12050, 2003, 0),
  (9, 'Dome of the North', 'Sunder', 40300, 2009, 1), (10, 'Riverbank', 'Exminster', 16900, 1977, 0), (11, 'Old Fairground', 'Portwell', 6500, 1902, 0);
INSERT INTO teams VALUES (1, 'Portwell Rovers', 'POR', 1, 1898, 42.5), (2, 'Ashford United', 'ASH', 2, 1904, 21), (3, 'FC Lyndon', 'LYN', 3, 1921, 96), (4, 'Ottery Athletic', 'OTT', 4, 1911, 9.5),
  (5, 'Union Lyndon', 'UNL', 5, 1909, 33), (6, 'Redhill Steel', 'RED', 6, 1946, 47), (7, 'Penrith Town', 'PEN', 7, 1932, 14), (8, 'Marlow City', 'MAR', 8, 1999, 12.5), (9, 'Sunder North', 'SUN', 9, 1889, 71), (10, 'Exminster Wanderers', 'EXM', 10, 1925, 17);
INSERT INTO players
SELECT n, (first ->> (n * 11 % 26)) || ' ' || (last ->> (n * 7 % 25)), CASE WHEN n <= 200 THEN (n - 1) % 10 + 1 END,
  '["Goalkeeper","Defender","Defender","Defender","Midfielder","Midfielder","Midfielder","Forward","Forward","Defender"]' ->> ((n - 1) / 10 % 10),
  '["England","England","England","Spain","Nigeria","Brazil","Germany","Wales","Croatia","Japan"]' ->> (min(a % 10, b % 12)), date('1988-02-01', '+' || (c % 6400) || ' days'),
  CASE WHEN d % 12 > 0 THEN 168 + e % 30 END, CASE WHEN n <= 200 THEN 1 + (n - 1) / 10 END, round(0.2 + (f % 300) * (g % 100) / 1000.0, 1)
FROM dice, word WHERE t = 1 AND n <= 212;
INSERT INTO referees SELECT n, (first ->> (25 - n * 3 % 26)) || ' ' || (last ->> (n * 9 % 25)), 2004 + n * 7 % 18 FROM dice, word WHERE t = 2 AND n <= 14;
INSERT INTO matches
SELECT row_number() OVER (ORDER BY s, day, h), '202' || (2 + s) || '/' || (23 + s), day, h + 1, v + 1, 1, date('202' || (2 + s) || '-08-13', '+' || ((day - 1) * 14 + (h + s) % 2) || ' days'),
  '["15:00","15:00","17:30","20:00","12:30"]' ->> ((h * 3 + v + day) % 5), 0, 0, NULL
FROM (SELECT s.n - 1 AS s, h.n - 1 AS h, v.n - 1 AS v, CASE WHEN h.n = 10 THEN v.n - 1 WHEN v.n = 10 THEN h.n - 1 ELSE (h.n + v.n - 2) * 5 % 9 END + CASE WHEN (h.n < v.n) = ((h.n + v.n) % 2 = 0) THEN 1 ELSE 10 END AS day
  FROM dice s, dice h, dice v WHERE s.t = 1 AND s.n <= 3 AND h.t = 1 AND h.n <= 10 AND v.t = 1 AND v.n <= 10 AND h.n <> v.n);
UPDATE matches SET refereeId = (SELECT 1 + min(a % 13, b % 15) % 13 FROM dice WHERE t = 3 AND n = matchId),
  homeGoals = (SELECT min(c % 6, d % 5, 1 + e % 5) + (homeTeamId IN (3, 9, 6)) FROM dice WHERE t = 3 AND n = matchId),
  awayGoals = (SELECT min(f % 5, g % 4) + (awayTeamId IN (3, 9) AND matchId % 2) FROM dice WHERE t = 3 AND n = matchId),
  attendance = (SELECT CASE WHEN h % 23 > 0 THEN capacity - capacity / 100 * (h % 55) - h % 90 END FROM dice, teams JOIN stadiums USING (stadiumId) WHERE t = 3 AND n = matchId AND teamId = homeTeamId);
INSERT INTO goals
SELECT row_number() OVER (ORDER BY matchId, minute, side, k), matchId, CASE WHEN own THEN other ELSE side END + 10 * (2 + max(x % 18, y % 15)), minute, own = 0 AND z % 11 = 0, own FROM (
  SELECT matchId, homeTeamId AS side, awayTeamId AS other, k, 1 + d.a % 90 AS minute, d.b AS x, d.c AS y, d.d AS z, d.e % 29 = 0 AS own FROM matches JOIN (SELECT n AS k FROM dice WHERE t = 1 AND n <= 9) ON k <= homeGoals
    JOIN dice d ON d.t = 4 AND d.n = matchId * 6 + k
  UNION ALL SELECT matchId, awayTeamId, homeTeamId, k, 1 + d.a % 90, d.b, d.c, d.d, d.e % 29 = 0 FROM matches JOIN (SELECT n AS k FROM dice WHERE t = 1 AND n <= 9) ON k <= awayGoals JOIN dice d ON d.t = 5 AND d.n = matchId * 6 + k);
INSERT INTO cards
SELECT n, matchId, CASE WHEN b % 7 < 4 THEN awayTeamId ELSE homeTeamId END + 10 * (c % 20), 5 + d % 86, CASE WHEN e % 13 = 0 THEN 'red' ELSE 'yellow' END
FROM dice JOIN matches ON matchId = 1 + a % 270 WHERE t = 6 AND n <= 900;
INSERT INTO transfers
SELECT n, a % 200 + 1, CASE WHEN b % 6 > 0 THEN 1 + (a % 10 + 1 + b % 9) % 10 END, a % 10 + 1, date('202' || (2 + c % 3) || CASE WHEN d % 3 = 0 THEN '-01-02' ELSE '-07-01' END, '+' || (e % 29) || ' days'),
  CASE WHEN f % 5 > 0 AND b % 6 > 0 THEN round(0.15 + (f % 90) * (g % 90) / 700.0, 2) END FROM dice WHERE t = 7 AND n <= 150;
