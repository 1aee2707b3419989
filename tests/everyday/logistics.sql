-- Freight: run-together names, drivers with a mentor, two warehouses on every shipment, a bridge
-- between shipments and items.
CREATE TABLE warehouses (
  warehouseid INTEGER PRIMARY KEY,
  warehousename TEXT NOT NULL,
  city TEXT NOT NULL,
  country TEXT NOT NULL,
  capacitym3 INTEGER NOT NULL,
  refrigerated INTEGER NOT NULL,
  openeddate DATE NOT NULL
);
CREATE TABLE carriers (
  carrierid INTEGER PRIMARY KEY,
  carriername TEXT NOT NULL,
  transportmode TEXT NOT NULL,
  ratingscore REAL,
  isactive INTEGER NOT NULL
);
CREATE TABLE drivers (
  driverid INTEGER PRIMARY KEY,
  drivername TEXT NOT NULL,
  licensetype TEXT NOT NULL,
  carrierid INTEGER NOT NULL REFERENCES carriers(carrierid),
  hiredate DATE NOT NULL,
  birthdate DATE NOT NULL,
  mentorid INTEGER REFERENCES drivers(driverid)
);
CREATE TABLE vehicles (
  vehicleid INTEGER PRIMARY KEY,
  platenumber TEXT NOT NULL,
  vehicletype TEXT NOT NULL,
  maxloadkg INTEGER NOT NULL,
  carrierid INTEGER NOT NULL REFERENCES carriers(carrierid),
  purchasedate DATE NOT NULL,
  iselectric INTEGER NOT NULL
);
CREATE TABLE shipments (
  shipmentid INTEGER PRIMARY KEY,
  originid INTEGER NOT NULL REFERENCES warehouses(warehouseid),
  destinationid INTEGER NOT NULL REFERENCES warehouses(warehouseid),
  carrierid INTEGER NOT NULL REFERENCES carriers(carrierid),
  driverid INTEGER REFERENCES drivers(driverid),
  vehicleid INTEGER REFERENCES vehicles(vehicleid),
  shipdate DATE NOT NULL,
  expecteddate DATE NOT NULL,
  delivereddate DATE,
  status TEXT NOT NULL,
  weightkg REAL NOT NULL,
  freightcost REAL NOT NULL,
  isfragile INTEGER NOT NULL
);
CREATE TABLE items (
  itemid INTEGER PRIMARY KEY,
  itemname TEXT NOT NULL,
  itemgroup TEXT NOT NULL,
  unitweightkg REAL NOT NULL,
  unitvalue REAL NOT NULL,
  hazardous INTEGER NOT NULL
);
CREATE TABLE shipmentitems (
  shipmentid INTEGER NOT NULL REFERENCES shipments(shipmentid),
  itemid INTEGER NOT NULL REFERENCES items(itemid),
  qty INTEGER NOT NULL,
  PRIMARY KEY (shipmentid, itemid)
);
CREATE TABLE inventory (
  warehouseid INTEGER NOT NULL REFERENCES warehouses(warehouseid),
  itemid INTEGER NOT NULL REFERENCES items(itemid),
  qtyonhand INTEGER NOT NULL,
  reorderlevel INTEGER NOT NULL,
  lastcounted DATE,
  PRIMARY KEY (warehouseid, itemid)
);
CREATE TABLE incidents (
  incidentid INTEGER PRIMARY KEY,
  shipmentid INTEGER NOT NULL REFERENCES shipments(shipmentid),
  incidenttype TEXT NOT NULL,
  reporteddate DATE NOT NULL,
  costestimate REAL,
  resolved INTEGER NOT NULL
);
CREATE TABLE maintenance (
  maintenanceid INTEGER PRIMARY KEY,
  vehicleid INTEGER NOT NULL REFERENCES vehicles(vehicleid),
  servicedate DATE NOT NULL,
  servicetype TEXT NOT NULL,
  cost REAL NOT NULL,
  odometerkm INTEGER NOT NULL
);

INSERT INTO warehouses VALUES (1,'Rotterdam Gate','Rotterdam','Netherlands',82000,1,'2009-04-01'),
  (2,'Antwerp Dock','Antwerp','Belgium',64000,0,'2011-08-15'), (3,'Ruhr Hub','Duisburg','Germany',91000,1,'2006-01-20'),
  (4,'Leipzig Cross','Leipzig','Germany',47000,0,'2018-05-07'), (5,'Lyon Sud','Lyon','France',38500,0,'2015-10-12'),
  (6,'Po Valley','Milan','Italy',42000,1,'2014-03-03'), (7,'Ebro Park','Zaragoza','Spain',29000,0,'2019-09-30'),
  (8,'Silesia One','Katowice','Poland',55000,0,'2020-02-17'), (9,'Danube Yard','Vienna','Austria',33000,1,'2017-07-01'),
  (10,'Malmo Bridge','Malmo','Sweden',26000,0,'2021-11-08'), (11,'Porto Leixoes','Porto','Portugal',18000,0,'2025-06-02');
INSERT INTO carriers VALUES (1,'SwiftHaul','road',4.4,1), (2,'RoadRunner Freight','road',3.9,1), (3,'BlueSea Lines','sea',4.1,1),
  (4,'EuroRail Cargo','rail',4.6,1), (5,'SkyBridge Air','air',4.8,1), (6,'Tramontana Trucks','road',3.2,1),
  (7,'Nordic Wheels','road',4.0,1), (8,'Oldtimer Transport','road',2.7,0), (9,'Canal Barges','sea',NULL,1), (10,'Greenline Express','road',4.5,1);
INSERT INTO drivers
SELECT n, json_extract(first, '$[' || (a % 26) || ']') || ' ' || json_extract(last, '$[' || (b % 25) || ']'),
  json_extract('["C","CE","CE","CE","C1"]', '$[' || (c % 5) || ']'), json_extract('[1,1,2,2,6,7,7,10,10,10,4]', '$[' || (d % 11) || ']'),
  date('2010-01-01', '+' || (e % 5600) || ' days'), date('1962-01-01', '+' || (f % 14000) || ' days'),
  CASE WHEN n > 20 AND g % 3 <> 0 THEN 1 + h % 20 END
FROM dice, word WHERE t = 1 AND n <= 84;
INSERT INTO vehicles
SELECT n, printf('%s-%03d', json_extract('["AB","CD","KL","MX","RT","ZZ"]', '$[' || (a % 6) || ']'), 100 + n),
  json_extract('["truck","truck","truck","van","van","trailer"]', '$[' || (b % 6) || ']'),
  CASE b % 6 WHEN 3 THEN 1200 WHEN 4 THEN 1400 WHEN 5 THEN 24000 ELSE 8000 + c % 9 * 2000 END,
  json_extract('[1,1,2,2,6,7,7,10,10,8]', '$[' || (d % 10) || ']'), date('2014-01-01', '+' || (e % 4300) || ' days'), f % 4 = 0
FROM dice WHERE t = 2 AND n <= 95;
INSERT INTO shipments
SELECT n, 1 + min(a % 10, b % 9), 1 + (min(a % 10, b % 9) + 1 + c % 9) % 10, 0, NULL, NULL,
  date('2023-01-01', '+' || (d % 1090) || ' days'), '', NULL,
  json_extract('["delivered","delivered","delivered","delivered","delivered","delivered","delivered","delivered","in transit","delayed","cancelled"]', '$[' || (e % 11) || ']'),
  round(20 + min(f % 1800000, g % 2600000) / 100.0, 1), 0, h % 6 = 0
FROM dice WHERE t = 3 AND n <= 1400;
UPDATE shipments SET
  carrierid = json_extract('[1,1,1,2,2,3,4,4,5,6,7,7,10,10,10]', '$[' || (SELECT h / 6 % 15 FROM dice WHERE t = 3 AND n = shipmentid) || ']'),
  expecteddate = date(shipdate, '+' || (2 + shipmentid * 11 % 9) || ' days'),
  delivereddate = CASE WHEN status = 'delivered' THEN date(shipdate, '+' || (1 + shipmentid * 11 % 9 + CASE WHEN shipmentid * 23 % 7 < 2 THEN 1 + shipmentid % 6 ELSE 0 END) || ' days') END,
  freightcost = round(40 + weightkg * (6 + shipmentid % 9) / 100.0, 2);
UPDATE shipments SET
  driverid = (SELECT driverid FROM (SELECT driverid, carrierid,
      row_number() OVER (PARTITION BY carrierid ORDER BY driverid) - 1 AS place, count(*) OVER (PARTITION BY carrierid) AS places FROM drivers) p
    WHERE p.carrierid = shipments.carrierid AND p.place = shipments.shipmentid * 17 % 97 % p.places),
  vehicleid = (SELECT vehicleid FROM (SELECT vehicleid, carrierid,
      row_number() OVER (PARTITION BY carrierid ORDER BY vehicleid) - 1 AS place, count(*) OVER (PARTITION BY carrierid) AS places FROM vehicles) p
    WHERE p.carrierid = shipments.carrierid AND p.place = shipments.shipmentid * 31 % 97 % p.places);
INSERT INTO items
SELECT n, json_extract('["Steel Bolts","Olive Oil","Cotton Shirts","Laptop Sets","Paint Cans","Frozen Peas","Office Chairs","Batteries","Copy Paper","Wine Cases","Solvent Drums","Toy Blocks"]', '$[' || ((n - 1) % 12) || ']') || ' ' || json_extract('["S","M","L","XL"]', '$[' || ((n - 1) / 12) || ']'),
  json_extract('["hardware","food","clothing","electronics","chemicals","food","furniture","electronics","stationery","food","chemicals","toys"]', '$[' || ((n - 1) % 12) || ']'),
  round(0.5 + a % 400 / 10.0, 1), round(3 + b % 90000 / 100.0, 2), (n - 1) % 12 IN (4, 7, 10)
FROM dice WHERE t = 4 AND n <= 48;
INSERT OR IGNORE INTO shipmentitems
SELECT 1 + a % 1400, 1 + min(b % 46, c % 54), 1 + d % 60 FROM dice WHERE t = 5;
INSERT OR IGNORE INTO inventory
SELECT 1 + min(a % 10, b % 11), 1 + c % 48, min(d % 900, e % 1100), 20 + f % 9 * 20, CASE WHEN g % 6 = 0 THEN NULL ELSE date('2025-01-01', '+' || (h % 365) || ' days') END
FROM dice WHERE t = 6 AND n <= 560;
DELETE FROM inventory WHERE warehouseid = 11;
INSERT INTO incidents
SELECT n, s.shipmentid, json_extract('["delay","delay","delay","damage","damage","loss","theft"]', '$[' || (b % 7) || ']'),
  date(s.shipdate, '+' || (1 + c % 7) || ' days'), CASE WHEN d % 5 = 0 THEN NULL ELSE 50 + e % 9000 END, f % 3 <> 0
FROM dice JOIN shipments s ON s.shipmentid = 1 + a % 1400 WHERE t = 7 AND n <= 230;
INSERT INTO maintenance
SELECT n, 1 + min(a % 90, b % 95), date('2023-01-01', '+' || (c % 1096) || ' days'),
  json_extract('["oil change","oil change","tyres","brakes","inspection","inspection","engine repair"]', '$[' || (d % 7) || ']'),
  round(CASE WHEN d % 7 = 6 THEN 900 ELSE 60 END + e % 60000 / 100.0, 2), 5000 + f % 400000
FROM dice WHERE t = 8 AND n <= 380;
