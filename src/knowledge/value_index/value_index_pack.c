/*
 * A value index as bytes and back, so that the next process need not read the database.
 * The bytes are checked in full before they are believed: what is damaged, foreign or of
 * another version is no index, and the database is read instead.
 */
#include <string.h>

#include "base/buf.h"
#include "base/hash.h"
#include "base/memory.h"
#include "base/utf8.h"
#include "knowledge/value_index/value_index_state.h"
#include "model/schema.h"

enum {
    VERSION = 1, /* one more whenever the form or the folding of keys changes */
    HEAD_SIZE = 4 + 4 + 8,
    NUMBERS_MOST = 10, /* bytes of a number */
};

static const char MAGIC[4] = {'d', 'g', 'v', 'i'};
static const size_t MOST_BYTES = (size_t)48 << 20;

/* ---------------------------------------------------------------- writing */

static void put_fixed(struct buf *out, uint64_t value, size_t bytes)
{
    char text[8];
    for (size_t i = 0; i < bytes; i++) {
        text[i] = (char)(unsigned char)(value >> (8 * i));
    }
    (void)buf_add(out, text, bytes);
}

/* Seven bits a byte, the low ones first; most numbers here are small. */
static void put_number(struct buf *out, uint64_t value)
{
    char text[NUMBERS_MOST];
    size_t size = 0;
    for (; value >= 128; value >>= 7) {
        text[size++] = (char)(unsigned char)((value & 127) | 128);
    }
    text[size++] = (char)(unsigned char)value;
    (void)buf_add(out, text, size);
}

static void put_entry(const struct value_index *index, const struct value_entry *entry,
                      struct buf *out)
{
    bool same = entry->key_size == entry->text_size &&
                memcmp(entry->key, entry->text, entry->key_size) == 0;
    put_number(out, entry->text_size);
    put_number(out, same ? 0 : entry->key_size);
    put_number(out, entry->place_count);
    for (size_t i = 0; i < entry->place_count; i++) {
        put_number(out, index->places[entry->first + i].table);
        put_number(out, index->places[entry->first + i].column);
    }
    /* with their NULs, so that they can be used where they stand */
    (void)buf_add(out, entry->text, (size_t)entry->text_size + 1);
    if (!same) {
        (void)buf_add(out, entry->key, (size_t)entry->key_size + 1);
    }
}

static void put_settings(const struct value_index_settings *settings, struct buf *out)
{
    put_number(out, settings->values_per_column);
    put_number(out, settings->value_characters);
    put_number(out, settings->total_bytes);
    put_number(out, settings->rows_per_column);
}

char *value_index_pack(const struct value_index *index, size_t *size)
{
    struct buf body;
    struct buf out;
    if (!index->frozen || index->unfinished) {
        return NULL;
    }
    buf_init(&body, MOST_BYTES);
    buf_init(&out, MOST_BYTES + HEAD_SIZE);
    put_settings(&index->settings, &body);
    put_number(&body, index->partial);
    put_number(&body, index->bytes);
    put_number(&body, index->count);
    put_number(&body, index->node_count);
    put_number(&body, index->word_count);
    for (size_t i = 0; i < index->count; i++) {
        put_entry(index, &index->entries[i], &body);
    }
    for (size_t i = 0; i < index->word_count; i++) {
        put_fixed(&body, index->words[i].hash, 4);
        put_fixed(&body, index->words[i].entry, 4);
    }
    (void)buf_add(&out, MAGIC, sizeof MAGIC);
    put_fixed(&out, VERSION, 4);
    put_fixed(&out, hash_of(buf_get(&body), body.size), 8);
    (void)buf_add(&out, buf_get(&body), body.size);
    bool whole = !body.full && !out.full;
    *size = out.size;
    buf_release(&body);
    if (!whole) {
        buf_release(&out);
        return NULL;
    }
    return buf_take(&out);
}

/* ---------------------------------------------------------------- reading */

struct unpacking {
    const char *data;
    size_t size;
    size_t at;
    bool bad;
    struct value_index *index;
    const struct schema *schema;
    size_t place_count;
};

static uint64_t get_fixed(struct unpacking *from, size_t bytes)
{
    uint64_t value = 0;
    if (from->size - from->at < bytes) {
        from->bad = true;
        return 0;
    }
    for (size_t i = 0; i < bytes; i++) {
        value |= (uint64_t)(unsigned char)from->data[from->at++] << (8 * i);
    }
    return value;
}

/* At most `most`, else the bytes are bad. */
static size_t get_number(struct unpacking *from, uint64_t most)
{
    uint64_t value = 0;
    unsigned char c = 128;
    for (unsigned shift = 0; (c & 128) && shift < 63; shift += 7) {
        c = (unsigned char)get_fixed(from, 1);
        value |= (uint64_t)(c & 127) << shift;
    }
    if ((c & 128) || value > most || from->bad) {
        from->bad = true;
        return 0;
    }
    return (size_t)value;
}

static const char *get_text(struct unpacking *from, size_t size)
{
    const char *text = from->data + from->at;
    if (from->bad || from->size - from->at <= size || text[size] != '\0' ||
        memchr(text, '\0', size)) {
        from->bad = true;
        return "";
    }
    from->at += size + 1;
    return text;
}

static void get_places(struct unpacking *from, struct value_entry *entry)
{
    struct value_index *index = from->index;
    entry->first = (uint32_t)from->place_count;
    entry->place_count =
        (uint32_t)get_number(from, index->node_count - from->place_count);
    for (size_t i = 0; i < entry->place_count && !from->bad; i++) {
        struct value_place *place = &index->places[from->place_count++];
        place->table = (uint32_t)get_number(from, UINT32_MAX);
        place->column = (uint32_t)get_number(from, UINT32_MAX);
        from->bad =
            from->bad || place->table >= from->schema->tables.count ||
            place->column >= from->schema->tables.items[place->table].columns.count;
    }
    from->bad = from->bad || entry->place_count == 0;
}

static void get_entry(struct unpacking *from, size_t number)
{
    struct value_entry *entry = &from->index->entries[number];
    size_t bad = 0;
    entry->text_size = (uint16_t)get_number(from, VALUE_KEY_SIZE - 1);
    entry->key_size = (uint16_t)get_number(from, VALUE_KEY_SIZE - 1);
    get_places(from, entry);
    entry->text = get_text(from, entry->text_size);
    entry->key = entry->text;
    if (entry->key_size) {
        entry->key = get_text(from, entry->key_size);
    } else {
        entry->key_size = entry->text_size;
    }
    entry->letters = value_letters(entry->key, from->bad ? 0 : entry->key_size);
    from->bad = from->bad || entry->text_size == 0 ||
                !utf8_valid(entry->text, entry->text_size, &bad) ||
                (number && value_entry_order(entry - 1, entry) >= 0);
}

static void get_words(struct unpacking *from)
{
    struct value_index *index = from->index;
    for (size_t i = 0; i < index->word_count && !from->bad; i++) {
        struct value_word *word = &index->words[i];
        word->hash = (uint32_t)get_fixed(from, 4);
        word->entry = (uint32_t)get_fixed(from, 4);
        from->bad =
            from->bad || word->entry >= index->count || (i && word[-1].hash > word->hash);
    }
}

static bool settings_equal(const struct value_index_settings *a,
                           const struct value_index_settings *b)
{
    return a->values_per_column == b->values_per_column &&
           a->value_characters == b->value_characters &&
           a->total_bytes == b->total_bytes && a->rows_per_column == b->rows_per_column;
}

static void get_head(struct unpacking *from)
{
    struct value_index *index = from->index;
    struct value_index_settings settings = {0};
    settings.values_per_column = get_number(from, SIZE_MAX);
    settings.value_characters = get_number(from, SIZE_MAX);
    settings.total_bytes = get_number(from, SIZE_MAX);
    settings.rows_per_column = get_number(from, SIZE_MAX);
    from->bad = from->bad || !settings_equal(&settings, &index->settings);
    index->partial = get_number(from, 1) == 1;
    index->bytes = get_number(from, SIZE_MAX);
    /* what is left bounds them: no number makes us ask for much memory */
    index->count = get_number(from, (from->size - from->at) / 7);
    index->node_count = get_number(from, (from->size - from->at) / 2);
    index->word_count = get_number(from, (from->size - from->at) / 8);
}

static void get_body(struct unpacking *from)
{
    struct value_index *index = from->index;
    get_head(from);
    if (from->bad) {
        index->count = index->node_count = index->word_count = 0;
        return;
    }
    index->entries = memory_array(index->count + 1, sizeof *index->entries);
    index->places = memory_array(index->node_count + 1, sizeof *index->places);
    index->words = memory_array(index->word_count + 1, sizeof *index->words);
    for (size_t i = 0; i < index->count && !from->bad; i++) {
        get_entry(from, i);
    }
    get_words(from);
    from->bad =
        from->bad || from->at != from->size || from->place_count != index->node_count;
}

struct value_index *value_index_unpack(const char *data, size_t size,
                                       const struct schema *schema,
                                       const struct value_index_settings *settings)
{
    if (size < HEAD_SIZE || size > MOST_BYTES + HEAD_SIZE ||
        memcmp(data, MAGIC, sizeof MAGIC) != 0) {
        return NULL;
    }
    struct unpacking from = {.data = data, .size = size, .at = 4, .schema = schema};
    bool ours = get_fixed(&from, 4) == VERSION;
    if (get_fixed(&from, 8) != hash_of(data + HEAD_SIZE, size - HEAD_SIZE) || !ours) {
        return NULL;
    }
    from.index = value_index_new(settings);
    /* the texts of the entries stay where they are */
    from.data = arena_copy(from.index->arena, data, size);
    get_body(&from);
    if (from.bad) {
        value_index_unref(from.index);
        return NULL;
    }
    value_index_restored(from.index);
    return from.index;
}
