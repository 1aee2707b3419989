-- Calls to a service line: capitals and underscores, singular tables, seconds.
CREATE TABLE QUEUE (QUEUE_ID INTEGER PRIMARY KEY, QUEUE_NAME TEXT NOT NULL, LANGUAGE TEXT NOT NULL);
CREATE TABLE OPERATOR (OPERATOR_ID INTEGER PRIMARY KEY, OPERATOR_NAME TEXT NOT NULL, SITE TEXT NOT NULL, HIRE_DATE DATE NOT NULL, SHIFT TEXT NOT NULL, SUPERVISOR_ID INTEGER REFERENCES OPERATOR(OPERATOR_ID));
CREATE TABLE CALLER (CALLER_ID INTEGER PRIMARY KEY, CALLER_NAME TEXT NOT NULL, REGION TEXT NOT NULL, VIP INTEGER NOT NULL, FIRST_CONTACT DATE NOT NULL);
CREATE TABLE CALL (CALL_ID INTEGER PRIMARY KEY, QUEUE_ID INTEGER NOT NULL REFERENCES QUEUE(QUEUE_ID), CALLER_ID INTEGER REFERENCES CALLER(CALLER_ID), OPERATOR_ID INTEGER REFERENCES OPERATOR(OPERATOR_ID),
  STARTED_AT DATETIME NOT NULL, WAIT_SEC INTEGER NOT NULL, TALK_SEC INTEGER, OUTCOME TEXT NOT NULL, SATISFACTION INTEGER);
CREATE TABLE COMPLAINT (COMPLAINT_ID INTEGER PRIMARY KEY, CALL_ID INTEGER NOT NULL REFERENCES CALL(CALL_ID), TOPIC TEXT NOT NULL, FILED_ON DATE NOT NULL, CLOSED_ON DATE, COMPENSATION REAL);
CREATE TABLE CALLBACK (CALLBACK_ID INTEGER PRIMARY KEY, CALL_ID INTEGER NOT NULL REFERENCES CALL(CALL_ID), DUE_ON DATE NOT NULL, DONE INTEGER NOT NULL);
INSERT INTO QUEUE VALUES (1, 'Billing', 'English'), (2, 'Technical', 'English'), (3, 'Orders', 'Spanish'), (4, 'Returns', 'English'), (5, 'Retention', 'Spanish');
INSERT INTO OPERATOR SELECT n, (word.first ->> (a % 26)) || ' ' || (word.last ->> (b % 25)), '["Dublin","Porto","Malaga"]' ->> (c % 3), date('2017-01-01', '+' || (d % 3000) || ' days'), '["early","late","night"]' ->> (e % 3), iif(n > 4, 1 + n % 4, NULL) FROM dice, word WHERE t = 1 AND n <= 32;
INSERT INTO CALLER SELECT n, (word.first ->> (a % 26)) || ' ' || (word.last ->> (b % 25)), '["North","South","East","West"]' ->> (c % 4), d % 8 = 0, date('2021-01-01', '+' || (e % 1600) || ' days') FROM dice, word WHERE t = 2 AND n <= 220;
INSERT INTO CALL SELECT n, 1 + a % 5, iif(b % 11, 1 + b % 210, NULL), iif(c % 9, 1 + c % 30, NULL), datetime('2024-02-01 07:00', '+' || (d % 650) || ' days', '+' || (e % 840) || ' minutes'), 5 + f % 400, iif(c % 9, 30 + g % 900, NULL),
  iif(c % 9, '["resolved","transferred","escalated"]' ->> (h % 3), 'abandoned'), iif(c % 9 AND h % 2, 1 + h % 5, NULL) FROM dice WHERE t = 3;
INSERT INTO COMPLAINT SELECT n, 1 + a % 1950, '["late delivery","wrong invoice","rude staff","broken product"]' ->> (b % 4), date('2024-02-01', '+' || (c % 650) || ' days'), iif(d % 4, date('2024-02-01', '+' || (c % 650 + d % 50) || ' days'), NULL), iif(e % 3 = 0, 10 + e % 90, NULL) FROM dice WHERE t = 4 AND n <= 180;
INSERT INTO CALLBACK SELECT n, 1 + a % 1900, date('2024-02-01', '+' || (b % 650) || ' days'), c % 4 > 0 FROM dice WHERE t = 5 AND n <= 240;
