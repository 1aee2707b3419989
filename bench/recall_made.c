/* A made-up company of many branches, and questions about it. */
#include "recall_made.h"

#include <ctype.h>
#include <sqlite3.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/buf.h"

#define COUNT(list) (sizeof(list) / sizeof *(list))

enum { PER_BRANCH = 10, ROWS = 4 };

/* What each branch has: its table, another word for it, and a table it refers to. */
static const struct thing {
    const char *name;
    const char *brief;
    const char *synonym;
    const char *fact;
    int parent; /* -1: none */
} things[PER_BRANCH - 1] = {
    {"customer", "cust", "clients", "credit_limit", -1},
    {"product", "prod", "articles", "unit_price", -1},
    {"order", "ord", "purchases", "freight", 0},
    {"invoice", "inv", "bills", "amount_due", 2},
    {"employee", "emp", "workers", "salary", -1},
    {"shipment", "shp", "deliveries", "weight", 2},
    {"supplier", "supp", "vendors", "lead_days", -1},
    {"contract", "contr", "agreements", "duration", 6},
    {"vehicle", "veh", "cars", "mileage", 4},
};

static const char *const areas[] = {
    "harbour", "clinic",  "school",  "museum",  "hotel",    "garden",  "theatre",
    "energy",  "travel",  "railway", "airport", "library",  "bakery",  "brewery",
    "quarry",  "dairy",   "forest",  "fishery", "laundry",  "cinema",  "pharmacy",
    "studio",  "stadium", "casino",  "garage",  "foundry",  "tannery", "vineyard",
    "nursery", "archive", "depot",   "market",  "workshop", "kitchen", "academy",
};

static const char *const places[] = {
    "north", "south",  "east",    "west",    "lisbon",  "porto",  "madrid", "seville",
    "paris", "lyon",   "berlin",  "hamburg", "vienna",  "graz",   "prague", "brno",
    "oslo",  "bergen", "tallinn", "riga",    "vilnius", "warsaw", "krakow", "dublin",
    "cork",  "london", "leeds",   "geneva",  "zurich",  "milan",
};

static const char *const states[] = {"open", "closed", "pending", "cancelled"};

static const char *area_of(size_t branch)
{
    return areas[branch % COUNT(areas)];
}

/* A large company has every area in every place. */
static const char *place_of(size_t branch)
{
    return places[branch / COUNT(areas) % COUNT(places)];
}

static char *capital(struct arena *arena, const char *word)
{
    char *copy = arena_text(arena, word);
    copy[0] = (char)toupper((unsigned char)copy[0]);
    return copy;
}

/* Branches name their tables each in their own way. */
static const char *table_name(struct arena *arena, size_t branch, size_t thing)
{
    const char *area = area_of(branch);
    const char *place = place_of(branch);
    const char *name = things[thing].name;
    switch (branch % 4) {
    case 0:
        return arena_format(arena, "%s_%s_%ss", place, area, name);
    case 1:
        return arena_format(arena, "tbl%s%s%s", capital(arena, area),
                            capital(arena, place), capital(arena, name));
    case 2:
        return arena_format(arena, "%s_%s_%s", things[thing].brief, area, place);
    default:
        return arena_format(arena, "%s_of_%s_%s", name, area, place);
    }
}

static const char *bridge_name(struct arena *arena, size_t branch)
{
    return arena_format(arena, "xref_%04zu", branch * 7 % 9973);
}

/* A name that no other table holds: "Brontel 0042-3". */
static const char *cell_of(struct arena *arena, size_t branch, size_t thing)
{
    static const char *const first[] = {"Bron", "Cal", "Dor", "Fen", "Gor", "Hal", "Mir"};
    static const char *const last[] = {"tel", "vik", "mund", "sar", "nix", "dale"};
    size_t mix = branch * PER_BRANCH + thing;
    return arena_format(arena, "%s%s %05zu", first[mix % COUNT(first)],
                        last[mix / COUNT(first) % COUNT(last)], mix);
}

static void add_table(struct arena *arena, struct buf *sql, size_t branch, size_t thing)
{
    const struct thing *it = &things[thing];
    const char *name = table_name(arena, branch, thing);
    (void)buf_format(sql,
                     "CREATE TABLE \"%s\" (id INTEGER PRIMARY KEY, name TEXT, status "
                     "TEXT, %s REAL, created_on DATE",
                     name, it->fact);
    if (it->parent >= 0) {
        (void)buf_format(sql, ", %s_id INTEGER REFERENCES \"%s\" (id)",
                         things[it->parent].name,
                         table_name(arena, branch, (size_t)it->parent));
    }
    (void)buf_text(sql, ");\n");
    for (size_t row = 1; row <= ROWS; row++) {
        (void)buf_format(
            sql,
            "INSERT INTO \"%s\" VALUES (%zu, '%s%s', '%s', %zu.5, '202%zu-01-01'%s);\n",
            name, row, cell_of(arena, branch, thing), row > 1 ? "b" : "",
            states[(row + branch) % COUNT(states)], row * 7, row % 5,
            it->parent >= 0 ? ", 1" : "");
    }
}

/* Orders and products are linked by a table whose name says nothing. */
static void add_bridge(struct arena *arena, struct buf *sql, size_t branch)
{
    (void)buf_format(sql,
                     "CREATE TABLE \"%s\" (left_id INTEGER REFERENCES \"%s\" (id), "
                     "right_id INTEGER REFERENCES \"%s\" (id), quantity INTEGER);\n",
                     bridge_name(arena, branch), table_name(arena, branch, 2),
                     table_name(arena, branch, 1));
    (void)buf_format(sql, "INSERT INTO \"%s\" VALUES (1, 1, 3);\n",
                     bridge_name(arena, branch));
}

static size_t branches_of(size_t tables)
{
    size_t most = COUNT(areas) * COUNT(places);
    size_t branches = tables / PER_BRANCH;
    return branches > most ? most : branches ? branches : 1;
}

bool recall_database(const char *path, size_t tables)
{
    sqlite3 *db = NULL;
    struct buf sql;
    struct arena *arena = arena_new();
    buf_init(&sql, 256 << 20);
    (void)buf_text(&sql, "BEGIN;\n");
    for (size_t branch = 0; branch < branches_of(tables); branch++) {
        for (size_t thing = 0; thing + 1 < PER_BRANCH; thing++) {
            add_table(arena, &sql, branch, thing);
        }
        add_bridge(arena, &sql, branch);
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

const char *recall_kind_name(enum recall_kind kind)
{
    static const char *const names[RECALL_KINDS] = {
        "count", "figure", "join", "bridge", "cell", "typo", "synonym", "chatty"};
    return names[kind];
}

/* Two letters in the middle change places. */
static const char *misspelt(struct arena *arena, const char *word)
{
    char *copy = arena_text(arena, word);
    size_t at = strlen(copy) / 2;
    char c = copy[at];
    copy[at] = copy[at - 1];
    copy[at - 1] = c;
    return copy;
}

void recall_question(struct arena *arena, size_t tables, size_t number,
                     struct recall_question *out)
{
    size_t branch = number * 131 % branches_of(tables);
    enum recall_kind kind = (enum recall_kind)(number % RECALL_KINDS);
    size_t thing = number / RECALL_KINDS % COUNT(things);
    static const size_t children[] = {2, 3, 5, 7, 8};
    if (kind == RECALL_JOIN) {
        thing = children[number / RECALL_KINDS % COUNT(children)];
    }
    const struct thing *it = &things[thing];
    const char *area = area_of(branch);
    const char *place = capital(arena, place_of(branch));
    const char *fact = arena_text(arena, it->fact);
    for (char *c = strchr(fact, '_'); c; c = NULL) {
        *c = ' ';
    }
    const char *parent = it->parent >= 0 ? things[it->parent].name : "";
    const char *const texts[RECALL_KINDS] = {
        arena_format(arena, "How many %s %s %ss are open?", place, area, it->name),
        arena_format(arena, "What is the average %s of the %ss at the %s in %s?", fact,
                     it->name, area, place),
        arena_format(arena,
                     "Show the %s of each %s of the %s %s with the name of its %s.", fact,
                     it->name, place, area, parent),
        arena_format(arena, "Which products of the %s %s are in which orders?", place,
                     area),
        arena_format(arena, "What is the status of %s?", cell_of(arena, branch, thing)),
        arena_format(arena, "How many %s %s %ss are pending?", place, area,
                     misspelt(arena, it->name)),
        arena_format(arena, "How many %s does the %s %s have?", it->synonym, place, area),
        arena_format(arena,
                     "Good morning, for the monthly report to the board I would need, "
                     "as a table and with names if possible, a list of the %ss that "
                     "were created last year by our %s in %s and are still open, "
                     "please, sorted by date and without the total.",
                     it->name, area, place),
    };
    *out = (struct recall_question){.kind = kind, .text = texts[kind]};
    if (kind == RECALL_BRIDGE) {
        VEC_PUSH(arena, &out->tables, table_name(arena, branch, 1));
        VEC_PUSH(arena, &out->tables, table_name(arena, branch, 2));
        VEC_PUSH(arena, &out->tables, bridge_name(arena, branch));
        return;
    }
    VEC_PUSH(arena, &out->tables, table_name(arena, branch, thing));
    if (kind == RECALL_JOIN) {
        VEC_PUSH(arena, &out->tables, table_name(arena, branch, (size_t)it->parent));
    }
}
