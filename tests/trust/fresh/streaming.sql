-- Music: lower case without underscores between some words, listeners, plays and lists of tracks.
CREATE TABLE artist (id INTEGER PRIMARY KEY, stagename TEXT NOT NULL, country TEXT NOT NULL, foundedyear INTEGER, labelid INTEGER REFERENCES label(id));
CREATE TABLE label (id INTEGER PRIMARY KEY, labelname TEXT NOT NULL, royaltypct REAL NOT NULL);
CREATE TABLE album (id INTEGER PRIMARY KEY, artistid INTEGER NOT NULL REFERENCES artist(id), title TEXT NOT NULL, releasedon DATE NOT NULL, genre TEXT NOT NULL);
CREATE TABLE track (id INTEGER PRIMARY KEY, albumid INTEGER NOT NULL REFERENCES album(id), title TEXT NOT NULL, seconds INTEGER NOT NULL, explicit INTEGER NOT NULL);
CREATE TABLE listener (id INTEGER PRIMARY KEY, nickname TEXT NOT NULL, country TEXT NOT NULL, tier TEXT NOT NULL, signedup DATE NOT NULL, birthyear INTEGER);
CREATE TABLE play (id INTEGER PRIMARY KEY, trackid INTEGER NOT NULL REFERENCES track(id), listenerid INTEGER NOT NULL REFERENCES listener(id), playedat DATETIME NOT NULL, device TEXT NOT NULL, skipped INTEGER NOT NULL);
CREATE TABLE playlist (id INTEGER PRIMARY KEY, listenerid INTEGER NOT NULL REFERENCES listener(id), name TEXT NOT NULL, ispublic INTEGER NOT NULL, createdon DATE NOT NULL);
CREATE TABLE playlisttrack (playlistid INTEGER NOT NULL REFERENCES playlist(id), trackid INTEGER NOT NULL REFERENCES track(id), addedon DATE NOT NULL, PRIMARY KEY (playlistid, trackid));
INSERT INTO label VALUES (1, 'Northwind Records', 14), (2, 'Blue Door', 18.5), (3, 'Tinsel', 11), (4, 'Paper Moon', 20);
INSERT INTO artist SELECT n, '["The Quiet","Velvet","Neon","Iron"]' ->> (n % 4) || ' ' || ('["Foxes","Tide","Lanterns","Garden","Parade"]' ->> (n % 5)), '["Sweden","Brazil","Japan","Canada"]' ->> (a % 4), iif(b % 5, 1970 + b % 52, NULL), iif(c % 5, 1 + c % 4, NULL) FROM dice WHERE t = 1 AND n <= 20;
INSERT INTO album SELECT n, 1 + n % 19, '["First Light","Afterglow","Low Tide","Paper Planes","Static"]' ->> (a % 5) || ' ' || n, date('1998-01-01', '+' || (b % 10000) || ' days'), '["rock","jazz","pop","electronic"]' ->> (c % 4) FROM dice WHERE t = 2 AND n <= 45;
INSERT INTO track SELECT n, 1 + n % 44, '["Run","Home","Echo","Blue","Stay","Fire"]' ->> (a % 6) || ' ' || n, 95 + b % 320, c % 7 = 0 FROM dice WHERE t = 3 AND n <= 320;
INSERT INTO listener SELECT n, lower(word.first ->> (a % 26)) || n, '["Sweden","Brazil","Japan","Canada","Kenya"]' ->> (b % 5), '["free","premium","family"]' ->> (c % 3), date('2020-01-01', '+' || (d % 2100) || ' days'), iif(e % 6, 1950 + e % 58, NULL) FROM dice, word WHERE t = 4 AND n <= 170;
INSERT INTO play SELECT n, 1 + a % 310, 1 + b % 160, datetime('2024-06-01 00:00', '+' || (c % 530) || ' days', '+' || (d % 1440) || ' minutes'), '["phone","desktop","speaker"]' ->> (e % 3), f % 6 = 0 FROM dice WHERE t = 5;
INSERT INTO playlist SELECT n, 1 + a % 150, '["Gym","Focus","Road Trip","Sunday"]' ->> (b % 4) || ' ' || n, c % 2, date('2024-01-01', '+' || (d % 680) || ' days') FROM dice WHERE t = 6 AND n <= 90;
INSERT OR IGNORE INTO playlisttrack SELECT 1 + a % 86, 1 + b % 315, date('2024-01-01', '+' || (c % 690) || ' days') FROM dice WHERE t = 7 AND n <= 900;
