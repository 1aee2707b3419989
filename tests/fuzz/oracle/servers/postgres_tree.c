/*
 * The tree that PostgreSQL makes of a statement after it has looked up every name: which
 * functions would be called is certain there, however the call was written. Every node
 * must be of a known sort, every number stand on a list.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "postgres_judge.h"

struct walk {
    const struct postgres_known *known;
    const char *node; /* the name of the node being read */
    size_t node_size;
    unsigned long function; /* the last one: its format comes later */
    int seen[RELATIONS_MOST];
    char *what;
};

static const char *const nodes[] = {"QUERY",
                                    "RANGETBLENTRY",
                                    "ALIAS",
                                    "TABLESAMPLECLAUSE",
                                    "FUNCEXPR",
                                    "CONST",
                                    "FROMEXPR",
                                    "RANGETBLREF",
                                    "TARGETENTRY",
                                    "VAR",
                                    "OPEXPR",
                                    "WINDOWFUNC",
                                    "COERCEVIAIO",
                                    "FIELDSELECT",
                                    "ROW",
                                    "ROWEXPR",
                                    "WINDOWCLAUSE",
                                    "SORTGROUPCLAUSE",
                                    "AGGREF",
                                    "SUBLINK",
                                    "BOOLEXPR",
                                    "NULLTEST",
                                    "BOOLEANTEST",
                                    "CASE",
                                    "CASEEXPR",
                                    "WHEN",
                                    "CASEWHEN",
                                    "CASETESTEXPR",
                                    "COALESCE",
                                    "COALESCEEXPR",
                                    "MINMAX",
                                    "MINMAXEXPR",
                                    "SQLVALUEFUNCTION",
                                    "ARRAY",
                                    "ARRAYEXPR",
                                    "SCALARARRAYOPEXPR",
                                    "NULLIFEXPR",
                                    "DISTINCTEXPR",
                                    "ROWCOMPARE",
                                    "ROWCOMPAREEXPR",
                                    "RELABELTYPE",
                                    "ARRAYCOERCEEXPR",
                                    "CONVERTROWTYPEEXPR",
                                    "COLLATE",
                                    "COLLATEEXPR",
                                    "SUBSCRIPTINGREF",
                                    "JOINEXPR",
                                    "RANGETBLFUNCTION",
                                    "COMMONTABLEEXPR",
                                    "SETOPERATIONSTMT",
                                    "GROUPINGFUNC",
                                    "GROUPINGSET",
                                    "NAMEDARGEXPR",
                                    "PARAM",
                                    "COERCETODOMAIN"};

/* The first thing that is wrong stands. */
static void wrong(struct walk *walk, const char *what, unsigned long number)
{
    if (!walk->what[0]) {
        (void)snprintf(walk->what, WHAT_SIZE, "%s %lu", what, number);
    }
}

static void node_check(struct walk *walk)
{
    for (size_t i = 0; i < sizeof nodes / sizeof *nodes; i++) {
        if (strlen(nodes[i]) == walk->node_size &&
            memcmp(nodes[i], walk->node, walk->node_size) == 0) {
            return;
        }
    }
    if (!walk->what[0]) {
        (void)snprintf(walk->what, WHAT_SIZE, "a part that no query has: %.*s",
                       (int)walk->node_size, walk->node);
    }
}

static bool at_node(const struct walk *walk, const char *name)
{
    return strlen(name) == walk->node_size &&
           memcmp(name, walk->node, walk->node_size) == 0;
}

static bool on(const bool *set, unsigned long number)
{
    return number < OIDS && set[number];
}

/* The server calls it by itself, and the datasource allows that. */
static bool unnamed(const struct walk *walk, unsigned long number)
{
    for (size_t i = 0; i < walk->known->unnamed_count; i++) {
        if (walk->known->unnamed[i] == number) {
            return true;
        }
    }
    return false;
}

static void check_function(struct walk *walk, unsigned long number)
{
    walk->function = number;
}

/* 0 a call, 1 and 2 casts, 3 a word of SQL */
static void check_format(struct walk *walk, unsigned long number)
{
    bool cast = number == 1 || number == 2;
    if (at_node(walk, "FUNCEXPR") &&
        !on(cast ? walk->known->casts : walk->known->functions, walk->function) &&
        !(cast && unnamed(walk, walk->function))) {
        wrong(walk, "calls the function", walk->function);
    }
}

static void check_call(struct walk *walk, unsigned long number)
{
    if (!on(walk->known->functions, number)) {
        wrong(walk, "calls the function", number);
    }
}

static void check_own(struct walk *walk, unsigned long number)
{
    if (number >= OIDS && !unnamed(walk, number)) {
        wrong(walk, "calls the function", number);
    }
}

static void check_operator(struct walk *walk, unsigned long number)
{
    if (number && !on(walk->known->operators, number)) {
        wrong(walk, "uses the operator", number);
    }
}

/* Of ORDER BY, GROUP BY and DISTINCT: they come from operator classes. */
static void check_order(struct walk *walk, unsigned long number)
{
    if (!unnamed(walk, number)) {
        check_operator(walk, number);
    }
}

static void check_type(struct walk *walk, unsigned long number)
{
    if (on(walk->known->types_refused, number)) {
        wrong(walk, "makes a value of the type", number);
    }
}

static void check_sample(struct walk *walk, unsigned long number)
{
    enum { BERNOULLI = 3313, SYSTEM = 3314 };
    if (number != BERNOULLI && number != SYSTEM) {
        wrong(walk, "calls the function", number);
    }
}

static void check_relation(struct walk *walk, unsigned long number)
{
    for (size_t i = 0; i < walk->known->relation_count; i++) {
        if (walk->known->relations[i].oid == number) {
            walk->seen[i]++;
            return;
        }
    }
    wrong(walk, "reads the table", number);
}

static void check_command(struct walk *walk, unsigned long number)
{
    if (number != 1) {
        wrong(walk, "is a command of the kind", number);
    }
}

/* CURRENT_DATE … LOCALTIMESTAMP are 0 to 8, CURRENT_USER and the like follow. */
static void check_word(struct walk *walk, unsigned long number)
{
    if (at_node(walk, "SQLVALUEFUNCTION") && number > 8) {
        wrong(walk, "uses the word", number);
    }
}

static const struct rule {
    const char *field;
    void (*check)(struct walk *walk, unsigned long number);
} rules[] = {
    {"funcid", check_function},
    {"funcformat", check_format},
    {"aggfnoid", check_call},
    {"winfnoid", check_call},
    {"opno", check_operator},
    {"eqop", check_order},
    {"sortop", check_order},
    {"opnos", check_operator},
    {"opfuncid", check_own},
    {"startInRangeFunc", check_own},
    {"endInRangeFunc", check_own},
    {"consttype", check_type},
    {"resulttype", check_type},
    {"funccoltypes", check_type},
    {"array_typeid", check_type},
    {"tsmhandler", check_sample},
    {"relid", check_relation},
    {"commandType", check_command},
    {"op", check_word},
};

/* :field 5, :field (o 5 6); returns where it ends. */
static const char *field_check(struct walk *walk, const char *at)
{
    size_t size = strcspn(at, " \n");
    const char *value = at + size + (at[size] != '\0');
    bool list = *value == '(';
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
        if (strlen(rules[i].field) != size || memcmp(rules[i].field, at, size) != 0) {
            continue;
        }
        value += list ? strcspn(value, "0123456789)") : 0;
        while (isdigit((unsigned char)*value)) {
            char *end;
            rules[i].check(walk, strtoul(value, &end, 10));
            value = end + strspn(end, " \n");
            if (!list) {
                break;
            }
        }
        return value;
    }
    if ((size == 15 && memcmp(at, "hasModifyingCTE", size) == 0 && *value == 't') ||
        (size == 12 && memcmp(at, "hasForUpdate", size) == 0 && *value == 't') ||
        (size == 11 && memcmp(at, "utilityStmt", size) == 0 && *value != '<')) {
        wrong(walk, "changes or locks something:", size);
    }
    return at + size;
}

/* The guard must have seen every place where the server reads a table. Of x
 * BETWEEN y AND z and of x IN (y, z) the server may have made two of x. */
static void places_check(struct walk *walk, const struct guard_result *judged)
{
    bool doubled = str_contains_nocase(str_or_empty(judged->sql), "between") ||
                   str_contains_nocase(str_or_empty(judged->sql), "in");
    for (size_t i = 0; i < walk->known->relation_count && !walk->what[0]; i++) {
        int told = 0;
        for (size_t j = 0; j < judged->places.count; j++) {
            const struct table *table = judged->places.items[j].table;
            told += table && str_equal(table->bare_name, walk->known->relations[i].name);
        }
        if (walk->seen[i] > told && (told == 0 || !doubled)) {
            (void)snprintf(walk->what, WHAT_SIZE,
                           "reads '%s' in other places than the guard saw",
                           walk->known->relations[i].name);
        }
    }
}

void postgres_tree_check(const char *tree, const struct postgres_known *known,
                         const struct guard_result *judged, char what[WHAT_SIZE])
{
    struct walk walk = {.known = known, .node = "", .what = what};
    for (const char *at = tree; *at;) {
        if (*at == '\\' && at[1]) {
            at += 2;
        } else if (*at == '{') {
            walk.node = at + 1;
            walk.node_size = strspn(walk.node, "ABCDEFGHIJKLMNOPQRSTUVWXYZ_");
            node_check(&walk);
            at += 1 + walk.node_size;
        } else if (*at == ':' && (at == tree || strchr(" \n", at[-1]))) {
            at = field_check(&walk, at + 1);
        } else {
            at++;
        }
    }
    places_check(&walk, judged);
}
