-- A mobile telephone company: abbreviated names, a client column that is the same in every row and part of the keys,
-- dates as YYYYMMDD text, a table of code descriptions, an invoice that may be paid in part.
CREATE TABLE CUST_MST (
  MANDT TEXT NOT NULL, CUST_ID INTEGER NOT NULL, CUST_NM TEXT NOT NULL, SEGM_CD TEXT NOT NULL, ZIP_CD TEXT, CITY_NM TEXT NOT NULL, REG_DT TEXT NOT NULL, CHURN_DT TEXT, CHURN_RSN_CD TEXT, PRIMARY KEY (MANDT, CUST_ID)
);
CREATE TABLE TRF_PLAN (MANDT TEXT NOT NULL, PLAN_CD TEXT NOT NULL, PLAN_NM TEXT NOT NULL, MTH_FEE_AMT REAL NOT NULL, INCL_DATA_GB INTEGER, INCL_VOICE_MIN INTEGER, ACT_FLG INTEGER NOT NULL, PRIMARY KEY (MANDT, PLAN_CD));
CREATE TABLE SUBSCR (
  MANDT TEXT NOT NULL, MSISDN TEXT NOT NULL, CUST_ID INTEGER NOT NULL, PLAN_CD TEXT NOT NULL, ACTV_DT TEXT NOT NULL, DEACT_DT TEXT, STAT_CD TEXT NOT NULL, PRIMARY KEY (MANDT, MSISDN),
  FOREIGN KEY (MANDT, CUST_ID) REFERENCES CUST_MST(MANDT, CUST_ID), FOREIGN KEY (MANDT, PLAN_CD) REFERENCES TRF_PLAN(MANDT, PLAN_CD)
);
CREATE TABLE USG_MTH (
  MANDT TEXT NOT NULL, MSISDN TEXT NOT NULL, USG_PER TEXT NOT NULL, VOICE_MIN INTEGER NOT NULL, SMS_CNT INTEGER NOT NULL, DATA_MB INTEGER NOT NULL, ROAM_MB INTEGER, PRIMARY KEY (MANDT, MSISDN, USG_PER),
  FOREIGN KEY (MANDT, MSISDN) REFERENCES SUBSCR(MANDT, MSISDN)
);
CREATE TABLE INV_HDR (
  MANDT TEXT NOT NULL, INV_NO INTEGER NOT NULL, CUST_ID INTEGER NOT NULL, INV_DT TEXT NOT NULL, DUE_DT TEXT NOT NULL, TOT_AMT REAL NOT NULL, PAID_AMT REAL NOT NULL, PAID_DT TEXT, PRIMARY KEY (MANDT, INV_NO),
  FOREIGN KEY (MANDT, CUST_ID) REFERENCES CUST_MST(MANDT, CUST_ID)
);
CREATE TABLE CELL_SITE (SITE_ID TEXT PRIMARY KEY, SITE_NM TEXT NOT NULL, CITY_NM TEXT NOT NULL, TECH_CD TEXT NOT NULL, HGHT_M INTEGER, ON_AIR_DT TEXT NOT NULL, LSE_COST_YR REAL NOT NULL);
CREATE TABLE TRBL_TKT (
  TKT_NO INTEGER PRIMARY KEY, MANDT TEXT NOT NULL, MSISDN TEXT NOT NULL, SITE_ID TEXT REFERENCES CELL_SITE(SITE_ID), OPN_TS TEXT NOT NULL, CLS_TS TEXT, PRIO_NO INTEGER NOT NULL, CAT_CD TEXT NOT NULL,
  FOREIGN KEY (MANDT, MSISDN) REFERENCES SUBSCR(MANDT, MSISDN)
);
CREATE TABLE CD_DESC (FLD_NM TEXT NOT NULL, CD TEXT NOT NULL, DESC_TXT TEXT NOT NULL, PRIMARY KEY (FLD_NM, CD));

INSERT INTO CD_DESC VALUES ('SEGM_CD', 'P', 'Private'), ('SEGM_CD', 'B', 'Business'), ('SEGM_CD', 'K', 'Key account'), ('STAT_CD', 'A', 'Active'), ('STAT_CD', 'S', 'Suspended'), ('STAT_CD', 'T', 'Terminated'),
  ('CHURN_RSN_CD', 'PRC', 'Price'), ('CHURN_RSN_CD', 'NET', 'Network quality'), ('CHURN_RSN_CD', 'MOV', 'Moved abroad'), ('CHURN_RSN_CD', 'SRV', 'Service'), ('CAT_CD', 'CALL', 'Dropped calls'), ('CAT_CD', 'DATA', 'Slow data'), ('CAT_CD', 'BILL', 'Billing'), ('CAT_CD', 'SIM', 'SIM card');
INSERT INTO CUST_MST
SELECT '100', 300000 + n, CASE seg WHEN 'P' THEN (first ->> (a % 26)) || ' ' || (last ->> (n * 7 % 25)) ELSE (last ->> (n * 3 % 25)) || ' ' || ('["Logistik","Media","Bau","Optik","Reisen"]' ->> (b % 5)) || ' ' || n END, seg, CASE WHEN c % 12 > 0 THEN 1000 + d % 8900 END,
  '["Vienna","Vienna","Vienna","Graz","Linz","Salzburg","Villach"]' ->> (e % 7), strftime('%Y%m%d', date('2016-02-01', '+' || (f % 3500) || ' days')), NULL, NULL
FROM (SELECT *, '["P","P","P","P","P","B","B","K"]' ->> (h % 8) AS seg FROM dice, word WHERE t = 1 AND n <= 340);
UPDATE CUST_MST SET CHURN_DT = strftime('%Y%m%d', date('2024-01-15', '+' || (CUST_ID * 37 % 700) || ' days')), CHURN_RSN_CD = '["PRC","PRC","NET","MOV","SRV",null]' ->> (CUST_ID / 9 % 6) WHERE CUST_ID % 9 IN (2, 5) AND REG_DT < '20240101';
INSERT INTO TRF_PLAN VALUES ('100', 'ST1', 'Start', 9.9, 5, 200, 1), ('100', 'SM2', 'Smart', 17.9, 20, 1000, 1), ('100', 'MX3', 'Max', 29.9, 80, NULL, 1), ('100', 'UN4', 'Unlimited', 44.9, NULL, NULL, 1), ('100', 'BZ5', 'Biz Flex', 35, 60, NULL, 1), ('100', 'BZ6', 'Biz Pro', 59, NULL, NULL, 1),
  ('100', 'OLD', 'Classic 2009', 12.5, 1, 100, 0), ('100', 'KID', 'Junior', 5.9, 2, 60, 1), ('100', 'TST', 'Field test', 0, 10, 100, 0);
INSERT INTO SUBSCR
SELECT '100', '43660' || (1000000 + n * 137), CUST_ID, CASE WHEN SEGM_CD = 'P' THEN '["ST1","SM2","SM2","MX3","UN4","KID","OLD"]' ->> (c % 7) ELSE '["BZ5","BZ5","BZ6","MX3"]' ->> (c % 4) END,
  strftime('%Y%m%d', date(substr(REG_DT, 1, 4) || '-' || substr(REG_DT, 5, 2) || '-' || substr(REG_DT, 7), '+' || (d % 90) || ' days')), CHURN_DT, CASE WHEN CHURN_DT IS NOT NULL THEN 'T' WHEN e % 21 = 0 THEN 'S' ELSE 'A' END
FROM dice JOIN CUST_MST ON CUST_ID = 300000 + CASE WHEN n <= 325 THEN n ELSE 1 + min(a % 325, b % 340) % 325 END WHERE t = 2 AND n <= 520;
INSERT INTO USG_MTH
SELECT '100', MSISDN, strftime('%Y%m', date('2025-01-01', '+' || (m.n - 1) || ' months')), max(0, d.a % 700 - 60), d.b % 80, CAST((300 + d.c % 9000) * CASE PLAN_CD WHEN 'UN4' THEN 5 WHEN 'BZ6' THEN 4 WHEN 'MX3' THEN 3 WHEN 'KID' THEN 0.2 WHEN 'OLD' THEN 0.1 ELSE 1 END AS INTEGER), CASE WHEN d.d % 9 = 0 THEN 20 + d.e % 3000 END
FROM (SELECT row_number() OVER (ORDER BY MSISDN) AS place, * FROM SUBSCR) s JOIN dice m ON m.t = 1 AND m.n <= 10 JOIN dice d ON d.t = 1 + m.n AND d.n = 1 + place * 3 % 2000 WHERE (DEACT_DT IS NULL OR substr(DEACT_DT, 1, 6) > strftime('%Y%m', date('2025-01-01', '+' || (m.n - 1) || ' months'))) AND place % 53 <> 7;
INSERT INTO INV_HDR
SELECT '100', 880000 + row_number() OVER (ORDER BY d, CUST_ID), CUST_ID, strftime('%Y%m%d', d), strftime('%Y%m%d', date(d, '+14 days')), amt, CASE WHEN r % 13 = 0 THEN 0 WHEN r % 17 = 0 THEN round(amt / 2, 2) ELSE amt END, CASE WHEN r % 13 > 0 THEN strftime('%Y%m%d', date(d, '+' || (2 + r % 26) || ' days')) END
FROM (SELECT c.CUST_ID, date('2025-01-05', '+' || (m.n - 1) || ' months') AS d, round((SELECT sum(MTH_FEE_AMT) FROM SUBSCR s JOIN TRF_PLAN p ON p.PLAN_CD = s.PLAN_CD WHERE s.CUST_ID = c.CUST_ID) + c.CUST_ID * m.n % 23 * 0.7, 2) AS amt, c.CUST_ID * 7 + m.n * 31 AS r
  FROM CUST_MST c JOIN dice m ON m.t = 1 AND m.n <= 10 WHERE CHURN_DT IS NULL) WHERE amt IS NOT NULL;
INSERT INTO CELL_SITE SELECT 'AT' || printf('%04d', n * 13), ('["Dom","Bahnhof","Hafen","Messe","Berg","Klinik","Stadion"]' ->> (n % 7)) || ' ' || n, '["Vienna","Vienna","Graz","Linz","Salzburg","Innsbruck"]' ->> (a % 6), '["4G","4G","5G","5G","3G"]' ->> (b % 5), CASE WHEN c % 8 > 0 THEN 12 + d % 48 END,
  strftime('%Y%m%d', date('2008-05-01', '+' || (e % 6200) || ' days')), 2400 + f % 90 * 80 FROM dice WHERE t = 3 AND n <= 70;
INSERT INTO TRBL_TKT
SELECT n, '100', MSISDN, CASE WHEN cat IN ('CALL', 'DATA') AND c % 9 > 0 THEN 'AT' || printf('%04d', 13 * (1 + min(d % 62, e % 68) % 62)) END, ts, CASE WHEN f % 14 > 0 THEN datetime(ts, '+' || (15 + g % 5000) || ' minutes') END, 1 + max(h % 4, f % 4), cat
FROM (SELECT d.*, '["CALL","DATA","DATA","BILL","BILL","SIM"]' ->> (b % 6) AS cat, datetime('2024-07-01', '+' || (h % 720000) || ' minutes') AS ts FROM dice d WHERE t = 4 AND n <= 640) JOIN (SELECT row_number() OVER (ORDER BY MSISDN) AS place, * FROM SUBSCR) ON place = 1 + a % 470;
