-- Flats to let: a prefix before every table, abbreviated columns.
CREATE TABLE tbl_agent (agent_id INTEGER PRIMARY KEY, agent_name TEXT NOT NULL, office TEXT NOT NULL, start_dt DATE NOT NULL);
CREATE TABLE tbl_property (prop_id INTEGER PRIMARY KEY, street TEXT NOT NULL, town TEXT NOT NULL, prop_type TEXT NOT NULL, bedrooms INTEGER NOT NULL, sqm REAL NOT NULL,
  rent_pm REAL NOT NULL, furnished CHAR(1) NOT NULL, listed_dt DATE NOT NULL, agent_id INTEGER REFERENCES tbl_agent(agent_id));
CREATE TABLE tbl_tenant (tenant_id INTEGER PRIMARY KEY, fname TEXT NOT NULL, lname TEXT NOT NULL, employer TEXT, dob DATE);
CREATE TABLE tbl_lease (lease_id INTEGER PRIMARY KEY, prop_id INTEGER NOT NULL REFERENCES tbl_property(prop_id), tenant_id INTEGER NOT NULL REFERENCES tbl_tenant(tenant_id),
  begin_dt DATE NOT NULL, end_dt DATE, deposit REAL NOT NULL, status TEXT NOT NULL);
CREATE TABLE tbl_payment (pay_id INTEGER PRIMARY KEY, lease_id INTEGER NOT NULL REFERENCES tbl_lease(lease_id), pay_dt DATE NOT NULL, amt REAL NOT NULL, pay_method TEXT NOT NULL);
CREATE TABLE tbl_viewing (viewing_id INTEGER PRIMARY KEY, prop_id INTEGER NOT NULL REFERENCES tbl_property(prop_id), agent_id INTEGER NOT NULL REFERENCES tbl_agent(agent_id), viewed_dt DATE NOT NULL, visitor TEXT NOT NULL, outcome TEXT);
CREATE TABLE tbl_maint (maint_id INTEGER PRIMARY KEY, prop_id INTEGER NOT NULL REFERENCES tbl_property(prop_id), reported_dt DATE NOT NULL, fixed_dt DATE, category TEXT NOT NULL, cost_amt REAL);
INSERT INTO tbl_agent SELECT n, (word.first ->> (a % 26)) || ' ' || (word.last ->> (b % 25)), '["Bath","Bristol","Exeter"]' ->> (n % 3), date('2016-01-01', '+' || (c % 3000) || ' days') FROM dice, word WHERE t = 1 AND n <= 9;
INSERT INTO tbl_property SELECT n, n || ' ' || ('["Mill Lane","High Street","Park Road","Station Road"]' ->> (a % 4)), '["Bath","Bristol","Exeter","Taunton"]' ->> (b % 4), '["flat","house","studio","bungalow"]' ->> (c % 4), 1 + d % 4,
  28 + e % 120, 550 + f % 1700, iif(g % 3, 'N', 'Y'), date('2022-01-01', '+' || (h % 1380) || ' days'), iif(a % 10, 1 + a % 8, NULL) FROM dice WHERE t = 2 AND n <= 130;
INSERT INTO tbl_tenant SELECT n, word.first ->> (a % 26), word.last ->> (b % 25), iif(c % 5, '["Nortek","Balmore","Citrine","Univ. Hospital"]' ->> (c % 4), NULL), date('1955-01-01', '+' || (d % 17000) || ' days') FROM dice, word WHERE t = 3 AND n <= 140;
INSERT INTO tbl_lease SELECT n, 1 + a % 120, 1 + b % 130, date('2022-03-01', '+' || (c % 1200) || ' days'), iif(d % 4, date('2022-03-01', '+' || (c % 1200 + 180 + d % 700) || ' days'), NULL), 500 + e % 2000,
  '["active","active","ended","terminated"]' ->> (d % 4) FROM dice WHERE t = 4 AND n <= 170;
INSERT INTO tbl_payment SELECT n, 1 + a % 160, date('2024-01-01', '+' || (b % 680) || ' days'), 550 + c % 1700, '["bank transfer","direct debit","cash"]' ->> (d % 3) FROM dice WHERE t = 5 AND n <= 1500;
INSERT INTO tbl_viewing SELECT n, 1 + a % 125, 1 + b % 8, date('2024-01-01', '+' || (c % 680) || ' days'), (word.first ->> (d % 26)) || ' ' || (word.last ->> (e % 25)), iif(f % 4, '["offer","no interest","second viewing"]' ->> (f % 3), NULL) FROM dice, word WHERE t = 6 AND n <= 400;
INSERT INTO tbl_maint SELECT n, 1 + a % 110, date('2024-01-01', '+' || (b % 680) || ' days'), iif(c % 5, date('2024-01-01', '+' || (b % 680 + c % 40) || ' days'), NULL), '["plumbing","heating","electrical","roof"]' ->> (d % 4), iif(e % 4, 40 + e % 900, NULL) FROM dice WHERE t = 7 AND n <= 260;
