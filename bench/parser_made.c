/* A made-up company database of any number of tables, and questions about it. */
#include "parser_made.h"

#include <sqlite3.h>
#include <stdio.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/str.h"

enum { ROWS = 40 };

#define COUNT(list) (sizeof(list) / sizeof *(list))

static const char *const things[] = {
    "customer", "order",    "product",   "invoice",  "payment", "employee", "department",
    "project",  "shipment", "supplier",  "contract", "ticket",  "campaign", "account",
    "store",    "region",   "category",  "review",   "vehicle", "course",   "student",
    "room",     "booking",  "warehouse", "event",
};

static const char *const areas[] = {
    "",          "web",      "legacy",   "regional", "daily",    "partner",  "retail",
    "wholesale", "online",   "training", "service",  "internal", "archive",  "export",
    "import",    "seasonal", "monthly",  "field",    "support",  "returned", "planned",
    "mobile",    "external", "factory",  "pilot",    "festival", "hotel",    "school",
    "clinic",    "rental",   "insured",  "digital",  "garden",   "harbour",  "mountain",
    "museum",    "theatre",  "energy",   "tax",      "travel",
};

static const char *const facts[] = {
    "quantity", "price", "rating", "weight", "discount", "duration", "distance",
    "score",    "age",   "level",  "budget", "salary",   "capacity",
};

static const char *const details[] = {"city", "country", "colour", "kind", "channel"};
static const char *const states[] = {"open", "closed", "pending", "cancelled"};
static const char *const cells[] = {"Rome",  "Berlin", "Oslo", "Lima", "Quito",
                                    "Cairo", "Delhi",  "Bern", "Riga", "Malta"};
static const char *const names[] = {"Anna",  "Boris", "Clara", "David",
                                    "Elena", "Felix", "Greta", "Hugo"};

static const char *table_name(struct arena *arena, size_t table, bool spoken)
{
    const char *thing = things[table % COUNT(things)];
    const char *area = areas[table / COUNT(things) % COUNT(areas)];
    return arena_format(arena, "%s%s%ss", area, *area ? spoken ? " " : "_" : "", thing);
}

static size_t parent_of(size_t table)
{
    return table ? (table * 7 + 1) % table : 0;
}

static void add_table(struct arena *arena, struct buf *sql, size_t table)
{
    const char *name = table_name(arena, table, false);
    const char *detail = details[table % COUNT(details)];
    (void)buf_format(
        sql,
        "CREATE TABLE \"%s\" (id INTEGER PRIMARY KEY, name TEXT, status TEXT, "
        "created_at DATE, amount REAL, %s INTEGER, %s TEXT",
        name, facts[table % COUNT(facts)], detail);
    if (table) {
        const char *thing = things[parent_of(table) % COUNT(things)];
        (void)buf_format(sql, ", %s_id INTEGER REFERENCES \"%s\" (id)", thing,
                         table_name(arena, parent_of(table), false));
    }
    (void)buf_text(sql, ");\n");
    for (size_t row = 1; row <= ROWS; row++) {
        size_t mix = row * 31 + table * 17;
        (void)buf_format(
            sql,
            "INSERT INTO \"%s\" VALUES (%zu, '%s %s', '%s', '202%zu-%02zu-%02zu', "
            "%zu.5, %zu, '%s'",
            name, row, names[mix % COUNT(names)], things[mix % COUNT(things)],
            states[mix % COUNT(states)], mix % 5, mix % 12 + 1, mix % 28 + 1, mix % 977,
            mix % 53, cells[mix % COUNT(cells)]);
        if (table) {
            (void)buf_format(sql, ", %zu", mix % ROWS + 1);
        }
        (void)buf_text(sql, ");\n");
    }
}

bool made_database(const char *path, size_t tables)
{
    sqlite3 *db = NULL;
    struct buf sql;
    buf_init(&sql, 256 << 20);
    struct arena *arena = arena_new();
    (void)buf_text(&sql, "BEGIN;\n");
    for (size_t i = 0; i < tables; i++) {
        add_table(arena, &sql, i);
    }
    (void)buf_text(&sql, "COMMIT;\n");
    bool ok = sqlite3_open(path, &db) == SQLITE_OK &&
              sqlite3_exec(db, buf_get(&sql), NULL, NULL, NULL) == SQLITE_OK;
    if (!ok) {
        (void)fprintf(stderr, "%s\n", sqlite3_errmsg(db));
    }
    (void)sqlite3_close(db);
    arena_free(arena);
    buf_release(&sql);
    return ok;
}

void made_questions(struct arena *arena, size_t tables, size_t count, struct texts *out)
{
    for (size_t i = 0; i < count; i++) {
        size_t table = i * 37 % tables;
        const char *own = table_name(arena, table, true);
        const char *parent = table_name(arena, parent_of(table), true);
        const char *fact = facts[table % COUNT(facts)];
        const char *detail = details[table % COUNT(details)];
        const char *cell = cells[i % COUNT(cells)];
        const char *const questions[] = {
            arena_format(arena, "How many %s are there?", own),
            arena_format(arena, "average amount of %s by status", own),
            arena_format(arena, "Show the names of all %s whose %s is %s.", own, detail,
                         cell),
            arena_format(arena, "Which %s have the most %s?", parent, own),
            arena_format(arena, "top 5 %s by total amount", own),
            arena_format(arena, "%s without %s", parent, own),
            arena_format(arena, "number of %s per month in 2023", own),
            arena_format(arena,
                         "What are the names of the %s with the highest %s among those "
                         "that are open and were created after March 2022?",
                         own, fact),
            arena_format(
                arena,
                "For each of the %s, find the name and the total amount of the %s "
                "whose %s is above the average, sorted by name.",
                parent, own, fact),
        };
        VEC_PUSH(arena, out, questions[i % COUNT(questions)]);
    }
}
