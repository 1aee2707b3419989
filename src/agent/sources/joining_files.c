/* Files of one table each that a question needs together because of their columns. */
#include <string.h>

#include "agent/sources/joining_files.h"
#include "agent/understand/intent_rules.h"
#include "base/buf.h"
#include "base/str.h"
#include "base/vec.h"
#include "datasource/datasource.h"
#include "knowledge/keys/key_probe.h"
#include "knowledge/words/phrase.h"
#include "knowledge/words/words.h"

enum {
    PHRASE_MOST = 3,
    FILES_MOST = 8, /* with more, keys are not looked for */
    PROBE_MS = 1000,
    VALUES_MOST = 2000,
    SQL_MOST = 4096,
};

static const double CONTAINED = 0.9; /* share of the values */
static const double BY_VALUES = 0.9; /* trust in such a key */

/* Are the words a whole name of a column? "name" and the like say too little. */
static bool names_column(struct run *run, const struct table *table, const char *said)
{
    struct phrase_words words;
    phrase_split(run->scratch, said, &words);
    for (size_t i = 0; i < table->columns.count; i++) {
        struct phrase_words name;
        size_t first = 0;
        phrase_split(run->scratch, table->columns.items[i].name, &name);
        if (name.count == words.count && phrase_find(&name, &words, &first)) {
            return true;
        }
    }
    return false;
}

static uint64_t columns_covered(struct run *run, const struct texts *words,
                                const struct table *table)
{
    uint64_t covered = 0;
    for (size_t i = 0; i < words->count && i < JOINING_WORDS; i++) {
        for (size_t size = PHRASE_MOST; size > 0; size--) {
            struct texts some = {words->items + i, size, size};
            if (i + size <= words->count && i + size <= JOINING_WORDS &&
                !(size == 1 && word_is_common(words->items[i])) &&
                names_column(run, table, str_join(run->scratch, &some, " "))) {
                covered |= (((uint64_t)1 << size) - 1) << i;
            }
        }
    }
    return covered;
}

static bool are_files(const struct run *run)
{
    for (size_t i = 0; i < run->sources.count; i++) {
        if (run->sources.items[i].schema->tables.count != 1) {
            return false;
        }
    }
    return true;
}

/* Leaves the source whose bits are given out: who else has the first of the words that are missing; -1: nobody, or
 * several have. */
static int owner_of(const uint64_t *covered, size_t count, uint64_t missing)
{
    uint64_t first = missing & (~missing + 1);
    int owner = -1;
    for (size_t i = 0; i < count; i++) {
        if (covered[i] & first) {
            if (owner >= 0) {
                return -1;
            }
            owner = (int)i;
        }
    }
    return owner;
}

bool joining_files_named(struct run *run, const struct texts *words,
                         const uint64_t *tables, bool *chosen)
{
    size_t count = run->sources.count;
    uint64_t *covered = arena_array(run->scratch, count + 1, sizeof *covered);
    uint64_t all = 0;
    uint64_t said = 0;
    size_t kept = 0;
    size_t named = 0;
    for (size_t i = 0; i < count; i++) {
        named += tables[i] != 0;
    }
    if (!are_files(run) || named > 1) {
        return false; /* the names of tables decide */
    }
    for (size_t i = 0; i < count; i++) {
        covered[i] =
            tables[i] |
            columns_covered(run, words, &run->sources.items[i].schema->tables.items[0]);
        all |= covered[i];
        chosen[i] = tables[i] != 0;
        said |= chosen[i] ? covered[i] : 0;
        kept += chosen[i];
    }
    for (uint64_t missing; (missing = all & ~said);) {
        int owner = owner_of(covered, count, missing);
        if (owner < 0 || chosen[owner]) {
            return false;
        }
        chosen[owner] = true;
        said |= covered[owner];
        kept++;
    }
    for (size_t i = 0; i < count; i++) {
        if ((covered[i] & all) == all) {
            return false; /* one file has everything */
        }
    }
    return kept > 1;
}

/* ------------------------------------------------------------------ keys of files */

/* Do all values of the column differ? */
static bool is_unique(struct run *run, const struct table *table,
                      const struct column *column)
{
    int64_t steps = 0;
    struct datasource *across = run->sources.across;
    struct datasource_limits limits = run_probe_limits(run, PROBE_MS, 1, &steps);
    struct buf sql;
    struct rows rows;
    struct err err;
    err_clear(&err);
    rows_init(&rows, run->scratch);
    buf_init(&sql, SQL_MOST);
    (void)buf_text(&sql, "SELECT COUNT(v) AS n, COUNT(DISTINCT v) AS d FROM (SELECT ");
    dialect_quote(&sql, datasource_dialect(across), column->name, false);
    (void)buf_text(&sql, " AS v FROM ");
    dialect_quote(&sql, datasource_dialect(across), table->name, true);
    (void)buf_text(&sql, ") AS all_values");
    bool told = !sql.full &&
                datasource_execute(across, buf_get(&sql), NULL, &limits, &rows, &err) &&
                rows.count == 1 && rows_cell(&rows, 0, 0)->kind == VALUE_INT &&
                rows_cell(&rows, 0, 1)->kind == VALUE_INT;
    buf_release(&sql);
    return told && rows_cell(&rows, 0, 0)->integer > 1 &&
           rows_cell(&rows, 0, 0)->integer == rows_cell(&rows, 0, 1)->integer;
}

/* Nearly all values of the one column are among the values of the other, each of which is there once. */
static bool refers(struct run *run, const struct table *from, const struct column *column,
                   const struct table *to, const struct column *key)
{
    int64_t steps = 0;
    struct datasource_limits limits = run_probe_limits(run, PROBE_MS, 1, &steps);
    const struct key_probe probe = {from, column, to, key, VALUES_MOST};
    struct key_share share;
    return is_unique(run, to, key) &&
           key_probe_run(run->sources.across, &probe, &limits, &share) &&
           (double)share.found >= CONTAINED * (double)share.values;
}

static bool try_key(struct run *run, struct schema *schema, struct table *from,
                    const struct column *column, const struct table *to,
                    const struct column *key)
{
    if (!refers(run, from, column, to, key)) {
        return false;
    }
    struct foreign_key *found = VEC_ADD(schema->arena, &from->foreign_keys);
    found->table = to->name;
    found->confidence = BY_VALUES;
    VEC_PUSH(schema->arena, &found->columns, column->name);
    VEC_PUSH(schema->arena, &found->references, key->name);
    return true;
}

static bool refers_to(const struct table *from, const struct table *to)
{
    for (size_t i = 0; i < from->foreign_keys.count; i++) {
        if (str_equal(from->foreign_keys.items[i].table, to->name)) {
            return true;
        }
    }
    return false;
}

/* Names that columns of any two files may share without belonging together. */
static bool is_general(const char *name)
{
    static const char *const names[] = {
        "id",       "nr",    "no",       "num",        "number", "key",   "index",
        "row",      "rank",  "date",     "day",        "week",   "month", "year",
        "time",     "name",  "type",     "kind",       "status", "note",  "notes",
        "comment",  "title", "amount",   "total",      "price",  "value", "count",
        "quantity", "line",  "position", "description"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (str_equal_nocase(name, names[i])) {
            return true;
        }
    }
    return false;
}

static void join_by_name(struct run *run, struct schema *schema, struct table *a,
                         struct table *b)
{
    if (refers_to(a, b) || refers_to(b, a)) {
        return;
    }
    for (size_t i = 0; i < a->columns.count; i++) {
        const struct column *left = &a->columns.items[i];
        const struct column *right = table_column(b, left->name);
        if (right && right->is_text == left->is_text && !is_general(left->name) &&
            (try_key(run, schema, a, left, b, right) ||
             try_key(run, schema, b, right, a, left))) {
            return;
        }
    }
}

void joining_files_guess(struct run *run, struct schema *schema)
{
    for (size_t i = 0;
         i < schema->tables.count && are_files(run) && schema->tables.count <= FILES_MOST;
         i++) {
        for (size_t k = i + 1; k < schema->tables.count; k++) {
            join_by_name(run, schema, &schema->tables.items[i], &schema->tables.items[k]);
        }
    }
}

bool joining_files_joined(const struct run *run)
{
    const struct schema *schema = run_schema(run);
    size_t joined = 0;
    for (size_t i = 0; i < schema->tables.count; i++) {
        const struct table *table = &schema->tables.items[i];
        bool found = table->foreign_keys.count > 0;
        for (size_t k = 0; k < schema->tables.count && !found; k++) {
            const struct foreign_keys *keys = &schema->tables.items[k].foreign_keys;
            for (size_t n = 0; n < keys->count && !found; n++) {
                found = str_equal(keys->items[n].table, table->name);
            }
        }
        joined += found;
    }
    return joined == schema->tables.count;
}
