-- A museum: names with spaces, a text key for rooms, objects in exhibitions by two columns, opening hours of sales as HH:MM, prices that were raised.
CREATE TABLE "Artist" ("Artist Id" INTEGER PRIMARY KEY, "Artist Name" TEXT NOT NULL, "Nationality" TEXT NOT NULL, "Birth Year" INTEGER, "Death Year" INTEGER);
CREATE TABLE "Gallery Room" ("Room Code" TEXT PRIMARY KEY, "Room Name" TEXT NOT NULL, "Floor" INTEGER NOT NULL, "Floor Area" REAL NOT NULL, "Climate Controlled" TEXT NOT NULL);
CREATE TABLE "Staff Member" ("Staff Id" INTEGER PRIMARY KEY, "Full Name" TEXT NOT NULL, "Role" TEXT NOT NULL, "Weekly Hours" REAL NOT NULL, "Joined On" DATE NOT NULL, "Reports To" INTEGER REFERENCES "Staff Member"("Staff Id"));
CREATE TABLE "Art Object" (
  "Object No" TEXT PRIMARY KEY, "Title" TEXT NOT NULL, "Artist Id" INTEGER REFERENCES "Artist"("Artist Id"), "Year Made" INTEGER, "Medium" TEXT NOT NULL, "Height cm" REAL, "Insured Value" REAL NOT NULL,
  "Acquired On" DATE NOT NULL, "How Acquired" TEXT NOT NULL, "Room Code" TEXT REFERENCES "Gallery Room"("Room Code")
);
CREATE TABLE "Exhibition" ("Exhibition Id" INTEGER PRIMARY KEY, "Exhibition Title" TEXT NOT NULL, "Opens On" DATE NOT NULL, "Closes On" DATE NOT NULL, "Curator Id" INTEGER NOT NULL REFERENCES "Staff Member"("Staff Id"), "Extra Charge" REAL NOT NULL);
CREATE TABLE "Exhibited Object" ("Exhibition Id" INTEGER NOT NULL REFERENCES "Exhibition"("Exhibition Id"), "Object No" TEXT NOT NULL REFERENCES "Art Object"("Object No"), "Label No" INTEGER NOT NULL, PRIMARY KEY ("Exhibition Id", "Object No"));
CREATE TABLE "Ticket Sale" (
  "Sale Id" INTEGER PRIMARY KEY, "Sold On" DATE NOT NULL, "Sold At" TEXT NOT NULL, "Ticket Kind" TEXT NOT NULL, "Quantity" INTEGER NOT NULL, "Unit Price" REAL NOT NULL, "Exhibition Id" INTEGER REFERENCES "Exhibition"("Exhibition Id"), "Paid By Card" TEXT NOT NULL
);
CREATE TABLE "Restoration Job" ("Job Id" INTEGER PRIMARY KEY, "Object No" TEXT NOT NULL REFERENCES "Art Object"("Object No"), "Restorer Id" INTEGER NOT NULL REFERENCES "Staff Member"("Staff Id"), "Started On" DATE NOT NULL, "Finished On" DATE, "Material Cost" REAL, "Hours Spent" REAL NOT NULL);
CREATE TABLE "Outgoing Loan" ("Loan Id" INTEGER PRIMARY KEY, "Object No" TEXT NOT NULL REFERENCES "Art Object"("Object No"), "Borrower" TEXT NOT NULL, "Sent On" DATE NOT NULL, "Due Back" DATE NOT NULL, "Returned On" DATE, "Loan Fee" REAL);

INSERT INTO "Artist"
SELECT n, (first ->> (n * 9 % 26)) || ' ' || (names ->> (n % 11)), '["Dutch","Dutch","Flemish","Italian","French","German","Spanish","British"]' ->> (a % 8), CASE WHEN b % 9 > 0 THEN y END, CASE WHEN y < 1950 AND c % 8 > 0 THEN y + 38 + d % 50 END
FROM (SELECT *, 1560 + e % 420 AS y, '["van Dael","Rossetti","Marchand","Kestrel","Brandt","Oliveira","Holt","de Vries","Serra","Lindqvist","Moss"]' AS names FROM dice, word WHERE t = 1 AND n <= 58);
INSERT INTO "Gallery Room" VALUES ('A1', 'Great Hall', 0, 420, 'yes'), ('A2', 'Sculpture Court', 0, 310.5, 'no'), ('B1', 'Dutch Cabinet', 1, 85, 'yes'), ('B2', 'Portrait Gallery', 1, 140, 'yes'), ('B3', 'Blue Salon', 1, 96.5, 'no'), ('C1', 'Print Room', 2, 64, 'yes'), ('C2', 'Modern Wing', 2, 505, 'yes'), ('D1', 'Tower Room', 3, 38, 'no');
INSERT INTO "Staff Member"
SELECT n, (first ->> (n * 7 % 26)) || ' ' || (last ->> (n * 4 % 25)), '["Guard","Guard","Guard","Curator","Curator","Restorer","Restorer","Educator","Cashier"]' ->> (n % 9), '[38.5,38.5,30,20]' ->> (a % 4), date('1999-05-01', '+' || (b % 9400) || ' days'), CASE WHEN n > 3 THEN 1 + n % 3 END FROM dice, word WHERE t = 2 AND n <= 45;
INSERT INTO "Art Object"
SELECT (1900 + a % 125) || '.' || printf('%03d', n), (('["Portrait of a","View of the","Still Life with","The Young","Study of a","The Old","Allegory of the"]' ->> (n % 7)) || ' ' || ('["Merchant","Harbour","Lemons","Shepherd","Hand","Bridge","Seasons","Goldfinch","Mill","Letter","Lute","Storm","Market"]' ->> (n % 13)) || CASE WHEN n > 273 THEN ' III' WHEN n > 182 THEN ' II' WHEN n > 91 THEN ' I' ELSE '' END),
  CASE WHEN b % 8 > 0 THEN 1 + min(c % 55, d % 62) % 55 END, NULL, '["oil on canvas","oil on canvas","oil on panel","watercolour","bronze","marble","etching","photograph"]' ->> (e % 8), CASE WHEN f % 11 > 0 THEN 12 + f % 2200 / 10.0 END, 500 + (g % 900) * (h % 700),
  date((1900 + a % 125) || '-01-10', '+' || (h % 340) || ' days'), '["purchase","purchase","gift","gift","bequest","transfer"]' ->> (g % 6), CASE WHEN h % 5 > 1 THEN '["A1","A1","A2","B1","B1","B2","B2","B3","C2","C2","C2"]' ->> (d % 11) END FROM dice WHERE t = 3 AND n <= 360;
UPDATE "Art Object" SET "Year Made" = (SELECT "Birth Year" + 20 + length("Title") FROM "Artist" a WHERE a."Artist Id" = "Art Object"."Artist Id") WHERE rowid % 9 <> 4;
INSERT INTO "Exhibition"
SELECT n, (('["Light and Shadow","Women Who Painted","The Sea","Ink","Faces","Silver Years","Winter Landscapes","Unfinished","Collecting the World","Garden of Forms","Stone and Bronze","Night Pieces","Letters Home","Colour Lab"]' ->> (n - 1))), date('2022-02-10', '+' || (n * 96 + a % 20) || ' days'), date('2022-02-10', '+' || (n * 96 + a % 20 + 60 + b % 80) || ' days'), '[4,5,13,14,22,31]' ->> (c % 6), '[0,3,3,5,6]' ->> (d % 5) FROM dice WHERE t = 4 AND n <= 14;
INSERT OR IGNORE INTO "Exhibited Object" SELECT 1 + a % 14, "Object No", 1 + n FROM dice JOIN (SELECT row_number() OVER (ORDER BY "Object No") AS place, * FROM "Art Object") ON place = 1 + min(b % 290, c % 360) WHERE t = 5 AND n <= 420;
INSERT INTO "Ticket Sale"
SELECT row_number() OVER (ORDER BY sold, m), sold, printf('%02d:%02d', 10 + min(m, x) / 60, min(m, x) % 60), kind, q, CASE kind WHEN 'adult' THEN 14 WHEN 'reduced' THEN 9 WHEN 'family' THEN 30 WHEN 'group' THEN 8 ELSE 0 END + CASE WHEN sold >= '2025-01-01' AND kind IN ('adult', 'family') THEN 2 ELSE 0 END, NULL, CASE WHEN f % 4 > 0 THEN 'yes' ELSE 'no' END
FROM (SELECT *, date('2024-01-02', '+' || (a % 728) || ' days') AS sold, b % 480 AS m, c % 500 AS x, '["adult","adult","adult","reduced","reduced","family","group","child"]' ->> (e % 8) AS kind, CASE WHEN e % 8 = 6 THEN 10 + g % 16 WHEN e % 8 = 5 THEN 1 ELSE 1 + g % 3 END AS q FROM dice WHERE t IN (6, 7)) WHERE strftime('%w', sold) <> '1';
UPDATE "Ticket Sale" SET "Exhibition Id" = (SELECT "Exhibition Id" FROM "Exhibition" e WHERE "Sold On" BETWEEN "Opens On" AND "Closes On" ORDER BY "Exhibition Id" LIMIT 1) WHERE "Sale Id" % 3 > 0;
INSERT INTO "Restoration Job"
SELECT n, "Object No", '[6,15,24,33,42,7]' ->> (b % 6), date('2021-01-11', '+' || (c % 1780) || ' days'), NULL, CASE WHEN d % 5 > 0 THEN 20 + e % 1900 END, 2 + f % 180 * 0.5 FROM dice JOIN (SELECT row_number() OVER (ORDER BY "Object No") AS place, * FROM "Art Object") ON place = 1 + a % 340 WHERE t = 8 AND n <= 190;
UPDATE "Restoration Job" SET "Finished On" = date("Started On", '+' || (4 + "Job Id" * 31 % 150) || ' days') WHERE "Job Id" % 12 <> 5;
INSERT INTO "Outgoing Loan"
SELECT n, "Object No", '["Kunsthal Bremen","Musee du Port","National Gallery of Wales","Palazzo Reale","Getty House","Rijksdepot"]' ->> (b % 6), date('2021-03-01', '+' || (c % 1600) || ' days'), '', NULL, CASE WHEN d % 3 > 0 THEN 250 + e % 40 * 50 END FROM dice JOIN (SELECT row_number() OVER (ORDER BY "Object No") AS place, * FROM "Art Object") ON place = 1 + a % 350 WHERE t = 9 AND n <= 85;
UPDATE "Outgoing Loan" SET "Due Back" = date("Sent On", '+' || (90 + "Loan Id" % 4 * 45) || ' days');
UPDATE "Outgoing Loan" SET "Returned On" = date("Due Back", '-10 days', '+' || ("Loan Id" * 7 % 34) || ' days') WHERE "Loan Id" % 10 <> 3;
