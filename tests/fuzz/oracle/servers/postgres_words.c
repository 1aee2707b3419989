/* The vocabulary of a PostgreSQL server: every function, operator and cast that it has.
 */
#include "postgres_words.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "postgres_judge.h"

struct reading {
    struct arena *arena;
    bool own_types;
    struct vocabulary *words;
};

/* What a polymorphic type stands for, in four readings of each function. */
static const struct stand_in {
    const char *type;
    const char *readings[4];
    const char *own; /* in place of the first one where the database's own are read */
} stand_ins[] = {
    {"anyelement", {"int4", "text", "float8", "numeric"}, NULL},
    {"anynonarray", {"int4", "text", "float8", "numeric"}, NULL},
    {"anycompatible", {"int4", "text", "float8", "numeric"}, NULL},
    {"anycompatiblenonarray", {"int4", "text", "float8", "numeric"}, NULL},
    {"anyarray", {"_int4", "_text", "_float8", "_numeric"}, NULL},
    {"anycompatiblearray", {"_int4", "_text", "_float8", "_numeric"}, NULL},
    {"anyrange", {"int4range", "daterange", "tstzrange", "numrange"}, "span"},
    {"anycompatiblerange",
     {"int4range", "daterange", "tstzrange", "numrange"},
     "stretch"},
    {"anyenum", {"mood", "mood", "mood", "mood"}, "feeling"},
};

static const char *stand_in(const struct reading *work, const char *type, int reading)
{
    for (size_t i = 0; i < sizeof stand_ins / sizeof *stand_ins; i++) {
        if (str_equal(stand_ins[i].type, type)) {
            return reading == 0 && work->own_types && stand_ins[i].own
                       ? stand_ins[i].own
                       : stand_ins[i].readings[reading];
        }
    }
    return type;
}

static bool polymorphic(const char *types)
{
    return strstr(types, "any") && !str_equal(types, "any");
}

/* False when a type is of no kind that we can make. */
static bool arguments_read(const struct reading *work, const char *types, int reading,
                           struct callable *callable)
{
    struct texts list = {0};
    str_split(work->arena, types, ' ', &list);
    for (size_t i = 0; i < list.count; i++) {
        if (!list.items[i][0]) {
            continue;
        }
        int kind = vocabulary_kind(work->words, stand_in(work, list.items[i], reading));
        bool any = str_equal(list.items[i], "any");
        if (callable->count == ARGUMENTS_MOST || (kind == KIND_OTHER && !any)) {
            return false;
        }
        callable->arguments[callable->count++] = kind;
    }
    return true;
}

static enum callable_form form_of(const char *kind, const char *aggregate)
{
    return kind[0] == 'w'                             ? CALLABLE_WINDOW
           : kind[0] != 'a'                           ? CALLABLE_PLAIN
           : aggregate[0] == 'o' || *aggregate == 'h' ? CALLABLE_WITHIN
                                                      : CALLABLE_AGGREGATE;
}

/* name, kind, gives rows, result, arguments, kind of aggregate, direct arguments */
static void function_add(const struct reading *work, PGresult *result, int row)
{
    const char *name = PQgetvalue(result, row, 0);
    const char *types = PQgetvalue(result, row, 4);
    const char *gives = PQgetvalue(result, row, 3);
    bool listed = vocabulary_listed(DIALECT_POSTGRES, name);
    bool system = PQgetvalue(result, row, 7)[0] == 't';
    int readings = polymorphic(types) || polymorphic(gives) ? 4 : 1;
    for (int i = 0; i < readings; i++) {
        struct callable callable = {
            .name = arena_text(work->arena, name),
            .form = form_of(PQgetvalue(result, row, 1), PQgetvalue(result, row, 5))};
        if (!arguments_read(work, types, i, &callable)) {
            continue;
        }
        if (callable.form == CALLABLE_WITHIN) { /* the others come in ORDER BY */
            callable.count = (int)strtol(PQgetvalue(result, row, 6), NULL, 10);
        }
        int kind = vocabulary_kind(work->words, stand_in(work, gives, i));
        if (!listed || !system) {
            VEC_PUSH(work->arena,
                     &work->words
                          ->dangers[callable.count ? callable.arguments[0] : KIND_OTHER],
                     callable);
        } else if (PQgetvalue(result, row, 2)[0] == 't') {
            VEC_PUSH(work->arena, &work->words->rows[kind], callable);
        } else {
            VEC_PUSH(work->arena, &work->words->calls[kind], callable);
        }
    }
    if (!listed) {
        VEC_PUSH(work->arena, &work->words->dangerous, arena_text(work->arena, name));
    }
}

static bool functions_read(const struct reading *work, PGconn *connection)
{
    PGresult *result = postgres_answer(
        connection,
        "SELECT proname, prokind, proretset, format_type, args, coalesce(aggkind, '-'),"
        " coalesce(aggnumdirectargs, 0), own FROM (SELECT p.*, aggkind, aggnumdirectargs,"
        " pronamespace = 'pg_catalog'::regnamespace AS own,"
        " (SELECT typname FROM pg_type t WHERE t.oid = prorettype) AS format_type,"
        " array_to_string(ARRAY(SELECT typname FROM unnest(proargtypes) WITH ORDINALITY "
        "u(o, n)"
        " JOIN pg_type t ON t.oid = u.o ORDER BY n), ' ') AS args FROM pg_proc p"
        " LEFT JOIN pg_aggregate ON aggfnoid = p.oid WHERE prokind <> 'p' AND "
        "pronamespace IN"
        " ('pg_catalog'::regnamespace, 'public'::regnamespace)) s ORDER BY oid");
    for (int i = 0; result && i < PQntuples(result); i++) {
        function_add(work, result, i);
    }
    bool ok = result != NULL;
    PQclear(result);
    return ok;
}

static void operator_add(const struct reading *work, PGresult *result, int row)
{
    const char *types = PQgetvalue(result, row, 1);
    int readings = polymorphic(types) ? 4 : 1;
    for (int i = 0; i < readings; i++) {
        struct callable callable = {
            .name = arena_text(work->arena, PQgetvalue(result, row, 0))};
        if (arguments_read(work, types, i, &callable) && callable.count > 0) {
            callable.form = callable.count == 2 ? CALLABLE_INFIX : CALLABLE_PREFIX;
            int kind = vocabulary_kind(work->words,
                                       stand_in(work, PQgetvalue(result, row, 2), i));
            VEC_PUSH(work->arena, &work->words->calls[kind], callable);
        }
    }
}

static bool operators_read(const struct reading *work, PGconn *connection)
{
    PGresult *result = postgres_answer(
        connection, "SELECT oprname, concat_ws(' ', (SELECT typname FROM "
                    "pg_type WHERE oid = oprleft),"
                    " (SELECT typname FROM pg_type WHERE oid = oprright)),"
                    " (SELECT typname FROM pg_type WHERE oid = oprresult) "
                    "FROM pg_operator ORDER BY oid");
    for (int i = 0; result && i < PQntuples(result); i++) {
        operator_add(work, result, i);
    }
    bool ok = result != NULL;
    PQclear(result);
    return ok;
}

static bool is_own(const struct reading *work, int kind)
{
    return kind >= vocabulary_kind(work->words, "feeling") &&
           kind < vocabulary_kind(work->words, "regconfig");
}

static bool casts_read(const struct reading *work, PGconn *connection)
{
    PGresult *result = postgres_answer(
        connection, "SELECT s.typname, t.typname FROM pg_cast c JOIN pg_type s ON s.oid ="
                    " castsource JOIN pg_type t ON t.oid = casttarget ORDER BY c.oid");
    for (int i = 0; result && i < PQntuples(result); i++) {
        int from = vocabulary_kind(work->words, PQgetvalue(result, i, 0));
        int to = vocabulary_kind(work->words, PQgetvalue(result, i, 1));
        bool own = is_own(work, from) || is_own(work, to);
        if (from != KIND_OTHER && to != KIND_OTHER && (work->own_types || !own)) {
            VEC_PUSH(work->arena, &work->words->casts[to], from);
        }
    }
    bool ok = result != NULL;
    PQclear(result);
    return ok;
}

bool postgres_words_read(PGconn *connection, bool own_types, struct arena *arena,
                         struct vocabulary *words)
{
    const struct reading work = {.arena = arena, .own_types = own_types, .words = words};
    size_t tables = postgres_table_count - (own_types ? 0 : postgres_own_table_count);
    words->dialect = DIALECT_POSTGRES;
    words->kinds = postgres_kinds;
    words->kind_count = postgres_kind_count;
    words->any_count = vocabulary_kind(words, own_types ? "regconfig" : "feeling");
    vocabulary_names(arena, DIALECT_POSTGRES, &words->names);
    vocabulary_tables(arena, words, postgres_tables, tables);
    return functions_read(&work, connection) && operators_read(&work, connection) &&
           casts_read(&work, connection);
}
