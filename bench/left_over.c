/*
 * The words of each question that its SQL leaves over, as JSON lines: material for train/restricts.py, which
 * weighs such words.
 *
 * usage: left_over QUESTIONS.json DATABASES
 */
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/file.h"
#include "base/json.h"
#include "base/map.h"
#include "base/memory.h"
#include "base/str.h"
#include "datasource/datasource.h"
#include "knowledge/keys/key_find.h"
#include "knowledge/value_index/value_index.h"
#include "parser/coverage/coverage.h"
#include "parser/coverage/coverage_state.h"
#include "parser/parser.h"
#include "sql/statement.h"

enum { FILE_BYTES = 64 << 20 };

struct database {
    struct datasource *source;
    struct schema *schema;
    struct value_index *index;
};

struct left_over {
    struct arena *arena;
    struct options *options;
    struct map databases;
    struct parser *parser;
    struct parser_schemas *schemas;
    const char *folder;
};

static struct database *database_get(struct left_over *left_over, const char *id)
{
    struct err err;
    struct database *known = map_get(&left_over->databases, id);
    if (known) {
        return known;
    }
    const struct datasource_setting setting = {
        .id = arena_text(left_over->arena, id),
        .url =
            arena_format(left_over->arena, "%s/%s/%s.sqlite", left_over->folder, id, id)};
    struct database *database = arena_array(left_over->arena, 1, sizeof *database);
    (void)map_set(&left_over->databases, id, database);
    database->source = datasource_open(&setting, left_over->options, &err);
    database->schema =
        database->source ? datasource_describe(database->source, NULL, &err) : NULL;
    if (!database->schema) {
        fprintf(stderr, "%s: %s\n", id, err.message);
        return database;
    }
    schema_normalize(database->schema);
    (void)datasource_enrich(database->source, database->schema, NULL, &err);
    key_find(database->source, database->schema, NULL);
    database->index =
        value_index_build(database->source, database->schema, NULL, NULL, &err);
    return database;
}

static json_t *words_of(const struct coverage_words *words)
{
    json_t *list = json_array();
    for (size_t i = 0; i < words->count; i++) {
        const struct coverage_word *word = &words->items[i];
        json_t *item = json_object();
        (void)json_object_set_new(item, "word", json_string(word->text));
        (void)json_object_set_new(item, "position",
                                  json_integer((json_int_t)word->position));
        (void)json_object_set_new(item, "role",
                                  json_string(coverage_role_name(word->role)));
        (void)json_object_set_new(
            item, "fixed",
            json_boolean(word->apart || word->open || word->by_custom || word->is_time));
        (void)json_object_set_new(item, "taken", json_boolean(word->taken_for != NULL));
        (void)json_object_set_new(item, "elsewhere",
                                  json_boolean(word->elsewhere != NULL));
        json_t *traits = json_array();
        for (size_t k = 0; word->weight && k < COVERAGE_TRAITS; k++) {
            (void)json_array_append_new(traits, json_real(word->weight->traits[k]));
        }
        (void)json_object_set_new(item, "traits", traits);
        (void)json_array_append_new(list, item);
    }
    return list;
}

static void question_read(struct left_over *left_over, const json_t *item)
{
    struct arena *arena = arena_new();
    struct database *database = database_get(left_over, json_text_at(item, "db_id"));
    const char *sql = json_text_at(item, "query");
    struct sql_statement statement;
    struct coverage_words words;
    if (database->schema && sql &&
        sql_statement_read(arena, DIALECT_SQLITE, sql, strlen(sql), &statement)) {
        const struct coverage_request request = {.index = database->index,
                                                 .question =
                                                     json_text_at(item, "question"),
                                                 .statement = &statement,
                                                 .today = "2026-01-15",
                                                 .parser = left_over->parser,
                                                 .all = true};
        if (parser_cover(left_over->schemas, arena, database->schema, &request, &words)) {
            json_t *line = json_object();
            (void)json_object_set(line, "n", json_object_get(item, "n"));
            (void)json_object_set_new(line, "words", words_of(&words));
            (void)json_dumpf(line, stdout, JSON_COMPACT);
            (void)puts("");
            json_decref(line);
        }
    }
    arena_free(arena);
}

int main(int argc, char **argv)
{
    struct err err;
    struct left_over left_over = {
        .arena = arena_new(), .options = options_new(), .schemas = parser_schemas_new()};
    if (argc != 3) {
        fprintf(stderr, "usage: left_over QUESTIONS.json DATABASES\n");
        return 2;
    }
    left_over.folder = argv[2];
    left_over.parser = parser_built_in(&err);
    if (!left_over.parser) {
        fprintf(stderr, "%s\n", err.message);
        return 1;
    }
    size_t size = 0;
    char *text = file_read(left_over.arena, argv[1], FILE_BYTES, &size, &err);
    json_t *list = text ? json_parse(left_over.arena, text, size, &err) : NULL;
    if (!list) {
        fprintf(stderr, "%s\n", err.message);
        return 1;
    }
    for (size_t i = 0; i < json_array_size(list); i++) {
        question_read(&left_over, json_array_get(list, i));
    }
    size_t at = 0;
    for (struct map_entry *entry; (entry = map_next(&left_over.databases, &at));) {
        struct database *database = entry->value;
        value_index_unref(database->index);
        schema_unref(database->schema);
        if (database->source) {
            datasource_close(database->source);
        }
    }
    map_release(&left_over.databases);
    parser_schemas_free(left_over.schemas);
    parser_close(left_over.parser);
    options_free(left_over.options);
    arena_free(left_over.arena);
    return 0;
}
