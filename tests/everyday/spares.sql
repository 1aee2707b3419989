-- A wholesaler of bicycle parts: abbreviated names, codes, flags as Y and N, order header and lines with discounts.
CREATE TABLE cst (
  cst_no INTEGER PRIMARY KEY,
  cst_nm TEXT NOT NULL,
  cty TEXT NOT NULL,
  ctry TEXT NOT NULL,
  cst_grp TEXT NOT NULL,
  crd_lim REAL NOT NULL,
  reg_dt DATE NOT NULL,
  blk_flg CHAR(1) NOT NULL
);
CREATE TABLE sls_rep (
  rep_id INTEGER PRIMARY KEY,
  rep_nm TEXT NOT NULL,
  rgn TEXT NOT NULL,
  hire_dt DATE NOT NULL,
  tgt_amt REAL NOT NULL
);
CREATE TABLE sup (
  sup_id INTEGER PRIMARY KEY,
  sup_nm TEXT NOT NULL,
  ctry TEXT NOT NULL,
  lead_days INTEGER NOT NULL
);
CREATE TABLE itm_cat (
  cat_cd CHAR(3) PRIMARY KEY,
  cat_desc TEXT NOT NULL
);
CREATE TABLE itm (
  itm_no INTEGER PRIMARY KEY,
  itm_desc TEXT NOT NULL,
  cat_cd CHAR(3) NOT NULL REFERENCES itm_cat(cat_cd),
  sup_id INTEGER NOT NULL REFERENCES sup(sup_id),
  lst_prc REAL NOT NULL,
  std_cst REAL NOT NULL,
  wgt_kg REAL NOT NULL,
  act_flg CHAR(1) NOT NULL
);
CREATE TABLE whs (
  whs_cd CHAR(3) PRIMARY KEY,
  whs_nm TEXT NOT NULL,
  cty TEXT NOT NULL
);
CREATE TABLE stk (
  whs_cd CHAR(3) NOT NULL REFERENCES whs(whs_cd),
  itm_no INTEGER NOT NULL REFERENCES itm(itm_no),
  qty_oh INTEGER NOT NULL,
  min_qty INTEGER NOT NULL,
  PRIMARY KEY (whs_cd, itm_no)
);
CREATE TABLE ord_hdr (
  ord_no INTEGER PRIMARY KEY,
  cst_no INTEGER NOT NULL REFERENCES cst(cst_no),
  rep_id INTEGER REFERENCES sls_rep(rep_id),
  whs_cd CHAR(3) NOT NULL REFERENCES whs(whs_cd),
  ord_dt DATE NOT NULL,
  req_dt DATE NOT NULL,
  ship_dt DATE,
  ord_sts TEXT NOT NULL
);
CREATE TABLE ord_lin (
  ord_no INTEGER NOT NULL REFERENCES ord_hdr(ord_no),
  lin_no INTEGER NOT NULL,
  itm_no INTEGER NOT NULL REFERENCES itm(itm_no),
  qty INTEGER NOT NULL,
  unit_prc REAL NOT NULL,
  disc_pct REAL NOT NULL,
  PRIMARY KEY (ord_no, lin_no)
);
CREATE TABLE inv (
  inv_no INTEGER PRIMARY KEY,
  ord_no INTEGER NOT NULL REFERENCES ord_hdr(ord_no),
  inv_dt DATE NOT NULL,
  due_dt DATE NOT NULL,
  paid_dt DATE,
  inv_amt REAL NOT NULL
);
CREATE TABLE rma (
  rma_no INTEGER PRIMARY KEY,
  ord_no INTEGER NOT NULL REFERENCES ord_hdr(ord_no),
  itm_no INTEGER NOT NULL REFERENCES itm(itm_no),
  rma_dt DATE NOT NULL,
  qty INTEGER NOT NULL,
  rsn TEXT NOT NULL
);

INSERT INTO cst
SELECT n, json_extract('["Alpine","Bay","City","Downhill","Eagle","Freewheel","Gravel","Hub","Iron","Joyride","Kette","Lakeside","Metro","Nordic"]', '$[' || (n % 14) || ']')
  || ' ' || json_extract('["Bikes","Cycles","Velo","Wheels","Sport"]', '$[' || (n % 5) || ']'),
  json_extract('["Aarhus","Odense","Malmo","Gothenburg","Bergen","Oslo","Kiel"]', '$[' || (a % 7) || ']'),
  json_extract('["Denmark","Denmark","Sweden","Sweden","Norway","Norway","Germany"]', '$[' || (a % 7) || ']'),
  json_extract('["dealer","dealer","workshop","chain","online"]', '$[' || (b % 5) || ']'),
  1000 + c % 60 * 500, date('2018-01-01', '+' || (d % 3000) || ' days'), CASE WHEN e % 10 = 0 THEN 'Y' ELSE 'N' END
FROM dice WHERE t = 1 AND n <= 68;
INSERT INTO sls_rep
SELECT n, json_extract(first, '$[' || (n * 2 % 26) || ']') || ' ' || json_extract(last, '$[' || (n * 7 % 25) || ']'),
  json_extract('["North","South","East","West"]', '$[' || (a % 4) || ']'), date('2014-01-01', '+' || (b % 3900) || ' days'), 50000 + c % 20 * 10000
FROM dice, word WHERE t = 2 AND n <= 11;
INSERT INTO sup
SELECT n, json_extract('["Kagami","Torx Works","Pedalon","Rimtec","Chainmakers","Volta","Gripwell","Spokesman","Lumen"]', '$[' || (n - 1) || ']'),
  json_extract('["Japan","Taiwan","Italy","Germany","Taiwan","China"]', '$[' || (a % 6) || ']'), 5 + b % 56 + n
FROM dice WHERE t = 3 AND n <= 9;
INSERT INTO itm_cat VALUES ('BRK', 'Brakes'), ('DRV', 'Drivetrain'), ('WHL', 'Wheels'), ('LGT', 'Lights'), ('ACC', 'Accessories'), ('SAD', 'Saddles');
INSERT INTO itm
SELECT n, json_extract('[["Disc Pad","Brake Lever","Rotor 160","Caliper","V-Brake Set","Brake Cable","Rotor 180","Hydraulic Kit"],["Chain 11","Cassette","Crankset","Derailleur","Bottom Bracket","Chainring","Jockey Wheel","Shifter"],["Rim 28","Hub Front","Hub Rear","Spoke Set","Tyre City","Tyre Gravel","Inner Tube","Wheelset Pro"],["Front Light","Rear Light","Dynamo","Light Set USB","Reflector","Helmet Light","Bracket","Sensor Light"],["Bottle","Pannier","Lock","Bell","Pump","Mudguard","Rack","Phone Mount"],["Gel Saddle","Race Saddle","Kids Saddle","Seat Post","Saddle Cover","Touring Saddle","Dropper Post","Clamp"]]',
  '$[' || ((n - 1) % 6) || '][' || ((n - 1) / 6) || ']'), json_extract('["BRK","DRV","WHL","LGT","ACC","SAD"]', '$[' || ((n - 1) % 6) || ']'),
  1 + a % 8, round(5 + b % 140 + n * 0.1, 2), round(2 + b % 140 * 0.55 + n * 0.05, 2), round(0.05 + d % 40 * 0.05 + n * 0.001, 3), CASE WHEN e % 7 = 0 THEN 'N' ELSE 'Y' END
FROM dice WHERE t = 4 AND n <= 48;
INSERT INTO whs VALUES ('AAR', 'Main Depot', 'Aarhus'), ('MAL', 'Sound Depot', 'Malmo'), ('OSL', 'North Depot', 'Oslo');
INSERT INTO stk SELECT w.whs_cd, d.n, CASE WHEN (a + length(w.whs_nm)) % 9 = 0 THEN 0 ELSE (a + unicode(w.whs_cd) * b) % 220 END, 10 + c % 5 * 10
FROM dice d, whs w WHERE t = 5 AND n <= 48 AND (n + unicode(w.whs_cd)) % 5 <> 0;
INSERT INTO ord_hdr
SELECT n, 1 + min(a % 60, b % 64), CASE WHEN c % 15 = 0 THEN NULL ELSE 1 + min(d % 10, c % 11) END, json_extract('["AAR","AAR","MAL","OSL"]', '$[' || (e % 4) || ']'),
  date('2024-01-02', '+' || (f % 1020) || ' days'), '', NULL, json_extract('["open","shipped","shipped","shipped","shipped","cancelled"]', '$[' || (g % 6) || ']')
FROM dice WHERE t = 6 AND n <= 620;
UPDATE ord_hdr SET req_dt = date(ord_dt, '+' || (5 + ord_no * 11 % 15) || ' days');
UPDATE ord_hdr SET ship_dt = date(ord_dt, '+' || (1 + ord_no * 13 % 22) || ' days') WHERE ord_sts = 'shipped';
INSERT INTO ord_lin
SELECT 1 + (n - 1) % 620, 1 + (n - 1) / 620, 1 + min(a % 46, b % 50) % 46, 1 + c % 24, 0, json_extract('[0,0,0,5,10,15]', '$[' || (d % 6) || ']')
FROM dice WHERE t = 7 AND n <= 1700;
UPDATE ord_lin SET unit_prc = (SELECT lst_prc FROM itm i WHERE i.itm_no = ord_lin.itm_no);
INSERT INTO inv
SELECT 5000 + ord_no, ord_no, date(ship_dt, '+1 day'), date(ship_dt, '+' || (15 + ord_no % 2 * 15) || ' days'), NULL,
  (SELECT round(sum(qty * unit_prc * (1 - disc_pct / 100.0)), 2) FROM ord_lin l WHERE l.ord_no = h.ord_no)
FROM ord_hdr h WHERE ord_sts = 'shipped';
UPDATE inv SET paid_dt = date(inv_dt, '+' || (4 + inv_no * 17 % 45) || ' days') WHERE inv_no % 6 <> 1;
INSERT INTO rma
SELECT n, l.ord_no, l.itm_no, date((SELECT ord_dt FROM ord_hdr h WHERE h.ord_no = l.ord_no), '+' || (20 + a % 30) || ' days'), 1 + b % l.qty,
  json_extract('["defective","wrong part","not needed","defective","transport damage"]', '$[' || (c % 5) || ']')
FROM dice d JOIN ord_lin l ON l.ord_no = 1 + d.e % 620 AND l.lin_no = 1 WHERE t = 8 AND n <= 90;
