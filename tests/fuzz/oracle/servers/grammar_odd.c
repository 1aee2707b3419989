/*
 * What tries to get past the guard: functions on no list, called in every way there is;
 * tables that are not in the schema; types, operators and words that ask the server about
 * itself.
 */
#include <string.h>

#include "grammar.h"

static const struct callable *some_danger(struct making *work, int kind)
{
    const struct callables *dangers = &work->words->dangers[kind];
    return dangers->count
               ? &dangers->items[dice_roll(work->dice, (uint32_t)dangers->count)]
               : NULL;
}

/* A name that a dot could stand before: a function that takes what stands there, any
 * other function, a column. */
static void field(struct making *work, int kind)
{
    static const char *const columns[] = {"id", "name", "x",     "street",
                                          "f1", "key",  "secret"};
    const struct callable *danger = some_danger(work, kind);
    uint32_t roll = dice_roll(work->dice, 10);
    grammar_say(work, ".");
    if (roll < 7 && danger) {
        grammar_name(work, danger->name);
    } else if (roll < 8) {
        grammar_name(work, grammar_one(work, &work->words->names));
    } else if (roll < 9) {
        grammar_name(work, grammar_one(work, &work->words->dangerous));
    } else {
        PICK(work, columns);
    }
}

/* (value).function */
static void field_call(struct making *work, int kind)
{
    (void)kind;
    int taken = grammar_any_kind(work);
    grammar_say(work, "(");
    grammar_expression(work, taken);
    grammar_say(work, ")");
    field(work, taken);
}

/* (ARRAY[value])[1].function, (array_agg(value))[1].function, (value)[1:2].function */
static void element_call(struct making *work, int kind)
{
    static const char *const opens[] = {"( ARRAY [", "( array_agg (",
                                        "( string_to_array ("};
    static const char *const closes[] = {"] )", ") )", ", ',' ) )"};
    static const char *const places[] = {"[ 1 ]", "[ 1 : 2 ]", "[ 1 ][ 1 ]", "[ : ]"};
    uint32_t form = dice_roll(work->dice, 3);
    (void)kind;
    int taken = grammar_any_kind(work);
    grammar_say(work, opens[form]);
    grammar_expression(work, taken);
    grammar_say(work, closes[form]);
    PICK(work, places);
    field(work, taken);
}

/* alias.function, (alias).function, (ROW(…)).function, (SELECT alias).function */
static void row_call(struct making *work, int kind)
{
    static const char *const opens[] = {"",        "(",  "( SELECT", "( coalesce (",
                                        "( ROW (", "( ("};
    static const char *const closes[] = {"", ")", ")", ", NULL ) )", ", 1 ) )", ") )"};
    static const char *const functions[] = {
        "trap",        "trap_of",        "record_out", "hash_record",
        "row_to_json", "pg_column_size", "num_nulls",  "to_json",
        "name",        "text",           "count"};
    uint32_t form = dice_roll(work->dice, 6);
    const struct scope *scope = work->scope;
    (void)kind;
    grammar_say(work, opens[form]);
    grammar_name(work,
                 scope && scope->count
                     ? scope->sources[dice_roll(work->dice, (uint32_t)scope->count)].alias
                     : "orders");
    grammar_say(work, closes[form]);
    if (grammar_chance(work, 50)) {
        grammar_say(work, ".");
        PICK(work, functions);
    } else {
        field(work, grammar_chance(work, 50) ? KIND_OTHER : grammar_any_kind(work));
    }
}

/* function(value), of another schema, in quotes, with a gap before the parenthesis */
static void plain_call(struct making *work, int kind)
{
    static const char *const schemas[] = {"pg_catalog .",     "public .",
                                          "\"pg_catalog\" .", "information_schema .",
                                          "shop .",           "sys ."};
    const struct callable *danger = some_danger(work, kind);
    if (grammar_chance(work, 20)) {
        PICK(work, schemas);
    }
    grammar_name(work,
                 danger ? danger->name : grammar_one(work, &work->words->dangerous));
    grammar_say(work, "(");
    if (danger) {
        grammar_arguments(work, danger, 0);
    }
    grammar_say(work, ")");
}

/* A name of the list with whatever arguments: another function may have it too. */
static void listed_call(struct making *work, int kind)
{
    grammar_call_name(work, grammar_one(work, &work->words->names));
    grammar_expression(work, kind);
    for (uint32_t i = dice_roll(work->dice, 3); i > 0; i--) {
        grammar_say(work, ",");
        grammar_expression(work, grammar_any_kind(work));
    }
    grammar_say(work, ")");
}

static void table_read(struct making *work, int kind)
{
    static const char *const queries[] = {
        "( SELECT secret FROM vault )",
        "( SELECT max ( k ) FROM vault_keys )",
        "( TABLE vault )",
        "( SELECT v FROM vault v )",
        "( SELECT secret FROM public . vault )",
        "( SELECT 1 FROM ONLY ( vault ) )",
        "( WITH vault AS ( SELECT * FROM vault ) SELECT secret FROM vault )",
        "( WITH v AS ( SELECT 1 AS secret ) SELECT secret FROM vault )",
        "( SELECT secret FROM orders o JOIN vault USING ( id ) )",
        "( SELECT secret FROM ( vault ) )",
        "( SELECT rolpassword FROM pg_authid )",
        "( SELECT user FROM mysql . user LIMIT 1 )",
        "( SELECT table_name FROM information_schema . tables LIMIT 1 )",
        "( SELECT usename FROM pg_user LIMIT 1 )",
        "( SELECT setting FROM pg_settings LIMIT 1 )",
        "( SELECT secret FROM shop . vault )",
        "EXISTS ( SELECT 1 FROM vault )",
        "1 IN ( SELECT id FROM vault )",
        "( SELECT id FROM orders WHERE id = ( SELECT id FROM vault ) )",
        "( SELECT count ( * ) FROM orders , vault )",
        "( SELECT 1 UNION SELECT id FROM vault )"};
    (void)kind;
    PICK(work, queries);
}

static const char *const postgres_words[] = {"current_user",
                                             "session_user",
                                             "user",
                                             "current_catalog",
                                             "current_schema",
                                             "current_role",
                                             "CURRENT_SCHEMA ( )",
                                             "system_user",
                                             "xmlelement ( name a )",
                                             "xmlforest ( 1 AS a )",
                                             "xmlpi ( name x )",
                                             "xmlroot ( xml '<a/>' , version '1.0' )",
                                             "xmlparse ( document '<a/>' )",
                                             "xmlserialize ( content '<a/>' AS text )",
                                             "collation for ( 'a' )",
                                             "xmlexists ( 'a' passing '<a/>' )",
                                             "treat ( 1 AS int4 )",
                                             "tableoid :: regclass",
                                             "'vault' :: regclass",
                                             "regclass 'vault'",
                                             "CAST ( 'vault' AS regclass )",
                                             "oid '1'",
                                             "xml '<a/>'",
                                             "refcursor 'x'",
                                             "'x' :: name",
                                             "'1/1' :: pg_lsn",
                                             "ctid",
                                             "xmin",
                                             "tableoid",
                                             "$1",
                                             "'vault' :: \"regclass\"",
                                             "'vault' :: pg_catalog . regclass",
                                             "NEW . x",
                                             "current_setting ( 'canary.setting' )",
                                             "nextval ( 'counter' )",
                                             "counter . nextval",
                                             "( SELECT 1 FOR UPDATE )",
                                             "( SELECT 1 INTO x )",
                                             "( VALUES ( trap ( ) ) )",
                                             "1 OPERATOR ( public .  @@@ ) 2",
                                             "1 @@@ 2",
                                             "'a' + 'b'",
                                             "@@@ 1",
                                             "'a' :: text + 'b' :: text",
                                             "- 'a' :: text",
                                             "( SELECT trap FROM trap ( ) )"};

static const char *const mysql_words[] = {"@x := 1",
                                          "@x",
                                          "@@version",
                                          "@@global . datadir",
                                          "@@session . sql_mode",
                                          "@`x`",
                                          "NEXT VALUE FOR counter",
                                          "PREVIOUS VALUE FOR counter",
                                          "NEXTVAL ( counter )",
                                          "counter . nextval",
                                          "LASTVAL ( counter )",
                                          "SETVAL ( counter , 9 )",
                                          "current_user",
                                          "current_user ( )",
                                          "current_role",
                                          "session_user ( )",
                                          "user ( )",
                                          "version ( )",
                                          "database ( )",
                                          "schema ( )",
                                          "connection_id ( )",
                                          "/*! version ( ) */",
                                          "/*!50000 user ( ) */",
                                          "/*M! sleep ( 0 ) */",
                                          "/*!100000 load_file ( 'x' ) */",
                                          "1 /*! , version ( ) */",
                                          "DEFAULT ( id )",
                                          "VALUES ( id )",
                                          "VALUE ( id )",
                                          "row_count ( )",
                                          "found_rows ( )",
                                          "last_insert_id ( 5 )",
                                          "`trap` ( 1 )",
                                          "trap ( 1 )",
                                          "shop . trap ( 1 )",
                                          "`shop` . `trap` ( 1 )",
                                          "CONVERT ( 'a' USING latin1 )",
                                          "BINARY 'a'",
                                          "_binary 'a'",
                                          "x'61'",
                                          "0x61",
                                          "b'1'",
                                          "N'a'",
                                          "'\\'",
                                          "'a\\'' OR '",
                                          "\"a\"",
                                          "\"a'b\"",
                                          "{d '2024-01-01'}",
                                          "{x 1}",
                                          "{fn version()}",
                                          "( SELECT 1 FOR UPDATE )",
                                          "( SELECT 1 INTO @x )",
                                          "( SELECT 1 INTO OUTFILE 'x' )",
                                          "( SELECT 1 LOCK IN SHARE MODE )",
                                          "1 SOUNDS LIKE 2",
                                          "NULL IS UNKNOWN"};

/* What only words call. */
static void word(struct making *work, int kind)
{
    (void)kind;
    if (grammar_is(work, DIALECT_MYSQL)) {
        PICK(work, mysql_words);
    } else {
        PICK(work, postgres_words);
    }
}

/* Casts to types that look names up, and types that are called like functions. */
static void type_call(struct making *work, int kind)
{
    static const char *const types[] = {
        "regclass",     "regproc",          "regtype",       "regrole",
        "regnamespace", "regoper",          "xml",           "oid",
        "name",         "refcursor",        "cstring",       "\"char\"",
        "pg_lsn",       "regprocedure",     "public . evil", "evil",
        "vault",        "orders",           "regclass [ ]",  "int4 [ ]",
        "record",       "customers [ ]",    "address",       "mood",
        "void",         "int4 [ 3 ] [ 3 ]", "interval ( 3 )"};
    const char *type = types[dice_roll(work->dice, sizeof types / sizeof *types)];
    if (grammar_chance(work, 30)) {
        grammar_name(work, grammar_chance(work, 50) ? type : grammar_type(work, kind));
        grammar_say(work, "(");
        grammar_expression(work, kind);
        grammar_say(work, ")");
        return;
    }
    int form = grammar_cast_form(work);
    grammar_cast_begin(work, form);
    grammar_expression(work, kind);
    grammar_cast_end(work, form, type);
}

/* A composite column, its fields, and what only looks like one. */
static void composite(struct making *work, int kind)
{
    static const char *const forms[] = {
        "( addr ) . street",
        "( items . addr ) . city",
        "( a0 . addr ) . street",
        "( a0 ) . addr",
        "( ( a0 ) . addr ) . street",
        "a0 . addr . street",
        "( addr ) . *",
        "( addr ) . trap",
        "( a0 . addr ) . pg_column_size",
        "( ( addr ) . street ) . pg_read_file",
        "( places [ 1 ] ) . street",
        "places [ 1 ] . street",
        "( places [ 1 ] ) . trap",
        "( SELECT addr ) . street",
        "( SELECT addr ) . trap",
        "( a0 . * ) . street",
        "( ROW ( 1 , 2 ) ) . f1",
        "( ROW ( 1 , 2 ) ) . trap",
        "( mood ) . trap",
        "( addr :: address ) . street",
        "( addr :: address ) . trap",
        "( NULL :: address ) . street",
        "( coalesce ( addr , addr ) ) . trap",
        "( json_each ( '{\"a\":1}' ) ) . key",
        "( jsonb_each ( k ) ) . trap",
        "( json_populate_record ( addr , '{}' ) ) . street",
        "( x ) . street",
        "( CASE WHEN TRUE THEN addr END ) . trap",
        "( CASE WHEN TRUE THEN addr END ) . street"};
    (void)kind;
    PICK(work, forms);
}

/* Types, tables and orders of the database's own (postgres_own.sql). */
static void own_type(struct making *work, int kind)
{
    static const char *const forms[] = {
        "'low' :: feeling :: text",
        "( SELECT lower ( feels ) FROM own_feelings LIMIT 1 )",
        "( SELECT min ( sense ) FROM own_feelings )",
        "( SELECT max ( many ) FROM own_feelings )",
        "3 :: feeling",
        "CAST ( 3 AS sense )",
        "( SELECT count ( DISTINCT grade ) FROM own_grades )",
        "( SELECT ( grade ) . points FROM own_grades ORDER BY grade LIMIT 1 )",
        "ROW ( 1 ) :: grade",
        "'(1)' :: grade = '(2)' :: grade",
        "'{\"(1)\"}' :: grade [ ]",
        "'[1,5)' :: span",
        "span '[1,5)'",
        "'{[1,5)}' :: spans",
        "'{\"[1,5)\"}' :: span [ ]",
        "CAST ( '[1,5)' AS stretch )",
        "span ( 1 , 5 )",
        "( SELECT upper ( span ) FROM own_spans LIMIT 1 )",
        "EXISTS ( SELECT 1 FROM own_stretches WHERE stretch @> 3 )",
        "( SELECT count ( * ) FROM own_indexed WHERE id = 1 )",
        "( SELECT count ( * ) FROM own_parts WHERE id = 5 )",
        "( SELECT count ( * ) FROM own_parts_low )",
        "'x' :: string",
        "string 'x'",
        "'x' :: \"string\"",
        "'x' :: public . string",
        "'{x}' :: string [ ]",
        "( ARRAY [ 'x' ] ) :: string [ ]",
        "5 :: tinyint",
        "tinyint '5'",
        "CAST ( 5 AS mediumint )",
        "'x' :: clob",
        "( SELECT a FROM json_to_record ( '{\"a\":\"x\"}' ) AS x ( a string ) )",
        "( SELECT a FROM json_to_record ( '{\"a\":5}' ) AS x ( a tinyint ) )",
        "( SELECT a FROM jsonb_to_recordset ( '[{\"a\":\"low\"}]' ) AS x ( a feeling ) )",
        "( SELECT a FROM json_to_record ( '{\"a\":\"(1)\"}' ) AS x ( a grade ) )",
        "g :: varbit",
        "'1' :: money :: bit varying",
        "( SELECT word FROM own_words ORDER BY word LIMIT 1 )",
        "( SELECT max ( word ) FROM own_words WHERE size IN ( 1 , 2 ) )",
        "( SELECT max ( t ) FROM own_texts WHERE t > 'a' COLLATE odd )",
        "( SELECT 'low' UNION SELECT feels FROM own_feelings )",
        "( SELECT array_append ( array_agg ( word ) , 'x' ) FROM own_words )",
        "( SELECT ARRAY [ word ] = '{x}' FROM own_words LIMIT 1 )",
        "other . is_good ( 'x' )",
        "1 OPERATOR ( other . <<=>> ) 2"};
    (void)kind;
    PICK(work, forms);
}

static void rows_call(struct making *work, int kind)
{
    const struct callables *rows = &work->words->rows[kind];
    if (rows->count == 0) {
        plain_call(work, kind);
        return;
    }
    grammar_call(work, &rows->items[dice_roll(work->dice, (uint32_t)rows->count)]);
}

static void (*const postgres_forms[])(struct making *work, int kind) = {
    field_call, field_call, element_call, row_call,  row_call,  plain_call, listed_call,
    table_read, word,       word,         type_call, composite, rows_call,  own_type};
static void (*const mysql_forms[])(struct making *work, int kind) = {
    plain_call, plain_call, listed_call, table_read, word, word, word, field_call};

static void (*const clickhouse_forms[])(struct making *work,
                                        int kind) = {plain_call,
                                                     plain_call,
                                                     listed_call,
                                                     table_read,
                                                     field_call,
                                                     grammar_clickhouse_word,
                                                     grammar_clickhouse_word,
                                                     grammar_clickhouse_word,
                                                     grammar_clickhouse_set,
                                                     grammar_clickhouse_set,
                                                     grammar_clickhouse_table,
                                                     grammar_clickhouse_lambda};

void grammar_odd(struct making *work, int kind)
{
    if (grammar_is(work, DIALECT_CLICKHOUSE)) {
        clickhouse_forms[dice_roll(work->dice, sizeof clickhouse_forms /
                                                   sizeof *clickhouse_forms)](work, kind);
    } else if (grammar_is(work, DIALECT_MYSQL)) {
        mysql_forms[dice_roll(work->dice, sizeof mysql_forms / sizeof *mysql_forms)](
            work, kind);
    } else {
        postgres_forms[dice_roll(work->dice, sizeof postgres_forms /
                                                 sizeof *postgres_forms)](work, kind);
    }
}

/* Something hung on the end of whatever stands there. */
void grammar_postfix(struct making *work)
{
    static const char *const ends[] = {"[ 1 ]",
                                       "[ 1 : 2 ]",
                                       ". *",
                                       "COLLATE \"C\"",
                                       ":: text",
                                       "IS NULL",
                                       "ISNULL",
                                       "NOTNULL",
                                       ":: int4",
                                       "AT TIME ZONE 'UTC'",
                                       ". f1",
                                       "[ : 2 ]",
                                       "COLLATE pg_catalog . \"C\"",
                                       "[ NULL ]",
                                       ". pg_sleep",
                                       ". trap",
                                       "OVERLAPS ( now ( ) , now ( ) )",
                                       "-> 'a'",
                                       "->> 0"};
    static const char *const mysql[] = {
        "COLLATE utf8mb4_bin", "IS NULL",   ". x", "DIV 2", "-> '$.a'", "IS TRUE",
        "RLIKE 'a'",           ". trap ( )"};
    static const char *const clickhouse[] = {
        "[ 1 ]",      ". 1",         ". a",          ":: String", ":: Nullable(Int32)",
        "AS e1",      ". keys",      "IS NULL",      "IN e1",     ". size0",
        ". null",     "APPLY trap",  "? 1 : 2",      "[ 'a' ]",   ". * ",
        ". :UInt8",   ". ^a",        "IN vault_one", "OVER w",    "EXCEPT id",
        "REGEXP 'a'", "IGNORE NULLS"};
    if (grammar_is(work, DIALECT_MYSQL)) {
        PICK(work, mysql);
    } else if (grammar_is(work, DIALECT_CLICKHOUSE)) {
        PICK(work, clickhouse);
    } else if (grammar_chance(work, 30)) {
        field(work, grammar_any_kind(work));
    } else {
        PICK(work, ends);
    }
}
