-- A studio for online games: PascalCase tables with camelCase columns, epoch seconds, no declared foreign keys,
-- a constant column (dataVersion), purchases in cents, bugs with an assignee and a reporter.
CREATE TABLE Game (gameId INTEGER PRIMARY KEY, gameTitle TEXT, genre TEXT, releaseDate TEXT, ageRating INTEGER, isFreeToPlay INTEGER, dataVersion INTEGER);
CREATE TABLE Player (playerId INTEGER PRIMARY KEY, nickName TEXT, region TEXT, signedUpAt INTEGER, birthYear INTEGER, favouriteGameId INTEGER, isBanned INTEGER, dataVersion INTEGER);
CREATE TABLE PlaySession (sessionId INTEGER PRIMARY KEY, playerId INTEGER, gameId INTEGER, startedAt INTEGER, durationSec INTEGER, platform TEXT, levelReached INTEGER, crashed INTEGER);
CREATE TABLE ShopItem (itemSku TEXT PRIMARY KEY, itemLabel TEXT, gameId INTEGER, itemClass TEXT, priceCents INTEGER, retiredOn TEXT);
CREATE TABLE Purchase (purchaseId INTEGER PRIMARY KEY, playerId INTEGER, itemSku TEXT, purchasedAt INTEGER, quantity INTEGER, paidCents INTEGER, wasRefunded INTEGER);
CREATE TABLE Achievement (achievementId INTEGER PRIMARY KEY, gameId INTEGER, achievementName TEXT, difficulty TEXT, rewardPoints INTEGER);
CREATE TABLE Unlock (playerId INTEGER, achievementId INTEGER, unlockedAt INTEGER, PRIMARY KEY (playerId, achievementId));
CREATE TABLE Developer (developerId INTEGER PRIMARY KEY, devName TEXT, discipline TEXT, joinedOn TEXT, leftOn TEXT, leadId INTEGER);
CREATE TABLE BugReport (bugId INTEGER PRIMARY KEY, gameId INTEGER, reporterId INTEGER, assigneeId INTEGER, severity TEXT, bugState TEXT, openedOn TEXT, closedOn TEXT, storyPoints REAL);

INSERT INTO Game VALUES (1, 'Ember Quest', 'RPG', '2021-09-14', 12, 0, 1), (2, 'Tiny Tractors', 'Simulation', '2022-03-30', 6, 1, 1), (3, 'Neon Drift', 'Racing', '2023-06-08', 12, 1, 1), (4, 'Hollow Keep', 'Strategy', '2020-11-24', 16, 0, 1),
  (5, 'Word Orchard', 'Puzzle', '2024-01-17', 0, 1, 1), (6, 'Starfall Arena', 'Shooter', '2023-10-19', 18, 1, 1), (7, 'Clockwork Isles', 'RPG', '2025-05-22', 12, 0, 1), (8, 'Project Lumen', 'Puzzle', NULL, NULL, 0, 1);
INSERT INTO Player
SELECT n, (('["Shadow","Pixel","Turbo","Misty","Iron","Lucky","Frost","Ruby"]' ->> (a % 8)) || ('["Fox","Wizard","Otter","Panda","Hawk","Goblin","Comet"]' ->> (b % 7)) || n), '["EU","EU","EU","NA","NA","ASIA","LATAM"]' ->> (c % 7),
  1672617600 + n * 150000 + d % 86400, CASE WHEN e % 5 > 0 THEN 1975 + max(e % 38, f % 36) END, CASE WHEN f % 4 > 0 THEN 1 + min(g % 7, f % 9) % 7 END, h % 19 = 0, 1 FROM dice WHERE t = 1 AND n <= 600;
INSERT INTO PlaySession
SELECT row_number() OVER (ORDER BY at), playerId, 1 + min(g % 7, f % 8) % 7, at, 40 + max(d % 900, d % 9000 - e % 7000), '["PC","PC","Console","Mobile","Mobile"]' ->> (h % 5), CASE WHEN b % 6 > 0 THEN 1 + d % 40 END, e % 27 = 0
FROM (SELECT d.*, playerId, signedUpAt + (d.b % 1000) * (1767200000 - signedUpAt) / 1000 AS at FROM dice d JOIN Player ON playerId = 1 + min(d.a % 560, d.c % 700) % 560 WHERE d.t IN (2, 3));
INSERT INTO ShopItem
SELECT upper(substr(gameTitle, 1, 3)) || '-' || (100 + n), ('["Golden","Crimson","Arctic","Royal","Haunted"]' ->> (a % 5)) || ' ' || ('["Skin","Hat","Mount","Booster","Banner","Chest"]' ->> (n % 6)) || ' ' || n, gameId,
  '["cosmetic","cosmetic","vehicle","booster","cosmetic","bundle"]' ->> (n % 6), ('[99,199,299,499,999,1999,4999]' ->> (c % 7)), CASE WHEN d % 8 = 0 THEN date('2025-01-01', '+' || (d % 300) || ' days') END
FROM dice JOIN Game ON gameId = '[2,3,5,6,6,1,4,3]' ->> (b % 8) WHERE t = 4 AND n <= 64;
INSERT INTO Purchase
SELECT row_number() OVER (ORDER BY at), playerId, itemSku, at, q, priceCents * q * CASE WHEN b % 10 = 0 THEN 80 ELSE 100 END / 100, h % 21 = 0 FROM (
  SELECT d.*, playerId, signedUpAt + (d.b % 1000) * (1767200000 - signedUpAt) / 1000 AS at, 1 + (d.c % 7 = 0) + (d.c % 31 = 0) AS q FROM dice d JOIN Player ON playerId = 1 + min(d.d % 300, d.e % 900) WHERE d.t = 5 AND d.n <= 1500)
  JOIN (SELECT row_number() OVER (ORDER BY itemSku) AS place, * FROM ShopItem) ON place = 1 + f % 58;
INSERT INTO Achievement
SELECT n, 1 + n % 7, ('["First","Master of","Hidden","Endless","Perfect","Silent"]' ->> (n / 7 % 6)) || ' ' || ('["Victory","Harvest","Speed","Siege","Riddle","Streak","Voyage"]' ->> (n % 7)), '["easy","easy","medium","hard"]' ->> (a % 4), 5 * (1 + b % 10) FROM dice WHERE t = 6 AND n <= 40;
INSERT OR IGNORE INTO Unlock SELECT 1 + min(a % 480, b % 600), 1 + min(c % 38, d % 44) % 38, (SELECT signedUpAt FROM Player WHERE playerId = 1 + min(a % 480, b % 600)) + e % 20000000 FROM dice WHERE t IN (7, 8);
INSERT INTO Developer
SELECT n, (first ->> (n * 5 % 26)) || ' ' || (last ->> (n * 4 % 25)), '["Programming","Art","Design","QA","Audio","Programming"]' ->> (n % 6), date('2018-02-01', '+' || (a % 2700) || ' days'), CASE WHEN b % 8 = 0 THEN date('2025-06-30', '+' || (c % 150) || ' days') END, CASE WHEN n > 6 THEN 1 + n % 6 END FROM dice, word WHERE t = 9 AND n <= 38;
INSERT INTO BugReport
SELECT n, 1 + min(a % 8, b % 8), 1 + c % 38, CASE WHEN d % 7 > 0 THEN 1 + min(d % 38, e % 38) END, '["minor","minor","major","major","critical","trivial"]' ->> (f % 6), '', date('2024-01-08', '+' || (g % 700) || ' days'), NULL, CASE WHEN h % 4 > 0 THEN ('[0.5,1,2,3,5,8]' ->> (h % 6)) END FROM dice WHERE t = 10 AND n <= 780;
UPDATE BugReport SET closedOn = date(openedOn, '+' || (1 + bugId * 37 % 120) || ' days') WHERE bugId % 9 > 1 AND assigneeId IS NOT NULL;
UPDATE BugReport SET bugState = CASE WHEN closedOn IS NULL THEN CASE WHEN assigneeId IS NULL THEN 'new' ELSE 'in progress' END WHEN bugId % 10 = 5 THEN 'wont fix' ELSE 'fixed' END;
