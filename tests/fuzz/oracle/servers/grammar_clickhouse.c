/*
 * What only ClickHouse's language has: tables behind IN, lambdas, aliases anywhere, stars
 * that are changed, joins and clauses of its own, and the ways that it offers around
 * FROM.
 */
#include <stdio.h>

#include "grammar.h"

static const char *const words[] = {
    "{x:String}",
    "{x:Identifier}",
    "{id: UInt64}",
    "@@version",
    "version ( )",
    "currentUser ( )",
    "currentUser",
    "`session_user`",
    "CURRENT_USER",
    "user",
    "`database`",
    "SCHEMA",
    "currentDatabase",
    "hostName ( )",
    "getSetting ( 'max_threads' )",
    "currentDatabase ( )",
    "file ( 'canary.txt' )",
    "dictGet ( 'secrets' , 'value' , 1 )",
    "dictGetString ( 'secrets' , 'value' , toUInt64 ( 1 ) )",
    "joinGet ( 'vault_join' , 'secret' , 1 )",
    "joinGet ( vault_join , 'secret' , 1 )",
    "joinGet ( shop . vault_join , 'secret' , 1 )",
    "hasColumnInTable ( 'shop' , 'vault' , 'secret' )",
    "arrayReduce ( 'sum' , [ 1 , 2 ] )",
    "arrayFold ( ( a , x ) -> a + x , [ 1 ] , 0 )",
    "initializeAggregation ( 'sum' , 1 )",
    "CAST ( '1' , 'AggregateFunction(uniq, String)' )",
    "CAST ( ( 1 , 'a' ) , 'Tuple(id Int32, name String)' )",
    "CAST ( 1 , concat ( 'UInt' , '8' ) )",
    "CAST ( 'a' , 'Nested(a Int8)' )",
    "CAST ( 'a' , 'Enum(\\'a\\' = 1, \\'Int8\\' = 2)' )",
    "JSONExtract ( '{}' , 'a' , 'SimpleAggregateFunction(any, String)' )",
    "JSONExtract ( '{}' , 'a' , 'Map(String, Dynamic)' )",
    "sleep ( 0 )",
    "sleepEachRow ( 0 )",
    "throwIf ( 1 , 'x' )",
    "trap ( 1 )",
    "`trap` ( 1 )",
    "\"trap\" ( 1 )",
    "trap_two ( 1 , 2 )",
    "in ( 1 , vault )",
    "notIn ( 1 , vault )",
    "globalIn ( 1 , vault )",
    "nullIn ( 1 , ( vault ) )",
    "in ( 1 , ( SELECT id FROM vault ) )",
    "has ( vault , 1 )",
    "has ( ( SELECT 1 ) , vault )",
    "tuple ( 1 , 'a' ) . 1",
    "( 1 , 'a' ) . 2",
    "u . 1",
    "u . a",
    "items . u . b",
    "k . x",
    "m [ 'a' ]",
    "m . keys",
    "a . size0",
    "o . null",
    "[ 1 , 2 ] [ 1 ]",
    "a [ -1 ]",
    "[ [ 1 ] ] [ 1 ] [ 1 ]",
    "( SELECT u ) . 1",
    "untuple ( u )",
    "( u AS q ) . 1",
    "tupleElement ( u , 'a' )",
    "$$vault$$",
    "$a$ ' $a$",
    "x'41'",
    "b'01'",
    "'\\x41'",
    "'it''s'",
    "'\\'' || '",
    "0x41",
    "1_000",
    "1e3",
    "\xE2\x80\x98"
    "vault"
    "\xE2\x80\x99",
    "\xE2\x80\x9C"
    "id"
    "\xE2\x80\x9D",
    "\xE2\x80\x98 ' \xE2\x80\x99",
    "`i\\x64`",
    "\"i\\x64\"",
    "'a' 'b'",
    "'\\",
    "\\'",
    "# x\n1",
    "#! x\n1",
    ("\xE2\x88\x92"
     "1"),
    "-- x\r 1",
    "NULL :: Nullable(String)",
    "1 :: UInt8 :: String",
    "'1' :: Int32 + 1",
    "CAST ( 1 , 'String' )",
    "CAST ( 'x' , 'FixedString(2)' )",
    "CAST ( 1 AS x , 'String' )",
    "CAST ( [ 1 ] , 'Array(UInt8)' )",
    "CAST ( 'a' , 'Enum(\\'a\\' = 1)' )",
    "CAST ( '1' , 'AggregateFunction(sum, UInt8)' )",
    "accurateCast ( 1 , 'UInt8' )",
    "toTypeName ( 1 )",
    "toColumnTypeName ( 1 )",
    "dumpColumnStructure ( 1 )",
    "identity ( 1 )",
    "materialize ( 1 )",
    "ignore ( 1 )",
    "blockNumber ( )",
    "rowNumberInAllBlocks ( )",
    "runningAccumulate ( 1 )",
    "neighbor ( id , 1 )",
    "finalizeAggregation ( sumState ( 1 ) )",
    "DATE '2024-01-31'",
    "TIMESTAMP '2024-01-31 00:00:00'",
    "INTERVAL 1 DAY",
    "INTERVAL '1 day 2 hours'",
    "EXTRACT ( YEAR FROM now ( ) )",
    "date_diff ( day , now ( ) , now ( ) )",
    "dateAdd ( DAY , 1 , today ( ) )",
    "TRIM ( BOTH 'a' FROM 'aba' )",
    "substring ( 'abc' FROM 1 FOR 2 )",
    "position ( 'a' IN 'abc' )",
    "1 ? 2 : 3",
    "1 BETWEEN 0 AND 2",
    "1 IS NOT DISTINCT FROM 2",
    "1 <=> NULL",
    "1 == 1",
    "NOT 1",
    "count ( ) OVER w",
    "count ( * ) FILTER ( WHERE 1 )",
    "quantile ( 0.5 ) ( id )",
    "quantilesTiming ( 0.5 , 0.9 ) ( id )",
    "topK ( 3 ) ( id )",
    "sum ( DISTINCT id )",
    "v0",
    "e1",
    "COLUMNS ( 'i' )",
    "COLUMNS ( id )",
    "items . COLUMNS ( 'a' )",
    "* EXCEPT ( id )",
    "* EXCEPT id",
    "* REPLACE ( 1 AS id )",
    "* APPLY ( toString )",
    "* APPLY ( x -> toString ( x ) )",
    "* APPLY toString",
    "COLUMNS ( 'a' ) APPLY ( trap )",
    "COLUMNS ( '.*' ) APPLY ( x -> in ( x , vault ) )",
    "* APPLY ( sleep )",
    "* APPLY quantile ( 0.5 )",
    "items . * EXCEPT ( id )",
    "* EXCEPT ( 'i.*' )",
    "* LIKE 'i%'",
    "* ILIKE 'I%'",
    "_table",
    "_part",
    "_database",
    "_file",
    "_path",
    "_row_exists",
    "_partition_id",
    "_sample_factor",
    "grouping ( id )",
    "any ( SELECT 1 )",
    "1 = ANY ( SELECT id FROM vault )",
    "1 <> ALL ( vault )",
    "EXISTS ( vault )",
    "exists ( SELECT 1 )"};

static const char *const table_functions[] = {
    "file ( 'canary.txt' , 'LineAsString' )",
    "url ( 'http://127.0.0.1:1/' , 'CSV' , 'a String' )",
    "remote ( '127.0.0.1' , shop . vault )",
    "cluster ( 'default' , shop . vault )",
    "merge ( 'shop' , 'vault.*' )",
    "merge ( 'vault' )",
    "view ( SELECT * FROM vault )",
    "dictionary ( 'secrets' )",
    "dictionary ( secrets )",
    "executable ( 'x' , TSV , 'a String' )",
    "numbers ( 3 )",
    "numbers ( 1 , 2 )",
    "`numbers` ( 3 )",
    "numbers ( vault )",
    "numbers ( ( SELECT 3 ) )",
    "zeros ( 2 )",
    "values ( 'a UInt8' , 1 , 2 )",
    "null ( 'a UInt8' )",
    "generateRandom ( 'a UInt8' , 1 )",
    "generateSeries ( 1 , 3 )",
    "generate_series ( 1 , 3 )",
    "format ( CSV , '1' )",
    "loop ( vault )",
    "eval ( 'SELECT secret FROM vault' )",
    "viewExplain ( 'EXPLAIN' , '' , ( SELECT 1 ) )",
    "mergeTreeIndex ( shop , vault )",
    "filesystem ( '.' )",
    "primes ( 3 )",
    "input ( 'a String' )",
    "fuzzQuery ( 'SELECT 1' )",
    "system . one",
    "system . functions",
    "INFORMATION_SCHEMA . tables",
    "other . vault",
    "vault",
    "`vault`",
    "\"vault\"",
    "shop . vault",
    "( vault )",
    "vault FINAL",
    "vault AS orders",
    "( SELECT * FROM vault )",
    "( FROM vault SELECT * )",
    "( ( SELECT 1 ) )",
    "v0",
    "c0",
    "{t:Identifier}"};

static const char *const sets[] = {"vault",
                                   "( vault )",
                                   "( ( vault ) )",
                                   "shop . vault_one",
                                   "( shop . vault_one )",
                                   "`vault_one`",
                                   "( `shop` . `vault_one` )",
                                   "( vault , vault )",
                                   "( 1 , vault )",
                                   "( vault_set )",
                                   "vault_set",
                                   "tuple ( vault )",
                                   "[ vault ]",
                                   "( SELECT vault )",
                                   "( SELECT secret FROM vault )",
                                   "( FROM vault SELECT secret )",
                                   "( vault_one AS x )",
                                   "( ( vault_one ) AS x )",
                                   "orders",
                                   "( orders )",
                                   "( customers . id )",
                                   "items . a",
                                   "( a )",
                                   "( id )",
                                   "numbers ( 3 )",
                                   "( numbers ( 3 ) )",
                                   "c0",
                                   "( c0 )",
                                   "v0",
                                   "( v0 )",
                                   "( e1 )",
                                   "e1",
                                   "( NULL )",
                                   "( )",
                                   "( 1 )",
                                   "( [ 1 ] )",
                                   "( ( 1 , 2 ) )",
                                   "vault . secret",
                                   "( vault . secret )",
                                   "system . one",
                                   "( system . one )",
                                   "(vault_one)",
                                   "(vault_one )",
                                   "( /* */ vault_one )",
                                   "( + vault_one )",
                                   "+ vault_one",
                                   "+ ( vault_one )",
                                   "( ( + shop . vault_one ) )",
                                   "( - ( vault_one ) )",
                                   "( vault_one :: String )",
                                   "( vault_one , )",
                                   "( identity ( vault_one ) )",
                                   "( if ( 1 , vault_one , vault_one ) )",
                                   "( SELECT * FROM vault_one ) AS e1",
                                   "\xE2\x80\x9C"
                                   "vault_one"
                                   "\xE2\x80\x9D",
                                   "( x -> vault_one )",
                                   "( vault_one ) [ 1 ]",
                                   "vault_one [ 1 ]",
                                   "vault_one . 1",
                                   "( vault_one ) . 1"};

static const char *const ways[] = {"IN", "NOT IN", "GLOBAL IN", "GLOBAL NOT IN",
                                   "in", "nOt In"};

void grammar_clickhouse_word(struct making *work, int kind)
{
    (void)kind;
    PICK(work, words);
}

/* x IN name reads a table that no FROM names. */
void grammar_clickhouse_set(struct making *work, int kind)
{
    grammar_expression(
        work, grammar_chance(work, 60) ? vocabulary_kind(work->words, "text") : kind);
    PICK(work, ways);
    PICK(work, sets);
}

void grammar_clickhouse_table(struct making *work, int kind)
{
    (void)kind;
    grammar_say(work,
                grammar_chance(work, 70) ? "( SELECT * FROM" : "( SELECT count ( ) FROM");
    PICK(work, table_functions);
    grammar_say(work, "LIMIT 1 )");
}

/* An alias that stands wherever an expression can, and is known before and behind it. */
void grammar_clickhouse_alias(struct making *work)
{
    char name[NAME_SIZE];
    (void)snprintf(name, sizeof name, "e%u", dice_roll(work->dice, 3));
    grammar_say(work, "AS");
    grammar_name(work, grammar_chance(work, 95) ? name : "vault_one");
}

/* arrayMap(x -> …, …): what stands in a lambda is looked up like everything else. */
void grammar_clickhouse_lambda(struct making *work, int kind)
{
    static const char *const calls[] = {"arrayMap (",   "arrayFilter (", "arrayExists (",
                                        "arrayCount (", "arraySort (",   "arrayFold ("};
    static const char *const heads[] = {"x ->", "( x ) ->", "( x , y ) ->", "vault ->",
                                        "lambda ( tuple ( x ) ,"};
    static const char *const arrays[] = {", [ 1 , 2 ] )", ", w )", ", [ 'a' ] )",
                                         ", [ 1 ] , [ 2 ] )", ") , [ 1 ] )"};
    PICK(work, calls);
    PICK(work, heads);
    if (grammar_chance(work, 50)) {
        grammar_clickhouse_set(work, kind);
    } else {
        grammar_expression(work, kind);
    }
    PICK(work, arrays);
}

bool grammar_clickhouse_join(struct making *work)
{
    static const char *const joins[] = {"JOIN",           "LEFT JOIN",
                                        "INNER JOIN",     "RIGHT OUTER JOIN",
                                        "FULL JOIN",      "ANY LEFT JOIN",
                                        "LEFT ANY JOIN",  "GLOBAL LEFT JOIN",
                                        "LEFT SEMI JOIN", "LEFT ANTI JOIN",
                                        "ALL INNER JOIN", "ASOF JOIN",
                                        "ASOF LEFT JOIN", "GLOBAL ANY INNER JOIN",
                                        "SEMI LEFT JOIN"};
    bool paste = dice_roll(work->dice, 16) == 0;
    if (paste) {
        grammar_say(work, "PASTE JOIN");
    } else {
        PICK(work, joins);
    }
    return !paste || grammar_chance(work, 5);
}

/* Joins want a column of each side that are the same; whatever else comes behind. */
void grammar_clickhouse_on(struct making *work, const struct scope *scope)
{
    const struct source *right = &scope->sources[scope->count - 1];
    const struct source *left =
        &scope->sources[dice_roll(work->dice, (uint32_t)scope->count - 1)];
    const struct word_column *one =
        &right->columns[dice_roll(work->dice, (uint32_t)right->count)];
    const struct word_column *other =
        &left->columns[dice_roll(work->dice, (uint32_t)left->count)];
    for (size_t i = 0; i < left->count && one->kind != other->kind; i++) {
        other = &left->columns[i];
    }
    grammar_name(work, left->alias);
    grammar_say(work, ".");
    grammar_name(work, other->name);
    grammar_say(work, "=");
    grammar_name(work, right->alias);
    grammar_say(work, ".");
    grammar_name(work, one->name);
    if (grammar_chance(work, 25)) {
        grammar_say(work, "AND");
        grammar_expression(work, vocabulary_kind(work->words, "bool"));
    }
}

/* Behind FROM and before WHERE. */
void grammar_clickhouse_behind_from(struct making *work, bool plain)
{
    static const char *const arrays[] = {"ARRAY JOIN [ 1 , 2 ] AS z9",
                                         "LEFT ARRAY JOIN a AS z9",
                                         "ARRAY JOIN w",
                                         "ARRAY JOIN a AS z9 , w AS z8",
                                         "ARRAY JOIN k",
                                         "ARRAY JOIN arrayEnumerate ( a ) AS z9",
                                         "ARRAY JOIN vault",
                                         "ARRAY JOIN ( SELECT [ 1 ] ) AS z9",
                                         "ARRAY JOIN k . x AS z9",
                                         "ARRAY JOIN m AS z9"};
    if (grammar_chance(work, 6)) {
        PICK(work, arrays);
    }
    if (plain && grammar_chance(work, 6)) {
        grammar_say(work, "PREWHERE");
        grammar_expression(work, vocabulary_kind(work->words, "bool"));
    }
}

/* Behind GROUP BY, HAVING, ORDER BY or at the end. */
void grammar_clickhouse_limit(struct making *work)
{
    static const char *const limits[] = {"LIMIT 5",
                                         "LIMIT 3 OFFSET 1",
                                         "LIMIT 1 , 2",
                                         "LIMIT 1 BY 1",
                                         "LIMIT 1 BY id LIMIT 5",
                                         "LIMIT 1 OFFSET 1 BY 1",
                                         "LIMIT 1 BY ALL",
                                         "LIMIT 0.5",
                                         "LIMIT -1"};
    PICK(work, limits);
}

/* What ends a statement, and what only a careless reader takes for its end. */
void grammar_clickhouse_end(struct making *work)
{
    static const char *const ends[] = {
        "SETTINGS max_threads = 2",
        "SETTINGS readonly = 0",
        "FORMAT CSV",
        "FORMAT Null",
        "INTO OUTFILE 'x'",
        "INTO OUTFILE 'x' TRUNCATE FORMAT CSV",
        "WITH TOTALS",
        "QUALIFY 1",
        "WINDOW w AS ( ORDER BY 1 )",
        "ORDER BY ALL",
        "ORDER BY ALL LIMIT 2 WITH TIES",
        "ORDER BY ALL OFFSET 1 ROW FETCH FIRST 2 ROWS ONLY",
        "ORDER BY 1 WITH FILL",
        "ORDER BY 1 WITH FILL FROM 1 TO 3 STEP 1",
        "GROUP BY ALL",
        "GROUP BY 1 WITH ROLLUP",
        "GROUP BY GROUPING SETS ( ( 1 ) )",
        "ORDER BY 1 INTERPOLATE ( x AS x + 1 )",
        "ORDER BY 1 INTERPOLATE",
        "LIMIT 1 SETTINGS max_threads = 1",
        "; SELECT 1",
        "\\G",
        "PARALLEL WITH SELECT 1",
        "UNION DISTINCT SELECT 1",
        "EXCEPT DISTINCT SELECT 1",
        "SAMPLE 0.5",
        "FINAL",
        "COMMENT 'x'",
        "SETTINGS additional_table_filters = { 'orders' : '1' }",
        "LIMIT ( SELECT 1 )",
        "OFFSET 1"};
    if (work->odd > 0 && grammar_chance(work, 8)) {
        PICK(work, ends);
    }
}

/* WITH value AS name. */
void grammar_clickhouse_value(struct making *work)
{
    static const char *const values[] = {"[ 1 , 2 ]",
                                         "( SELECT groupArray ( id ) FROM orders )",
                                         "( SELECT max ( id ) FROM customers )",
                                         "x -> x + 1",
                                         "vault",
                                         "orders",
                                         "( x , y ) -> x",
                                         "1 IN ( vault_one )",
                                         "vault_one",
                                         "( vault_one )",
                                         "shop . vault_one",
                                         "+ vault_one",
                                         "numbers ( 3 )",
                                         "5"};
    if (grammar_chance(work, 50)) {
        PICK(work, values);
    } else {
        grammar_expression(work, grammar_any_kind(work));
    }
    grammar_say(work, "AS v0");
}
