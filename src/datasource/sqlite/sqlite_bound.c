/*
 * How long a value may get while a statement runs. SQLite looks at stop and deadline only
 * where its program jumps, never inside one operation: what stands between two looks is
 * bounded here, as the work of every operation of the program times the longest value.
 */
#include "datasource/sqlite/sqlite_driver.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/hash.h"
#include "base/str.h"

enum {
    /* One unit is a pass over a value, about two nanoseconds a byte: 100 ms in all. */
    WORK_MOST = 50 * 1000 * 1000,
    LENGTH_LEAST = 4 << 10,
    LENGTH_MOST = 16 << 20,
    PART = 8, /* weights are in eighths of a pass */
    /* a program that computes is looked at more often than one that only reads */
    STEPS_READING = 1000,
    STEPS_COMPUTING = 50,
};

struct weight {
    const char *name;
    int eighths;
};

/* Operations that do not look into values, or only copy a reference; in strcmp order. */
static const char *const free_operations[] = {
    "BeginSubrtn",   "Close",        "CollSeq",       "Count",
    "DecrJumpZero",  "EndCoroutine", "Explain",       "Gosub",
    "Goto",          "Halt",         "HaltIfNull",    "If",
    "IfNoHope",      "IfNot",        "IfNotOpen",     "IfNotZero",
    "IfNullRow",     "IfPos",        "IfSmaller",     "Init",
    "InitCoroutine", "Int64",        "Integer",       "IsNull",
    "Jump",          "Last",         "Move",          "Next",
    "Noop",          "NotNull",      "Null",          "NullRow",
    "OffsetLimit",   "Once",         "OpenAutoindex", "OpenDup",
    "OpenEphemeral", "OpenPseudo",   "OpenRead",      "Permutation",
    "Prev",          "Real",         "RealAffinity",  "ReopenIdx",
    "ResetSorter",   "ResultRow",    "Return",        "Rewind",
    "Rowid",         "SCopy",        "SeekRowid",     "Sequence",
    "SoftNull",      "SorterOpen",   "String8",       "TableLock",
    "Trace",         "Transaction",  "VNext",         "VOpen",
    "Variable",      "Yield",
};

/* Operations that cost more or less than one pass; in strcmp order. */
static const struct weight operations[] = {
    {"Column", 1}, /* one copy at most, and it is memory that counts */
    {"Found", 8 * PART},    {"IdxGE", PART},        {"IdxGT", PART},
    {"IdxLE", PART},        {"IdxLT", PART},        {"NoConflict", 8 * PART},
    {"NotFound", 8 * PART}, {"SeekGE", 8 * PART},   {"SeekGT", 8 * PART},
    {"SeekLE", 8 * PART},   {"SeekLT", 8 * PART},   {"SorterSort", 4 * PART},
    {"VColumn", 8 * PART},  {"VFilter", 16 * PART},
};

/* Functions by how their names begin: what one argument costs. The last that fits counts.
 * json_patch compares every name of one object with every name of the other: it is left
 * with values of 4 KB. */
static const struct weight functions[] = {
    {"json", 8 * PART},      {"json_patch", 12500 * PART}, {"->", 8 * PART},
    {"strftime", 45 * PART}, {"snippet", 8 * PART},        {"highlight", 8 * PART},
    {"offsets", 8 * PART},   {"matchinfo", 8 * PART},      {"bm25", 8 * PART},
};

static int by_text(const void *name, const void *row)
{
    return strcmp(name, *(const char *const *)row);
}

static int by_name(const void *name, const void *row)
{
    return strcmp(name, ((const struct weight *)row)->name);
}

/* "json_extract(3)": the name and how many arguments it is given. */
static int64_t function_weight(const char *call)
{
    int64_t one = PART;
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
        if (str_starts_nocase(call, functions[i].name)) {
            one = functions[i].eighths;
        }
    }
    const char *count = strrchr(call, '(');
    long arguments = count ? strtol(count + 1, NULL, 10) : 1;
    /* a call without arguments makes no long value; more arguments are mostly short */
    return arguments <= 0
               ? PART
               : one + (arguments - 1) * (int64_t)(one > PART ? 4 * PART : PART);
}

static int64_t operation_weight(const char *name, const char *p4)
{
    if (bsearch(name, free_operations, sizeof free_operations / sizeof *free_operations,
                sizeof *free_operations, by_text)) {
        return 0;
    }
    if (str_starts(name, "Function") || str_starts(name, "PureFunc") ||
        str_starts(name, "Agg")) {
        return function_weight(p4 ? p4 : "");
    }
    const struct weight *known =
        bsearch(name, operations, sizeof operations / sizeof *operations,
                sizeof *operations, by_name);
    return known ? known->eighths : PART;
}

/* "abc%": compared with the beginning of a text alone, so it costs no more than its own
 * length, and SQLite can search an index for it. */
static bool pattern_is_prefix(const char *pattern)
{
    size_t until = strcspn(pattern, "%");
    return until > 0 && pattern[until] == '%' &&
           strspn(pattern + until, "%") == strlen(pattern + until);
}

/* LIKE in a program: where the pattern of each call lies, and what constant texts lie
 * there. Views, computed columns and indexes are in the program, too. */
struct likes {
    int calls[16];
    size_t count;
    bool other; /* a call whose pattern is computed, or too many of them */
    int prefixes[16];
    size_t prefix_count;
};

static void likes_note(struct likes *likes, const char *name, sqlite3_stmt *row)
{
    enum { MOST = 16 };
    const char *p4 = (const char *)sqlite3_column_text(row, 5);
    int constant = sqlite3_column_int(row, 2);
    int place = sqlite3_column_int(row, 3);
    if (!p4) {
        return;
    }
    if (str_equal(name, "String8") && pattern_is_prefix(p4) &&
        likes->prefix_count < MOST) {
        likes->prefixes[likes->prefix_count++] = place;
    }
    bool calls = str_starts(name, "Function") || str_starts(name, "PureFunc");
    if (!calls || !str_starts_nocase(p4, "like(")) {
        return;
    }
    if (!str_equal(p4, "like(2)") || !(constant & 1) || likes->count == MOST) {
        likes->other = true;
    } else {
        likes->calls[likes->count++] = place;
    }
}

static bool likes_are_prefixes(const struct likes *likes)
{
    bool all = likes->count > 0 && !likes->other;
    for (size_t i = 0; all && i < likes->count; i++) {
        bool found = false;
        for (size_t j = 0; j < likes->prefix_count; j++) {
            found = found || likes->prefixes[j] == likes->calls[i];
        }
        all = found;
    }
    return all;
}

/* What one run through the whole program costs; -1 when it cannot be compiled. */
static int64_t program_weight(struct sqlite_connection *connection, const char *sql,
                              bool *prefixes)
{
    struct likes likes = {.count = 0};
    sqlite3_stmt *statement = NULL;
    struct buf text;
    buf_init(&text, 2 << 20);
    (void)buf_text(&text, "EXPLAIN ");
    (void)buf_text(&text, sql);
    int64_t weight = 0;
    int result = text.full ? SQLITE_TOOBIG
                           : sqlite3_prepare_v2(connection->db, buf_get(&text), -1,
                                                &statement, NULL);
    if (result == SQLITE_OK) {
        while ((result = sqlite3_step(statement)) == SQLITE_ROW) {
            const char *name = (const char *)sqlite3_column_text(statement, 1);
            likes_note(&likes, name ? name : "", statement);
            weight += operation_weight(name ? name : "",
                                       (const char *)sqlite3_column_text(statement, 5));
        }
    }
    (void)sqlite3_finalize(statement);
    buf_release(&text);
    *prefixes = result == SQLITE_DONE && likes_are_prefixes(&likes);
    return result == SQLITE_DONE ? weight : -1;
}

static const struct sqlite_bound *known(struct sqlite_connection *connection,
                                        const char *sql)
{
    uint64_t hash = hash_of(sql, strlen(sql));
    struct sqlite_bound *slot =
        &connection
             ->bounds[hash % (sizeof connection->bounds / sizeof *connection->bounds)];
    if (slot->hash != hash || slot->weight <= 0) {
        slot->weight = program_weight(connection, sql, &slot->prefixes);
        slot->hash = hash;
    }
    return slot;
}

bool sqlite_bound_apply(struct sqlite_connection *connection, const char *sql)
{
    const struct sqlite_bound *bound = known(connection, sql);
    int64_t weight = bound->weight;
    int64_t length = weight < 0 ? LENGTH_LEAST : WORK_MOST / (weight / PART + 1);
    length = length < LENGTH_LEAST  ? LENGTH_LEAST
             : length > LENGTH_MOST ? LENGTH_MOST
                                    : length;
    (void)sqlite3_limit(connection->db, SQLITE_LIMIT_LENGTH, (int)length);
    sqlite_watch_steps(connection, weight >= 0 && weight < 8 * PART ? STEPS_READING
                                                                    : STEPS_COMPUTING);
    return bound->prefixes;
}

void sqlite_bound_lift(struct sqlite_connection *connection)
{
    (void)sqlite3_limit(connection->db, SQLITE_LIMIT_LENGTH, LENGTH_MOST);
}
