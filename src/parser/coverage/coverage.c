/* Each word of a question, and the place that the SQL gives it. */
#include "parser/coverage/coverage.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/str.h"
#include "knowledge/value_index/value_index.h"
#include "model/schema.h"
#include "parser/coverage/coverage_covering.h"
#include "parser/coverage/coverage_near.h"
#include "parser/ir/ir_schema.h"
#include "parser/link/features/features.h"
#include "parser/words/rest.h"
#include "knowledge/words/stem.h"

const char *coverage_role_name(enum coverage_role role)
{
    static const char *const names[COVERAGE_ROLES] = {
        "subject", "restriction", "name", "number", "period", "operation",
    };
    return role < COVERAGE_ROLES ? names[role] : "";
}

static void select_used(struct covering *covering)
{
    const struct ir_schema *schema = covering->schema;
    int *tables =
        arena_array(covering->arena, (size_t)schema->table_count, sizeof *tables);
    int *columns =
        arena_array(covering->arena, (size_t)schema->column_count, sizeof *columns);
    size_t table_count = 0;
    size_t column_count = 1; /* the first one is `*` */
    for (int t = 0; t < schema->table_count; t++) {
        const struct ir_table *table = &schema->tables[t];
        if (!covering->use.tables[t]) {
            continue;
        }
        tables[table_count++] = t;
        for (int c = 0; c < table->column_count; c++) {
            columns[column_count++] = table->first_column + c;
        }
    }
    covering->used = (struct selection){tables, table_count, columns, column_count};
    covering->linking = linking_new(feature_schema_linker(covering->request->schema),
                                    covering->arena, &covering->words, &covering->used);
}

/* A column of a metric stands for an expression: used when its table is. */
static bool is_metric(const struct covering *covering, int column)
{
    const struct ir_column *info = &covering->schema->columns[column];
    const struct table *table = covering->schema->tables[info->table].source;
    for (size_t i = 0; i < table->metrics.count; i++) {
        if (str_equal_nocase(table->metrics.items[i].name, info->name)) {
            return true;
        }
    }
    return false;
}

/* Does the word name a table or column in use? A table is not named by a word that is
 * more special: "dogs" does not mean all animals. */
bool covering_is_linked(const struct covering *covering, size_t token)
{
    const struct selection *used = &covering->used;
    const uint8_t *codes = linking_row(covering->linking, token);
    for (size_t i = 0; i < used->table_count; i++) {
        if (codes[i] != LINK_NONE && codes[i] <= LINK_RELATED) {
            return true;
        }
    }
    for (size_t i = 1; i < used->column_count; i++) {
        int column = used->columns[i];
        bool in_use = covering->use.columns[column] || is_metric(covering, column);
        if (codes[used->table_count + i] != LINK_NONE && in_use) {
            return true;
        }
    }
    return false;
}

static bool same_number(const char *a, const char *b)
{
    double x = 0;
    double y = 0;
    return str_to_real(a, &x) && str_to_real(b, &y) && fabs(x - y) < 1e-9;
}

static bool has_text(const struct coverage_use *use, const char *folded)
{
    for (size_t i = 0; i < use->texts.count; i++) {
        if (strstr(use->texts.items[i], folded)) {
            return true;
        }
    }
    return false;
}

/* 20 euros are 2000 cents, 10 minutes 600 seconds, 5 percent 0.05. */
static bool is_scaled(const char *a, const char *b)
{
    static const double steps[] = {10,    100, 1000, 1e6, 1e9, 60,  3600,
                                   86400, 24,  7,    12,  30,  365, 1440};
    double x = 0;
    double y = 0;
    if (!str_to_real(a, &x) || !str_to_real(b, &y)) {
        return false;
    }
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        if (fabs(x * steps[i] - y) < 1e-6 || fabs(y * steps[i] - x) < 1e-6) {
            return true;
        }
    }
    return fabs(x - y - 1) < 1e-6 || fabs(y - x - 1) < 1e-6; /* "the 3rd": OFFSET 2 */
}

static bool has_number(const struct coverage_use *use, const char *digits)
{
    for (size_t i = 0; i < use->numbers.count; i++) {
        if (same_number(use->numbers.items[i], digits) ||
            is_scaled(use->numbers.items[i], digits)) {
            return true;
        }
    }
    return false;
}

/* The literals of the SQL hold the candidate's value. */
static bool is_compared(const struct covering *covering, const struct candidate *value)
{
    const char *text = value->value.text;
    if (!text) {
        return false;
    }
    const struct coverage_use *use = &covering->use;
    const char *folded = str_lower(covering->arena, text);
    for (size_t i = 0; i < use->texts.count; i++) {
        if (strcmp(use->texts.items[i], folded) == 0 ||
            (strlen(folded) > 2 && strstr(use->texts.items[i], folded))) {
            return true;
        }
    }
    return has_number(use, text) ||
           (value->kind == CANDIDATE_PERIOD && (use->operations & DOES_TIME));
}

/* A literal with a word that no cell has is made up. Quoted text was asked for as it
 * is. */
static bool is_in_cells(const struct covering *covering, const struct token *token)
{
    const struct value_index *index = covering->request->index;
    struct value_place place;
    struct value_matches matches = {0};
    size_t size = strlen(token->text);
    if (!index || token->quoted || value_index_partial(index) ||
        value_index_inside(index, token->text, size, &place, 1) ||
        value_index_inside(index, token->stem, strlen(token->stem), &place, 1)) {
        return true;
    }
    value_index_find(index, covering->arena, token->text, size, &matches);
    return matches.count > 0;
}

/* Words that are values of the SQL in other words. Looking for values is the expensive
 * part: done only when the SQL has some. */
static void place_values(struct covering *covering)
{
    const struct coverage_request *request = covering->request;
    const struct coverage_use *use = &covering->use;
    struct candidates values;
    if (!use->texts.count && !use->numbers.count && !(use->operations & DOES_TIME)) {
        return;
    }
    features_values(covering->arena, request->schema, request->index, &covering->words,
                    &values);
    for (size_t i = 0; i < values.count; i++) {
        const struct candidate *value = &values.items[i];
        bool compared = is_compared(covering, value);
        for (size_t t = value->first; compared && t < value->end; t++) {
            const struct token *token = &covering->words.items[t];
            bool word = token->kind == TOKEN_WORD && value->kind >= CANDIDATE_QUOTED;
            covering->placed[t] =
                covering->placed[t] || !word || is_in_cells(covering, token);
        }
    }
}

static bool is_in_literal(const struct covering *covering, const struct token *token)
{
    const struct coverage_use *use = &covering->use;
    return strlen(token->text) > 1 && is_in_cells(covering, token) &&
           (has_text(use, token->text) ||
            (strlen(token->stem) > 2 && has_text(use, token->stem)));
}

/* "within a month" is read as "within 30 days": nobody said 30. */
static bool is_written_number(const struct covering *covering, const char *text)
{
    for (size_t i = 0; i < covering->asked.count; i++) {
        if (str_contains_nocase(covering->asked.items[i].text, text)) {
            return false;
        }
    }
    return true;
}

static bool is_number_placed(const struct covering *covering, size_t at)
{
    const struct token *token = &covering->words.items[at];
    enum coverage_found amount = coverage_amount(covering, at);
    char digits[32];
    size_t size = 0;
    for (const char *c = token->text; *c && size + 1 < sizeof digits; c++) {
        if (*c != ',') {
            digits[size++] = *c;
        }
    }
    digits[size] = '\0';
    if (strcmp(digits, "30") == 0 && is_written_number(covering, token->text)) {
        return true;
    }
    if (amount != COVERAGE_ELSEWHERE) {
        return amount == COVERAGE_THERE || has_number(&covering->use, digits);
    }
    return has_number(&covering->use, digits) || has_text(&covering->use, digits) ||
           coverage_year_ends(covering, at);
}

static bool is_known(const struct covering *covering, const struct token *token)
{
    const struct texts *known = covering->request->known;
    for (size_t i = 0; known && i < known->count; i++) {
        if (str_contains_nocase(known->items[i], token->text)) {
            return true;
        }
    }
    return false;
}

bool covering_names_table(const struct covering *covering, size_t token)
{
    const struct selection *used = &covering->used;
    const uint8_t *codes = linking_row(covering->linking, token);
    for (size_t i = 0; i < used->table_count; i++) {
        if (codes[i] != LINK_NONE && codes[i] <= LINK_RELATED) {
            return true;
        }
    }
    return false;
}

/* "group tickets", "first visits": the word may say which ones. */
static bool is_before_thing(const struct covering *covering, size_t at)
{
    const struct tokens *tokens = &covering->words;
    return at + 1 < tokens->count && tokens->items[at + 1].kind == TOKEN_WORD &&
           covering_names_table(covering, at + 1);
}

/* "Living pets", "how many returned items": before the name of a thing it says which
 * ones. */
static bool tells_which(const struct covering *covering, size_t at)
{
    static const char *const openings[] = {"many", "all", "the",  "list", "show",
                                           "of",   "our", "each", "which"};
    const char *before = at ? covering->words.items[at - 1].text : "all";
    return is_before_thing(covering, at) &&
           str_is_among(before, openings, sizeof openings / sizeof *openings);
}

/* "visits" is a noun in "how many visits" and a verb in "who visits": it counts as a verb
 * by its ending, or by the word before it. */
static bool is_verb(const struct covering *covering, size_t at)
{
    static const char *const openings[] = {
        "who",     "that",     "did",    "does",   "do",      "to",   "we",
        "they",    "you",      "i",      "not",    "never",   "can",  "could",
        "will",    "must",     "should", "also",   "it",      "he",   "she",
        "nobody",  "has",      "have",   "had",    "was",     "were", "is",
        "are",     "been",     "be",     "t",      "only",    "ever", "one",
        "someone", "everyone", "always", "anyone", "usually", "and"};
    const struct token *token = &covering->words.items[at];
    const struct token *before = at ? token - 1 : NULL;
    if (!coverage_is_relation_verb(token->text) || !before) {
        return false;
    }
    if (str_ends(token->text, "ed") || str_ends(token->text, "ing")) {
        return !tells_which(covering, at);
    }
    for (size_t i = 0; i < sizeof openings / sizeof *openings; i++) {
        if (strcmp(before->text, openings[i]) == 0) {
            return true;
        }
    }
    return !str_ends(token->text, "s") && before->kind == TOKEN_WORD &&
           covering_is_linked(covering, at - 1);
}

/* "opened a ticket", "never filed any claim": the verb only leads to the thing that it
 * makes. */
static bool makes_thing(const struct covering *covering, size_t at)
{
    static const char *const openings[] = {"a", "an", "any", "their", "one"};
    const struct tokens *tokens = &covering->words;
    bool opened = false;
    for (size_t i = 0; at + 2 < tokens->count && i < sizeof openings / sizeof *openings;
         i++) {
        opened = opened || strcmp(tokens->items[at + 1].text, openings[i]) == 0;
    }
    return opened && coverage_is_making_verb(tokens->items[at].text) &&
           is_before_thing(covering, at + 1);
}

/* Does it only stress what another word says: "each single room", "the full room
 * list"? */
static bool only_stresses(const struct covering *covering, size_t at)
{
    static const char *const openings[] = {"each", "every", "any", "a",
                                           "an",   "one",   "per"};
    static const char *const lists[] = {"list",    "table",  "data", "record",
                                        "records", "report", "info", "details"};
    const struct tokens *tokens = &covering->words;
    bool found = !is_before_thing(covering, at);
    for (size_t i = 0; at && i < sizeof openings / sizeof *openings; i++) {
        found = found || strcmp(tokens->items[at - 1].text, openings[i]) == 0;
    }
    for (size_t i = 0; at + 2 < tokens->count && i < sizeof lists / sizeof *lists; i++) {
        found = found || strcmp(tokens->items[at + 2].text, lists[i]) == 0;
    }
    return found;
}

static bool is_empty(const struct covering *covering, size_t at)
{
    const char *word = covering->words.items[at].text;
    return coverage_is_empty(word) &&
           (!coverage_is_weak(word) || only_stresses(covering, at));
}

static bool is_ordinal(const char *text)
{
    static const char *const endings[] = {"nd", "rd", "st", "th"};
    return str_is_among(text, endings, sizeof endings / sizeof *endings);
}

static bool is_placed(struct covering *covering, size_t at)
{
    const struct token *token = &covering->words.items[at];
    const unsigned operations = covering->use.operations;
    if (token->kind == TOKEN_MARK || token->kind == TOKEN_QUOTE ||
        (token->kind == TOKEN_WORD && !token->text[1])) { /* a letter says too little */
        return true;
    }
    if (at && token[-1].kind == TOKEN_NUMBER && is_ordinal(token->text)) {
        return is_placed(covering, at - 1); /* "90th" */
    }
    long number = 0;
    if (token->kind == TOKEN_NUMBER) {
        return is_number_placed(covering, at) || covering_is_linked(covering, at);
    }
    if (strcmp(token->text, "first") == 0 && is_before_thing(covering, at)) {
        return coverage_asks_for("first") & operations; /* not a period: "first visits" */
    }
    if (values_number_word(token->text, &number)) {
        return true; /* as a value, or as "one" of them */
    }
    if (!token->quoted &&
        (is_empty(covering, at) || is_verb(covering, at) || makes_thing(covering, at))) {
        return true;
    }
    return is_in_literal(covering, token) || coverage_is_named(covering, at) ||
           is_known(covering, token) || rest_at(&covering->words, at) ||
           coverage_is_mail_address(covering, at) ||
           (coverage_asks_for(token->text) & operations) ||
           (coverage_is_time(token->text) && (operations & DOES_TIME)) ||
           coverage_is_season(covering, at);
}

/* Places what needs no look at values; false when a word is left. */
static bool place_words(struct covering *covering)
{
    bool all = true;
    for (size_t i = 0; i < covering->words.count; i++) {
        covering->placed[i] = is_placed(covering, i);
        all = all && covering->placed[i];
    }
    return all;
}

/* "how many cars", "list the cars": what is asked for, when no noun in use follows. */
static bool is_subject(const struct covering *covering, size_t at)
{
    const struct tokens *tokens = &covering->words;
    static const char *const openings[] = {"many", "much", "list", "show", "which",
                                           "what", "all",  "the",  "of",   "find"};
    const char *before = at ? tokens->items[at - 1].text : "many";
    bool opens = false;
    for (size_t i = 0; i < sizeof openings / sizeof *openings; i++) {
        opens = opens || strcmp(before, openings[i]) == 0;
    }
    bool noun_follows = at + 1 < tokens->count &&
                        tokens->items[at + 1].kind == TOKEN_WORD &&
                        covering_is_linked(covering, at + 1);
    return opens && at <= 3 && !noun_follows;
}

enum coverage_role coverage_role_of(const struct covering *covering, size_t at)
{
    const struct token *token = &covering->words.items[at];
    if (token->kind == TOKEN_NUMBER) {
        return COVERAGE_NUMBER;
    }
    if (token->quoted || (token->capital && at > 0)) {
        return COVERAGE_NAME;
    }
    const unsigned reduces =
        DOES_COUNT | DOES_SUM | DOES_AVERAGE | DOES_RECKON | DOES_NOT;
    unsigned asks = coverage_asks_for(token->text);
    bool which = (asks & reduces) == 0 && is_before_thing(covering, at);
    if (asks && !which) {
        return COVERAGE_OPERATION;
    }
    if (coverage_is_time(token->text) && !which) {
        return COVERAGE_PERIOD;
    }
    return is_subject(covering, at) ? COVERAGE_SUBJECT : COVERAGE_RESTRICTION;
}

static void add(struct covering *covering, size_t at, const char **rest,
                struct coverage_words *out)
{
    const struct tokens *tokens = &covering->words;
    const struct token *token = &tokens->items[at];
    const char *question = covering->request->question;
    struct coverage_word word = {.role = coverage_role_of(covering, at)};
    uint32_t start = token->start;
    if (covering->groundless[at]) {
        word.role = COVERAGE_RESTRICTION;
        word.apart = true;
        word.unasked = covering->written[at] ? covering->written[at]->text : NULL;
        start = str_equal(token->text, "time") ? token[-1].start : start; /* "on time" */
    }
    word.text = arena_copy(covering->arena, tokens->text + start, token->end - start);
    word.weight = covering->weights[at].traits ? &covering->weights[at] : NULL;
    word.is_verb = token->kind == TOKEN_WORD && coverage_stands_as_verb(covering, at);
    coverage_note_elsewhere(covering, at, &word);
    word.is_time = coverage_names_day(covering, at, &word);
    /* The question is read without greetings and typing errors: the place is in the
     * original. */
    const char *found = str_find_nocase(*rest, word.text);
    found = found ? found : str_find_nocase(question, word.text);
    word.position = found ? (size_t)(found - question) : 0;
    *rest = found && found >= *rest ? found + strlen(word.text) : *rest;
    VEC_PUSH(covering->arena, out, word);
}

bool coverage_find(struct arena *arena, const struct coverage_request *request,
                   struct coverage_words *out)
{
    struct covering covering = {.arena = arena,
                                .request = request,
                                .schema = feature_schema_get(request->schema)};
    *out = (struct coverage_words){0};
    if (!coverage_read_sql(arena, covering.schema, request->statement, &covering.use)) {
        return false;
    }
    tokens_split(arena, request->question, &covering.asked);
    features_words(arena, request->schema, request->index, request->question,
                   &covering.asked, &covering.words);
    covering.placed = arena_array(arena, covering.words.count + 1, sizeof(bool));
    covering.groundless = arena_array(arena, covering.words.count + 1, sizeof(bool));
    covering.written =
        arena_array(arena, covering.words.count + 1, sizeof *covering.written);
    covering.weights =
        arena_array(arena, covering.words.count + 1, sizeof *covering.weights);
    select_used(&covering);
    if (!place_words(&covering)) {
        place_values(&covering);
    }
    coverage_discount(&covering);
    for (size_t i = 0; i < covering.words.count; i++) {
        covering.placed[i] = covering.placed[i] || coverage_by_context(&covering, i);
        covering.groundless[i] =
            coverage_is_groundless(&covering, i, &covering.written[i]);
        covering.placed[i] = covering.placed[i] && !covering.groundless[i] &&
                             !coverage_misses_rest(&covering, i) &&
                             !coverage_misses_day(&covering, i);
    }
    coverage_weigh(&covering);
    struct coverage_words states = {0};
    coverage_states(&covering, &states);
    coverage_times(&covering, &states);
    const char *rest = request->question;
    for (size_t i = 0; i < covering.words.count; i++) {
        if (!covering.placed[i]) {
            add(&covering, i, &rest, out);
        }
    }
    coverage_guess(&covering, out);
    coverage_assume(out);
    for (size_t i = 0; i < states.count; i++) {
        VEC_PUSH(arena, out, states.items[i]);
    }
    coverage_tell(&covering, out);
    for (size_t i = 0; i < out->count; i++) {
        if (out->items[i].role <= COVERAGE_NAME && !out->items[i].is_time) {
            coverage_near(arena, request, &covering.use, &out->items[i]);
        }
    }
    return true;
}
