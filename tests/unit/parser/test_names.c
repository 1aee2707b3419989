/* Names into words, and the table of words behind it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/memory.h"
#include "base/str.h"
#include "parser/words/lexicon.h"
#include "knowledge/words/abbreviations.h"
#include "parser/words/names.h"
#include "prompt/embedded.h"

extern const struct embedded_file embedded_lexicon[];

struct name_case {
    const char *name;
    const char *plain;
    const char *full; /* NULL: the same */
};

static void splits_names(void **state)
{
    (void)state;
    static const struct name_case cases[] = {
        {"order_date", "order date", NULL},
        {"orderDate", "order date", NULL},
        {"HTTPServerId", "http server id", NULL},
        {"customerIDs", "customer ids", NULL},
        {"Order Details", "order details", NULL},
        {"address1", "address 1", NULL},
        {"A2", "a2", NULL},
        {"Q1_2024", "q1 2024", NULL},
        {"orderdate", "order date", NULL},
        {"custname", "cust name", "customer name"},
        {"releasedate", "release date", NULL},
        {"qty", "qty", "quantity"},
        {"cust_dob", "cust dob", "customer birth date"},
        {"account_no", "account no", "account number"},
        {"no", "no", NULL},
        {"created_at", "created at", "created date"},
        {"start_min", "start min", NULL},
        {"min_price", "min price", "minimum price"},
        {"LName", "l name", "last name"},
        {"weightkg", "weight kg", NULL},
        {"itm_desc", "itm desc", "item description"},
        {"whs", "whs", "warehouse"},
        {"cst_no", "cst no", "customer number"},
        {"std_cst", "std cst", "standard cost"},
        {"lst_prc", "lst prc", "list price"},
        {"lst_nm", "lst nm", "last name"},
        {"reg_dt", "reg dt", "registration date"},
        {"qty_oh", "qty oh", "quantity on hand"},
        {"act_flg", "act flg", "active flag"},
        {"Hispanic", "hispanic", NULL},
        {"department", "department", NULL},
        {"Größe", "grose", NULL},
        {"zzqxv", "zzqxv", NULL},
        {"🍕", "🍕", NULL},
        {"select", "select", NULL},
        {"", "_", NULL},
        {"___", "___", NULL},
        {"\x01", "_", NULL},
    };
    struct names names;
    struct arena *arena = arena_new();
    names_init(&names);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        names_learn(&names, cases[i].name);
    }
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct name_words words;
        names_split(&names, arena, cases[i].name, &words);
        assert_string_equal(str_join(arena, &words.plain, " "), cases[i].plain);
        assert_string_equal(str_join(arena, &words.full, " "),
                            cases[i].full ? cases[i].full : cases[i].plain);
        assert_int_equal(words.differ, cases[i].full != NULL);
    }
    names_release(&names);
    arena_free(arena);
}

/* A word that stands alone elsewhere in the schema helps to split where it does not. */
static void learns_words(void **state)
{
    (void)state;
    struct names names;
    struct name_words words;
    struct arena *arena = arena_new();
    names_init(&names);
    names_split(&names, arena, "blorbname", &words);
    assert_int_equal(words.plain.count, 1);
    names_learn(&names, "blorb_id");
    names_split(&names, arena, "blorbname", &words);
    assert_string_equal(str_join(arena, &words.plain, " "), "blorb name");
    names_release(&names);
    arena_free(arena);
}

static void is_bounded(void **state)
{
    (void)state;
    struct names names;
    struct name_words words;
    struct arena *arena = arena_new();
    struct buf buf;
    names_init(&names);
    buf_init(&buf, 1 << 20);
    for (int i = 0; i < 2000; i++) {
        (void)buf_text(&buf, "partX_");
    }
    names_split(&names, arena, buf_get(&buf), &words);
    assert_true(words.plain.count >= 1 && words.plain.count <= NAMES_WORDS_MAX * 4);
    buf_clear(&buf);
    for (int i = 0; i < 10000; i++) {
        (void)buf_text(&buf, "\xc3\xa9");
    }
    names_split(&names, arena, buf_get(&buf), &words);
    assert_int_equal(words.plain.count, 1);
    assert_true(strlen(words.plain.items[0]) < 48);
    buf_release(&buf);
    names_release(&names);
    arena_free(arena);
}

static void describes(void **state)
{
    (void)state;
    struct arena *arena = arena_new();
    struct texts words;
    names_describe(arena, "The name of the district, in which the account is; name.", 4,
                   &words);
    assert_string_equal(str_join(arena, &words, " "), "name district account");
    names_describe(arena, NULL, 4, &words);
    assert_int_equal(words.count, 0);
    assert_string_equal(abbreviation_full("qty", true), "quantity");
    assert_null(abbreviation_full("desc", true));
    assert_string_equal(abbreviation_full("desc", false), "description");
    assert_string_equal(abbreviation_full("acc", false), "account"); /* first, last */
    assert_string_equal(abbreviation_full("yy", false), "year");
    size_t at = 0;
    assert_string_equal(abbreviation_of("department", &at), "dep");
    assert_string_equal(abbreviation_of("department", &at), "dept");
    assert_string_equal(abbreviation_of("department", &at), "dpt");
    assert_null(abbreviation_of("department", &at));
    at = 0;
    assert_null(abbreviation_of("zebra", &at));
    arena_free(arena);
}

static int word(const struct lexicon *lexicon, const char *text)
{
    int found = lexicon_find(lexicon, text, strlen(text));
    assert_true(found >= 0);
    return found;
}

static enum lexicon_kind between(const struct lexicon *lexicon, const char *a,
                                 const char *b)
{
    struct lexicon_senses left;
    struct lexicon_senses right;
    lexicon_senses(lexicon, a, &left);
    lexicon_senses(lexicon, b, &right);
    return lexicon_between(lexicon, &left, &right);
}

static void knows_words(void **state)
{
    (void)state;
    static const struct {
        const char *question, *name;
        enum lexicon_kind kind;
    } cases[] = {
        {"client", "customer", LEXICON_SAME},
        {"clients", "customer", LEXICON_SAME},
        {"car", "auto", LEXICON_SYNONYM},
        {"expensive", "price", LEXICON_CUE},
        {"cheapest", "price", LEXICON_CUE},
        {"who", "name", LEXICON_CUE},
        {"when", "date", LEXICON_CUE},
        {"oldest", "age", LEXICON_CUE},
        {"bought", "order", LEXICON_CUE},
        {"translated", "translation", LEXICON_RELATED},
        {"heaviest", "weight", LEXICON_CUE},
        {"dog", "animal", LEXICON_NONE},
        {"dog", "canine", LEXICON_HYPERNYM},
        {"unresolved", "resolved", LEXICON_RELATED},
        {"table", "river", LEXICON_NONE},
        {"qqqq", "river", LEXICON_NONE},
    };
    struct lexicon lexicon;
    lexicon_init(&lexicon);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_int_equal(between(&lexicon, cases[i].question, cases[i].name),
                         cases[i].kind);
    }
    assert_int_equal(between(&lexicon, "price", "expensive"), LEXICON_RELATED);
    assert_true(lexicon_weight(&lexicon, word(&lexicon, "order")) > 3);
    assert_int_equal(lexicon_weight(&lexicon, -1), 0);
    assert_int_equal(lexicon_relation(&lexicon, -1, 3), LEXICON_NONE);
    assert_int_equal(lexicon_find(&lexicon, "", 0), -1);
    char text[LEXICON_WORD];
    lexicon_text(&lexicon, word(&lexicon, "zebra"), text);
    assert_string_equal(text, "zebra");
}

/* Every word is found where it stands, and every relation leads to a word. */
static void is_whole(void **state)
{
    (void)state;
    struct lexicon lexicon;
    char before[LEXICON_WORD] = "";
    lexicon_init(&lexicon);
    for (int i = 0; i < (int)lexicon.count; i++) {
        char text[LEXICON_WORD];
        int others[4096];
        lexicon_text(&lexicon, i, text);
        assert_true(strcmp(before, text) < 0);
        assert_int_equal(lexicon_find(&lexicon, text, strlen(text)), i);
        memcpy(before, text, sizeof before);
        for (int kind = 0; kind < LEXICON_NONE; kind++) {
            size_t count =
                lexicon_list(&lexicon, i, (enum lexicon_kind)kind, others, 4096);
            for (size_t j = 0; j < count; j++) {
                assert_true(others[j] >= 0 && others[j] < (int)lexicon.count);
            }
        }
    }
}

static void refuses_damage(void **state)
{
    (void)state;
    const struct embedded_file *file = &embedded_lexicon[0];
    size_t size = (size_t)(file->end - file->data);
    char *copy = memory_copy(file->data, size);
    struct lexicon lexicon;
    assert_true(lexicon_open(&lexicon, copy, size));
    assert_false(lexicon_open(&lexicon, copy, size - 1));
    assert_false(lexicon_open(&lexicon, copy, 10));
    copy[4] = 9;
    assert_false(lexicon_open(&lexicon, copy, size));
    copy[4] = 1;
    copy[8] = (char)(copy[8] + 1);
    assert_false(lexicon_open(&lexicon, copy, size));
    copy[0] = 'X';
    assert_false(lexicon_open(&lexicon, copy, size));
    memory_free(copy);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(splits_names),   cmocka_unit_test(learns_words),
        cmocka_unit_test(is_bounded),     cmocka_unit_test(describes),
        cmocka_unit_test(knows_words),    cmocka_unit_test(is_whole),
        cmocka_unit_test(refuses_damage),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
