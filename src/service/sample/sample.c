/* Creates the tables and inserts the rows. */
#include "service/sample/sample.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/memory.h"
#include "service/sample/sample_state.h"

static const char tables_sql[] =
    "CREATE TABLE categories (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE,"
    " parent_id INTEGER REFERENCES categories (id));"
    "CREATE TABLE suppliers (id INTEGER PRIMARY KEY, name TEXT NOT NULL,"
    " country TEXT NOT NULL, email TEXT NOT NULL, rating REAL, since DATE NOT NULL);"
    "CREATE TABLE products (id INTEGER PRIMARY KEY, sku TEXT NOT NULL UNIQUE,"
    " name TEXT NOT NULL, category_id INTEGER NOT NULL REFERENCES categories (id),"
    " supplier_id INTEGER NOT NULL REFERENCES suppliers (id), price DECIMAL(10,2) NOT "
    "NULL,"
    " cost DECIMAL(10,2) NOT NULL, stock INTEGER NOT NULL, weight_grams INTEGER,"
    " launched_on DATE NOT NULL, discontinued_on DATE);"
    "CREATE TABLE promotions (id INTEGER PRIMARY KEY, code TEXT NOT NULL UNIQUE,"
    " name TEXT NOT NULL, discount_percent INTEGER NOT NULL, starts_on DATE NOT NULL,"
    " ends_on DATE NOT NULL);"
    "CREATE TABLE stores (id INTEGER PRIMARY KEY, name TEXT NOT NULL, city TEXT NOT NULL,"
    " country TEXT NOT NULL, opened_on DATE NOT NULL, floor_space INTEGER NOT NULL);"
    "CREATE TABLE employees (id INTEGER PRIMARY KEY, first_name TEXT NOT NULL,"
    " last_name TEXT NOT NULL, email TEXT NOT NULL, job_title TEXT NOT NULL,"
    " store_id INTEGER REFERENCES stores (id), manager_id INTEGER REFERENCES employees "
    "(id),"
    " hired_on DATE NOT NULL, left_on DATE, salary DECIMAL(10,2) NOT NULL);"
    "CREATE TABLE customers (id INTEGER PRIMARY KEY, first_name TEXT NOT NULL,"
    " last_name TEXT NOT NULL, email TEXT NOT NULL UNIQUE, phone TEXT, birth_date DATE,"
    " segment TEXT NOT NULL, city TEXT NOT NULL, country TEXT NOT NULL,"
    " newsletter BOOLEAN NOT NULL, created_on DATE NOT NULL);"
    "CREATE TABLE addresses (id INTEGER PRIMARY KEY,"
    " customer_id INTEGER NOT NULL REFERENCES customers (id), kind TEXT NOT NULL,"
    " street TEXT NOT NULL, postal_code TEXT NOT NULL, city TEXT NOT NULL,"
    " country TEXT NOT NULL);"
    "CREATE TABLE orders (id INTEGER PRIMARY KEY,"
    " customer_id INTEGER NOT NULL REFERENCES customers (id),"
    " store_id INTEGER REFERENCES stores (id), employee_id INTEGER REFERENCES employees "
    "(id),"
    " promotion_id INTEGER REFERENCES promotions (id),"
    " address_id INTEGER REFERENCES addresses (id), channel TEXT NOT NULL,"
    " status TEXT NOT NULL, ordered_at DATETIME NOT NULL,"
    " total_amount DECIMAL(10,2) NOT NULL);"
    "CREATE TABLE order_items (id INTEGER PRIMARY KEY,"
    " order_id INTEGER NOT NULL REFERENCES orders (id),"
    " product_id INTEGER NOT NULL REFERENCES products (id), quantity INTEGER NOT NULL,"
    " unit_price DECIMAL(10,2) NOT NULL, discount_percent INTEGER NOT NULL,"
    " line_total DECIMAL(10,2) NOT NULL);"
    "CREATE TABLE payments (id INTEGER PRIMARY KEY,"
    " order_id INTEGER NOT NULL REFERENCES orders (id), method TEXT NOT NULL,"
    " status TEXT NOT NULL, amount DECIMAL(10,2) NOT NULL, paid_at DATETIME);"
    "CREATE TABLE shipments (id INTEGER PRIMARY KEY,"
    " order_id INTEGER NOT NULL REFERENCES orders (id), carrier TEXT NOT NULL,"
    " tracking_number TEXT NOT NULL, status TEXT NOT NULL, shipped_on DATE NOT NULL,"
    " delivered_on DATE, cost DECIMAL(10,2) NOT NULL);"
    "CREATE TABLE returns (id INTEGER PRIMARY KEY,"
    " order_item_id INTEGER NOT NULL REFERENCES order_items (id), reason TEXT NOT NULL,"
    " quantity INTEGER NOT NULL, refund_amount DECIMAL(10,2) NOT NULL,"
    " returned_on DATE NOT NULL);"
    "CREATE TABLE reviews (id INTEGER PRIMARY KEY,"
    " product_id INTEGER NOT NULL REFERENCES products (id),"
    " customer_id INTEGER NOT NULL REFERENCES customers (id), rating INTEGER NOT NULL,"
    " comment TEXT, reviewed_on DATE NOT NULL);";

static const char indexes_sql[] =
    "CREATE INDEX products_category ON products (category_id);"
    "CREATE INDEX products_supplier ON products (supplier_id);"
    "CREATE INDEX employees_store ON employees (store_id);"
    "CREATE INDEX customers_city ON customers (country, city);"
    "CREATE INDEX addresses_customer ON addresses (customer_id);"
    "CREATE INDEX orders_customer ON orders (customer_id);"
    "CREATE INDEX orders_ordered ON orders (ordered_at);"
    "CREATE INDEX order_items_order ON order_items (order_id);"
    "CREATE INDEX order_items_product ON order_items (product_id);"
    "CREATE INDEX payments_order ON payments (order_id);"
    "CREATE INDEX shipments_order ON shipments (order_id);"
    "CREATE INDEX returns_item ON returns (order_item_id);"
    "CREATE INDEX reviews_product ON reviews (product_id);"
    "CREATE VIEW monthly_sales AS SELECT strftime('%Y-%m', ordered_at) AS month,"
    " channel, count(*) AS orders, round(sum(total_amount), 2) AS revenue"
    " FROM orders WHERE status <> 'cancelled' GROUP BY 1, 2;"
    "ANALYZE;";

/* splitmix64: the same on every machine. */
uint64_t sample_random(struct sample *sample)
{
    uint64_t z = (sample->seed += 0x9E3779B97F4A7C15ULL);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
    return z ^ (z >> 31);
}

int64_t sample_below(struct sample *sample, int64_t most)
{
    return (int64_t)(sample_random(sample) % (uint64_t)most);
}

int64_t sample_between(struct sample *sample, int64_t from, int64_t to)
{
    return from + sample_below(sample, to - from + 1);
}

bool sample_chance(struct sample *sample, int64_t percent)
{
    return sample_below(sample, 100) < percent;
}

void sample_date(int64_t day, int *year, int *month, int *date)
{
    /* Days since 0000-03-01, so that leap days come at the end of a year. */
    int64_t z = day + 738826; /* 2023-01-01 */
    int64_t era = z / 146097;
    int64_t in_era = z - era * 146097;
    int64_t of_era = (in_era - in_era / 1460 + in_era / 36524 - in_era / 146096) / 365;
    int64_t in_year = in_era - (365 * of_era + of_era / 4 - of_era / 100);
    int64_t shifted = (5 * in_year + 2) / 153;
    *date = (int)(in_year - (153 * shifted + 2) / 5 + 1);
    *month = (int)(shifted < 10 ? shifted + 3 : shifted - 9);
    *year = (int)(of_era + era * 400 + (*month <= 2));
}

int sample_weekday(int64_t day)
{
    return (int)((day + 6 + 7000) % 7); /* 2023-01-01 was a Sunday */
}

static void bind_day(sqlite3_stmt *statement, int at, int64_t day, int64_t second)
{
    int year = 0;
    int month = 0;
    int date = 0;
    char text[64];
    sample_date(day, &year, &month, &date);
    int size = snprintf(text, sizeof text, "%04d-%02d-%02d", year, month, date);
    if (second >= 0) {
        size = snprintf(text, sizeof text, "%04d-%02d-%02d %02d:%02d:%02d", year, month,
                        date, (int)(second / 3600), (int)(second / 60 % 60),
                        (int)(second % 60));
    }
    (void)sqlite3_bind_text(statement, at, text, size, SQLITE_TRANSIENT);
}

/* The INSERT for a table, prepared when it is first needed. */
static sqlite3_stmt *statement_for(struct sample *sample, const char *table,
                                   size_t values)
{
    size_t at = 0;
    while (at < SAMPLE_TABLES && sample->tables[at] &&
           strcmp(sample->tables[at], table) != 0) {
        at++;
    }
    if (at == SAMPLE_TABLES || sample->tables[at]) {
        return at == SAMPLE_TABLES ? NULL : sample->statements[at];
    }
    char sql[160];
    int size = snprintf(sql, sizeof sql, "INSERT INTO %s VALUES (?", table);
    for (size_t i = 1; i < values; i++) {
        size += snprintf(sql + size, sizeof sql - (size_t)size, ",?");
    }
    (void)snprintf(sql + size, sizeof sql - (size_t)size, ")");
    sample->tables[at] = table;
    (void)sqlite3_prepare_v2(sample->db, sql, -1, &sample->statements[at], NULL);
    return sample->statements[at];
}

void sample_row(struct sample *sample, const char *table, const char *types, ...)
{
    sqlite3_stmt *statement = statement_for(sample, table, strlen(types));
    sample->failed = sample->failed || !statement;
    if (sample->failed) {
        return;
    }
    va_list arguments;
    va_start(arguments, types);
    for (int at = 1; types[at - 1]; at++) {
        char type = types[at - 1];
        if (type == 't') {
            const char *text = va_arg(arguments, const char *);
            (void)sqlite3_bind_text(statement, at, text, -1, SQLITE_TRANSIENT);
            continue;
        }
        int64_t number = va_arg(arguments, int64_t);
        int64_t second = type == 's' ? va_arg(arguments, int64_t) : -1;
        if (number == SAMPLE_NEVER) {
            (void)sqlite3_bind_null(statement, at);
        } else if (type == 'i') {
            (void)sqlite3_bind_int64(statement, at, number);
        } else if (type == 'm') {
            (void)sqlite3_bind_double(statement, at, (double)number / 100.0);
        } else {
            bind_day(statement, at, number, second);
        }
    }
    va_end(arguments);
    sample->failed = sqlite3_step(statement) != SQLITE_DONE;
    (void)sqlite3_reset(statement);
}

static void statements_end(struct sample *sample)
{
    for (size_t i = 0; i < SAMPLE_TABLES; i++) {
        (void)sqlite3_finalize(sample->statements[i]);
        sample->statements[i] = NULL;
    }
}

static bool sample_sql(struct sample *sample, const char *sql)
{
    return sqlite3_exec(sample->db, sql, NULL, NULL, NULL) == SQLITE_OK;
}

static bool sample_fill(struct sample *sample)
{
    if (!sample_sql(sample, "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;"
                            "PRAGMA page_size = 4096; BEGIN") ||
        !sample_sql(sample, tables_sql)) {
        return false;
    }
    sample_catalog(sample);
    sample_people(sample);
    sample_orders(sample);
    statements_end(sample);
    return !sample->failed && sample_sql(sample, indexes_sql) &&
           sample_sql(sample, "COMMIT");
}

bool sample_create(const char *path, struct err *err)
{
    struct arena *arena = arena_new();
    const char *draft = arena_format(arena, "%s.new-%d", path, (int)getpid());
    struct sample *sample = memory_alloc(sizeof *sample);
    sample->seed = 20230101;
    (void)unlink(draft);
    int result = sqlite3_open_v2(draft, &sample->db,
                                 SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, NULL);
    bool made = result == SQLITE_OK && sample_fill(sample);
    bool full = sample->db && (sqlite3_errcode(sample->db) & 0xff) == SQLITE_FULL;
    const char *why = arena_text(arena, sample->db ? sqlite3_errmsg(sample->db) : "");
    statements_end(sample);
    made = sqlite3_close(sample->db) == SQLITE_OK && made;
    memory_free(sample);
    made = made && rename(draft, path) == 0;
    if (!made) {
        (void)unlink(draft);
        (void)err_set(err, full ? ERR_DISK_FULL : ERR_STORE,
                      "The sample database could not be written.");
        (void)err_detail(err, "%s", why);
    }
    arena_free(arena);
    return made;
}
