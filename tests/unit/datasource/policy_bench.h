/* A database with planted values that a policy holds back: wherever one of them comes
 * out, something leaks. */
#ifndef DGM_TESTS_POLICY_BENCH_H
#define DGM_TESTS_POLICY_BENCH_H

/* Texts that must never be seen hold CANARY, numbers 98765. */
static const char policy_tables[] =
    "CREATE TABLE orders (id INTEGER, customer_id INTEGER, region VARCHAR,"
    " total INTEGER, card_number VARCHAR, note VARCHAR);"
    "INSERT INTO orders VALUES"
    " (1, 1, 'EU', 10, 'CANARY-card-1', 'fine'),"
    " (2, 2, 'EU', 20, 'CANARY-card-2', '7'),"
    " (3, 1, 'US', 98765001, 'CANARY-card-3', 'CANARY-row-3'),"
    " (4, 3, 'US', 98765002, 'CANARY-card-4', 'CANARY-row-4'),"
    " (98765, 3, NULL, 98765003, 'CANARY-card-5', 'CANARY-row-5');"
    "CREATE TABLE customers (id INTEGER, name VARCHAR, email VARCHAR,"
    " phone VARCHAR, born VARCHAR);"
    "INSERT INTO customers VALUES"
    " (1, 'Ada', 'CANARY-ada', '98765-12-3456', '1815-12-10'),"
    " (2, 'Bob', 'CANARY-bob', '98765-12-9999', '1920-01-02'),"
    " (3, 'Eve', 'CANARY-eve', NULL, NULL);"
    "CREATE TABLE visits (id INTEGER, customer_id INTEGER, tenant VARCHAR,"
    " page VARCHAR);"
    "INSERT INTO visits VALUES (1, 1, 'CANARY-alice', 'home'),"
    " (2, 2, 'CANARY-alice', 'cart'), (3, 3, 'other', 'CANARY-page');"
    "CREATE TABLE salaries (id INTEGER, who VARCHAR, amount INTEGER);"
    "INSERT INTO salaries VALUES (1, 'CANARY-who', 98765123);"
    "CREATE TABLE products (id INTEGER, title VARCHAR, customer_id INTEGER);"
    "INSERT INTO products VALUES (1, 'lamp', 1), (2, 'desk', 2), (3, 'chair', 3);"
    "CREATE VIEW all_orders AS SELECT * FROM orders;"
    "CREATE VIEW over_view AS SELECT note FROM all_orders;"
    "CREATE VIEW pay AS SELECT p.title, s.amount FROM products p, salaries s;"
    "CREATE VIEW titles AS SELECT id, title FROM products;";

#define POLICY_RULES                                                                     \
    "tables: {deny: [salaries]}, "                                                       \
    "columns: {deny: [orders.card_number, visits.tenant], "                              \
    "mask: {customers.email: hash, customers.phone: last4, customers.born: year}}, "     \
    "rows: {orders: \"region = 'EU'\", visits: \"tenant = 'CANARY-alice'\"}"

static const char policy_rules[] = POLICY_RULES;
static const char policy_text[] = "datasources:\n"
                                  "  - id: shop\n"
                                  "    url: PLACE\n"
                                  "    writable: true\n"
                                  "    policy: {" POLICY_RULES "}\n";

/* How a table may be named in FROM; A is what it is called then. */
static const struct policy_relation {
    const char *from;
    const char *alias;
} policy_relations[] = {
    {"orders", "orders"},
    {"orders o", "o"},
    {"orders AS o", "o"},
    {"ORDERS", "ORDERS"},
    {"\"orders\"", "\"orders\""},
    {"\"orders\" AS \"O\"", "\"O\""},
    {"main.orders", "orders"},
    {"main.orders AS o", "o"},
    {"\"main\".\"orders\" o", "o"},
    {"/* x */ orders /* y */ o -- z\n", "o"},
    {"(SELECT * FROM orders) o", "o"},
    {"(SELECT * FROM (SELECT * FROM orders) a) o", "o"},
    {"(SELECT orders.* FROM orders) o", "o"},
    {"(SELECT * FROM orders UNION ALL SELECT * FROM orders) o", "o"},
    {"(SELECT * FROM orders EXCEPT SELECT * FROM orders WHERE id = 0) o", "o"},
    {"(WITH w AS (SELECT * FROM orders) SELECT * FROM w) o", "o"},
    {"orders o JOIN customers c ON c.id = o.customer_id", "o"},
    {"orders o LEFT JOIN products c ON c.id = o.customer_id", "o"},
    {"products p CROSS JOIN orders o", "o"},
    {"products p NATURAL JOIN orders o", "o"},
    {"products p JOIN orders o USING (customer_id)", "o"},
    {"customers c, orders o", "o"},
    {"(orders o JOIN products p ON p.id = o.id)", "o"},
    {"(orders o CROSS JOIN (customers c CROSS JOIN visits v))", "o"},
};

/* What may be asked of it. */
static const char *const policy_uses[] = {
    "SELECT * FROM R",
    "SELECT A.* FROM R",
    "SELECT DISTINCT * FROM R",
    "SELECT COUNT(*), SUM(A.total), MAX(A.note), MIN(A.id) FROM R",
    "SELECT A.note FROM R ORDER BY A.total DESC LIMIT 1",
    "SELECT A.note FROM R WHERE A.region <> 'EU' OR A.region IS NULL",
    "SELECT A.note FROM R WHERE 1 = 1 OR A.id = 3",
    "SELECT A.card_number FROM R",
    "SELECT A.\"card_number\" FROM R",
    "SELECT A.CARD_NUMBER FROM R",
    "SELECT card_number FROM R",
    "SELECT \"Card_Number\" FROM R",
    "SELECT card_number AS x FROM R",
    "SELECT UPPER(card_number) FROM R",
    "SELECT COUNT(*) FROM R WHERE card_number LIKE 'C%'",
    "SELECT A.id FROM R ORDER BY card_number",
    "SELECT COUNT(*) FROM R GROUP BY card_number",
    "SELECT A.id FROM R GROUP BY A.id HAVING MAX(card_number) > ''",
    "SELECT MAX(card_number) OVER () FROM R",
    "SELECT ROW_NUMBER() OVER (ORDER BY card_number), A.id FROM R",
    "SELECT SUM(A.total) OVER (PARTITION BY A.region ORDER BY A.id), A.note FROM R",
    "SELECT CASE WHEN card_number LIKE '%3' THEN 1 ELSE 0 END FROM R",
    "SELECT (SELECT MAX(x.card_number) FROM orders x) FROM R",
    "SELECT (SELECT MAX(x.note) FROM orders x WHERE x.id >= A.id) FROM R",
    "SELECT A.id FROM R WHERE EXISTS (SELECT 1 FROM orders x WHERE x.note LIKE 'CAN%')",
    "SELECT A.id FROM R WHERE A.id IN (SELECT id FROM orders WHERE region = 'US')",
    "SELECT A.id, (SELECT card_number) FROM R",
    "SELECT * FROM R UNION ALL SELECT * FROM R",
    "SELECT note FROM (SELECT * FROM R) AS q",
    "SELECT q.card_number FROM (SELECT * FROM R) AS q",
    "WITH q AS (SELECT A.note FROM R) SELECT * FROM q",
    "WITH orders AS (SELECT A.* FROM R) SELECT * FROM orders",
    "WITH q(a, b) AS (SELECT A.id, A.note FROM R) SELECT a, b FROM q",
    ("WITH RECURSIVE n(i, t) AS (SELECT 1, '' UNION ALL SELECT i + 1, (SELECT MAX(note) "
     "FROM orders) FROM n WHERE i < 3) SELECT t FROM n, R"),
    "SELECT A.id FROM R WHERE A.total = 98765001",
    "SELECT CAST(A.note AS INTEGER) FROM R",
    "SELECT 1 / (CASE WHEN A.total > 1000 THEN 0 ELSE 1 END) FROM R",
    "SELECT COUNT(*) FROM R WHERE CAST(A.note AS INTEGER) > 0",
    "SELECT GROUP_CONCAT(A.note) FROM R",
    "SELECT A.rowid, A.note FROM R WHERE A.rowid = 3",
    "SELECT A FROM R",
    "SELECT COUNT(A.id) FILTER (WHERE card_number IS NOT NULL) FROM R",
    "SELECT COALESCE(card_number, A.note) FROM R",
    "VALUES ((SELECT MAX(note) FROM R))",
    "SELECT * FROM (VALUES (1)) AS t(x), R",
};

/* Whatever else somebody may try; run as they stand. */
static const char *const policy_others[] = {
    "SELECT * FROM salaries",
    "SELECT * FROM SALARIES",
    "SELECT * FROM \"salaries\"",
    "SELECT * FROM main.salaries",
    "SELECT (SELECT MAX(who) FROM salaries)",
    "WITH x AS (SELECT * FROM salaries) SELECT * FROM x",
    "SELECT * FROM products WHERE id IN (SELECT id FROM salaries)",
    "SELECT * FROM products p JOIN salaries s ON s.id = p.id",
    "SELECT title FROM products UNION SELECT who FROM salaries",
    "SELECT * FROM all_orders",
    "SELECT * FROM over_view",
    "SELECT * FROM pay",
    "SELECT amount FROM pay",
    "SELECT * FROM customers",
    "SELECT email, phone, born FROM customers",
    "SELECT name FROM customers WHERE email = 'CANARY-ada'",
    "SELECT name FROM customers WHERE email LIKE 'CANARY%' ORDER BY email",
    "SELECT SUBSTR(phone, 1, 5) FROM customers",
    "SELECT MAX(email) FROM customers",
    "SELECT email FROM customers GROUP BY email",
    "SELECT a.email FROM customers a JOIN customers b ON a.email = b.email",
    "SELECT * FROM visits",
    "SELECT tenant FROM visits",
    "SELECT * FROM visits WHERE tenant = 'other'",
    "SELECT page FROM visits ORDER BY tenant",
    "SELECT COUNT(*) FROM visits GROUP BY tenant",
    "SELECT * FROM orders, visits, customers",
    "SELECT * FROM customers NATURAL JOIN visits",
    "SELECT * FROM orders WHERE 1=1) OR (1=1",
    "SELECT * FROM orders; SELECT * FROM salaries",
    "SELECT * FROM orders WHERE region = 'US' -- ",
    "SELECT * FROM orders AS salaries",
    "SELECT salaries.card_number FROM orders AS salaries",
    "SELECT * FROM sqlite_master",
    "SELECT sql FROM sqlite_schema",
    "SELECT * FROM duckdb_tables()",
    "SELECT * FROM information_schema.columns",
    "SELECT * FROM pragma_table_info('salaries')",
    "EXPLAIN SELECT * FROM orders",
    "SELECT dragoman_hash('', 'x')",
    "SELECT * FROM nothing_like_it",
    "SELECT salarie FROM products",
    "SELECT card_numbe FROM orders",
    "SELECT * FROM salarys",
};

/* Of each engine alone. */
static const char *const policy_sqlite[] = {
    "SELECT * FROM [orders]",
    "SELECT * FROM [orders] [o]",
    "SELECT `o`.`card_number` FROM `orders` `o`",
    "SELECT * FROM 'orders'",
    "SELECT * FROM orders NOT INDEXED",
    "SELECT 1 WHERE 3 IN orders",
    "SELECT json_group_array(note) FROM orders",
    "SELECT printf('%s', card_number) FROM orders",
    "SELECT total(total), group_concat(note, '|') FROM orders",
    "SELECT * FROM orders WHERE json_extract(note, '$') = 1",
    "SELECT abs(-9223372036854775807 - (total > 1000)) FROM orders",
    "SELECT oid, _rowid_, rowid, * FROM orders",
};

static const char *const policy_duckdb[] = {
    "FROM orders",
    "FROM orders SELECT note",
    "FROM main.orders o SELECT o.*",
    "SELECT o FROM orders o",
    "SELECT orders FROM orders",
    "SELECT to_json(o) FROM orders o",
    "SELECT o.* EXCLUDE (id) FROM orders o",
    "SELECT * EXCLUDE (id) FROM orders",
    "SELECT * REPLACE (card_number AS id) FROM orders",
    "SELECT COLUMNS('.*') FROM orders",
    "SELECT COLUMNS('card.*') FROM orders",
    "SELECT note::INTEGER FROM orders",
    "SELECT TRY_CAST(note AS INTEGER), note FROM orders",
    "SELECT note FROM orders WHERE note = 5",
    "SELECT o.total FROM orders o WHERE o.total < 1000 AND o.note::INTEGER = 7",
    "SELECT string_agg(note, ',') FROM orders",
    "SELECT list(note) FROM orders",
    "SELECT list(orders) FROM orders",
    "SELECT * FROM orders POSITIONAL JOIN products",
    "SELECT * FROM orders ASOF JOIN products ON orders.id >= products.id",
    "SELECT * FROM orders TABLESAMPLE 100%",
    "SELECT * FROM orders QUALIFY row_number() OVER (ORDER BY id DESC) < 9",
    "SELECT * FROM products p, LATERAL (SELECT * FROM orders o WHERE o.id = p.id) q",
    "SELECT * FROM products p, LATERAL (SELECT note FROM orders o) q",
    "SELECT unnest([card_number]) FROM orders",
    "SELECT note.upper() FROM orders",
    "SELECT max_by(note, total) FROM orders",
    "SELECT arg_max(note, total), histogram(note) FROM orders",
    "SELECT * FROM query('SELECT * FROM salaries')",
    "SELECT * FROM query_table('salaries')",
    "SUMMARIZE orders",
    "PIVOT orders ON note USING count(*)",
    "SELECT * FROM (PIVOT orders ON note USING count(*))",
    "TABLE orders",
    "DESCRIBE salaries",
    "SELECT * FROM shop.main.orders",
    "SELECT * FROM shop.orders",
    "SELECT main.orders.card_number FROM main.orders",
    "SELECT main.orders.note FROM main.orders",
    "SELECT shop.main.orders.note FROM orders",
};

#endif
