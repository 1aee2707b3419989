/* Weights files made in memory: small networks of chosen numbers, whole or broken. */
#include "unit/parser/weights_made.h"

#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "parser/ir/ir.h"
#include "parser/judge/judge.h"
#include "parser/network/network_state.h"
#include "parser/link/relations.h"

enum { D = 32, HEADS = 4, FF = 64, LAYERS = 2, WORDS = 8, TRIGRAMS = 50, POSITIONS = 40 };
enum { ALIGNMENT = 64, START = 28, PAYLOAD_MOST = 1 << 20 };

struct making {
    struct made_weights *made;
    struct buf header;
    bool eight;
    bool first;
    uint32_t seed;
};

static float number(struct making *making)
{
    making->seed = making->seed * 1664525U + 1013904223U;
    return (float)(making->seed >> 8) / (float)(1U << 23) - 1.0F;
}

static size_t place(struct making *making, size_t size)
{
    size_t at = (making->made->payload_size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    making->made->payload_size = at + size;
    return at;
}

static void add(struct making *making, const char *name, size_t rows, size_t columns)
{
    bool eight = making->eight && columns >= D;
    size_t at = place(making, rows * columns * (eight ? 1 : sizeof(float)));
    for (size_t i = 0; i < rows * columns; i++) {
        float value = number(making) * 0.5F;
        if (eight) {
            making->made->payload[at + i] = (unsigned char)(int8_t)(value * 200.0F);
        } else {
            memcpy(making->made->payload + at + i * sizeof value, &value, sizeof value);
        }
    }
    (void)buf_format(&making->header,
                     "%s{\"name\":\"%s\",\"type\":\"%s\",\"shape\":[%zu,%zu],"
                     "\"offset\":%zu",
                     making->first ? "" : ",", name, eight ? "i8" : "f32", rows, columns,
                     at);
    making->first = false;
    if (eight) {
        size_t scale = place(making, rows * sizeof(float));
        for (size_t i = 0; i < rows; i++) {
            float value = 0.005F;
            memcpy(making->made->payload + scale + i * sizeof value, &value,
                   sizeof value);
        }
        (void)buf_format(&making->header, ",\"scale_offset\":%zu", scale);
    }
    (void)buf_char(&making->header, '}');
}

static void add_parts(struct making *making, const char *prefix, const char *const *parts)
{
    for (; *parts; parts++) {
        char name[64];
        bool wide = strstr(*parts, "kv") != NULL;
        bool up = strcmp(*parts, "fa") == 0;
        bool down = strcmp(*parts, "fb") == 0;
        bool norm = **parts == 'n' || strcmp(*parts, "mix.norm") == 0 ||
                    strcmp(*parts, "dn") == 0 || strcmp(*parts, "en") == 0;
        (void)snprintf(name, sizeof name, "%s%s.%s", prefix, *parts, norm ? "g" : "w");
        add(making, name, up ? FF : wide ? 2 * D : D, norm ? 1 : down ? FF : D);
        (void)snprintf(name, sizeof name, "%s%s.b", prefix, *parts);
        add(making, name, up ? FF : wide ? 2 * D : D, 1);
    }
}

static void add_layers(struct making *making, size_t relations)
{
    static const char *const encoder[] = {"n1", "n2", "q", "kv", "o", "fa", "fb", NULL};
    static const char *const decoder[] = {"n1",  "n2",   "n3",  "a.q", "a.kv", "a.o",
                                          "c.q", "c.kv", "c.o", "fa",  "fb",   NULL};
    for (size_t i = 0; i < LAYERS; i++) {
        char prefix[16];
        char name[64];
        (void)snprintf(prefix, sizeof prefix, "e.%zu.", i);
        add_parts(making, prefix, encoder);
        (void)snprintf(name, sizeof name, "%srk", prefix);
        add(making, name, relations, D / HEADS);
        (void)snprintf(name, sizeof name, "%srv", prefix);
        add(making, name, relations, D / HEADS);
        (void)snprintf(name, sizeof name, "%srb", prefix);
        add(making, name, relations, HEADS);
        (void)snprintf(prefix, sizeof prefix, "d.%zu.", i);
        add_parts(making, prefix, decoder);
    }
}

static void add_names(struct buf *header, const char *key, const char *(*name)(int index),
                      int count)
{
    (void)buf_format(header, ",\"%s\":[", key);
    for (int i = 0; i < count; i++) {
        (void)buf_format(header, "%s\"%s\"", i ? "," : "", name(i));
    }
    (void)buf_char(header, ']');
}

void made_weights(struct made_weights *made, struct arena *arena,
                  const struct network_names *names, bool eight, uint32_t seed)
{
    static const char *const rest[] = {"mix.norm", "mix.a", "mix.b", "en", "dn",
                                       "pin",      "pq",    "pk",    NULL};
    *made = (struct made_weights){.arena = arena,
                                  .payload = arena_alloc(arena, PAYLOAD_MOST)};
    struct making making = {.made = made, .eight = eight, .first = true, .seed = seed};
    buf_init(&making.header, 1 << 20);
    (void)buf_format(&making.header,
                     "{\"d\":%d,\"heads\":%d,\"encoder_layers\":%d,\"decoder_layers\":%d,"
                     "\"ff\":%d,\"trigrams\":%d,\"positions\":%d",
                     D, HEADS, LAYERS, LAYERS, FF, TRIGRAMS, POSITIONS);
    add_names(&making.header, "keywords", names->keyword, names->keywords);
    add_names(&making.header, "fixed", names->fixed, names->fixed_count);
    add_names(&making.header, "relations", names->relation, names->relations);
    (void)buf_text(&making.header, ",\"words\":[");
    for (int i = 0; i < WORDS; i++) {
        (void)buf_format(&making.header, "%s\"word%d\"", i ? "," : "", i);
    }
    (void)buf_text(&making.header, "],\"tensors\":[");
    size_t outputs = (size_t)names->keywords + (size_t)names->fixed_count;
    add(&making, "w", WORDS + 2, D);
    add(&making, "t", TRIGRAMS, D);
    add(&making, "ty", NETWORK_TYPES, D);
    add(&making, "k", outputs, D);
    add(&making, "pos", POSITIONS, D);
    add(&making, "ok.w", outputs, D);
    add(&making, "ok.b", outputs, 1);
    made->favours = made->payload_size - outputs * sizeof(float);
    add_parts(&making, "", rest);
    add_layers(&making, (size_t)names->relations + 1);
    (void)buf_text(&making.header, "]}");
    made->header = buf_clone(&making.header, arena);
    buf_release(&making.header);
}

void *made_file(const struct made_weights *made, size_t *size)
{
    size_t text = strlen(made->header);
    uint32_t padded =
        (uint32_t)((START + text + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT - START);
    *size = START + padded + made->payload_size;
    unsigned char *file = arena_alloc(made->arena, *size + ALIGNMENT);
    file += (ALIGNMENT - (uintptr_t)file % ALIGNMENT) % ALIGNMENT;
    memset(file + START, ' ', padded);
    memcpy(file + START, made->header, text);
    memcpy(file + START + padded, made->payload, made->payload_size);
    uint64_t checksum = 0xCBF29CE484222325U;
    for (size_t at = START; at < *size; at += 8) {
        uint64_t word = 0;
        memcpy(&word, file + at, *size - at < 8 ? *size - at : 8);
        checksum = (checksum ^ word) * 0x100000001B3U;
    }
    uint32_t version = 1;
    uint64_t payload = made->payload_size;
    memcpy(file, "DGMW", 4);
    memcpy(file + 4, &version, 4);
    memcpy(file + 8, &padded, 4);
    memcpy(file + 12, &payload, 8);
    memcpy(file + 20, &checksum, 8);
    return file;
}

bool made_change(struct made_weights *made, const char *old, const char *new)
{
    char *at = strstr(made->header, old);
    if (at) {
        made->header = arena_format(made->arena, "%.*s%s%s", (int)(at - made->header),
                                    made->header, new, at + strlen(old));
    }
    return at != NULL;
}

void made_favour(struct made_weights *made, int output, float by)
{
    float value = 0;
    unsigned char *at = made->payload + made->favours + (size_t)output * sizeof value;
    memcpy(&value, at, sizeof value);
    value += by;
    memcpy(at, &value, sizeof value);
}

static const char *fixed_text(int index)
{
    const struct ir_value *value = ir_fixed_get(index);
    return value ? value->text : "";
}

const struct network_names *made_own_names(void)
{
    static const struct network_names names = {
        ir_keyword_text,   IR_KEYWORD_COUNT, fixed_text, IR_FIXED_COUNT,
        relation_text,     RELATION_COUNT,   judge_text, JUDGE_COUNT,
        IR_KEYWORDS_FIRST, RELATIONS_ALONE,
    };
    return &names;
}
