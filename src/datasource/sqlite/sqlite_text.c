/*
 * LIKE, GLOB, instr(), replace() and the trims, as SQLite's own but stoppable. Those take
 * the product of two lengths in one step of the machine, where no deadline reaches them.
 */
#include "datasource/sqlite/sqlite_driver.h"

#include <ctype.h>
#include <string.h>

#include "base/buf.h"

enum {
    PATTERN_MOST = 500,
    TICKS = 1 << 14, /* comparisons between two looks at deadline and stop */
};

struct span {
    const unsigned char *data;
    size_t size;
};

/* A function at work: counts what it does, and learns that it must end. */
struct effort {
    struct sqlite_connection *connection;
    unsigned ticks;
    bool over;
};

static bool tick(struct effort *effort)
{
    if (++effort->ticks % TICKS == 0) {
        effort->over = effort->over || limits_spent(effort->connection->limits);
    }
    return !effort->over;
}

static struct effort effort_begin(sqlite3_context *context)
{
    return (struct effort){.connection = sqlite3_user_data(context)};
}

static void effort_fail(sqlite3_context *context)
{
    sqlite3_result_error(context, "interrupted", -1);
    sqlite3_result_error_code(context, SQLITE_INTERRUPT);
}

/* data is NULL for NULL. */
static struct span text_of(sqlite3_value *value)
{
    struct span span = {.data = sqlite3_value_text(value)};
    span.size = span.data ? (size_t)sqlite3_value_bytes(value) : 0;
    return span;
}

/* The next character and its length; a byte that is not UTF-8 counts as a character. */
static uint32_t character(struct span text, size_t at, size_t *size)
{
    uint32_t value = text.data[at];
    *size = 1;
    if (value < 0xC0) {
        return value;
    }
    while (at + *size < text.size && (text.data[at + *size] & 0xC0) == 0x80) {
        value = value << 6 | (text.data[at + *size] & 0x3F);
        ++*size;
    }
    return value;
}

/* What tells LIKE from GLOB. */
struct wild {
    uint32_t any;    /* of any length */
    uint32_t one;    /* a single character */
    uint32_t set;    /* opens a set; 0: there are none */
    uint32_t escape; /* takes away the meaning of the next; 0: none */
    bool fold;       /* ASCII letters are the same in both cases */
};

struct matching {
    struct wild wild;
    struct span pattern;
    struct span text;
    struct effort effort;
};

static uint32_t folded(const struct wild *wild, uint32_t value)
{
    return wild->fold && value < 0x80 ? (uint32_t)tolower((int)value) : value;
}

/* "[^a-z]" at *at, behind its bracket; *at goes behind the closing one. A set that does
 * not end matches nothing. */
static bool set_holds(const struct matching *work, size_t *at, uint32_t value)
{
    struct span pattern = work->pattern;
    bool seen = false;
    bool invert = false;
    uint32_t before = 0;
    bool first = true;
    size_t size;
    if (*at < pattern.size && pattern.data[*at] == '^') {
        invert = true;
        ++*at;
    }
    while (*at < pattern.size) {
        uint32_t here = character(pattern, *at, &size);
        *at += size;
        if (here == ']' && !first) {
            return seen != invert;
        }
        if (here == ']') { /* as the first it is a character like others */
            seen = value == here;
            first = false;
            continue;
        }
        bool range =
            here == '-' && before && *at < pattern.size && pattern.data[*at] != ']';
        if (range) {
            uint32_t last = character(pattern, *at, &size);
            *at += size;
            seen = seen || (value >= before && value <= last);
            before = 0;
        } else {
            seen = seen || value == here;
            before = here;
        }
        first = false;
    }
    return false;
}

/* Does one character of the pattern at *p match the text at *t? Both go on if so. */
static bool one_matches(struct matching *work, size_t *p, size_t *t)
{
    size_t pattern_size;
    size_t text_size;
    uint32_t value = character(work->text, *t, &text_size);
    uint32_t wanted = character(work->pattern, *p, &pattern_size);
    size_t next = *p + pattern_size;
    bool plain = false;
    if (work->wild.escape && wanted == work->wild.escape) {
        if (next >= work->pattern.size) {
            return false;
        }
        wanted = character(work->pattern, next, &pattern_size);
        next += pattern_size;
        plain = true;
    }
    bool same = folded(&work->wild, wanted) == folded(&work->wild, value);
    if (!plain && wanted == work->wild.one) {
        same = true;
    } else if (!plain && work->wild.set && wanted == work->wild.set) {
        same = set_holds(work, &next, value);
    }
    if (same) {
        *p = next;
        *t += text_size;
    }
    return same;
}

/* Goes back to the last "any" only: an earlier one could not match better. */
static bool matches(struct matching *work)
{
    const size_t none = SIZE_MAX;
    size_t p = 0;
    size_t t = 0;
    size_t back_p = none;
    size_t back_t = 0;
    while (tick(&work->effort)) {
        if (p < work->pattern.size && work->pattern.data[p] == work->wild.any) {
            back_p = ++p;
            back_t = t;
        } else if (t >= work->text.size) {
            return p >= work->pattern.size;
        } else if (p < work->pattern.size && one_matches(work, &p, &t)) {
            continue;
        } else if (back_p != none) {
            size_t size;
            (void)character(work->text, back_t, &size);
            back_t += size;
            p = back_p;
            t = back_t;
        } else {
            return false;
        }
    }
    return false;
}

static void match_with(sqlite3_context *context, struct wild wild, sqlite3_value **values)
{
    struct matching work = {.wild = wild, .effort = effort_begin(context)};
    work.pattern = text_of(values[0]);
    work.text = text_of(values[1]);
    bool long_pattern = work.pattern.size > PATTERN_MOST;
    /* SQLite's own end at a NUL, too */
    work.pattern.size = work.pattern.data ? strlen((const char *)work.pattern.data) : 0;
    work.text.size = work.text.data ? strlen((const char *)work.text.data) : 0;
    if (long_pattern) {
        sqlite3_result_error(context, "LIKE or GLOB pattern too complex", -1);
    } else if (work.pattern.data && work.text.data) {
        bool same = matches(&work);
        if (work.effort.over) {
            effort_fail(context);
        } else {
            sqlite3_result_int(context, same);
        }
    }
}

static void like(sqlite3_context *context, int count, sqlite3_value **values)
{
    struct wild wild = {.any = '%', .one = '_', .fold = true};
    if (count == 3) {
        struct span escape = text_of(values[2]);
        size_t size = 0;
        if (!escape.data) {
            return; /* NULL, as SQLite's own */
        }
        wild.escape = escape.size ? character(escape, 0, &size) : 0;
        if (escape.size == 0 || size != escape.size) {
            sqlite3_result_error(context, "ESCAPE expression must be a single character",
                                 -1);
            return;
        }
        wild.any = wild.escape == wild.any ? 0 : wild.any;
        wild.one = wild.escape == wild.one ? 0 : wild.one;
    }
    match_with(context, wild, values);
}

static void glob(sqlite3_context *context, int count, sqlite3_value **values)
{
    (void)count;
    match_with(context, (struct wild){.any = '*', .one = '?', .set = '['}, values);
}

/* memmem() is linear whatever the texts; a match inside a character is none. */
static void instr(sqlite3_context *context, int count, sqlite3_value **values)
{
    (void)count;
    bool bytes = sqlite3_value_type(values[0]) == SQLITE_BLOB &&
                 sqlite3_value_type(values[1]) == SQLITE_BLOB;
    if (sqlite3_value_type(values[0]) == SQLITE_NULL ||
        sqlite3_value_type(values[1]) == SQLITE_NULL) {
        return;
    }
    struct span text = {.data = bytes ? sqlite3_value_blob(values[0])
                                      : sqlite3_value_text(values[0])};
    struct span wanted = {.data = bytes ? sqlite3_value_blob(values[1])
                                        : sqlite3_value_text(values[1])};
    text.size = (size_t)sqlite3_value_bytes(values[0]);
    wanted.size = (size_t)sqlite3_value_bytes(values[1]);
    struct effort effort = effort_begin(context);
    effort.ticks = TICKS - 64; /* each search is long work: looked at soon */
    const unsigned char *found = text.data;
    size_t from = 0;
    while (wanted.size > 0) {
        found = text.size
                    ? memmem(text.data + from, text.size - from, wanted.data, wanted.size)
                    : NULL;
        if (!found || bytes || (*found & 0xC0) != 0x80 || !tick(&effort)) {
            break;
        }
        from = (size_t)(found - text.data) + 1;
    }
    if (effort.over) {
        effort_fail(context);
        return;
    }
    sqlite3_int64 place = found || wanted.size == 0 ? 1 : 0;
    for (const unsigned char *at = text.data; found && at < found; at++) {
        place += bytes || (at[1] & 0xC0) != 0x80;
    }
    sqlite3_result_int64(context, place);
}

static void replace(sqlite3_context *context, int count, sqlite3_value **values)
{
    (void)count;
    struct span text = text_of(values[0]);
    struct span wanted = text_of(values[1]);
    struct span by = text_of(values[2]);
    if (!text.data || !wanted.data || (!by.data && wanted.data[0])) {
        return;
    }
    if (wanted.data[0] == '\0') {
        sqlite3_result_value(context, values[0]);
        return;
    }
    sqlite3 *db = sqlite3_context_db_handle(context);
    struct buf out;
    buf_init(&out, (size_t)sqlite3_limit(db, SQLITE_LIMIT_LENGTH, -1));
    const unsigned char *end = text.data + text.size;
    while (!out.full) {
        const unsigned char *found =
            memmem(text.data, (size_t)(end - text.data), wanted.data, wanted.size);
        (void)buf_add(&out, (const char *)text.data,
                      (size_t)((found ? found : end) - text.data));
        if (!found) {
            break;
        }
        (void)buf_add(&out, (const char *)by.data, by.size);
        text.data = found + wanted.size;
    }
    if (out.full) {
        sqlite3_result_error_toobig(context);
    } else {
        sqlite3_result_text(context, buf_get(&out), (int)out.size, SQLITE_TRANSIENT);
    }
    buf_release(&out);
}

/* Which sides a trim works on; what the functions' user data cannot hold besides. */
enum { TRIM_LEFT = 1, TRIM_RIGHT = 2 };

static bool set_has(struct span set, struct span text, size_t at, size_t size,
                    struct effort *effort)
{
    for (size_t i = 0; i < set.size && tick(effort);) {
        size_t length;
        (void)character(set, i, &length);
        if (length == size && memcmp(set.data + i, text.data + at, size) == 0) {
            return true;
        }
        i += length;
    }
    return false;
}

static void trim_sides(sqlite3_context *context, int count, sqlite3_value **values,
                       int sides)
{
    struct effort effort = effort_begin(context);
    struct span set = {.data = (const unsigned char *)" ", .size = 1};
    struct span text = text_of(values[0]);
    if (count == 2) {
        set = text_of(values[1]);
    }
    if (!text.data || !set.data) {
        return;
    }
    size_t size = 1;
    while ((sides & TRIM_LEFT) && text.size > 0) {
        (void)character(text, 0, &size);
        if (!set_has(set, text, 0, size, &effort)) {
            break;
        }
        text.data += size;
        text.size -= size;
    }
    while ((sides & TRIM_RIGHT) && text.size > 0) {
        for (size = 1; size < text.size && size < 4 &&
                       (text.data[text.size - size] & 0xC0) == 0x80;) {
            size++;
        }
        if (!set_has(set, text, text.size - size, size, &effort)) {
            break;
        }
        text.size -= size;
    }
    if (effort.over) {
        effort_fail(context);
    } else {
        sqlite3_result_text(context, (const char *)text.data, (int)text.size,
                            SQLITE_TRANSIENT);
    }
}

static void trim_both(sqlite3_context *context, int count, sqlite3_value **values)
{
    trim_sides(context, count, values, TRIM_LEFT | TRIM_RIGHT);
}

static void trim_left(sqlite3_context *context, int count, sqlite3_value **values)
{
    trim_sides(context, count, values, TRIM_LEFT);
}

static void trim_right(sqlite3_context *context, int count, sqlite3_value **values)
{
    trim_sides(context, count, values, TRIM_RIGHT);
}

bool sqlite_text_like_builtin(struct sqlite_connection *connection, bool builtin)
{
    const int flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS;
    if (!builtin) {
        return sqlite3_create_function_v2(connection->db, "like", 2, flags, connection,
                                          like, NULL, NULL, NULL) == SQLITE_OK &&
               sqlite3_create_function_v2(connection->db, "like", 3, flags, connection,
                                          like, NULL, NULL, NULL) == SQLITE_OK;
    }
    /* the only way back to SQLite's own once it was replaced */
    connection->own_sql = true;
    int result = sqlite3_exec(connection->db, "PRAGMA case_sensitive_like = OFF", NULL,
                              NULL, NULL);
    connection->own_sql = false;
    return result == SQLITE_OK;
}

void sqlite_text_functions_add(struct sqlite_connection *connection)
{
    static const struct {
        const char *name;
        int arguments;
        void (*call)(sqlite3_context *context, int count, sqlite3_value **values);
    } functions[] = {
        {"like", 2, like},        {"like", 3, like},        {"glob", 2, glob},
        {"instr", 2, instr},      {"replace", 3, replace},  {"trim", 1, trim_both},
        {"trim", 2, trim_both},   {"ltrim", 1, trim_left},  {"ltrim", 2, trim_left},
        {"rtrim", 1, trim_right}, {"rtrim", 2, trim_right},
    };
    const int flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS;
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
        (void)sqlite3_create_function_v2(connection->db, functions[i].name,
                                         functions[i].arguments, flags, connection,
                                         functions[i].call, NULL, NULL, NULL);
    }
}
