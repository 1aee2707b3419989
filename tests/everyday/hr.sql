-- Human resources: snake_case names, a manager in the same table, two ways from a review or an
-- absence to an employee, a bridge between employees and trainings.
CREATE TABLE locations (
  location_id INTEGER PRIMARY KEY,
  city TEXT NOT NULL,
  country TEXT NOT NULL,
  is_headquarters INTEGER NOT NULL
);
CREATE TABLE departments (
  dept_id INTEGER PRIMARY KEY,
  dept_name TEXT NOT NULL,
  location_id INTEGER NOT NULL REFERENCES locations(location_id),
  head_id INTEGER REFERENCES employees(emp_id),
  annual_budget REAL NOT NULL
);
CREATE TABLE jobs (
  job_id INTEGER PRIMARY KEY,
  job_title TEXT NOT NULL,
  job_family TEXT NOT NULL,
  min_salary INTEGER NOT NULL,
  max_salary INTEGER NOT NULL
);
CREATE TABLE employees (
  emp_id INTEGER PRIMARY KEY,
  first_name TEXT NOT NULL,
  last_name TEXT NOT NULL,
  gender TEXT NOT NULL,
  birth_date DATE NOT NULL,
  hire_date DATE NOT NULL,
  termination_date DATE,
  dept_id INTEGER REFERENCES departments(dept_id),
  job_id INTEGER NOT NULL REFERENCES jobs(job_id),
  manager_id INTEGER REFERENCES employees(emp_id),
  salary INTEGER NOT NULL,
  bonus_pct REAL,
  is_full_time INTEGER NOT NULL,
  email TEXT NOT NULL
);
CREATE TABLE absences (
  absence_id INTEGER PRIMARY KEY,
  emp_id INTEGER NOT NULL REFERENCES employees(emp_id),
  absence_type TEXT NOT NULL,
  start_date DATE NOT NULL,
  days INTEGER NOT NULL,
  approved INTEGER NOT NULL,
  approved_by INTEGER REFERENCES employees(emp_id)
);
CREATE TABLE trainings (
  training_id INTEGER PRIMARY KEY,
  title TEXT NOT NULL,
  provider TEXT NOT NULL,
  hours INTEGER NOT NULL,
  cost REAL NOT NULL,
  mandatory INTEGER NOT NULL
);
CREATE TABLE employee_trainings (
  emp_id INTEGER NOT NULL REFERENCES employees(emp_id),
  training_id INTEGER NOT NULL REFERENCES trainings(training_id),
  completed_on DATE,
  score INTEGER,
  PRIMARY KEY (emp_id, training_id)
);
CREATE TABLE performance_reviews (
  review_id INTEGER PRIMARY KEY,
  emp_id INTEGER NOT NULL REFERENCES employees(emp_id),
  reviewer_id INTEGER NOT NULL REFERENCES employees(emp_id),
  review_year INTEGER NOT NULL,
  rating INTEGER NOT NULL
);
CREATE TABLE salary_changes (
  change_id INTEGER PRIMARY KEY,
  emp_id INTEGER NOT NULL REFERENCES employees(emp_id),
  effective_from DATE NOT NULL,
  old_salary INTEGER NOT NULL,
  new_salary INTEGER NOT NULL,
  reason TEXT NOT NULL
);
CREATE TABLE candidates (
  candidate_id INTEGER PRIMARY KEY,
  full_name TEXT NOT NULL,
  job_id INTEGER NOT NULL REFERENCES jobs(job_id),
  applied_on DATE NOT NULL,
  source TEXT NOT NULL,
  stage TEXT NOT NULL,
  years_experience INTEGER NOT NULL
);

INSERT INTO locations VALUES (1,'Berlin','Germany',1), (2,'Munich','Germany',0),
  (3,'Paris','France',0), (4,'London','United Kingdom',0), (5,'Lisbon','Portugal',0),
  (6,'Oslo','Norway',0);
INSERT INTO departments VALUES (1,'Engineering',1,1,4200000), (2,'Sales',4,2,2600000),
  (3,'Marketing',3,3,1450000), (4,'Finance',1,4,980000), (5,'Human Resources',1,5,720000),
  (6,'Customer Support',5,6,1100000), (7,'Research',2,7,1900000), (8,'Legal',4,8,610000),
  (9,'Sustainability',5,NULL,150000);
INSERT INTO jobs VALUES (1,'Director','Management',95000,160000),
  (2,'Software Engineer','Technology',52000,98000), (3,'Data Analyst','Technology',45000,82000),
  (4,'Account Manager','Commercial',42000,88000), (5,'Marketing Specialist','Commercial',38000,70000),
  (6,'Accountant','Administration',40000,72000), (7,'HR Partner','Administration',41000,75000),
  (8,'Support Agent','Service',30000,52000), (9,'Scientist','Technology',55000,105000),
  (10,'Lawyer','Administration',60000,120000), (11,'Intern','Trainee',14000,22000),
  (12,'Security Officer','Service',28000,45000);
INSERT INTO employees
SELECT n, json_extract(first, '$[' || (a % 26) || ']'), json_extract(last, '$[' || (b % 25) || ']'),
  CASE WHEN g % 50 = 0 THEN 'X' WHEN a % 26 IN (0,2,4,6,8,10,12,14,17,19,21,23,25) THEN 'F' ELSE 'M' END,
  date('1960-01-01', '+' || (c % 15300) || ' days'),
  CASE WHEN n <= 8 THEN date('2012-03-01', '+' || (d % 2500) || ' days')
       ELSE date('2016-01-01', '+' || (d % 3620) || ' days') END,
  NULL,
  CASE WHEN n <= 8 THEN n WHEN n % 61 = 0 THEN NULL
       ELSE json_extract('[1,1,1,1,2,2,2,3,4,5,6,6,6,7,7,8]', '$[' || (e % 16) || ']') END,
  1, NULL, 0,
  CASE WHEN f % 3 = 0 THEN NULL ELSE f % 21 * 0.5 END,
  h % 6 <> 0, ''
FROM dice, word WHERE t = 1 AND n <= 190;
UPDATE employees SET
  job_id = CASE WHEN emp_id <= 8 THEN 1 WHEN emp_id % 17 = 0 THEN 11
    ELSE json_extract('[2,4,5,6,7,8,9,10]', '$[' || (ifnull(dept_id, 1) - 1) || ']') END,
  manager_id = CASE WHEN emp_id = 1 THEN NULL WHEN emp_id <= 8 THEN 1
    WHEN emp_id % 4 = 0 AND emp_id > 40 THEN
      ifnull((SELECT min(m.emp_id) FROM employees m WHERE m.dept_id = employees.dept_id
        AND m.emp_id BETWEEN 9 AND 40 AND m.emp_id % 3 = employees.emp_id % 3), dept_id)
    ELSE dept_id END,
  termination_date = CASE WHEN emp_id > 8 AND emp_id % 7 = 3 THEN
    min(date(hire_date, '+' || (200 + emp_id * 13 % 900) || ' days'), '2025-12-20') END;
UPDATE employees SET job_id = 3 WHERE job_id = 2 AND emp_id % 3 = 0;
UPDATE employees SET
  salary = (SELECT j.min_salary + (SELECT h / 7 FROM dice WHERE t = 1 AND n = emp_id) % ((j.max_salary - j.min_salary) / 50) * 50
            + emp_id FROM jobs j WHERE j.job_id = employees.job_id),
  email = lower(first_name || '.' || last_name || emp_id) || '@corp.example';
INSERT INTO absences
SELECT n, 1 + min(a % 190, b % 210),
  json_extract('["sick","sick","sick","vacation","vacation","vacation","vacation","parental","unpaid"]', '$[' || (c % 9) || ']'),
  date('2023-01-01', '+' || (d % 1096) || ' days'), 1 + min(e % 15, f % 12),
  g % 8 <> 0, CASE WHEN g % 8 <> 0 THEN 1 + h % 8 END
FROM dice WHERE t = 2 AND n <= 820;
UPDATE absences SET days = days + 60 WHERE absence_type = 'parental';
INSERT INTO trainings VALUES (1,'Fire Safety','SafeWork',3,40,1), (2,'Data Protection','LexLearn',4,55,1),
  (3,'Advanced Excel','SkillHub',12,190,0), (4,'Python Basics','SkillHub',24,420,0),
  (5,'Leadership Essentials','PeakCoach',16,890,0), (6,'Negotiation','PeakCoach',8,650,0),
  (7,'First Aid','SafeWork',6,75,1), (8,'Public Speaking','PeakCoach',10,480,0),
  (9,'Project Management','SkillHub',20,540,0), (10,'Code of Conduct','LexLearn',2,25,1),
  (11,'Cloud Architecture','SkillHub',30,1200,0), (12,'Mindfulness','CalmDays',5,120,0);
INSERT OR IGNORE INTO employee_trainings
SELECT 1 + a % 190, CASE WHEN b % 3 = 0 THEN 1 + c % 11 ELSE json_extract('[1,2,7,10,4,9,3]', '$[' || min(c % 7, d % 7) || ']') END,
  CASE WHEN e % 5 = 0 THEN NULL ELSE date('2023-01-01', '+' || (f % 1096) || ' days') END,
  CASE WHEN e % 5 = 0 THEN NULL ELSE 100 - min(g % 70, h % 60) END
FROM dice WHERE t = 3 AND n <= 520;
INSERT INTO performance_reviews (emp_id, reviewer_id, review_year, rating)
SELECT e.emp_id, e.manager_id, y.value, 1 + max(d.a % 5, d.b % 4)
FROM employees e JOIN json_each('[2023,2024,2025]') y
JOIN dice d ON d.t = 4 AND d.n = e.emp_id + 300 * (y.value - 2023)
WHERE e.manager_id IS NOT NULL AND e.hire_date < y.value || '-07-01'
  AND (e.termination_date IS NULL OR e.termination_date > y.value || '-12-01') AND d.c % 9 <> 0
ORDER BY y.value, e.emp_id;
INSERT INTO salary_changes (emp_id, effective_from, old_salary, new_salary, reason)
SELECT e.emp_id, date('2023-01-01', '+' || (d.a % 36) || ' months'), e.salary - 500 - d.b % 6000, e.salary,
  json_extract('["annual raise","annual raise","annual raise","promotion","market adjustment"]', '$[' || (d.c % 5) || ']')
FROM dice d JOIN employees e ON e.emp_id = 1 + d.d % 190 WHERE d.t = 5 AND d.n <= 240;
INSERT INTO candidates
SELECT n, json_extract(first, '$[' || (a % 26) || ']') || ' ' || json_extract(last, '$[' || (b % 25) || ']'),
  2 + min(c % 11, d % 10), date('2024-01-01', '+' || (e % 731) || ' days'),
  json_extract('["LinkedIn","LinkedIn","LinkedIn","referral","referral","job fair","company website"]', '$[' || (f % 7) || ']'),
  json_extract('["applied","applied","phone screen","interview","offer","hired","rejected","rejected","rejected","rejected"]', '$[' || (g % 10) || ']'),
  h % 20
FROM dice, word WHERE t = 6 AND n <= 430;
