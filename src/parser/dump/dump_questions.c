/* The questions file: a JSON array or JSON lines. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/str.h"
#include "base/vec.h"
#include "parser/dump/dump_state.h"

static const size_t ARRAY_MOST = (size_t)1 << 30;

static bool starts_array(FILE *file)
{
    int c = 0;
    do {
        c = getc(file);
    } while (c != EOF && isspace(c));
    rewind(file);
    return c == '[';
}

bool dump_reader_open(struct dump_reader *reader, const char *path, struct err *err)
{
    *reader = (struct dump_reader){.arena = arena_new()};
    reader->file = fopen(path, "rb");
    if (!reader->file) {
        return err_set(err, ERR_FILE_NOT_FOUND, "The questions file cannot be opened.");
    }
    if (!starts_array(reader->file)) {
        return true;
    }
    size_t size = 0;
    char *text = file_read(reader->arena, path, ARRAY_MOST, &size, err);
    reader->array = text ? json_parse(reader->arena, text, size, err) : NULL;
    return reader->array != NULL;
}

void dump_reader_close(struct dump_reader *reader)
{
    if (reader->file) {
        (void)fclose(reader->file);
    }
    free(reader->line);
    arena_free(reader->arena);
}

/* The last two turns: {question, query} each. */
static void read_history(struct arena *arena, const json_t *turns,
                         struct feature_history *out)
{
    size_t index = 0;
    const json_t *turn = NULL;
    json_array_foreach(turns, index, turn)
    {
        const char *question = json_text_at(turn, "question");
        if (question) {
            out->older = out->question;
            out->question = arena_text(arena, question);
            out->sql = arena_text(arena, json_text_at(turn, "query"));
        }
    }
    out->dialect = DIALECT_SQLITE;
}

static bool read_question(struct arena *arena, const json_t *object, size_t number,
                          struct dump_questions *out, struct err *err)
{
    const char *database = json_text_at(object, "db_id");
    const char *question = json_text_at(object, "question");
    const char *source = json_text_at(object, "source");
    if (!database || !question || strchr(database, '/') || str_starts(database, ".")) {
        return err_set(err, ERR_INVALID_DATA, "Question %zu has no db_id or no question.",
                       number + 1);
    }
    struct dump_question *added = VEC_ADD(arena, out);
    *added = (struct dump_question){
        .number = number,
        .database = arena_text(arena, database),
        .question = arena_text(arena, question),
        .query = arena_text(arena, json_text_at(object, "query")),
        .source = arena_text(arena, source ? source : ""),
        .weight = json_real_at(object, "weight", 1),
    };
    read_history(arena, json_array_at(object, "history"), &added->history);
    return true;
}

/* One line into a question; an empty one is skipped. */
static bool read_line(struct dump_reader *reader, struct arena *arena, ssize_t size,
                      struct dump_questions *out, struct err *err)
{
    if (str_empty(reader->line)) {
        return true;
    }
    struct arena *scratch = arena_new();
    const json_t *object = json_parse(scratch, reader->line, (size_t)size, err);
    bool read = object && read_question(arena, object, reader->next++, out, err);
    if (!object) {
        char reason[sizeof err->message];
        (void)snprintf(reason, sizeof reason, "%s", err->message);
        (void)err_set(err, ERR_INVALID_DATA, "Question %zu: %.300s", reader->next + 1,
                      reason);
    }
    arena_free(scratch);
    return read;
}

bool dump_reader_next(struct dump_reader *reader, struct arena *arena, size_t most,
                      struct dump_questions *out, struct err *err)
{
    *out = (struct dump_questions){0};
    if (reader->array) {
        while (out->count < most && reader->next < json_array_size(reader->array)) {
            const json_t *object = json_array_get(reader->array, reader->next);
            if (!read_question(arena, object, reader->next++, out, err)) {
                return false;
            }
        }
        return true;
    }
    ssize_t size = 0;
    while (out->count < most &&
           (size = getline(&reader->line, &reader->line_size, reader->file)) >= 0) {
        if (!read_line(reader, arena, size, out, err)) {
            return false;
        }
    }
    return true;
}
