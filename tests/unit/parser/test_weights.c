/* Weights files that are whole, and all the ways in which one can be wrong. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "base/arena.h"
#include "base/err.h"
#include "parser/network/network_state.h"
#include "unit/parser/weights_made.h"

static struct arena *arena;

static int start_arena(void **state)
{
    (void)state;
    arena = arena_new();
    return 0;
}

static int end_arena(void **state)
{
    (void)state;
    arena_free(arena);
    return 0;
}

static struct network *open_made(const struct made_weights *made, struct err *err)
{
    size_t size = 0;
    void *file = made_file(made, &size);
    return network_of(file, size, made_own_names(), err);
}

/* The file with one change of its header is refused with this in the message. */
static void expect_refusal(const char *old, const char *new, const char *reason)
{
    struct made_weights made;
    struct err err;
    made_weights(&made, arena, made_own_names(), true, 1);
    assert_true(made_change(&made, old, new));
    assert_null(open_made(&made, &err));
    assert_int_equal(err.code, ERR_INVALID_DATA);
    if (!strstr(err.message, reason)) {
        print_error("wanted \"%s\" in \"%s\"\n", reason, err.message);
        fail();
    }
}

static void test_whole_files_open(void **state)
{
    (void)state;
    for (int eight = 0; eight < 2; eight++) {
        struct made_weights made;
        struct err err;
        made_weights(&made, arena, made_own_names(), eight, 7);
        struct network *network = open_made(&made, &err);
        assert_non_null(network);
        assert_int_equal(network->d, 32);
        assert_int_equal(network_word_row(network, "word3"), 5);
        assert_int_equal(network_word_row(network, "stranger"), 1);
        assert_true(network_bytes(network) > 1000);
        network_close(network);
    }
}

/* The list of words is read apart from the rest of the header; however it is written, the words
 * have the same rows. */
static void test_words_are_read_in_every_spelling(void **state)
{
    (void)state;
    static const char *const changes[][2] = {
        {"\"word3\"", "\"w\\u006frd3\""},
        {"\"word2\"", "\"a \\\"quoted\\\" ]\""},
        {"\"words\":[", "\"words\" : ["},
        {"\"word4\",", "\"word4\" ,"},
        {"{\"d\"", "{\"card\":{\"words\":[\"word3\",\"word1\"]},\"d\""},
    };
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        struct made_weights made;
        struct err err;
        made_weights(&made, arena, made_own_names(), true, 7);
        assert_true(made_change(&made, changes[i][0], changes[i][1]));
        struct network *network = open_made(&made, &err);
        assert_non_null(network);
        assert_int_equal(network_word_row(network, "word1"), 3);
        assert_int_equal(network_word_row(network, "word3"), 5);
        assert_int_equal(network_word_row(network, "word5"), 7);
        assert_int_equal(network_word_row(network, i == 1 ? "word2" : "word"), 1);
        network_close(network);
    }
    expect_refusal("\"word3\"", "\"w\\ord3\"", "");
    expect_refusal("\"word5\"", "\"word5\",\"word6\"", "no tensor 'w'");
}

/* Eight bits and the same numbers as real ones give the same network. */
static void test_eight_bits_are_exact(void **state)
{
    (void)state;
    struct made_weights made;
    struct err err;
    made_weights(&made, arena, made_own_names(), true, 7);
    size_t size = 0;
    void *file = made_file(&made, &size);
    struct weights *weights = weights_of(file, size, &err);
    assert_non_null(weights);
    const struct tensor *w = weights_get(weights, "mix.a.w", 32, 32, &err);
    assert_non_null(w);
    assert_non_null(w->eight);
    float row[32];
    tensor_row(w, 3, row);
    for (size_t i = 0; i < 32; i++) {
        assert_true(row[i] == (float)w->eight[3 * 32 + i] * w->scale[3]);
    }
    assert_null(weights_get(weights, "mix.a.w", 32, 31, &err));
    assert_non_null(strstr(err.message, "mix.a.w"));
    weights_close(weights);
}

static void test_start_is_checked(void **state)
{
    (void)state;
    static const struct {
        size_t at;
        unsigned char byte;
        const char *reason;
    } cases[] = {
        {0, 'X', "not one of dragoman's"},
        {4, 9, "version 9"},
        {8, 0xFF, "cut short"},
        {11, 0xFF, "cut short"},
        {12, 0x01, "cut short"},
        {19, 0xFF, "cut short"},
        {20, 0xAA, "damaged"},
        {40, 0xAA, "damaged"},
    };
    struct made_weights made;
    struct err err;
    made_weights(&made, arena, made_own_names(), true, 1);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        size_t size = 0;
        unsigned char *file = made_file(&made, &size);
        file[cases[i].at] = cases[i].byte;
        assert_null(network_of(file, size, made_own_names(), &err));
        assert_int_equal(err.code, ERR_INVALID_DATA);
        assert_non_null(strstr(err.message, cases[i].reason));
    }
    size_t size = 0;
    unsigned char *file = made_file(&made, &size);
    for (size_t cut = 0; cut < 80; cut++) {
        assert_null(network_of(file, cut, made_own_names(), &err));
    }
    assert_null(network_of(file, size - 1, made_own_names(), &err));
    assert_non_null(strstr(err.message, "cut short"));
}

static void test_header_is_checked(void **state)
{
    (void)state;
    expect_refusal("{\"d\"", "{\"d", "JSON");
    expect_refusal("\"d\":32", "\"d\":0", "'d'");
    expect_refusal("\"d\":32", "\"d\":-32", "'d'");
    expect_refusal("\"d\":32", "\"d\":\"32\"", "'d'");
    expect_refusal("\"d\":32", "\"d\":48", "do not fit together");
    expect_refusal("\"d\":32", "\"d\":64", "no tensor");
    expect_refusal("\"d\":32", "\"d\":9223372036854775807", "'d'");
    expect_refusal("\"heads\":4", "\"heads\":5", "do not fit together");
    expect_refusal("\"heads\":4", "\"heads\":8", "no tensor");
    expect_refusal("\"ff\":64", "\"ff\":65", "do not fit together");
    expect_refusal("\"encoder_layers\":2", "\"encoder_layers\":3", "e.2.");
    expect_refusal("\"encoder_layers\":2", "\"encoder_layers\":1000", "encoder_layers");
    expect_refusal("\"decoder_layers\":2", "\"decoder_layers\":3", "d.2.");
    expect_refusal("\"trigrams\":50", "\"trigrams\":51", "'t'");
    expect_refusal("\"positions\":40", "\"positions\":41", "'pos'");
    expect_refusal("\"word0\",", "", "'w'");
    expect_refusal("\"tensors\":", "\"sensors\":", "no tensor");
}

static void test_foreign_lists(void **state)
{
    (void)state;
    expect_refusal("\"keywords\":[", "\"keywords\":[\"strange\",", "other keywords");
    expect_refusal("\"fixed\":[", "\"fixed\":[\"strange\",", "other fixed");
    expect_refusal("\"relations\":[", "\"relations\":[\"strange\",", "other relations");
    expect_refusal("\"relations\":[", "\"relations\":[1,", "other relations");
    expect_refusal("\"keywords\":[", "\"keywords\":3,\"x\":[", "other keywords");
}

static void test_tensors_are_checked(void **state)
{
    (void)state;
    expect_refusal("\"shape\":[10,32]", "\"shape\":[10,-32]", "wrongly");
    expect_refusal("\"shape\":[10,32]", "\"shape\":[0,32]", "wrongly");
    expect_refusal("\"shape\":[10,32]", "\"shape\":[10,32,1]", "wrongly");
    expect_refusal("\"shape\":[10,32]", "\"shape\":[]", "wrongly");
    expect_refusal("\"shape\":[10,32]", "\"shape\":\"10\"", "wrongly");
    expect_refusal("\"shape\":[10,32]", "\"shape\":[9999999,99999]", "not in the file");
    expect_refusal("\"shape\":[10,32]", "\"shape\":[4611686018427387904,32]", "wrongly");
    expect_refusal("\"shape\":[10,32]", "\"shape\":[9,32]", "'w'");
    expect_refusal("\"name\":\"w\"", "\"name\":7", "wrongly");
    expect_refusal("\"name\":\"w\"", "\"name\":\"t\"", "twice");
    expect_refusal("\"name\":\"w\"", "\"name\":\"other\"", "'w'");
    expect_refusal("\"type\":\"i8\"", "\"type\":\"f16\"", "does not know");
    expect_refusal("\"type\":\"i8\"", "\"type\":8", "does not know");
    expect_refusal("\"offset\":0", "\"offset\":-64", "not in the file");
    expect_refusal("\"offset\":0", "\"offset\":1", "not in the file");
    expect_refusal("\"offset\":0", "\"offset\":1.5", "not in the file");
    expect_refusal("\"offset\":0", "\"offset\":640000000", "not in the file");
    expect_refusal("\"offset\":0", "\"offset\":9223372036854775744", "not in the file");
    expect_refusal("\"offset\":0", "\"offset\":64", "overlap");
    expect_refusal("\"scale_offset\":320", "\"scale_offset\":0", "overlap");
    expect_refusal("\"scale_offset\":320", "\"scale_offset\":31", "not in the file");
    expect_refusal(",\"scale_offset\":320", "", "not in the file");
}

static void test_numbers_are_checked(void **state)
{
    (void)state;
    const float bad[] = {NAN, INFINITY, -INFINITY};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct made_weights made;
        struct err err;
        made_weights(&made, arena, made_own_names(), true, 1);
        memcpy(made.payload + 320, &bad[i], sizeof bad[i]); /* the scale of a word */
        assert_null(open_made(&made, &err));
        assert_non_null(strstr(err.message, "no number"));
        made_weights(&made, arena, made_own_names(), false, 1);
        memcpy(made.payload, &bad[i], sizeof bad[i]);
        assert_null(open_made(&made, &err));
        assert_non_null(strstr(err.message, "'w'"));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_whole_files_open),
        cmocka_unit_test(test_words_are_read_in_every_spelling),
        cmocka_unit_test(test_eight_bits_are_exact),
        cmocka_unit_test(test_start_is_checked),
        cmocka_unit_test(test_header_is_checked),
        cmocka_unit_test(test_foreign_lists),
        cmocka_unit_test(test_tensors_are_checked),
        cmocka_unit_test(test_numbers_are_checked),
    };
    return cmocka_run_group_tests(tests, start_arena, end_arena);
}
