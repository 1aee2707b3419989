-- A university: snake_case, text keys for courses and terms, a course in a term known by two columns together, grades from 1.0 to 5.0,
-- a room for every session, advisors of students.
CREATE TABLE faculty (faculty_code TEXT PRIMARY KEY, faculty_name TEXT NOT NULL, campus TEXT NOT NULL, yearly_budget REAL NOT NULL);
CREATE TABLE lecturer (
  lecturer_id INTEGER PRIMARY KEY,
  surname TEXT NOT NULL,
  given_name TEXT NOT NULL,
  academic_title TEXT,
  faculty_code TEXT NOT NULL REFERENCES faculty(faculty_code),
  contract_from DATE NOT NULL,
  contract_until DATE,
  office TEXT
);
CREATE TABLE student (
  matric_no TEXT PRIMARY KEY,
  surname TEXT NOT NULL,
  given_name TEXT NOT NULL,
  born_on DATE NOT NULL,
  home_country TEXT NOT NULL,
  degree TEXT NOT NULL,
  faculty_code TEXT NOT NULL REFERENCES faculty(faculty_code),
  advisor_id INTEGER REFERENCES lecturer(lecturer_id),
  first_term TEXT NOT NULL,
  left_on DATE
);
CREATE TABLE course (
  course_code TEXT PRIMARY KEY,
  course_title TEXT NOT NULL,
  credits INTEGER NOT NULL,
  course_level TEXT NOT NULL,
  faculty_code TEXT NOT NULL REFERENCES faculty(faculty_code),
  prerequisite_code TEXT REFERENCES course(course_code)
);
CREATE TABLE course_offering (
  course_code TEXT NOT NULL REFERENCES course(course_code),
  term TEXT NOT NULL,
  lecturer_id INTEGER NOT NULL REFERENCES lecturer(lecturer_id),
  seat_limit INTEGER NOT NULL,
  taught_in TEXT NOT NULL,
  PRIMARY KEY (course_code, term)
);
CREATE TABLE enrolment (
  matric_no TEXT NOT NULL REFERENCES student(matric_no),
  course_code TEXT NOT NULL,
  term TEXT NOT NULL,
  enrolled_on DATE NOT NULL,
  withdrawn_on DATE,
  grade REAL,
  PRIMARY KEY (matric_no, course_code, term),
  FOREIGN KEY (course_code, term) REFERENCES course_offering(course_code, term)
);
CREATE TABLE course_feedback (
  feedback_id INTEGER PRIMARY KEY,
  course_code TEXT NOT NULL,
  term TEXT NOT NULL,
  stars INTEGER NOT NULL,
  hours_per_week REAL,
  remark TEXT,
  FOREIGN KEY (course_code, term) REFERENCES course_offering(course_code, term)
);
CREATE TABLE scholarship (
  scholarship_id INTEGER PRIMARY KEY,
  matric_no TEXT NOT NULL REFERENCES student(matric_no),
  sponsor TEXT NOT NULL,
  monthly_amount REAL NOT NULL,
  starts_on DATE NOT NULL,
  ends_on DATE NOT NULL
);

INSERT INTO faculty VALUES ('ENG', 'Engineering', 'North Campus', 8.4), ('LAW', 'Law', 'Old Town', 3.1), ('MED', 'Medicine', 'Hospital Hill', 14.9), ('HUM', 'Humanities', 'Old Town', 2.6), ('SCI', 'Natural Sciences', 'North Campus', 9.7), ('ECO', 'Economics', 'Riverside', 4.2);
INSERT INTO lecturer
SELECT n, last ->> (n * 3 % 25), first ->> (n * 7 % 26), '["Prof.","Prof.","Dr.","Dr.","Dr.",null]' ->> (a % 6), '["ENG","LAW","MED","HUM","SCI","ECO","SCI","ENG"]' ->> (n % 8), date('1994-10-01', '+' || (c % 11000) || ' days'),
  CASE WHEN d % 3 = 0 THEN date('2026-03-31', '+' || (e % 5 * 182) || ' days') END, CASE WHEN f % 9 > 0 THEN ('["A","B","C"]' ->> (f % 3)) || (100 + g % 320) END FROM dice, word WHERE t = 1 AND n <= 48;
INSERT INTO student
SELECT 'M' || (210000 + n * 7), last ->> (n * 7 % 25), first ->> (a % 26), date('1993-01-01', '+' || (b % 4600) || ' days'), '["Germany","Germany","Germany","Germany","Turkey","India","China","Italy","Ukraine","Iran"]' ->> (c % 10),
  '["Bachelor","Bachelor","Bachelor","Master","Master","PhD"]' ->> (d % 6), '["ENG","ENG","LAW","MED","HUM","SCI","SCI","ECO","ECO"]' ->> (e % 9), CASE WHEN f % 4 > 0 THEN 1 + min(f % 48, g % 50) % 44 END,
  '["2022W","2023S","2023W","2024S","2024W"]' ->> (n * 5 / 426), CASE WHEN h % 13 = 0 THEN date('2025-01-20', '+' || (h % 300) || ' days') END FROM dice, word WHERE t = 2 AND n <= 425;
INSERT INTO course
SELECT f || (100 * (1 + n / 6 % 3) + n), (('["Introduction to","Advanced","Topics in","Foundations of","Applied"]' ->> (n * 3 % 5)) || ' ' || (subjects ->> (n / 6 % 8))), '[3,5,5,6,6,9,10]' ->> (a % 7), '["basic","intermediate","advanced"]' ->> (n / 6 % 3), f, NULL
FROM (SELECT n, a, '["ENG","LAW","MED","HUM","SCI","ECO"]' ->> (n % 6) AS f, '[["Mechanics","Circuits","Materials","Robotics","Thermodynamics","Control","Hydraulics","Design"],["Contracts","Tort","Tax Law","Criminal Law","Human Rights","Trade Law","Property","Procedure"],["Anatomy","Pharmacology","Surgery","Genetics","Neurology","Epidemiology","Cardiology","Ethics"],["Linguistics","Rhetoric","Medieval History","Philosophy","Film Studies","Archaeology","Poetry","Logic"],["Algebra","Optics","Ecology","Statistics","Geology","Astronomy","Genomics","Analysis"],["Markets","Econometrics","Game Theory","Accounting","Banking","Growth","Labour","Auctions"]]' -> (n % 6) AS subjects
  FROM dice WHERE t = 3 AND n BETWEEN 6 AND 53);
UPDATE course SET prerequisite_code = (SELECT p.course_code FROM course p WHERE p.faculty_code = course.faculty_code AND p.course_level = 'basic' AND p.course_code < course.course_code ORDER BY p.course_code DESC LIMIT 1) WHERE course_level <> 'basic' AND credits <> 5;
INSERT INTO course_offering
SELECT course_code, term, 1 + d.a % 44, 15 + d.b % 12 * 10, '["English","German","German"]' ->> (d.c % 3) FROM (SELECT row_number() OVER (ORDER BY course_code) AS place, * FROM course) c
  JOIN (SELECT '2023S' AS term, 1 AS m UNION ALL SELECT '2023W', 2 UNION ALL SELECT '2024S', 3 UNION ALL SELECT '2024W', 4 UNION ALL SELECT '2025S', 5) JOIN dice d ON d.t = 3 + m AND d.n = place WHERE place <> 7 AND (d.d % 3 > 0 OR place % 5 = 0);
INSERT OR IGNORE INTO enrolment
SELECT s.matric_no, o.course_code, o.term, date(substr(o.term, 1, 4) || CASE WHEN o.term LIKE '%S' THEN '-03-20' ELSE '-09-22' END, '+' || (d.e % 24) || ' days'), NULL,
  CASE WHEN d.f % 8 > 0 THEN min(5, 1 + ('[0,0.3,0.7,1,1.3,1.7,2,2.3,2.7,3,4]' ->> (min(d.f % 11, d.g % 13)))) END
FROM (SELECT * FROM dice WHERE t IN (9, 10) AND n <= 1650) d JOIN (SELECT row_number() OVER (ORDER BY matric_no) AS place, * FROM student) s ON s.place = 1 + min(d.a % 405, d.b % 460) % 405 JOIN (SELECT row_number() OVER (ORDER BY term, course_code) AS place, * FROM course_offering) o ON o.place = 1 + d.c % (SELECT count(*) - 6 FROM course_offering);
UPDATE enrolment SET withdrawn_on = date(enrolled_on, '+' || (10 + rowid % 60) || ' days') WHERE grade IS NULL AND rowid % 2 = 0;
INSERT INTO course_feedback
SELECT n, course_code, term, 1 + max(a % 5, b % 5), CASE WHEN c % 5 > 0 THEN 2 + d % 28 * 0.5 END, CASE WHEN e % 4 = 0 THEN '["Too fast","Excellent lecturer","Slides missing","Exam unfair","Best course so far"]' ->> (e / 4 % 5) END
FROM dice JOIN (SELECT row_number() OVER (ORDER BY course_code, term) AS place, * FROM course_offering) ON place = 1 + f % 140 WHERE t = 11 AND n <= 900;
INSERT INTO scholarship
SELECT n, 'M' || (210000 + 7 * (1 + a % 425)), '["State Fund","Merian Foundation","Industry Circle","Alumni Club"]' ->> (b % 4), 150 + c % 18 * 50, date('2022-10-01', '+' || (d % 5 * 182) || ' days'), date('2023-09-30', '+' || (d % 5 * 182 + e % 3 * 365) || ' days') FROM dice WHERE t = 8 AND n <= 95;
