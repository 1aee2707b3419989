/*
 * What MariaDB understood of a statement, in its own words (EXPLAIN EXTENDED): which
 * functions stand there, which variables and which tables.
 */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "base/str.h"
#include "mysql_judge.h"

enum { NAME_MOST = 64 };

/* What may stand before a parenthesis besides the functions of the guard's list: words
 * of SQL, the server's names for functions of the list, and its notes for itself. */
static const char *const others[] = {
    "and", "or", "in", "not", "exists", "select", "values", "as", "from", "join", "on",
    "where", "union", "all", "using", "case", "when", "then", "else", "between", "like",
    "over", "by", "with", "cast", "convert", "if", "is", "xor", "div", "any", "some",
    "distinct", "limit", "having", "straight_join", "except", "intersect", "char",
    "regexp", "interval", "partition", "json_table", "columns", "group_concat", "decimal",
    "binary", "varchar", "datetime", "time", "double", "materialize", "cache",
    "in_optimizer", "expr_cache", "subquery", "max", "min", "end", "mod", "ucase",
    "lcase", "nested", "set", "charset", "int", "bigint", "smallint", "mediumint",
    "tinyint", "varbinary", "bit", "collate", "escape", "separator", "order", "group",
    "unsigned", "recursive", "against", "match", "float", "date", "rows", "range",
    "trigcond", "equal", "json_detailed", "st_geometryfromtext", "srid",
    /* what it wraps values in for itself */
    "rollup_const", "ref_null_helper", "is_not_null_test", "nop", "null"};

struct look {
    const struct guard_result *judged;
    char *what;
};

static void wrong(struct look *look, const char *what, const char *name)
{
    if (!look->what[0]) {
        (void)snprintf(look->what, WHAT_SIZE, "%s %s", what, name);
    }
}

static void call_check(struct look *look, const char *name)
{
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        if (str_equal_nocase(others[i], name)) {
            return;
        }
    }
    for (size_t i = 0; i < look->judged->ctes.count; i++) {
        if (str_equal_nocase(look->judged->ctes.items[i], name)) {
            return; /* WITH name(x, y) AS … */
        }
    }
    if (!vocabulary_listed(DIALECT_MYSQL, name)) {
        wrong(look, "calls the function", name);
    }
}

/* A view is told by what it reads. */
static bool table_told(const struct guard_result *judged, const char *name)
{
    for (size_t i = 0; i < judged->tables.count; i++) {
        const char *told = judged->tables.items[i];
        const char *dot = strrchr(told, '.');
        if (str_equal_nocase(dot ? dot + 1 : told, name) ||
            (str_equal_nocase(told, "spending") && str_equal(name, "orders"))) {
            return true;
        }
    }
    return false;
}

/* `a`, `a`.`b` or `a`.`b`.`c`; returns where it ends. */
static const char *path_check(struct look *look, const char *at)
{
    char parts[3][NAME_MOST] = {"", "", ""};
    size_t count = 0;
    for (; *at == '`'; count++) {
        size_t size = 0;
        for (at++; *at && (*at != '`' || at[1] == '`'); at += *at == '`' ? 2 : 1) {
            if (count < 3 && size + 1 < NAME_MOST) {
                parts[count][size++] = *at;
            }
        }
        at += *at == '`';
        if (*at != '.') {
            count++;
            break;
        }
        at++;
    }
    static const char *const databases[] = {"mysql", "information_schema", "sys",
                                            "performance_schema", "other"};
    for (size_t i = 0; i < sizeof databases / sizeof *databases && count > 1; i++) {
        if (str_equal_nocase(parts[0], databases[i])) {
            wrong(look, "reads a table of", parts[0]);
        }
    }
    const char *last = parts[count > 1 && count < 4 ? count - 1 : 0];
    if (*at == '(') {
        /* One of the list that this server lacks (GROUPING) is told as one of the
         * database's own. If the database had it, the guard would have refused. */
        if (!vocabulary_listed(DIALECT_MYSQL, last)) {
            wrong(look, "calls the function of the database", last);
        }
    } else if (count == 2 && str_equal(parts[0], "shop") &&
               !table_told(look->judged, parts[1])) {
        wrong(look, "reads the table", parts[1]);
    }
    return at;
}

/* MariaDB prints a text with a character set (_latin1'it's') as it is, escaping nothing:
 * then a quote before a letter is a part of it. */
static const char *raw_text_end(const char *at)
{
    at++;
    while (*at && (*at != '\'' || isalnum((unsigned char)at[1]))) {
        at++;
    }
    return *at ? at + 1 : at;
}

static const char *text_end(const char *at)
{
    char quote = *at++;
    while (*at && *at != quote) {
        at += *at == '\\' && at[1] ? 2 : 1;
    }
    return *at ? at + 1 : at;
}

static const char *word_check(struct look *look, const char *at)
{
    char name[NAME_MOST];
    size_t size = 0;
    while (isalnum((unsigned char)at[size]) || at[size] == '_' || at[size] == '$') {
        size++;
    }
    (void)snprintf(name, sizeof name, "%.*s", (int)size, at);
    if (at[size] == '(') {
        call_check(look, name);
    } else if (str_equal_nocase(name, "nextval") || str_equal_nocase(name, "outfile")) {
        wrong(look, "uses the word", name);
    }
    return *name == '_' && at[size] == '\'' ? raw_text_end(at + size) : at + size;
}

void mysql_text_check(const char *text, const struct guard_result *judged,
                      char what[WHAT_SIZE])
{
    struct look look = {judged, what};
    for (const char *at = text; *at;) {
        if (*at == '\'' || *at == '"') {
            at = text_end(at);
        } else if (*at == '`') {
            at = path_check(&look, at);
        } else if (*at == '@') {
            wrong(&look, "uses a variable",
                  at[1] == '@' ? "of the server" : "of its own");
            at++;
        } else if (isalpha((unsigned char)*at) || *at == '_') {
            at = word_check(&look, at);
        } else {
            at++;
        }
    }
}
