-- An insurer's claims: abbreviated names, policies known by number and version together, dates as whole numbers (20240131),
-- payments numbered within each claim, keys declared only in part.
CREATE TABLE PLCY_HLDR (HLDR_ID INTEGER PRIMARY KEY, LST_NM TEXT NOT NULL, FST_NM TEXT NOT NULL, BRTH_DT INTEGER, ST_NM TEXT NOT NULL, RISK_CLS TEXT NOT NULL, EMAIL_ADR TEXT);
CREATE TABLE PROD_CAT (PROD_CD TEXT PRIMARY KEY, PROD_DSC TEXT NOT NULL, LOB_NM TEXT NOT NULL);
CREATE TABLE AGT (AGT_CD TEXT PRIMARY KEY, AGT_NM TEXT NOT NULL, BRNCH_NM TEXT NOT NULL, COMM_PCT REAL NOT NULL, TERM_DT INTEGER);
CREATE TABLE PLCY (
  PLCY_NO INTEGER NOT NULL, VER_NO INTEGER NOT NULL, HLDR_ID INTEGER NOT NULL, PROD_CD TEXT NOT NULL, AGT_CD TEXT, EFF_DT INTEGER NOT NULL, EXP_DT INTEGER NOT NULL, PREM_AMT REAL NOT NULL, DED_AMT REAL NOT NULL, STS_CD TEXT NOT NULL,
  CO_CD TEXT NOT NULL, PRIMARY KEY (PLCY_NO, VER_NO)
);
CREATE TABLE ADJSTR (ADJ_ID INTEGER PRIMARY KEY, ADJ_NM TEXT NOT NULL, LVL_NO INTEGER NOT NULL, BRNCH_NM TEXT NOT NULL, HIRE_DT INTEGER NOT NULL);
CREATE TABLE CLM (
  CLM_NO INTEGER PRIMARY KEY, PLCY_NO INTEGER NOT NULL, VER_NO INTEGER NOT NULL, LOSS_DT INTEGER NOT NULL, RPT_DT INTEGER NOT NULL, CLS_DT INTEGER, CAUSE_DSC TEXT NOT NULL, STS_CD TEXT NOT NULL, RSRV_AMT REAL NOT NULL, ADJ_ID INTEGER REFERENCES ADJSTR(ADJ_ID),
  CO_CD TEXT NOT NULL, FOREIGN KEY (PLCY_NO, VER_NO) REFERENCES PLCY(PLCY_NO, VER_NO)
);
CREATE TABLE CLM_PMT (CLM_NO INTEGER NOT NULL REFERENCES CLM(CLM_NO), SEQ_NO INTEGER NOT NULL, PMT_DT INTEGER NOT NULL, PMT_AMT REAL NOT NULL, PAYEE_TYP TEXT NOT NULL, PRIMARY KEY (CLM_NO, SEQ_NO));
CREATE TABLE FRD_RVW (RVW_ID INTEGER PRIMARY KEY, CLM_NO INTEGER NOT NULL, SCR_VAL INTEGER NOT NULL, RVW_DT INTEGER NOT NULL, FND_CD TEXT);

INSERT INTO PROD_CAT VALUES ('AU1', 'Car liability', 'Motor'), ('AU2', 'Car comprehensive', 'Motor'), ('MC1', 'Motorcycle', 'Motor'), ('HO1', 'Home contents', 'Property'), ('HO2', 'Building', 'Property'), ('LI1', 'Private liability', 'Liability'), ('TR1', 'Travel', 'Travel'), ('PT1', 'Pet health', 'Health');
INSERT INTO AGT SELECT 'AG' || (100 + n), (first ->> (n * 3 % 26)) || ' ' || (last ->> (n * 8 % 25)), '["Leeds","Bristol","Norwich","Cardiff"]' ->> (a % 4), 4 + b % 13 * 0.5, CASE WHEN n % 9 = 2 THEN 20250131 + c % 9 * 100 END FROM dice, word WHERE t = 1 AND n <= 22;
INSERT INTO ADJSTR SELECT n, (first ->> (25 - n * 5 % 26)) || ' ' || (last ->> (n * 6 % 25)), 1 + a % 3, '["Leeds","Bristol","Norwich","Cardiff"]' ->> (b % 4), CAST(strftime('%Y%m%d', date('2005-01-01', '+' || (c % 7000) || ' days')) AS INTEGER) FROM dice, word WHERE t = 2 AND n <= 26;
INSERT INTO PLCY_HLDR
SELECT 7000 + n, last ->> (n * 7 % 25), first ->> (a % 26), CASE WHEN b % 14 > 0 THEN CAST(strftime('%Y%m%d', date('1938-01-01', '+' || (c % 24500) || ' days')) AS INTEGER) END, '["Yorkshire","Yorkshire","Norfolk","Somerset","Wales","Kent"]' ->> (e % 6), '["A","A","B","B","B","C","D"]' ->> (f % 7), CASE WHEN g % 4 > 0 THEN 'h' || n || '@mail.example' END FROM dice, word WHERE t = 3 AND n <= 420;
INSERT INTO PLCY
SELECT 400000 + p.n * 3, v, 7000 + 1 + min(p.a % 400, p.b % 440) % 400, prod, CASE WHEN p.e % 6 > 0 THEN 'AG' || (101 + min(p.f % 21, p.g % 24) % 21) END, CAST(strftime('%Y%m%d', s) AS INTEGER), CAST(strftime('%Y%m%d', date(s, '+1 year', '-1 day')) AS INTEGER),
  round((CASE prod WHEN 'AU2' THEN 520 WHEN 'AU1' THEN 310 WHEN 'MC1' THEN 190 WHEN 'HO2' THEN 410 WHEN 'HO1' THEN 140 ELSE 75 END) * (80 + p.h % 60) * (96 + 4 * v) / 10000.0, 2), '[0,100,150,300,500]' ->> (p.c % 5), CASE WHEN s >= '2025-01-01' AND p.g % 11 > 0 THEN 'ACT' WHEN p.g % 11 = 0 AND s >= '2024-01-01' THEN 'CAN' ELSE 'EXP' END, '01'
FROM (SELECT *, '["AU1","AU1","AU2","AU2","HO1","HO1","HO2","LI1","TR1","MC1"]' ->> (c % 10) AS prod FROM dice WHERE t = 4 AND n <= 560) p JOIN (SELECT 1 AS v UNION ALL SELECT 2 UNION ALL SELECT 3), (SELECT 0) JOIN (SELECT n AS k, date('2023-01-01', '+' || (a % 364) || ' days') AS first_start FROM dice WHERE t = 5) ON k = p.n
  JOIN (SELECT n AS k2, v AS v2, date('2023-01-01', '+' || (a % 364) || ' days', '+' || (v - 1) || ' years') AS s FROM dice, (SELECT 1 AS v UNION ALL SELECT 2 UNION ALL SELECT 3) WHERE t = 5) ON k2 = p.n AND v2 = v WHERE v <= 1 + p.d % 3;
INSERT INTO CLM
SELECT 900000 + row_number() OVER (ORDER BY loss, n), PLCY_NO, VER_NO, CAST(strftime('%Y%m%d', loss) AS INTEGER), CAST(strftime('%Y%m%d', date(loss, '+' || (b % 45) || ' days')) AS INTEGER), CASE WHEN c % 9 > 0 AND loss < '2025-10-01' THEN CAST(strftime('%Y%m%d', date(loss, '+' || (b % 45 + 6 + e % 210) || ' days')) AS INTEGER) END,
  CASE substr(PROD_CD, 1, 2) WHEN 'AU' THEN '["Collision","Collision","Hail","Theft","Windscreen"]' ->> (f % 5) WHEN 'MC' THEN '["Collision","Theft"]' ->> (f % 2) WHEN 'HO' THEN '["Water leak","Fire","Burglary","Storm","Water leak"]' ->> (f % 5) WHEN 'TR' THEN '["Lost luggage","Illness"]' ->> (f % 2) ELSE 'Third party' END,
  'OPN', round(150 + (g % 4000) * (h % 100) / 110.0, 2), CASE WHEN h % 13 > 0 THEN 1 + min(g % 25, h % 27) % 25 END, '01'
FROM (SELECT *, date(substr(EFF_DT, 1, 4) || '-' || substr(EFF_DT, 5, 2) || '-' || substr(EFF_DT, 7), '+' || (d % 364) || ' days') AS loss FROM dice JOIN (SELECT row_number() OVER (ORDER BY PLCY_NO, VER_NO) AS place, PLCY_NO, VER_NO, PROD_CD, EFF_DT FROM PLCY) ON place = 1 + a % 1080 WHERE t = 6 AND n <= 980) WHERE loss <= '2025-12-10';
UPDATE CLM SET STS_CD = CASE WHEN CLS_DT IS NULL THEN 'OPN' WHEN CLM_NO * 7 % 10 = 3 THEN 'DNY' ELSE 'CLS' END;
INSERT INTO CLM_PMT
SELECT CLM_NO, k, CAST(strftime('%Y%m%d', date(substr(RPT_DT, 1, 4) || '-' || substr(RPT_DT, 5, 2) || '-' || substr(RPT_DT, 7), '+' || (7 * k + CLM_NO * 11 % 60) || ' days')) AS INTEGER), round(RSRV_AMT * (25 + CLM_NO * 13 % 40 - 6 * k) / 100, 2), '["Insured","Insured","Garage","Third party","Lawyer"]' ->> ((CLM_NO + k * 2) % 5)
FROM CLM JOIN (SELECT 1 AS k UNION ALL SELECT 2 UNION ALL SELECT 3) WHERE (STS_CD = 'CLS' OR (STS_CD = 'OPN' AND CLM_NO % 3 = 0)) AND k <= 1 + CLM_NO % 3;
INSERT INTO FRD_RVW SELECT n, 900001 + a % (SELECT count(*) FROM CLM), 5 + max(b % 60, c % 95), 20240115 + e % 2 * 10000 + f % 12 * 100, CASE WHEN g % 4 > 0 THEN '["CLR","CLR","CLR","SUS","FRD"]' ->> (h % 5) END FROM dice WHERE t = 7 AND n <= 150;
