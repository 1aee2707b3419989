-- A note-taking service sold by subscription: PascalCase, amounts in cents, durations in seconds, many moments in time.
CREATE TABLE Workspace (
  WorkspaceId INTEGER PRIMARY KEY,
  WorkspaceName TEXT NOT NULL,
  Industry TEXT NOT NULL,
  CountryCode CHAR(2) NOT NULL,
  AcquisitionChannel TEXT NOT NULL,
  CreatedAt DATETIME NOT NULL,
  TrialEndsAt DATE
);
CREATE TABLE Member (
  MemberId INTEGER PRIMARY KEY,
  WorkspaceId INTEGER NOT NULL REFERENCES Workspace(WorkspaceId),
  DisplayName TEXT NOT NULL,
  Role TEXT NOT NULL,
  JoinedAt DATETIME NOT NULL,
  LastSeenAt DATETIME,
  DeactivatedAt DATETIME
);
CREATE TABLE PlanTier (
  PlanTierId INTEGER PRIMARY KEY,
  TierName TEXT NOT NULL,
  MonthlyPriceCents INTEGER NOT NULL,
  MaxSeats INTEGER
);
CREATE TABLE Subscription (
  SubscriptionId INTEGER PRIMARY KEY,
  WorkspaceId INTEGER NOT NULL REFERENCES Workspace(WorkspaceId),
  PlanTierId INTEGER NOT NULL REFERENCES PlanTier(PlanTierId),
  BillingInterval TEXT NOT NULL,
  Seats INTEGER NOT NULL,
  MrrCents INTEGER NOT NULL,
  StartedAt DATE NOT NULL,
  CancelledAt DATE,
  CancelReason TEXT
);
CREATE TABLE Invoice (
  InvoiceId INTEGER PRIMARY KEY,
  SubscriptionId INTEGER NOT NULL REFERENCES Subscription(SubscriptionId),
  IssuedAt DATE NOT NULL,
  DueAt DATE NOT NULL,
  PaidAt DATE,
  AmountCents INTEGER NOT NULL
);
CREATE TABLE FeatureEvent (
  EventId INTEGER PRIMARY KEY,
  MemberId INTEGER NOT NULL REFERENCES Member(MemberId),
  FeatureName TEXT NOT NULL,
  OccurredAt DATETIME NOT NULL,
  DurationSeconds INTEGER NOT NULL
);
CREATE TABLE SupportAgent (
  AgentId INTEGER PRIMARY KEY,
  AgentName TEXT NOT NULL,
  Team TEXT NOT NULL
);
CREATE TABLE SupportCase (
  CaseId INTEGER PRIMARY KEY,
  MemberId INTEGER NOT NULL REFERENCES Member(MemberId),
  AgentId INTEGER REFERENCES SupportAgent(AgentId),
  Severity TEXT NOT NULL,
  OpenedAt DATETIME NOT NULL,
  FirstReplyAt DATETIME,
  ResolvedAt DATETIME,
  CsatScore INTEGER
);
CREATE TABLE NpsResponse (
  ResponseId INTEGER PRIMARY KEY,
  WorkspaceId INTEGER NOT NULL REFERENCES Workspace(WorkspaceId),
  Score INTEGER NOT NULL,
  AnsweredAt DATE NOT NULL
);

INSERT INTO Workspace
SELECT n, json_extract('["Amber","Bolt","Cobalt","Drift","Echo","Fable","Glade","Harbor","Inkwell","Juniper","Krill","Lumos"]', '$[' || (n % 12) || ']')
  || ' ' || json_extract('["Studio","Legal","Clinic","Academy","Partners","Robotics","Foods"]', '$[' || (n % 7) || ']'),
  json_extract('["Design","Legal","Health","Education","Consulting","Manufacturing","Food"]', '$[' || (n % 7) || ']'),
  json_extract('["DE","US","US","GB","NL","SE"]', '$[' || (a % 6) || ']'),
  json_extract('["organic","organic","paid search","referral","partner","app store"]', '$[' || (b % 6) || ']'),
  datetime('2023-02-01', '+' || (c % 1300 * 1440 + d % 1440) || ' minutes'), NULL
FROM dice WHERE t = 1 AND n <= 84;
UPDATE Workspace SET TrialEndsAt = date(CreatedAt, '+14 days') WHERE WorkspaceId % 3 <> 0;
INSERT INTO Member
SELECT n, CASE WHEN n <= 84 THEN n ELSE 1 + min(a % 80, b % 84) END, json_extract(first, '$[' || (c % 26) || ']') || ' ' || json_extract(last, '$[' || (d % 25) || ']'),
  CASE WHEN n <= 84 THEN 'owner' ELSE json_extract('["admin","editor","editor","editor","viewer","guest"]', '$[' || (e % 6) || ']') END,
  datetime('2023-03-01', '+' || (f % 1300 * 1440 + g % 1440) || ' minutes'), NULL, NULL
FROM dice, word WHERE t = 2 AND n <= 430;
UPDATE Member SET LastSeenAt = datetime(JoinedAt, '+' || (MemberId * 71 % 400) || ' days') WHERE MemberId % 11 <> 0;
UPDATE Member SET LastSeenAt = '2026-10-28 09:00:00' WHERE LastSeenAt > '2026-10-28';
UPDATE Member SET DeactivatedAt = LastSeenAt WHERE MemberId % 13 = 5;
INSERT INTO PlanTier VALUES (1, 'Free', 0, 3), (2, 'Plus', 900, 10), (3, 'Team', 1900, 50), (4, 'Enterprise', 4900, NULL), (5, 'Legacy', 700, 5);
INSERT INTO Subscription
SELECT n, CASE WHEN n <= 76 THEN n ELSE 1 + a % 76 END, 1 + min(b % 4, c % 5), json_extract('["monthly","monthly","yearly"]', '$[' || (d % 3) || ']'), 1 + min(e % 40, f % 60), 0,
  date('2023-03-01', '+' || (g % 1250) || ' days'), CASE WHEN h % 4 = 0 THEN '' END, NULL
FROM dice WHERE t = 3 AND n <= 130;
UPDATE Subscription SET MrrCents = Seats * (SELECT MonthlyPriceCents FROM PlanTier p WHERE p.PlanTierId = Subscription.PlanTierId);
UPDATE Subscription SET CancelledAt = date(StartedAt, '+' || (40 + SubscriptionId * 29 % 330) || ' days'),
  CancelReason = json_extract('["too expensive","missing feature","went out of business","switched tool","too expensive"]', '$[' || (SubscriptionId % 5) || ']') WHERE CancelledAt = '';
UPDATE Subscription SET CancelledAt = NULL, CancelReason = NULL WHERE CancelledAt > '2026-10-31';
INSERT INTO Invoice
SELECT row_number() OVER (ORDER BY s.SubscriptionId, d.n), s.SubscriptionId, date(s.StartedAt, '+' || (d.n * 3) || ' months'),
  date(s.StartedAt, '+' || (d.n * 3) || ' months', '+14 days'), NULL, s.MrrCents * 3
FROM Subscription s JOIN dice d ON d.t = 4 AND d.n <= 8 WHERE s.MrrCents > 0 AND date(s.StartedAt, '+' || (d.n * 3) || ' months') <= ifnull(s.CancelledAt, '2026-10-31');
UPDATE Invoice SET PaidAt = date(IssuedAt, '+' || (1 + InvoiceId * 7 % 25) || ' days') WHERE InvoiceId % 8 <> 3;
INSERT INTO FeatureEvent
SELECT n, 1 + min(a % 380, b % 410), json_extract('["export","search","share","template","ai summary","search","share"]', '$[' || (c % 7) || ']'),
  datetime('2025-01-01', '+' || (d % 660 * 1440 + e % 1440) || ' minutes'), 5 + min(f % 900, g % 1500) FROM dice WHERE t = 5 AND n <= 1800;
INSERT INTO SupportAgent VALUES (1, 'Lotte Kay', 'Tier 1'), (2, 'Marc Odell', 'Tier 1'), (3, 'Priya Nair', 'Tier 2'), (4, 'Sven Holt', 'Tier 2'), (5, 'Yara Blum', 'Billing'), (6, 'Tomas Reed', 'Billing');
INSERT INTO SupportCase
SELECT n, 1 + min(a % 400, b % 420), CASE WHEN c % 12 = 0 THEN NULL ELSE 1 + min(d % 5, e % 6) END, json_extract('["low","low","normal","normal","normal","high","critical"]', '$[' || (f % 7) || ']'),
  datetime('2024-05-01', '+' || (g % 900 * 1440 + h % 1440) || ' minutes'), NULL, NULL, NULL FROM dice WHERE t = 6 AND n <= 360;
UPDATE SupportCase SET FirstReplyAt = datetime(OpenedAt, '+' || (5 + CaseId * 31 % 600) || ' minutes') WHERE AgentId IS NOT NULL;
UPDATE SupportCase SET ResolvedAt = datetime(FirstReplyAt, '+' || (30 + CaseId * 173 % 7000) || ' minutes') WHERE AgentId IS NOT NULL AND CaseId % 7 <> 0;
UPDATE SupportCase SET CsatScore = 1 + max(CaseId * 3 % 5, CaseId % 4) WHERE ResolvedAt IS NOT NULL AND CaseId % 3 <> 1;
INSERT INTO NpsResponse SELECT n, 1 + a % 80, max(b % 11, c % 9), date('2024-03-01', '+' || (d % 950) || ' days') FROM dice WHERE t = 7 AND n <= 210;
