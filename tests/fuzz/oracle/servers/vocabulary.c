/* Kinds by name, and the guard's list of functions. */
#include "vocabulary.h"

#include <string.h>

#include "base/str.h"
#include "sql/function.h"

static const char *const listed[] = {
#define FUNCTION(name, dialects, traits) name,
#include "sql/functions.def"
#undef FUNCTION
};

int vocabulary_kind(const struct vocabulary *words, const char *type)
{
    for (int i = 1; i < words->kind_count; i++) {
        if (str_equal(words->kinds[i].type, type)) {
            return i;
        }
    }
    return KIND_OTHER;
}

bool vocabulary_listed(enum dialect dialect, const char *name)
{
    return function_find(dialect, name) != NULL;
}

void vocabulary_names(struct arena *arena, enum dialect dialect, struct texts *out)
{
    for (size_t i = 0; i < sizeof listed / sizeof *listed; i++) {
        if (vocabulary_listed(dialect, listed[i])) {
            VEC_PUSH(arena, out, listed[i]);
        }
    }
}

void vocabulary_tables(struct arena *arena, struct vocabulary *words,
                       const struct table_words *written, size_t count)
{
    struct word_table *tables = arena_array(arena, count, sizeof *tables);
    for (size_t i = 0; i < count; i++) {
        size_t width = 0;
        while (written[i].columns[width]) {
            width++;
        }
        struct word_column *columns = arena_array(arena, width, sizeof *columns);
        for (size_t j = 0; j < width; j++) {
            struct texts parts = {0};
            str_split(arena, written[i].columns[j], ' ', &parts);
            columns[j].name = parts.items[0];
            columns[j].kind = vocabulary_kind(words, parts.items[1]);
        }
        tables[i] = (struct word_table){written[i].name, columns, width};
    }
    words->tables = tables;
    words->table_count = count;
}
