/* Words of the question and what they name: used, missed, out of nowhere. */
#include "base/arena.h"
#include "parser/judge/judge_state.h"
#include "parser/link/linker.h"

struct links {
    const struct features *features;
    uint8_t *tables;    /* the best link to each, by its number */
    uint8_t *columns;   /* likewise */
    uint8_t *words;     /* the best link of each word to anything */
    uint8_t *words_hit; /* to anything in use */
};

static void better(uint8_t *best, enum link_code code)
{
    if (*best == LINK_NONE || code < *best) {
        *best = (uint8_t)code;
    }
}

static void note_link(struct judging *judging, struct links *links,
                      const struct feature_relation *relation)
{
    const struct selection *selection = &links->features->selection;
    size_t words = links->features->tokens.count;
    size_t first = words + links->features->values.count;
    enum link_code code = link_of_relation(relation->code);
    if (relation->row >= words || relation->column < first || code == LINK_NONE) {
        return;
    }
    size_t item = relation->column - first;
    bool is_table = item < selection->table_count;
    int number = is_table ? selection->tables[item]
                          : selection->columns[item - selection->table_count];
    better(is_table ? &links->tables[number] : &links->columns[number], code);
    better(&links->words[relation->row], code);
    if (is_table ? judging->tables[number] : judging->columns[number]) {
        better(&links->words_hit[relation->row], code);
    }
}

static bool says_something(const struct token *token)
{
    return token->kind == TOKEN_WORD && !token_is_grammar(token->text);
}

static void judge_words(struct judging *judging, const struct links *links)
{
    double *numbers = judging->numbers;
    for (size_t i = 0; i < links->features->tokens.count; i++) {
        const struct token *token = &links->features->tokens.items[i];
        bool hit = links->words_hit[i] != LINK_NONE || judging->covered[i];
        numbers[JUDGE_QUESTION_WORDS] += token->kind != TOKEN_MARK;
        if (links->words[i] == LINK_EXACT || links->words[i] == LINK_OWN) {
            numbers[JUDGE_MISSED_EXACT] += !hit;
        } else if (links->words[i] == LINK_PARTIAL) {
            numbers[JUDGE_MISSED_PARTIAL] += !hit;
        } else if (links->words[i] == LINK_NONE && says_something(token)) {
            numbers[JUDGE_SILENT_WORDS] += !hit;
        }
    }
}

static bool *find_keys(struct judging *judging)
{
    const struct ir_schema *schema = judging->request->schema;
    bool *keys = arena_array(judging->arena, (size_t)schema->column_count, sizeof *keys);
    for (int i = 0; i < schema->key_count; i++) {
        keys[schema->keys[i].from] = true;
        keys[schema->keys[i].to] = true;
    }
    for (int i = 0; i < schema->column_count; i++) {
        keys[i] = keys[i] || schema->columns[i].primary;
    }
    return keys;
}

/* A cell of the column is in the question: that leads to it too. */
static bool holds_value(const struct features *features, int column)
{
    for (size_t i = 0; i < features->values.count; i++) {
        const struct candidate *value = &features->values.items[i];
        for (size_t k = 0; k < value->column_count; k++) {
            if (value->columns[k] == column) {
                return true;
            }
        }
    }
    return false;
}

static void judge_items(struct judging *judging, const struct links *links)
{
    const struct ir_schema *schema = judging->request->schema;
    double *numbers = judging->numbers;
    const bool *keys = find_keys(judging);
    for (int table = 0; table < schema->table_count; table++) {
        const struct ir_table *info = &schema->tables[table];
        bool linked = links->tables[table] != LINK_NONE;
        bool bare = true;
        if (!judging->tables[table]) {
            continue;
        }
        for (int i = info->first_column; i < info->first_column + info->column_count;
             i++) {
            bool held = holds_value(links->features, i);
            bool used = judging->columns[i];
            linked = linked || held || links->columns[i] != LINK_NONE;
            bare = bare && !used;
            if (used && !keys[i] && !held) {
                numbers[JUDGE_UNLINKED_COLUMNS] += links->columns[i] == LINK_NONE;
                numbers[JUDGE_WEAK_COLUMNS] += links->columns[i] > LINK_PARTIAL;
            }
        }
        numbers[JUDGE_BARE_TABLES] += bare;
        numbers[JUDGE_UNLINKED_TABLES] += !linked;
    }
}

void judge_links(struct judging *judging)
{
    const struct judge_request *request = judging->request;
    const struct features *features = request->features;
    size_t words = features->tokens.count + 1;
    struct links links = {
        .features = features,
        .tables =
            arena_array(judging->arena, (size_t)request->schema->table_count + 1, 1),
        .columns = arena_array(judging->arena, (size_t)request->schema->column_count, 1),
        .words = arena_array(judging->arena, words, 1),
        .words_hit = arena_array(judging->arena, words, 1),
    };
    for (size_t i = 0; i < features->relations.count; i++) {
        note_link(judging, &links, &features->relations.items[i]);
    }
    judge_words(judging, &links);
    judge_items(judging, &links);
}
