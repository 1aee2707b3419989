/* The reply of a model that is our own parser. */
#include "reply.h"

#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/err.h"
#include "base/str.h"
#include "base/writer.h"
#include "model/schema.h"
#include "parser/parser.h"
#include "prompt.h"

enum { REPLY_MOST = 1 << 20 };

/* Only what the schema of the reply has room for; all where there is none. */
static bool is_wanted(const json_t *properties, const char *key)
{
    return !properties || json_object_get(properties, key);
}

static void put_text(struct writer *writer, const json_t *properties, const char *key,
                     const char *text)
{
    if (is_wanted(properties, key)) {
        writer_key_text(writer, key, text);
    }
}

static void put_list(struct writer *writer, const json_t *properties, const char *key,
                     const struct texts *texts)
{
    if (is_wanted(properties, key)) {
        writer_key(writer, key);
        writer_array(writer);
        for (size_t i = 0; i < texts->count; i++) {
            writer_text(writer, texts->items[i]);
        }
        writer_array_end(writer);
    }
}

static void put_tables(struct writer *writer, const json_t *properties,
                       const struct parser_reading *reading)
{
    if (!is_wanted(properties, "tables")) {
        return;
    }
    writer_key(writer, "tables");
    writer_array(writer);
    for (size_t i = 0; i < reading->tables.count; i++) {
        writer_object(writer);
        writer_key_text(writer, "name", reading->tables.items[i]);
        writer_key_bool(writer, "is_relevant", true);
        writer_key_real(writer, "confidence", 0.9);
        writer_object_end(writer);
    }
    writer_array_end(writer);
}

static void put_reading(struct writer *writer, const json_t *properties,
                        const struct prompt *prompt, const struct parser_reading *reading)
{
    const char *steps[] = {reading->words};
    struct texts plan = {steps, 1, 1};
    struct texts none = {0};
    put_text(writer, properties, "intent", "TEXT_TO_SQL");
    put_text(writer, properties, "rewritten_question", prompt->question);
    put_tables(writer, properties, reading);
    put_list(writer, properties, "final_tables", &reading->tables);
    if (is_wanted(properties, "joins_needed")) {
        writer_key_bool(writer, "joins_needed", reading->tables.count > 1);
    }
    put_list(writer, properties, "joins", &none);
    put_list(writer, properties, "plan", &plan);
    put_list(writer, properties, "steps", &plan);
    put_text(writer, properties, "summary", reading->words);
    put_text(writer, properties, "sql", reading->sql);
    put_text(writer, properties, "explanation", reading->words);
}

static void put_question_back(struct writer *writer)
{
    writer_key_text(writer, "intent", "CLARIFICATION_NEEDED");
    writer_key(writer, "clarification");
    writer_object(writer);
    writer_key_text(writer, "question", "What exactly do you want to know?");
    writer_object_end(writer);
}

char *reply_make(struct parser *parser, struct arena *arena, const char *user,
                 const json_t *properties)
{
    struct prompt prompt;
    struct parser_answer answer = {0};
    struct err err;
    bool good = prompt_read(arena, user, &prompt);
    struct parser_request request = {.schema = prompt.schema,
                                     .index = prompt.index,
                                     .question = prompt.question,
                                     .dialect = prompt.dialect,
                                     .today = prompt.today ? prompt.today : "2025-01-01",
                                     .previous_question = prompt.previous_question,
                                     .previous_sql = prompt.previous_sql};
    good = good && parser_answer(parser, arena, &request, &answer, &err);
    struct buf buf;
    struct writer writer;
    buf_init(&buf, REPLY_MOST);
    writer_init(&writer, &buf);
    writer_object(&writer);
    if (prompt.schema->tables.count == 0) { /* only what kind of question it is */
        writer_key_text(&writer, "intent", "TEXT_TO_SQL");
        writer_key_text(&writer, "rewritten_question", prompt.question);
    } else if (good) {
        put_reading(&writer, properties, &prompt, &answer.items[0]);
    } else {
        put_question_back(&writer);
    }
    writer_object_end(&writer);
    prompt_release(&prompt);
    char *text = buf_clone(&buf, arena);
    buf_release(&buf);
    return text;
}
