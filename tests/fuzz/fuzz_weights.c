/*
 * Looks for weights files that the network cannot bear. layers: parser
 *
 * First byte 'f': the rest is a whole file. Otherwise the rest is a header, to which
 * numbers and a right checksum are added, so that damage behind the checksum is tried
 * too; what opens must be able to encode and decode.
 */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "parser/network/network.h"

enum { START = 28, ALIGNMENT = 64, PAYLOAD = 320 * 1024, ITEMS = 3 };

static const char *numbered(char letter, int index)
{
    static char text[16];
    (void)snprintf(text, sizeof text, "%c%d", letter, index);
    return text;
}

static const char *keyword_name(int index)
{
    return numbered('k', index);
}

static const char *fixed_name(int index)
{
    return numbered('f', index);
}

static const char *relation_name(int index)
{
    return numbered('r', index);
}

static const char *number_name(int index)
{
    return numbered('n', index);
}

static unsigned char *file_of(struct arena *arena, const uint8_t *text, size_t size,
                              size_t *total)
{
    uint32_t header =
        (uint32_t)((START + size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT - START);
    uint32_t version = 1;
    uint64_t payload = PAYLOAD;
    uint64_t checksum = 0xCBF29CE484222325U;
    *total = START + header + PAYLOAD;
    unsigned char *file = arena_alloc(arena, *total + ALIGNMENT);
    file += (ALIGNMENT - (uintptr_t)file % ALIGNMENT) % ALIGNMENT;
    memset(file + START, ' ', header);
    memcpy(file + START, text, size);
    for (size_t i = 0; i < PAYLOAD / sizeof(float); i++) {
        float value = (float)((i * 2654435761U) % 1000U) / 1000.0F - 0.5F;
        memcpy(file + START + header + i * sizeof value, &value, sizeof value);
    }
    for (size_t at = START; at < *total; at += 8) {
        uint64_t word = 0;
        memcpy(&word, file + at, *total - at < 8 ? *total - at : 8);
        checksum = (checksum ^ word) * 0x100000001B3U;
    }
    memcpy(file, "DGMW", 4);
    memcpy(file + 4, &version, 4);
    memcpy(file + 8, &header, 4);
    memcpy(file + 12, &payload, 8);
    memcpy(file + 20, &checksum, 8);
    return file;
}

static void use(struct arena *arena, const struct network *network)
{
    struct network_item items[ITEMS] = {0};
    uint8_t relations[ITEMS * ITEMS] = {0, 1, 2, 3, 4, 5, 6, 0, 1};
    for (size_t i = 0; i < ITEMS; i++) {
        items[i].word_count = 1;
        items[i].words[0].row = (int)i * 1000;
        items[i].words[0].trigram_count = 1;
        items[i].words[0].trigrams[0] = UINT16_MAX;
        items[i].type = (uint8_t)(i * 7);
        items[i].pointable = i > 0;
    }
    struct network_input input = {items, ITEMS, relations};
    struct network_memory *memory = network_encode(network, arena, &input);
    struct network_decoder *decoder = network_decoder_new(network, arena, memory, 2, 8);
    float *logs = arena_array(arena, 2 * network_row(decoder), sizeof *logs);
    int tokens[2] = {1, (int)network_outputs(network)};
    size_t from[2] = {0, 0};
    (void)network_decode(decoder, tokens, from, 1, logs);
    (void)network_decode(decoder, tokens, from, 2, logs);
    double numbers[4] = {0, 1, -1e30, 1e30};
    int odd[3] = {-1, (int)network_outputs(network) + 1, 100000};
    struct network_verified queries[2] = {{odd, 3, numbers, 0, 0},
                                          {odd, 0, numbers, 0, 0}};
    (void)network_verify(network, memory, queries, 2);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const struct network_names names = {keyword_name,  9, fixed_name,  4,
                                               relation_name, 7, number_name, 4};
    if (size < 1) {
        return 0;
    }
    struct arena *arena = arena_new();
    struct err err;
    err_clear(&err);
    size_t total = size - 1;
    unsigned char *file = NULL;
    if (*data == 'f') {
        file = arena_alloc(arena, total + ALIGNMENT);
        file += (ALIGNMENT - (uintptr_t)file % ALIGNMENT) % ALIGNMENT;
        memcpy(file, data + 1, total);
    } else {
        file = file_of(arena, data + 1, size - 1, &total);
    }
    struct network *network = network_of(file, total, &names, &err);
    if (network) {
        use(arena, network);
        network_close(network);
    } else if (err.message[0] == '\0') {
        abort(); /* refused without a reason */
    }
    arena_free(arena);
    return 0;
}
