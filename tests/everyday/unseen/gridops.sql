-- An electricity grid: abbreviated names in capitals, no declared foreign keys, epoch seconds for outages, dates as text without dashes,
-- a column that says the same in every row (CTRY_CD), text keys.
CREATE TABLE REGN (REGN_CD TEXT PRIMARY KEY, REGN_NM TEXT, CTRY_CD TEXT, MGR_NM TEXT);
CREATE TABLE SUBST (SUBST_ID TEXT PRIMARY KEY, SUBST_NM TEXT, REGN_CD TEXT, VOLT_KV INTEGER, CAP_MVA REAL, COMM_DT TEXT, RMT_CTRL_FLG TEXT);
CREATE TABLE FDR (FDR_ID TEXT PRIMARY KEY, SUBST_ID TEXT, LEN_KM REAL, CBL_TYP TEXT, MAX_LD_MW REAL, LST_INSP_DT TEXT);
CREATE TABLE CUST (CUST_NO INTEGER PRIMARY KEY, CUST_NM TEXT, CUST_TYP TEXT, FDR_ID TEXT, CNTR_ST_DT TEXT, CNTR_END_DT TEXT, TRF_CD TEXT, CTRY_CD TEXT);
CREATE TABLE TRF (TRF_CD TEXT PRIMARY KEY, TRF_DESC TEXT, PRC_KWH REAL, BASE_FEE_MTH REAL, GRN_FLG TEXT);
CREATE TABLE MTR_RDG (MTR_NO TEXT, RDG_MTH TEXT, CUST_NO INTEGER, KWH INTEGER, EST_FLG TEXT, PRIMARY KEY (MTR_NO, RDG_MTH));
CREATE TABLE OUTG (OUTG_ID INTEGER PRIMARY KEY, FDR_ID TEXT, ST_TS INTEGER, END_TS INTEGER, CAUSE_CD TEXT, CUST_AFF INTEGER, PLND_FLG TEXT);
CREATE TABLE CREW_ORD (ORD_NO INTEGER PRIMARY KEY, OUTG_ID INTEGER, CREW_NM TEXT, DISP_TS INTEGER, HRS_WRK REAL, MAT_COST REAL);

INSERT INTO REGN VALUES ('N', 'North Coast', 'DK', 'Astrid Holm'), ('E', 'East Plains', 'DK', 'Mikkel Berg'), ('S', 'South Hills', 'DK', 'Ingrid Lund'), ('W', 'West Fjord', 'DK', NULL), ('C', 'Capital', 'DK', 'Soren Kjaer');
INSERT INTO SUBST
SELECT 'SS' || printf('%03d', n), ('["Alder","Birk","Cedar","Dune","Elm","Falcon","Gorse","Heath","Iris","Juniper","Kelp","Larch","Moor","Nettle"]' ->> (n - 1)) || ' ' || ('["Main","Street","Yard"]' ->> (n % 3)),
  '["N","E","S","W","C","C","E"]' ->> (n % 7), '[60,60,132,150,400]' ->> (a % 5), 20 + b % 24 * 12.5, strftime('%Y%m%d', date('1968-04-01', '+' || (c % 19000) || ' days')), CASE WHEN d % 3 > 0 THEN 'Y' ELSE 'N' END
FROM dice WHERE t = 1 AND n <= 14;
INSERT INTO FDR
SELECT 'F' || (1000 + n), 'SS' || printf('%03d', 1 + min(a % 13, b % 16)), round(1.2 + c % 3100 / 100.0, 1), '["overhead","overhead","underground","submarine","underground"]' ->> (d % 5), 2 + e % 40 * 0.5,
  CASE WHEN f % 8 > 0 THEN strftime('%Y%m%d', date('2021-02-01', '+' || (g % 1700) || ' days')) END FROM dice WHERE t = 2 AND n <= 60;
INSERT INTO TRF VALUES ('H1', 'Household flat', 0.31, 9.5, 'N'), ('H2', 'Household night saver', 0.27, 11, 'N'), ('HG', 'Household green', 0.335, 9.5, 'Y'), ('B1', 'Business standard', 0.24, 38, 'N'),
  ('BG', 'Business green', 0.262, 42, 'Y'), ('I1', 'Industry', 0.17, 240, 'N'), ('X9', 'Legacy farm tariff', 0.21, 15, 'N');
INSERT INTO CUST
SELECT 50000 + n, CASE k WHEN 'RES' THEN (first ->> (a % 26)) || ' ' || (last ->> (n * 7 % 25)) WHEN 'COM' THEN (last ->> (n * 3 % 25)) || ' ' || ('["Bakery","Garage","Clinic","Hotel","Foods","Prints"]' ->> (b % 6)) || ' ' || n
    ELSE (last ->> (n % 25)) || ' Works ' || n END, k, 'F' || (1001 + min(c % 56, d % 60)), strftime('%Y%m%d', date('2015-01-10', '+' || (e % 3500) || ' days')), CASE WHEN f % 11 = 0 THEN strftime('%Y%m%d', date('2025-01-15', '+' || (g % 330) || ' days')) END,
  CASE k WHEN 'RES' THEN '["H1","H1","H2","HG"]' ->> (h % 4) WHEN 'COM' THEN '["B1","B1","BG"]' ->> (h % 3) ELSE 'I1' END, 'DK'
FROM (SELECT *, '["RES","RES","RES","RES","COM","COM","IND","RES"]' ->> (h / 7 % 8) AS k FROM dice, word WHERE t = 3 AND n <= 260);
INSERT INTO MTR_RDG
SELECT 'M' || (70000 + CUST_NO % 1000), strftime('%Y%m', date('2024-07-01', '+' || (m.n - 1) || ' months')), CUST_NO,
  CAST((180 + d.a % 420 + CASE WHEN m.n % 12 IN (5, 6, 7, 8) THEN 190 ELSE 0 END) * CASE CUST_TYP WHEN 'RES' THEN 1 WHEN 'COM' THEN 7.3 ELSE 61 END AS INTEGER), CASE WHEN d.b % 17 = 0 THEN 'Y' ELSE 'N' END
FROM CUST JOIN dice m ON m.t = 1 AND m.n <= 18 JOIN dice d ON d.t = 1 + m.n % 11 AND d.n = 1 + (CUST_NO * 7 + m.n) % 1999 WHERE (CUST_NO + m.n) % 41 > 0;
INSERT INTO OUTG
SELECT n, 'F' || (1001 + min(a % 60, b % 66) % 60), 1704067200 + n * 123457 + c % 86400, CASE WHEN n < 497 THEN 1704067200 + n * 123457 + c % 86400 + 300 + d % 21000 + (e % 9 = 0) * 30000 END,
  '["WTHR","WTHR","TREE","EQPT","ANML","DIG","UNKN","EQPT"]' ->> (f % 8), 4 + g % 900, CASE WHEN h % 6 = 0 THEN 'Y' ELSE 'N' END FROM dice WHERE t = 4 AND n <= 500;
INSERT INTO CREW_ORD
SELECT row_number() OVER (ORDER BY OUTG_ID, k), OUTG_ID, '["Alpha","Bravo","Delta","Echo","Foxtrot"]' ->> (d.a % 5), ST_TS + 600 + d.b % 5400, round(0.5 + d.c % 90 / 10.0, 1), CASE WHEN d.d % 4 > 0 THEN 15 + d.e % 4200 END
FROM OUTG JOIN (SELECT 1 AS k UNION ALL SELECT 2) JOIN dice d ON d.t = 4 + k AND d.n = OUTG_ID WHERE k = 1 AND OUTG_ID % 7 > 0 OR OUTG_ID % 4 = 1;
