/*
 * The C network against what the training framework computed for the same weights and
 * input (train/reference.py wrote both), and files that must be refused.
 */
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
#include "base/file.h"
#include "base/json.h"
#include "parser/network/network.h"

#define FOLDER "tests/fixtures/parser/"

enum { KEYWORDS = 9, FIXED = 4, RELATIONS = 7, NUMBERS = 4, QUERIES = 2 };

static char name_text[16];

static const char *keyword_name(int index)
{
    (void)snprintf(name_text, sizeof name_text, "k%d", index);
    return name_text;
}

static const char *fixed_name(int index)
{
    (void)snprintf(name_text, sizeof name_text, "f%d", index);
    return name_text;
}

static const char *relation_name(int index)
{
    (void)snprintf(name_text, sizeof name_text, "r%d", index);
    return name_text;
}

static const char *number_name(int index)
{
    (void)snprintf(name_text, sizeof name_text, "n%d", index);
    return name_text;
}

static const struct network_names names = {.keyword = keyword_name,
                                           .keywords = KEYWORDS,
                                           .fixed = fixed_name,
                                           .fixed_count = FIXED,
                                           .relation = relation_name,
                                           .relations = RELATIONS};

static int int_at(const json_t *array, size_t index)
{
    return (int)json_integer_value(json_array_get(array, index));
}

static void read_word(const json_t *root, int id, struct network_word *word)
{
    const json_t *ids = json_array_get(json_array_at(root, "trigrams"), (size_t)id);
    word->row = id;
    for (size_t i = 0; i < NETWORK_TRIGRAMS; i++) {
        if (int_at(ids, i)) {
            word->trigrams[word->trigram_count++] = (uint16_t)int_at(ids, i);
        }
    }
}

static void read_input(struct arena *arena, const json_t *root,
                       struct network_input *input)
{
    const json_t *all = json_array_at(root, "items");
    input->count = json_array_size(all);
    struct network_item *items = arena_array(arena, input->count, sizeof *items);
    uint8_t *relations = arena_array(arena, input->count * input->count, 1);
    for (size_t i = 0; i < input->count; i++) {
        const json_t *ids = json_array_get(all, i);
        for (size_t w = 0; w < NETWORK_WORDS && int_at(ids, w); w++) {
            read_word(root, int_at(ids, w), &items[i].words[w]);
            items[i].word_count++;
        }
        items[i].type = (uint8_t)int_at(json_array_at(root, "types"), i);
        items[i].pointable =
            json_is_true(json_array_get(json_array_at(root, "pointable"), i));
    }
    for (size_t i = 0; i < input->count * input->count; i++) {
        relations[i] = (uint8_t)int_at(json_array_at(root, "relations"), i);
    }
    input->items = items;
    input->relations = relations;
}

static double largest_difference(const json_t *wanted, const float *got)
{
    double most = 0;
    for (size_t i = 0; i < json_array_size(wanted); i++) {
        double difference =
            fabs(json_number_value(json_array_get(wanted, i)) - (double)got[i]);
        most = difference > most ? difference : most;
    }
    return most;
}

static void test_same_as_framework(void **state)
{
    (void)state;
    struct err err;
    struct arena *arena = arena_new();
    size_t size = 0;
    char *text = file_read(arena, FOLDER "network.json", 1 << 24, &size, &err);
    assert_non_null(text);
    json_t *root = json_parse(arena, text, size, &err);
    assert_non_null(root);
    struct network *network = network_open(FOLDER "network.dgw", &names, &err);
    assert_non_null(network);
    assert_int_equal(network_word_row(network, "w3"), 5);
    assert_int_equal(network_word_row(network, "never seen"), 1);
    struct network_input input = {0};
    read_input(arena, root, &input);
    struct network_memory *memory = network_encode(network, arena, &input);
    double states =
        largest_difference(json_array_at(root, "states"), network_states(memory));
    const json_t *tokens = json_array_at(root, "tokens");
    struct network_decoder *decoder = network_decoder_new(network, arena, memory, 2, 32);
    size_t row = network_row(decoder);
    size_t steps = json_array_size(tokens);
    float *logs = arena_array(arena, steps * row, sizeof *logs);
    float *both = arena_array(arena, 2 * row, sizeof *both);
    for (size_t i = 0; i < steps; i++) {
        int token[2] = {int_at(tokens, i), int_at(tokens, i)};
        size_t from[2] = {i % 2 ? 1 : 0, 0}; /* both prefixes are the same one, swapped */
        assert_true(network_decode(decoder, token, from, 2, both));
        memcpy(logs + i * row, both + row, row * sizeof *logs);
        assert_memory_equal(both, both + row, row * sizeof *logs);
    }
    double outputs = 0;
    const json_t *wanted = json_array_at(root, "logs");
    for (size_t i = 0; i < json_array_size(wanted); i++) {
        double value = json_number_value(json_array_get(wanted, i));
        if (value > -1000) { /* what may not be pointed at is only "very unlikely" */
            double difference = fabs(value - (double)logs[i]);
            outputs = difference > outputs ? difference : outputs;
        }
    }
    print_message("largest difference: states %.2g, log-probabilities %.2g\n", states,
                  outputs);
    assert_true(states < 1e-4);
    assert_true(outputs < 1e-4);
    network_close(network);
    arena_free(arena);
}

/* Every single damaged byte of a sample of places is noticed, and every cut. */
static void test_damage_is_refused(void **state)
{
    (void)state;
    struct err err;
    struct arena *arena = arena_new();
    size_t size = 0;
    char *data = file_read(arena, FOLDER "network.dgw", 1 << 24, &size, &err);
    assert_non_null(data);
    char *copy = NULL;
    copy = arena_alloc(arena, size + 64);
    copy += (64 - (uintptr_t)copy % 64) % 64;
    for (size_t at = 0; at < size; at += 1 + size / 97) {
        memcpy(copy, data, size);
        copy[at] = (char)(copy[at] ^ 0x21);
        assert_null(network_of(copy, size, &names, &err));
        assert_int_equal(err.code, ERR_INVALID_DATA);
    }
    memcpy(copy, data, size);
    for (size_t cut = 0; cut < size; cut += 1 + size / 53) {
        assert_null(network_of(copy, cut, &names, &err));
    }
    struct network *network = network_of(copy, size, &names, &err);
    assert_non_null(network);
    network_close(network);
    arena_free(arena);
}

static void test_foreign_names_are_refused(void **state)
{
    (void)state;
    struct err err;
    struct network_names other = names;
    other.keyword = relation_name;
    assert_null(network_open(FOLDER "network.dgw", &other, &err));
    assert_non_null(strstr(err.message, "keywords"));
    other = names;
    other.relations = RELATIONS + 1;
    assert_null(network_open(FOLDER "network.dgw", &other, &err));
    assert_non_null(strstr(err.message, "relations"));
    assert_null(network_open(FOLDER "nowhere.dgw", &names, &err));
    assert_int_equal(err.code, ERR_FILE_NOT_FOUND);
    assert_null(network_open(FOLDER "network.json", &names, &err));
    assert_int_equal(err.code, ERR_INVALID_DATA);
}

static void test_older_literals_are_enough(void **state)
{
    (void)state;
    struct err err;
    struct network_names other = names;
    other.fixed_count = FIXED + 2;
    struct network *network = network_open(FOLDER "network.dgw", &other, &err);
    assert_non_null(network);
    assert_int_equal(network_outputs(network), KEYWORDS + FIXED);
    network_close(network);
    other.fixed_count = FIXED - 1; /* a literal that the program does not know */
    assert_null(network_open(FOLDER "network.dgw", &other, &err));
    assert_non_null(strstr(err.message, "fixed"));
}

static void test_older_keywords_are_enough(void **state)
{
    (void)state;
    struct err err;
    struct network_names other = names;
    other.keywords = KEYWORDS + 3;
    assert_null(
        network_open(FOLDER "network.dgw", &other, &err)); /* from no older time */
    assert_non_null(strstr(err.message, "keywords"));
    other.keywords_first = KEYWORDS - 1;
    struct network *network = network_open(FOLDER "network.dgw", &other, &err);
    assert_non_null(network);
    assert_int_equal(network_keywords(network), KEYWORDS);
    assert_int_equal(network_outputs(network), KEYWORDS + FIXED);
    network_close(network);
    other.keywords_first = KEYWORDS + 1; /* fewer than any weights have */
    assert_null(network_open(FOLDER "network.dgw", &other, &err));
    other.keywords = KEYWORDS - 1; /* a keyword that the program does not know */
    other.keywords_first = 1;
    assert_null(network_open(FOLDER "network.dgw", &other, &err));
}

/* What a network says of the stored input, step by step; its rows are `row` long. */
static float *logs_of(struct arena *arena, const char *path, size_t *count)
{
    struct err err;
    size_t size = 0;
    char *text = file_read(arena, FOLDER "network.json", 1 << 24, &size, &err);
    json_t *root = text ? json_parse(arena, text, size, &err) : NULL;
    struct network *network = network_open(path, &names, &err);
    assert_non_null(root);
    assert_non_null(network);
    struct network_input input = {0};
    read_input(arena, root, &input);
    struct network_memory *memory = network_encode(network, arena, &input);
    struct network_decoder *decoder = network_decoder_new(network, arena, memory, 1, 32);
    const json_t *tokens = json_array_at(root, "tokens");
    size_t row = network_row(decoder);
    size_t from = 0;
    *count = json_array_size(tokens) * row;
    float *logs = arena_array(arena, *count, sizeof *logs);
    for (size_t i = 0; i < json_array_size(tokens); i++) {
        int token = int_at(tokens, i);
        assert_true(network_decode(decoder, &token, &from, 1, logs + i * row));
    }
    network_close(network);
    return logs;
}

static void test_members_are_averaged(void **state)
{
    (void)state;
    struct arena *arena = arena_new();
    size_t count = 0;
    const float *one = logs_of(arena, FOLDER "network.dgw", &count);
    const float *other = logs_of(arena, FOLDER "network-other.dgw", &count);
    const float *both = logs_of(arena, FOLDER "network-members.dgw", &count);
    size_t differ = 0;
    for (size_t i = 0; i < count; i++) {
        float mean = (expf(one[i]) + expf(other[i])) / 2;
        assert_float_equal(expf(both[i]), mean, 1e-5);
        differ += fabsf(one[i] - other[i]) > 0.1F;
    }
    assert_true(differ > 10);
    arena_free(arena);
}

static json_t *read_json(struct arena *arena, const char *path)
{
    struct err err;
    size_t size = 0;
    char *text = file_read(arena, path, 1 << 24, &size, &err);
    json_t *root = text ? json_parse(arena, text, size, &err) : NULL;
    assert_non_null(root);
    return root;
}

static struct network_names names_with_numbers(void)
{
    struct network_names with = names;
    with.number = number_name;
    with.numbers = NUMBERS + 1; /* the newest one came after these weights */
    return with;
}

/* The stored queries as the verifier takes them; what pads the shorter one is left out.
 */
static void read_queries(struct arena *arena, const json_t *root,
                         struct network_verified *out)
{
    for (size_t i = 0; i < QUERIES; i++) {
        const json_t *tokens = json_array_get(json_array_at(root, "tokens"), i);
        const json_t *said = json_array_get(json_array_at(root, "numbers"), i);
        int *outputs = arena_array(arena, json_array_size(tokens), sizeof *outputs);
        double *numbers = arena_array(arena, NUMBERS + 1, sizeof *numbers);
        out[i] = (struct network_verified){outputs, 0, numbers, 0, 0};
        for (size_t k = 0; int_at(tokens, k) != 2; k++) {
            outputs[out[i].count++] = int_at(tokens, k);
        }
        for (size_t k = 0; k < NUMBERS; k++) {
            numbers[k] = json_number_value(json_array_get(said, k));
        }
    }
}

static void test_verifier_same_as_framework(void **state)
{
    (void)state;
    struct err err;
    struct arena *arena = arena_new();
    struct network_names with = names_with_numbers();
    struct network *network = network_open(FOLDER "network-verifier.dgw", &with, &err);
    assert_non_null(network);
    struct network_input input = {0};
    read_input(arena, read_json(arena, FOLDER "network.json"), &input);
    const json_t *root = read_json(arena, FOLDER "network-verifier.json");
    struct network_memory *memory = network_encode(network, arena, &input);
    struct network_verified queries[QUERIES];
    read_queries(arena, root, queries);
    assert_true(network_verify(network, memory, queries, QUERIES));
    double most = 0;
    for (size_t i = 0; i < QUERIES; i++) {
        const json_t *said = json_array_get(json_array_at(root, "said"), i);
        float got[] = {(float)queries[i].chosen, (float)queries[i].right};
        most = fmax(most, largest_difference(said, got));
    }
    print_message("largest difference of the verifier: %.2g\n", most);
    assert_true(most < 1e-4);
    struct network_verified alone = queries[1]; /* the others must not matter */
    assert_true(network_verify(network, memory, &alone, 1));
    assert_true(fabs(alone.chosen - queries[1].chosen) < 1e-6);
    int unknown[] = {3, -1, 10000};
    int *longest = arena_array(arena, 4000, sizeof *longest);
    struct network_verified odd[] = {{unknown, 3, alone.numbers, 0, 0},
                                     {longest, 4000, alone.numbers, 0, 0}};
    assert_true(network_verify(network, memory, odd, 2));
    assert_true(isfinite(odd[0].chosen) && isfinite(odd[1].right));
    network_close(network);
    arena_free(arena);
}

/* A program that knows more numbers, and has them in other places: "new", "n0", "new", … */
static const char *moved_name(int index)
{
    return index % 2 ? number_name(index / 2) : "new";
}

static void test_verifier_finds_its_numbers_by_name(void **state)
{
    (void)state;
    struct err err;
    struct arena *arena = arena_new();
    struct network_names with = names_with_numbers();
    struct network_names moved = with;
    moved.number = moved_name;
    moved.numbers = 2 * NUMBERS;
    struct network *network = network_open(FOLDER "network-verifier.dgw", &with, &err);
    struct network *other = network_open(FOLDER "network-verifier.dgw", &moved, &err);
    assert_non_null(network);
    assert_non_null(other);
    struct network_input input = {0};
    read_input(arena, read_json(arena, FOLDER "network.json"), &input);
    struct network_verified queries[QUERIES];
    read_queries(arena, read_json(arena, FOLDER "network-verifier.json"), queries);
    double *numbers = arena_array(arena, 2 * (size_t)NUMBERS, sizeof *numbers);
    for (size_t i = 0; i < NUMBERS; i++) {
        numbers[2 * i] = 100;
        numbers[2 * i + 1] = queries[0].numbers[i];
    }
    struct network_verified same = queries[0];
    same.numbers = numbers;
    assert_true(
        network_verify(network, network_encode(network, arena, &input), queries, 1));
    assert_true(network_verify(other, network_encode(other, arena, &input), &same, 1));
    assert_float_equal(same.chosen, queries[0].chosen, 0);
    assert_float_equal(same.right, queries[0].right, 0);
    network_close(network);
    network_close(other);
    arena_free(arena);
}

static void test_verifier_may_be_absent_but_not_foreign(void **state)
{
    (void)state;
    struct err err;
    struct network_names with = names_with_numbers();
    struct network *without = network_open(FOLDER "network.dgw", &with, &err);
    assert_non_null(without);
    struct network_verified query = {0};
    assert_false(network_verify(without, NULL, &query, 1));
    network_close(without);
    with.number = fixed_name;
    assert_null(network_open(FOLDER "network-verifier.dgw", &with, &err));
    assert_non_null(strstr(err.message, "judged_by"));
    with = names_with_numbers();
    with.numbers = NUMBERS - 1;
    assert_null(network_open(FOLDER "network-verifier.dgw", &with, &err));
    assert_int_equal(err.code, ERR_INVALID_DATA);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_same_as_framework),
        cmocka_unit_test(test_members_are_averaged),
        cmocka_unit_test(test_verifier_same_as_framework),
        cmocka_unit_test(test_verifier_finds_its_numbers_by_name),
        cmocka_unit_test(test_verifier_may_be_absent_but_not_foreign),
        cmocka_unit_test(test_damage_is_refused),
        cmocka_unit_test(test_foreign_names_are_refused),
        cmocka_unit_test(test_older_literals_are_enough),
        cmocka_unit_test(test_older_keywords_are_enough),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
