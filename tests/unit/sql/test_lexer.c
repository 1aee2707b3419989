/* The lexer: each dialect's own way with comments, quotes, numbers and signs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/arena.h"
#include "base/buf.h"
#include "sql/character.h"
#include "sql/keyword.h"
#include "sql/lexer.h"

static const char kinds[] = "$wns#bp.!"; /* one letter per token kind */

/* "w:SELECT #:1 …": all tokens in one line. */
static char *lex_bytes(struct arena *arena, enum dialect dialect, const char *sql,
                       size_t size)
{
    struct tokens tokens = {0};
    lexer_run(arena, dialect, sql, size, &tokens);
    struct buf out;
    buf_init(&out, 1 << 16);
    for (size_t i = 0; i < tokens.count; i++) {
        const struct token *token = &tokens.items[i];
        buf_format(&out, "%s%c:%s", i ? " " : "", kinds[token->kind], token->text);
        assert_true(token->start <= token->end && token->end <= size);
    }
    for (size_t i = 0; i < LEXER_ENDS; i++) {
        assert_int_equal(tokens.items[tokens.count + i].kind, TOKEN_END);
    }
    char *text = buf_clone(&out, arena);
    buf_release(&out);
    return text ? text : arena_text(arena, "");
}

static void expect(enum dialect dialect, const char *sql, const char *tokens)
{
    struct arena *arena = arena_new();
    assert_string_equal(lex_bytes(arena, dialect, sql, strlen(sql)), tokens);
    arena_free(arena);
}

static void expect_bad(enum dialect dialect, const char *sql)
{
    struct arena *arena = arena_new();
    struct tokens tokens = {0};
    lexer_run(arena, dialect, sql, strlen(sql), &tokens);
    assert_true(tokens.count > 0);
    if (tokens.items[tokens.count - 1].kind != TOKEN_BAD) {
        fail_msg("not refused: %s", sql);
    }
    assert_true(strlen(tokens.items[tokens.count - 1].text) > 0);
    arena_free(arena);
}

static void test_words(void **state)
{
    (void)state;
    expect(DIALECT_SQLITE, "SELECT a_1, b$ FROM t", "w:SELECT w:a_1 .:, w:b$ w:FROM w:t");
    expect(DIALECT_SQLITE, "größe", "w:größe");
    expect(DIALECT_SQLITE, "", "");
    expect(DIALECT_SQLITE, " \t\r\n\f ", "");
}

static void test_comments(void **state)
{
    (void)state;
    expect(DIALECT_SQLITE, "1 -- x\n2", "#:1 #:2");
    expect(DIALECT_SQLITE, "1--x", "#:1");
    expect(DIALECT_SQLITE, "1 /* /* */ 2", "#:1 #:2");
    expect(DIALECT_POSTGRES, "1 /* /* */ 2 */ 3", "#:1 #:3");
    expect(DIALECT_DUCKDB, "1 /* /* */ 2 */ 3", "#:1 #:3");
    expect(DIALECT_MYSQL, "1 --1", "#:1 .:- .:- #:1");
    expect(DIALECT_MYSQL, "1 -- 1", "#:1");
    expect(DIALECT_MYSQL, "1 --\n2", "#:1 #:2");
    expect(DIALECT_MYSQL, "1 --", "#:1");
    expect(DIALECT_MYSQL, "1 # 2\n3", "#:1 #:3");
    expect(DIALECT_BIGQUERY, "1 # 2\n3", "#:1 #:3");
    expect(DIALECT_SQLITE, "1 -- x\r\n2", "#:1 #:2");
    expect_bad(DIALECT_SQLITE, "1 -- x\r2");
    expect_bad(DIALECT_POSTGRES, "1 -- x\r2");
    expect_bad(DIALECT_SQLITE, "1 /* x");
    expect_bad(DIALECT_POSTGRES, "1 /* /* */ x");
    expect_bad(DIALECT_MYSQL, "/*! x */");
    expect_bad(DIALECT_MYSQL, "/*!50000 x */");
    expect_bad(DIALECT_MYSQL, "/*M! x */");
    expect_bad(DIALECT_MYSQL, "/*+ SET_VAR(a=1) */");
    expect_bad(DIALECT_POSTGRES, "/*+ Set(x y) */");
    expect_bad(DIALECT_ODBC, "1 --x");
    expect_bad(DIALECT_ODBC, "1 /* /* */ */");
    expect_bad(DIALECT_CLICKHOUSE, "1 /* /* */ */");
    expect_bad(DIALECT_SQLITE, "1 # 2");
    expect_bad(DIALECT_SQLITE, "1 -- \xE2\x80\xAE x");
}

static void test_strings(void **state)
{
    (void)state;
    expect(DIALECT_SQLITE, "'it''s'", "s:it's");
    expect(DIALECT_SQLITE, "'a\\'", "s:a\\");
    expect(DIALECT_MYSQL, "'it\\'s' \"x\\\"y\"", "s:it's s:x\"y");
    expect(DIALECT_MYSQL, "N'x' X'4D' b'01'", "s:x b:4D b:01");
    expect(DIALECT_POSTGRES, "E'a\\'b' 'c'", "s:a'b s:c");
    expect(DIALECT_POSTGRES, "$$it's$$ $t$a$$b$t$", "s:it's s:a$$b");
    expect(DIALECT_POSTGRES, "U&'\\0041' B'1' X'F'", "s:\\0041 b:1 b:F");
    expect(DIALECT_BIGQUERY, "r'\\d' b'x' '''a'b''' \"c\"", "s:\\d b:x s:a'b s:c");
    expect(DIALECT_CLICKHOUSE, "'a\\'b' 'c''d'", "s:a'b s:c'd");
    expect(DIALECT_SQLITE, "''", "s:");
    expect_bad(DIALECT_SQLITE, "'open");
    expect_bad(DIALECT_MYSQL, "'open\\'");
    expect_bad(DIALECT_MYSQL, "'open\\");
    expect_bad(DIALECT_POSTGRES, "$$open");
    expect_bad(DIALECT_POSTGRES, "$a$open$b$");
    expect_bad(DIALECT_POSTGRES, "'a\\'");
    expect_bad(DIALECT_POSTGRES, "U&\"\\0041\"");
    expect_bad(DIALECT_ODBC, "'a\\b'");
    expect_bad(DIALECT_BIGQUERY, "'''open''");
}

static void test_names(void **state)
{
    (void)state;
    expect(DIALECT_SQLITE, "\"a b\" `c` [d e]", "n:a b n:c n:d e");
    expect(DIALECT_SQLITE, "\"a\"\"b\" `c``d`", "n:a\"b n:c`d");
    expect(DIALECT_POSTGRES, "\"a\"", "n:a");
    expect(DIALECT_BIGQUERY, "`a.b.c`", "n:a.b.c");
    expect(DIALECT_ODBC, "[a b]", "n:a b");
    expect_bad(DIALECT_SQLITE, "\"open");
    expect_bad(DIALECT_SQLITE, "[open");
    expect_bad(DIALECT_SQLITE, "\"\"");
    expect_bad(DIALECT_ODBC, "[a'b]");
    expect_bad(DIALECT_ODBC, "[a");
    expect_bad(DIALECT_POSTGRES, "`a`");
    expect_bad(DIALECT_SQLITE, "\"a\xE2\x80\x8B\"");
}

static void test_numbers(void **state)
{
    (void)state;
    expect(DIALECT_SQLITE, "1 1.5 .5 5. 1e3 1E-3 0x1F",
           "#:1 #:1.5 #:.5 #:5. #:1e3 #:1E-3 #:0x1F");
    expect(DIALECT_DUCKDB, "1_000", "#:1_000");
    expect_bad(DIALECT_SQLITE, "1_000"); /* names to some servers */
    expect_bad(DIALECT_MYSQL, "1_000");
    expect_bad(DIALECT_POSTGRES, "0x1F"); /* 0 with an alias to some */
    expect_bad(DIALECT_DUCKDB, "0x1F");
    expect(DIALECT_CLICKHOUSE, "t.1 .5", "w:t .:. #:1 #:.5");
    expect_bad(DIALECT_SQLITE, "12abc");
    expect_bad(DIALECT_MYSQL, "1e5x");
    expect_bad(DIALECT_SQLITE, "0xZZ");
    expect_bad(DIALECT_SQLITE, "1e");
}

static void test_parameters(void **state)
{
    (void)state;
    expect(DIALECT_SQLITE, "? ?1 :a @b $c", "p:? p:?1 p::a p:@b p:$c");
    expect(DIALECT_MYSQL, "@a @@b.c", "p:@a p:@@b .:. w:c");
    expect(DIALECT_POSTGRES, "$1 a::int", "p:$1 w:a .::: w:int");
    expect(DIALECT_POSTGRES, "a ? 'b'", "w:a .:? s:b");
    expect(DIALECT_DUCKDB, "a[1:b]", "w:a .:[ #:1 .:: w:b .:]");
}

static void test_operators(void **state)
{
    (void)state;
    expect(DIALECT_POSTGRES, "a=-1", "w:a .:= .:- #:1");
    expect(DIALECT_POSTGRES, "a->>'b' #>> c !~~* d",
           "w:a .:->> s:b .:#>> w:c .:!~~* w:d");
    expect(DIALECT_SQLITE, "a||b<=c<>d", "w:a .:|| w:b .:<= w:c .:<> w:d");
    expect(DIALECT_POSTGRES, "1--x", "#:1");
    expect(DIALECT_POSTGRES, "1+--x\n2", "#:1 .:+ #:2");
    expect(DIALECT_DUCKDB, "a//b**c", "w:a .:// w:b .:** w:c");
    expect_bad(DIALECT_POSTGRES, "a @#@ b");
    expect_bad(DIALECT_POSTGRES, "a <%> b");
    expect_bad(DIALECT_SQLITE, "a ^ b");
    expect_bad(DIALECT_SQLITE, "\\");
}

static void test_odd_characters(void **state)
{
    (void)state;
    expect_bad(DIALECT_SQLITE, "\xEF\xBB\xBFSELECT 1"); /* byte order mark */
    expect_bad(DIALECT_SQLITE, "SELECT\xC2\xA0"
                               "1"); /* hard space */
    expect_bad(DIALECT_SQLITE, "SELECT\xE3\x80\x80"
                               "1");                /* wide space */
    expect_bad(DIALECT_SQLITE, "na\xE2\x80\x8Bme"); /* zero width */
    expect_bad(DIALECT_SQLITE, "\xEF\xBC\xB3"
                               "ELECT");            /* full width S */
    expect_bad(DIALECT_SQLITE, "n\xD0\xB0me");      /* Cyrillic a among Latin */
    expect_bad(DIALECT_SQLITE, "\xF0\x9F\x98\x80"); /* emoji */
    expect_bad(DIALECT_SQLITE, "\xE2\x84\xAA");     /* Kelvin sign */
    expect_bad(DIALECT_SQLITE, "a \xFF b");         /* no UTF-8 */
    expect_bad(DIALECT_SQLITE, "'\xC0\xA7'");       /* overlong quote */
    expect_bad(DIALECT_SQLITE, "'\xED\xA0\x80'");   /* surrogate */
    expect_bad(DIALECT_SQLITE, "1 \x01 2");
    expect_bad(DIALECT_SQLITE, "1 \v 2");
    expect(DIALECT_SQLITE, "'\xE2\x80\x8B \xF0\x9F\x98\x80'",
           "s:\xE2\x80\x8B \xF0\x9F\x98\x80");
    struct arena *arena = arena_new();
    assert_string_equal(lex_bytes(arena, DIALECT_SQLITE, "1 \0 2", 5), "!:a zero byte");
    assert_string_equal(lex_bytes(arena, DIALECT_SQLITE, "'a\0b'", 5), "!:a zero byte");
    arena_free(arena);
}

/* Whatever comes in, the lexer ends, stays inside and says BAD at most once, last. */
static void test_every_prefix(void **state)
{
    (void)state;
    static const char sql[] =
        "WITH x AS (SELECT $$a$$, E'\\'', \"n\"\"\", [b], `c`, 1.5e-3, "
        "/* c /* d */ */ :p, @q, ?1, 'ü', größe FROM t -- e\r\n);";
    struct arena *arena = arena_new();
    for (int dialect = 0; dialect < DIALECT_COUNT; dialect++) {
        for (size_t size = 0; size < sizeof sql; size++) {
            char *copy = arena_copy(arena, sql, size);
            struct tokens tokens = {0};
            lexer_run(arena, (enum dialect)dialect, copy, size, &tokens);
            for (size_t i = 0; i + 1 < tokens.count; i++) {
                assert_int_not_equal(tokens.items[i].kind, TOKEN_BAD);
                assert_true(tokens.items[i].end <= tokens.items[i + 1].start);
            }
        }
        arena_reset(arena);
    }
    arena_free(arena);
}

static void test_keywords(void **state)
{
    (void)state;
    for (int i = 1; i < KEYWORD_COUNT; i++) {
        const char *text = keyword_text((enum keyword)i);
        assert_int_equal(keyword_find(text, strlen(text)), i);
        if (i > 1) {
            assert_true(strcmp(keyword_text((enum keyword)(i - 1)), text) < 0);
        }
    }
    assert_int_equal(keyword_find("SELECT", 6), KEYWORD_select);
    assert_int_equal(keyword_find("selects", 7), KEYWORD_NONE);
    assert_int_equal(keyword_find("", 0), KEYWORD_NONE);
    assert_true(keyword_reserved(KEYWORD_from));
    assert_false(keyword_reserved(KEYWORD_date));
    assert_false(keyword_reserved(KEYWORD_NONE));
}

static void test_characters(void **state)
{
    (void)state;
    assert_true(character_in_word(0xE9));
    assert_true(character_in_word(0x4E2D));
    assert_false(character_in_word(0xD7));
    assert_false(character_in_word(0xFF21));
    assert_true(character_hidden(0x200B));
    assert_false(character_hidden('a'));
    assert_true(character_looks_latin(0x430));
    assert_false(character_looks_latin(0xE9));
}

static void the_same_text_is_another_one_elsewhere(void **state)
{
    (void)state;
    expect(DIALECT_SQLITE, "SELECT `a` # b",
           "w:SELECT n:a !:a character that does "
           "not belong in SQL");
    expect(DIALECT_MYSQL, "SELECT `a` # b", "w:SELECT n:a");
}

static void long_texts_are_read_each_time(void **state)
{
    (void)state;
    struct arena *arena = arena_new();
    struct buf sql;
    buf_init(&sql, 1 << 16);
    buf_text(&sql, "SELECT 1");
    for (int i = 0; i < 300; i++) {
        buf_text(&sql, " + 1");
        char *first = lex_bytes(arena, DIALECT_SQLITE, buf_get(&sql), sql.size);
        assert_string_equal(lex_bytes(arena, DIALECT_SQLITE, buf_get(&sql), sql.size),
                            first);
    }
    buf_release(&sql);
    arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_same_text_is_another_one_elsewhere),
        cmocka_unit_test(long_texts_are_read_each_time),
        cmocka_unit_test(test_words),
        cmocka_unit_test(test_comments),
        cmocka_unit_test(test_strings),
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_numbers),
        cmocka_unit_test(test_parameters),
        cmocka_unit_test(test_operators),
        cmocka_unit_test(test_odd_characters),
        cmocka_unit_test(test_every_prefix),
        cmocka_unit_test(test_keywords),
        cmocka_unit_test(test_characters),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
