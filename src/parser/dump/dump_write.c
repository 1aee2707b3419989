/* The dump file: a header, then words, schemas and examples as blocks. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/hash.h"
#include "base/memory.h"
#include "base/vec.h"
#include "base/writer.h"
#include "parser/dump/dump_state.h"
#include "parser/ir/ir_schema.h"

enum {
    VERSION = 2,
    HEADER_SPACE = 16384, /* for the names of sources, known at the end only */
    BLOCK_MOST = 64 << 20,
    SOURCES_MOST = 255,
    SOURCE_NAME_MOST = 48,
    NO_TARGET = 0xFFFF,
};

static void put(struct buf *out, uint64_t value, size_t bytes)
{
    char data[8];
    for (size_t i = 0; i < bytes; i++) {
        data[i] = (char)(value >> (8 * i) & 0xFF);
    }
    (void)buf_add(out, data, bytes);
}

static void put_real(struct buf *out, double value)
{
    float single = (float)value;
    uint32_t bits = 0;
    memcpy(&bits, &single, sizeof bits);
    put(out, bits, 4);
}

static void write_bytes(struct dump_writer *writer, const void *data, size_t size)
{
    if (size && fwrite(data, 1, size, writer->file) != size) {
        writer->failed = true;
    }
}

static void write_block(struct dump_writer *writer, char tag, const struct buf *payload)
{
    char head[5] = {tag};
    for (size_t i = 0; i < 4; i++) {
        head[i + 1] = (char)(payload->size >> (8 * i) & 0xFF);
    }
    write_bytes(writer, head, sizeof head);
    write_bytes(writer, payload->data, payload->size);
    writer->failed = writer->failed || payload->full;
}

static void header_names(struct writer *json)
{
    writer_key(json, "keywords");
    writer_array(json);
    for (int i = 0; i < IR_KEYWORD_COUNT; i++) {
        writer_text(json, ir_keyword_text(i));
    }
    writer_array_end(json);
    writer_key(json, "fixed");
    writer_array(json);
    for (int i = 0; i < IR_FIXED_COUNT; i++) {
        writer_text(json, ir_fixed_get(i)->text);
    }
    writer_array_end(json);
    writer_key(json, "relations");
    writer_array(json);
    for (int i = 0; i < RELATION_COUNT; i++) {
        writer_text(json, relation_text(i));
    }
    writer_array_end(json);
    writer_key(json, "types");
    writer_array(json);
    for (int i = 0; i < FEATURE_TYPES; i++) {
        writer_text(json, feature_type_text(i));
    }
    writer_array_end(json);
}

static void header_codes(struct writer *json)
{
    static const char letters[] = "qvtch";
    writer_key_int(json, "trigrams", FEATURE_TRIGRAM_ROWS);
    writer_key_int(json, "max_words", FEATURE_WORDS);
    writer_key(json, "block_default");
    writer_object(json);
    for (int i = 0; i < BLOCKS; i++) {
        for (int j = 0; j < BLOCKS; j++) {
            char key[3] = {letters[i], letters[j], '\0'};
            writer_key_int(
                json, key,
                relation_default((enum relation_block)i, (enum relation_block)j));
        }
    }
    writer_object_end(json);
    writer_key(json, "distance");
    writer_array(json);
    for (int i = -RELATION_NEAR; i <= RELATION_NEAR; i++) {
        writer_int(json, relation_distance(i));
    }
    writer_array_end(json);
}

/* The same size each time it is written: blanks fill what the sources leave free. */
static void write_header(struct dump_writer *writer)
{
    struct buf text;
    struct buf head;
    struct writer json;
    buf_init(&text, BLOCK_MOST);
    buf_init(&head, BLOCK_MOST);
    writer_init(&json, &text);
    writer_object(&json);
    header_names(&json);
    header_codes(&json);
    writer_key(&json, "sources");
    writer_array(&json);
    for (size_t i = 0; i < writer->source_names.count; i++) {
        writer_text(&json, writer->source_names.items[i]);
    }
    writer_array_end(&json);
    writer_object_end(&json);
    if (!writer->header_size) {
        writer->header_size = text.size + HEADER_SPACE;
    }
    while (text.size < writer->header_size) {
        (void)buf_char(&text, ' ');
    }
    (void)buf_text(&head, "DGMF");
    put(&head, VERSION, 4);
    put(&head, writer->header_size, 4);
    write_bytes(writer, head.data, head.size);
    write_bytes(writer, text.data, text.size);
    buf_release(&head);
    buf_release(&text);
}

static uint32_t word_id(struct dump_writer *writer, const struct feature_word *word)
{
    uintptr_t known = (uintptr_t)map_get(&writer->words, word->text);
    if (known) {
        return (uint32_t)known;
    }
    struct buf block;
    buf_init(&block, BLOCK_MOST);
    size_t size = strlen(word->text);
    put(&block, size, 2);
    (void)buf_add(&block, word->text, size);
    put(&block, word->trigram_count, 1);
    for (size_t i = 0; i < word->trigram_count; i++) {
        put(&block, word->trigrams[i], 2);
    }
    write_block(writer, 'W', &block);
    buf_release(&block);
    size_t id = ++writer->figures->words;
    (void)map_set(&writer->words, word->text, (void *)(uintptr_t)id);
    return (uint32_t)id;
}

static void put_item(struct dump_writer *writer, struct buf *out,
                     const struct feature_item *item)
{
    put(out, item->word_count, 1);
    for (size_t i = 0; i < item->word_count; i++) {
        put(out, word_id(writer, item->words[i]), 4);
    }
}

static void write_schema(struct dump_writer *writer, const struct dump_example *example)
{
    const struct features *features = &example->features;
    const struct selection *selection = &features->selection;
    size_t count = selection->table_count + selection->column_count;
    size_t first = features->tokens.count + features->values.count;
    struct buf block;
    buf_init(&block, BLOCK_MOST);
    put(&block, strlen(example->database->name), 2);
    (void)buf_text(&block, example->database->name);
    put(&block, selection->table_count, 2);
    put(&block, selection->column_count, 2);
    for (size_t i = 0; i < count; i++) {
        put_item(writer, &block, &features->items[first + i]);
        put(&block, features->items[first + i].type, 1);
    }
    uint8_t *codes = memory_array(count, count);
    relations_of_schema(feature_schema_get(example->database->features), selection, codes,
                        count);
    (void)buf_add(&block, codes, count * count);
    memory_free(codes);
    write_block(writer, 'S', &block);
    buf_release(&block);
}

static size_t schema_number(struct dump_writer *writer,
                            const struct dump_example *example)
{
    const struct selection *selection = &example->features.selection;
    uint64_t hash =
        hash_of(selection->columns, selection->column_count * sizeof *selection->columns);
    char *key = arena_format(writer->arena, "%s/%016llx", example->database->name,
                             (unsigned long long)hash);
    uintptr_t known = (uintptr_t)map_get(&writer->schemas, key);
    if (!known) {
        write_schema(writer, example);
        known = ++writer->figures->schemas;
        (void)map_set(&writer->schemas, key, (void *)known);
    }
    return known - 1;
}

/* 0 is the plain source; what does not fit the header counts as that too. */
static size_t source_number(struct dump_writer *writer, const char *name)
{
    uintptr_t known = (uintptr_t)map_get(&writer->sources, name);
    if (!known && *name && writer->source_names.count < SOURCES_MOST &&
        strlen(name) < SOURCE_NAME_MOST) {
        VEC_PUSH(writer->arena, &writer->source_names, arena_text(writer->arena, name));
        known = writer->source_names.count - 1;
        (void)map_set(&writer->sources, name, (void *)known);
    }
    return known;
}

static void put_features(struct dump_writer *writer, struct buf *out,
                         const struct features *features)
{
    size_t questions = features->tokens.count;
    put(out, questions, 2);
    for (size_t i = 0; i < questions; i++) {
        put(out, word_id(writer, features->items[i].words[0]), 4);
    }
    put(out, features->values.count, 1);
    for (size_t i = 0; i < features->values.count; i++) {
        const struct feature_item *item = &features->items[questions + i];
        put(out, item->type, 1);
        put_item(writer, out, item);
    }
    put(out, features->history, 2);
    for (size_t i = features->count - features->history; i < features->count; i++) {
        put(out, features->items[i].type, 1);
        put_item(writer, out, &features->items[i]);
    }
    put(out, features->relations.count, 4);
    for (size_t i = 0; i < features->relations.count; i++) {
        const struct feature_relation *relation = &features->relations.items[i];
        put(out, relation->row, 2);
        put(out, relation->column, 2);
        put(out, relation->code, 1);
    }
}

static void count_example(struct dump_figures *figures,
                          const struct dump_example *example)
{
    figures->examples++;
    figures->no_target += !example->has_target;
    figures->left_out += example->left_out;
    figures->values_missing += example->value_missing;
    for (size_t i = 0; example->has_target && i < 8; i++) {
        figures->linked[i] += example->linked[i];
    }
    figures->values += example->has_target ? example->values : 0;
    figures->columns += example->has_target ? example->columns : 0;
}

void dump_writer_add(struct dump_writer *writer, const struct dump_example *example)
{
    struct buf *block = &writer->block;
    size_t schema = schema_number(writer, example);
    buf_clear(block);
    put(block, schema, 4);
    put(block, example->question->number, 4);
    put(block, source_number(writer, example->question->source), 1);
    put_real(block, example->question->weight);
    put_features(writer, block, &example->features);
    put(block, example->has_target ? example->target_count : NO_TARGET, 2);
    for (size_t i = 0; example->has_target && i < example->target_count; i++) {
        put(block, example->target[i], 2);
    }
    put(block, example->value_missing, 1);
    write_block(writer, 'E', block);
    count_example(writer->figures, example);
}

bool dump_writer_open(struct dump_writer *writer, const char *path,
                      struct dump_figures *figures, struct err *err)
{
    *writer = (struct dump_writer){.out = path, .figures = figures, .arena = arena_new()};
    writer->path = arena_format(writer->arena, "%s.part", path);
    map_init(&writer->words, false);
    map_init(&writer->schemas, false);
    map_init(&writer->sources, false);
    buf_init(&writer->block, BLOCK_MOST);
    VEC_PUSH(writer->arena, &writer->source_names, "plain");
    writer->file = fopen(writer->path, "wb");
    if (!writer->file) {
        return err_set(err, ERR_ACCESS, "The output file cannot be written: %s.",
                       strerror(errno));
    }
    write_header(writer);
    return true;
}

bool dump_writer_close(struct dump_writer *writer, bool keep, struct err *err)
{
    bool opened = writer->file != NULL;
    if (opened) {
        if (fseek(writer->file, 0, SEEK_SET) == 0) {
            write_header(writer);
        }
        writer->failed = fclose(writer->file) != 0 || writer->failed;
        keep = keep && !writer->failed && rename(writer->path, writer->out) == 0;
        if (!keep) {
            (void)unlink(writer->path);
        }
    }
    if (writer->failed) {
        (void)err_set(err, ERR_DISK_FULL, "The output file could not be written.");
    }
    map_release(&writer->words);
    map_release(&writer->schemas);
    map_release(&writer->sources);
    buf_release(&writer->block);
    arena_free(writer->arena);
    return opened && keep;
}
