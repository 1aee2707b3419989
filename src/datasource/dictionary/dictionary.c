/* A dictionary from a file, and the texts in it made safe. */
#include "datasource/dictionary/dictionary.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/err.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/str.h"
#include "base/utf8.h"
#include "datasource/dictionary/dictionary_state.h"
#include "datasource/driver.h"

enum { WARNINGS_MOST = 40 };

/* All kinds of white space become one blank, and invisible characters are removed,
 * because they could hide text. */
static bool is_blank(uint32_t code)
{
    return code == ' ' || code == 0xa0 || code == 0x202f || utf8_is_hidden(code);
}

const char *dictionary_text(struct arena *arena, const char *text, size_t most)
{
    struct buf out;
    size_t size = text ? strlen(text) : 0;
    buf_init(&out, most);
    for (size_t at = 0; at < size && !out.full;) {
        uint32_t code = 0;
        size_t length = utf8_next(text + at, size - at, &code);
        if (is_blank(code)) {
            bool blank = out.size && out.data[out.size - 1] != ' ';
            (void)(blank && buf_char(&out, ' '));
        } else if (code == 0xfffd && length == 1) {
            (void)buf_text(&out, "\xEF\xBF\xBD");
        } else {
            (void)buf_add(&out, text + at, length);
        }
        at += length;
    }
    if (out.size && out.data[out.size - 1] == ' ') {
        buf_truncate(&out, out.size - 1);
    }
    const char *clean = out.size ? buf_clone(&out, arena) : NULL;
    buf_release(&out);
    return clean;
}

void dictionary_warn(struct dictionary *dictionary, const char *format, ...)
{
    if (dictionary->warnings.count >= WARNINGS_MOST) {
        return;
    }
    va_list args;
    va_start(args, format);
    VEC_PUSH(dictionary->arena, &dictionary->warnings,
             arena_vformat(dictionary->arena, format, args));
    va_end(args);
}

struct dictionary_entry *dictionary_entry_add(struct dictionary *dictionary,
                                              const char *table, const char *column,
                                              struct err *err)
{
    struct dictionary_entries *entries = &dictionary->entries;
    if (entries->count) {
        struct dictionary_entry *last = &entries->items[entries->count - 1];
        if (str_equal(last->table, table) && str_equal(last->column, column)) {
            return last;
        }
    }
    if (entries->count == DICTIONARY_ROWS_MOST) {
        (void)err_set(err, ERR_INVALID_DATA,
                      "The dictionary describes more than %d things.",
                      DICTIONARY_ROWS_MOST);
        return NULL;
    }
    struct dictionary_entry *entry = VEC_ADD(dictionary->arena, entries);
    entry->table = table;
    entry->column = column;
    return entry;
}

void dictionary_synonym_add(struct arena *arena, struct texts *synonyms,
                            const char *synonym)
{
    const char *clean = dictionary_text(arena, synonym, DICTIONARY_NAME_MOST);
    for (size_t i = 0; clean && i < synonyms->count; i++) {
        clean = str_equal_nocase(synonyms->items[i], clean) ? NULL : clean;
    }
    if (clean && synonyms->count < DICTIONARY_SYNONYMS_MOST) {
        VEC_PUSH(arena, synonyms, clean);
    }
}

void dictionary_meaning_add(struct arena *arena, struct meanings *meanings,
                            const char *value, const char *text)
{
    struct meaning meaning = {dictionary_text(arena, value, DICTIONARY_NAME_MOST),
                              dictionary_text(arena, text, DICTIONARY_NAME_MOST)};
    bool room = meanings->count < DICTIONARY_MEANINGS_MOST;
    if (meaning.value && meaning.text && room) {
        VEC_PUSH(arena, meanings, meaning);
    }
}

/* Calls back with each part; lines and semicolons divide before commas do, so that a
 * part may hold a comma. */
static void each_part(struct arena *arena, const char *list,
                      void (*found)(struct arena *arena, void *out, char *part),
                      void *out)
{
    const char *signs = strpbrk(list, ";\n|") ? ";\n|" : ",";
    for (const char *at = list; *at;) {
        size_t size = strcspn(at, signs);
        found(arena, out, arena_copy(arena, at, size));
        at += size + (at[size] != '\0');
    }
}

static void synonym_part(struct arena *arena, void *out, char *part)
{
    dictionary_synonym_add(arena, out, part);
}

void dictionary_synonyms_split(struct arena *arena, struct texts *synonyms,
                               const char *list)
{
    each_part(arena, list, synonym_part, synonyms);
}

/* 'A' and "A" are A. */
static char *unquoted(struct arena *arena, const char *text)
{
    char *bare = str_trim(arena, text);
    size_t size = strlen(bare);
    bool quoted = size > 1 && strchr("'\"", bare[0]) && bare[size - 1] == bare[0];
    return quoted ? arena_copy(arena, bare + 1, size - 2) : bare;
}

static void meaning_part(struct arena *arena, void *out, char *part)
{
    char *sign = strpbrk(part, "=:");
    if (sign) {
        size_t skip = sign[0] == '=' && sign[1] == '>' ? 2 : 1;
        dictionary_meaning_add(
            arena, out, unquoted(arena, arena_copy(arena, part, (size_t)(sign - part))),
            unquoted(arena, sign + skip));
    }
}

void dictionary_meanings_split(struct arena *arena, struct meanings *meanings,
                               const char *list)
{
    each_part(arena, list, meaning_part, meanings);
}

struct dictionary_metric *dictionary_metric_add(struct dictionary *dictionary,
                                                const char *name, const char *expression)
{
    struct arena *arena = dictionary->arena;
    const char *called = dictionary_text(arena, name, DICTIONARY_NAME_MOST);
    const char *sql = dictionary_text(arena, expression, DICTIONARY_EXPRESSION_MOST);
    if (!called || !sql) {
        return NULL;
    }
    if (dictionary->metrics.count == DICTIONARY_METRICS_MOST) {
        dictionary_warn(dictionary, "The metric '%s' was left out: at most %d are read.",
                        called, DICTIONARY_METRICS_MOST);
        return NULL;
    }
    struct dictionary_metric *metric = VEC_ADD(arena, &dictionary->metrics);
    metric->metric.name = called;
    metric->metric.expression = sql;
    return metric;
}

bool dictionary_parse(struct arena *arena, enum dictionary_kind kind, const char *data,
                      size_t size, struct dictionary *out, struct err *err)
{
    static bool (*const readers[])(struct dictionary *, const char *, size_t,
                                   struct err *) = {
        [DICTIONARY_YAML] = dictionary_yaml,
        [DICTIONARY_CSV] = dictionary_csv,
        [DICTIONARY_XLSX] = dictionary_xlsx,
    };
    *out = (struct dictionary){.arena = arena};
    return readers[kind](out, data, size, err);
}

bool dictionary_load(struct arena *arena, const char *path, struct dictionary *out,
                     struct err *err)
{
    static const struct {
        const char *ending;
        enum dictionary_kind kind;
    } endings[] = {
        {".yaml", DICTIONARY_YAML}, {".yml", DICTIONARY_YAML}, {".json", DICTIONARY_YAML},
        {".csv", DICTIONARY_CSV},   {".tsv", DICTIONARY_CSV},  {".xlsx", DICTIONARY_XLSX},
        {".xlsm", DICTIONARY_XLSX},
    };
    *out = (struct dictionary){.arena = arena};
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        if (str_ends_nocase(path, endings[i].ending)) {
            size_t size = 0;
            struct stat about;
            if (stat(path, &about) == 0 && !S_ISREG(about.st_mode)) {
                return err_set(err, ERR_INVALID_DATA, "'%s' is not a file.",
                               file_base_name(path));
            }
            const char *data = file_read(arena, path, DICTIONARY_FILE_MOST, &size, err);
            return data && dictionary_parse(arena, endings[i].kind, data, size, out, err);
        }
    }
    return err_set(err, ERR_INVALID_DATA,
                   "A dictionary is a .yaml, .yml, .json, .csv, .tsv or .xlsx file.");
}

void dictionary_describe(const char *path, struct schema *schema)
{
    struct arena *arena = arena_new();
    struct dictionary dictionary;
    struct err err;
    err_clear(&err);
    if (dictionary_load(arena, path, &dictionary, &err)) {
        dictionary_merge(&dictionary, schema);
    } else {
        const char *why = err.code == ERR_FILE_NOT_FOUND ? "there is no such file."
                          : err.code == ERR_ACCESS       ? "it may not be read."
                                                         : err.message;
        VEC_PUSH(schema->arena, &schema->warnings,
                 arena_format(schema->arena, "The dictionary %s was not used: %s",
                              file_base_name(path), why));
    }
    arena_free(arena);
}

void dictionary_hash(const char *path, struct hash *hash)
{
    struct stat about;
    hash_text(hash, path);
    if (stat(path, &about) == 0) {
        hash_add(hash, &about.st_dev, sizeof about.st_dev);
        hash_add(hash, &about.st_ino, sizeof about.st_ino);
        hash_add(hash, &about.st_size, sizeof about.st_size);
        hash_add(hash, &about.st_mtim, sizeof about.st_mtim);
    }
}
