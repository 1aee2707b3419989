-- Customer relations: camelCase names and singular tables, accounts with a parent account, two
-- sales reps on an opportunity, a bridge between campaigns and contacts.
CREATE TABLE SalesRep (
  repId INTEGER PRIMARY KEY,
  repName TEXT NOT NULL,
  region TEXT NOT NULL,
  quota REAL NOT NULL,
  hireDate DATE NOT NULL,
  managerId INTEGER REFERENCES SalesRep(repId),
  isActive BOOLEAN NOT NULL
);
CREATE TABLE Account (
  accountId INTEGER PRIMARY KEY,
  accountName TEXT NOT NULL,
  industry TEXT NOT NULL,
  country TEXT NOT NULL,
  city TEXT NOT NULL,
  annualRevenue REAL,
  employeeCount INTEGER NOT NULL,
  isCustomer BOOLEAN NOT NULL,
  ownerId INTEGER REFERENCES SalesRep(repId),
  parentAccountId INTEGER REFERENCES Account(accountId),
  createdDate DATE NOT NULL
);
CREATE TABLE Contact (
  contactId INTEGER PRIMARY KEY,
  accountId INTEGER NOT NULL REFERENCES Account(accountId),
  fullName TEXT NOT NULL,
  jobTitle TEXT NOT NULL,
  emailAddress TEXT,
  phoneNumber TEXT,
  doNotCall BOOLEAN NOT NULL,
  createdDate DATE NOT NULL
);
CREATE TABLE Lead (
  leadId INTEGER PRIMARY KEY,
  leadName TEXT NOT NULL,
  company TEXT NOT NULL,
  leadSource TEXT NOT NULL,
  leadStatus TEXT NOT NULL,
  score INTEGER NOT NULL,
  createdDate DATE NOT NULL,
  convertedDate DATE,
  assignedRepId INTEGER REFERENCES SalesRep(repId)
);
CREATE TABLE Opportunity (
  opportunityId INTEGER PRIMARY KEY,
  title TEXT NOT NULL,
  accountId INTEGER NOT NULL REFERENCES Account(accountId),
  ownerId INTEGER NOT NULL REFERENCES SalesRep(repId),
  createdById INTEGER NOT NULL REFERENCES SalesRep(repId),
  stage TEXT NOT NULL,
  amount REAL NOT NULL,
  probability INTEGER NOT NULL,
  createdDate DATE NOT NULL,
  closeDate DATE NOT NULL,
  lostReason TEXT
);
CREATE TABLE Activity (
  activityId INTEGER PRIMARY KEY,
  kind TEXT NOT NULL,
  contactId INTEGER NOT NULL REFERENCES Contact(contactId),
  repId INTEGER NOT NULL REFERENCES SalesRep(repId),
  opportunityId INTEGER REFERENCES Opportunity(opportunityId),
  activityDate DATE NOT NULL,
  durationMin INTEGER NOT NULL,
  completed BOOLEAN NOT NULL
);
CREATE TABLE Campaign (
  campaignId INTEGER PRIMARY KEY,
  campaignName TEXT NOT NULL,
  channel TEXT NOT NULL,
  budget REAL NOT NULL,
  actualCost REAL NOT NULL,
  startDate DATE NOT NULL,
  endDate DATE NOT NULL
);
CREATE TABLE CampaignMember (
  campaignId INTEGER NOT NULL REFERENCES Campaign(campaignId),
  contactId INTEGER NOT NULL REFERENCES Contact(contactId),
  responded BOOLEAN NOT NULL,
  PRIMARY KEY (campaignId, contactId)
);
CREATE TABLE SupportTicket (
  ticketId INTEGER PRIMARY KEY,
  accountId INTEGER NOT NULL REFERENCES Account(accountId),
  contactId INTEGER NOT NULL REFERENCES Contact(contactId),
  subject TEXT NOT NULL,
  priority TEXT NOT NULL,
  status TEXT NOT NULL,
  openedAt DATETIME NOT NULL,
  closedAt DATETIME,
  satisfaction INTEGER
);

INSERT INTO SalesRep
SELECT n, json_extract(first, '$[' || (n - 1) || ']') || ' ' || json_extract(last, '$[' || (n * 7 % 25) || ']'),
  json_extract('["North","South","East","West"]', '$[' || (a % 4) || ']'), 200000 + b % 31 * 10000,
  date('2015-01-01', '+' || (c % 3650) || ' days'),
  CASE WHEN n = 1 THEN NULL WHEN n <= 4 THEN 1 ELSE 2 + d % 3 END, n % 8 <> 6
FROM dice, word WHERE t = 1 AND n <= 24;
INSERT INTO Account
SELECT n, json_extract('["Acme","Blue","Crest","Delta","Evergreen","Falcon","Global","Horizon","Iron","Jade","Kite","Lunar","Metro","North","Orbit","Prime"]', '$[' || (n % 16) || ']')
  || ' ' || json_extract('["Foods","Motors","Software","Health","Energy","Retail","Logistics","Media","Bank","Labs","Textiles"]', '$[' || (n % 11) || ']'),
  json_extract('["Food","Automotive","Technology","Healthcare","Energy","Retail","Logistics","Media","Banking","Technology","Manufacturing"]', '$[' || (n % 11) || ']'),
  json_extract('["Germany","Germany","France","Spain","Italy","Netherlands","United States","United States","United States","Canada"]', '$[' || (a % 10) || ']'),
  json_extract('["Berlin","Hamburg","Paris","Madrid","Rome","Amsterdam","New York","Chicago","Boston","Toronto"]', '$[' || (a % 10) || ']'),
  CASE WHEN b % 11 = 0 THEN NULL ELSE 500000 + c % 4000 * 12500 END, 5 + min(d % 5000, e % 2500),
  f % 5 < 3, CASE WHEN g % 19 = 0 THEN NULL ELSE 2 + min(g % 23, h % 20) END,
  CASE WHEN n > 30 AND h % 6 = 0 THEN 1 + g % 30 END,
  date('2023-01-01', '+' || (b % 1000) || ' days')
FROM dice WHERE t = 2 AND n <= 176;
INSERT INTO Contact
SELECT n, 1 + min(a % 176, b % 200), json_extract(first, '$[' || (c % 26) || ']') || ' ' || json_extract(last, '$[' || (d % 25) || ']'),
  json_extract('["CEO","CFO","CTO","Buyer","Buyer","Buyer","IT Manager","IT Manager","Head of Operations","Office Manager"]', '$[' || (e % 10) || ']'),
  CASE WHEN f % 9 = 0 THEN NULL ELSE lower(json_extract(first, '$[' || (c % 26) || ']')) || n || '@client.example' END,
  CASE WHEN g % 4 = 0 THEN NULL ELSE printf('+00 555 %06d', g % 1000000) END, h % 7 = 0,
  date('2023-01-01', '+' || (h % 1096) || ' days')
FROM dice, word WHERE t = 3 AND n <= 520;
INSERT INTO Lead
SELECT n, json_extract(first, '$[' || (a % 26) || ']') || ' ' || json_extract(last, '$[' || (b % 25) || ']'),
  json_extract('["Aster","Birch","Cedar","Dune","Elm","Fern","Grove","Heath","Ivy"]', '$[' || (c % 9) || ']') || ' ' || json_extract('["GmbH","Ltd","Inc","SA"]', '$[' || (d % 4) || ']'),
  json_extract('["website","website","website","trade show","referral","cold call","webinar","webinar"]', '$[' || (e % 8) || ']'),
  json_extract('["new","new","contacted","contacted","qualified","converted","converted","unqualified"]', '$[' || (f % 8) || ']'),
  g % 101, date('2024-01-01', '+' || (h % 700) || ' days'), NULL, CASE WHEN a % 12 = 0 THEN NULL ELSE 5 + b % 20 END
FROM dice, word WHERE t = 4 AND n <= 640;
UPDATE Lead SET convertedDate = date(createdDate, '+' || (3 + leadId * 17 % 28) || ' days') WHERE leadStatus = 'converted';
INSERT INTO Opportunity
SELECT n, json_extract('["Renewal","Upgrade","New licence","Pilot","Consulting","Support plan"]', '$[' || (a % 6) || ']') || ' #' || n,
  1 + min(b % 160, c % 176), 5 + min(d % 20, e % 18), 2 + f % 23,
  json_extract('["prospecting","qualification","proposal","negotiation","won","won","won","lost","lost"]', '$[' || (g % 9) || ']'),
  2000 + min(h % 900, a % 1200) * 125 + n, 0, date('2023-01-01', '+' || (d % 1000) || ' days'), '', NULL
FROM dice WHERE t = 5 AND n <= 700;
UPDATE Opportunity SET
  closeDate = date(createdDate, '+' || (10 + opportunityId * 29 % 86) || ' days'),
  probability = CASE stage WHEN 'won' THEN 100 WHEN 'lost' THEN 0 WHEN 'prospecting' THEN 10 WHEN 'qualification' THEN 30 WHEN 'proposal' THEN 55 ELSE 80 END,
  lostReason = CASE WHEN stage = 'lost' THEN json_extract('["price","price","price","competitor","competitor","timing","no budget"]', '$[' || (opportunityId * 13 % 7) || ']') END;
INSERT INTO Activity
SELECT n, json_extract('["call","call","call","email","email","email","email","meeting","demo"]', '$[' || (a % 9) || ']'),
  1 + b % 500, 3 + min(c % 22, d % 20), CASE WHEN e % 3 = 0 THEN NULL ELSE 1 + f % 700 END,
  date('2023-01-01', '+' || (g % 1096) || ' days'), 5 + h % 24 * 5, e % 7 <> 0
FROM dice WHERE t = 6 AND n <= 1800;
INSERT INTO Campaign
SELECT n, json_extract('["Spring Launch","Summer Webinar","Autumn Newsletter","Winter Fair"]', '$[' || (n % 4) || ']') || ' ' || (2023 + (n - 1) / 7),
  json_extract('["email","webinar","email","trade fair","social media"]', '$[' || (n % 5) || ']'), 5000 + a % 46 * 1000,
  4000 + b % 52000, date('2023-01-10', '+' || (n * 50) || ' days'), date('2023-01-10', '+' || (n * 50 + 14 + c % 60) || ' days')
FROM dice WHERE t = 7 AND n <= 20;
UPDATE Campaign SET campaignName = campaignName || ' ' || char(64 + campaignId);
INSERT OR IGNORE INTO CampaignMember
SELECT 1 + min(a % 19, b % 22), 1 + c % 440, d % 4 = 0 FROM dice WHERE t = 8 AND n <= 1500;
INSERT INTO SupportTicket
SELECT n, c.accountId, c.contactId,
  json_extract('["Cannot log in","Invoice question","Export fails","Slow dashboard","Feature request","Password reset"]', '$[' || (b % 6) || ']'),
  json_extract('["low","low","low","medium","medium","medium","high","high","urgent"]', '$[' || (d.c % 9) || ']'),
  json_extract('["open","pending","closed","closed","closed","closed","closed"]', '$[' || (d % 7) || ']'),
  datetime('2023-01-01', '+' || (e % 1094 * 1440 + f % 1440) || ' minutes'), NULL, NULL
FROM dice d JOIN Contact c ON c.contactId = 1 + min(a % 480, g % 520) WHERE t = 9 AND n <= 900;
UPDATE SupportTicket SET closedAt = datetime(openedAt, '+' || (30 + ticketId * 977 % 9000) || ' minutes'),
  satisfaction = CASE WHEN ticketId % 3 <> 0 THEN 1 + max(ticketId * 7 % 5, ticketId * 3 % 4) END
WHERE status = 'closed';
