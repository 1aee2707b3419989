/* The tables, columns, values and metrics of a schema: found by words, and told briefly. */
#include "mcp/objects.h"

#include <ctype.h>
#include <string.h>

#include "base/str.h"
#include "mcp/call.h"

enum {
    WORDS_MOST = 64,
    WORD_LEAST = 2,
    PREFIX_LEAST = 4,
    FIT_NAME = 4,  /* a word that the name has */
    FIT_BEGIN = 2, /* a word with the same beginning */
    SCORE_TABLE = 3,
    ASCII = 0x80,
    SAMPLES_MOST = 5,
    SAMPLE_MOST = 40, /* bytes of a sample that is told */
};

static bool is_word(char c)
{
    return (unsigned char)c >= ASCII || isalnum((unsigned char)c);
}

static bool is_common(const char *word)
{
    static const char *const common[] = {
        "the",  "of",   "by",    "in",   "for",  "and",  "how",  "many",
        "much", "what", "which", "who",  "show", "list", "are",  "is",
        "me",   "to",   "with",  "per",  "each", "all",  "an",   "on",
        "did",  "do",   "was",   "were", "from", "most", "give", "there"};
    for (size_t i = 0; i < sizeof common / sizeof *common; i++) {
        if (str_equal(word, common[i])) {
            return true;
        }
    }
    return false;
}

/* "categories" -> "category", "addresses" -> "address", "orders" -> "order" */
static void make_singular(char *word)
{
    size_t size = strlen(word);
    if (size > PREFIX_LEAST && str_ends(word, "ies")) {
        memcpy(word + size - 3, "y", 2);
    } else if (size > PREFIX_LEAST && str_ends(word, "sses")) {
        word[size - 2] = '\0';
    } else if (size > 3 && str_ends(word, "s") && !str_ends(word, "ss")) {
        word[size - 1] = '\0';
    }
}

void mcp_objects_words(struct arena *arena, const char *text, struct texts *words)
{
    for (const char *at = text ? text : ""; *at && words->count < WORDS_MOST;) {
        const char *end = at;
        while (is_word(*end)) {
            end++;
        }
        if (end - at >= WORD_LEAST) {
            char *word = str_lower(arena, arena_copy(arena, at, (size_t)(end - at)));
            if (!is_common(word)) {
                make_singular(word);
                VEC_PUSH(arena, words, word);
            }
        }
        at = end + (*end != '\0');
    }
}

static int fit_word(const char *word, const char *other)
{
    size_t size = strlen(word) < strlen(other) ? strlen(word) : strlen(other);
    if (str_equal(word, other)) {
        return FIT_NAME;
    }
    return size >= PREFIX_LEAST && strncmp(word, other, size) == 0 ? FIT_BEGIN : 0;
}

int mcp_objects_fit(const struct texts *words, const char *text)
{
    struct arena *arena = arena_new();
    struct texts own = {0};
    int sum = 0;
    mcp_objects_words(arena, text, &own);
    for (size_t i = 0; i < words->count; i++) {
        int best = 0;
        for (size_t j = 0; j < own.count; j++) {
            int fit = fit_word(words->items[i], own.items[j]);
            best = fit > best ? fit : best;
        }
        sum += best;
    }
    sum += sum > 0 && own.count <= words->count; /* "orders" rather than "order_items" */
    arena_free(arena);
    return sum;
}

static int fit_list(const struct texts *words, const json_t *list, const char *field)
{
    int best = 0;
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *item = json_array_get(list, i);
        const char *text = field ? json_text_at(item, field) : json_string_value(item);
        int fit = mcp_objects_fit(words, text);
        best = fit > best ? fit : best;
    }
    return best;
}

int mcp_objects_score(const struct texts *words, const json_t *table)
{
    const json_t *columns = json_array_at(table, "columns");
    int score = SCORE_TABLE * mcp_objects_fit(words, json_text_at(table, "name"));
    score += mcp_objects_fit(words, json_text_at(table, "comment"));
    score += 2 * fit_list(words, json_array_at(table, "synonyms"), NULL);
    score += 2 * fit_list(words, json_array_at(table, "metrics"), "name");
    for (size_t i = 0; i < json_array_size(columns); i++) {
        const json_t *column = json_array_get(columns, i);
        score += mcp_objects_fit(words, json_text_at(column, "name"));
        score += mcp_objects_fit(words, json_text_at(column, "comment")) / 2;
        score += fit_list(words, json_array_at(column, "synonyms"), NULL);
        score += fit_list(words, json_array_at(column, "samples"), NULL) / 2;
    }
    return score;
}

/* " -> customers.id" of a column that is a key by itself. */
static void tell_key(const json_t *table, const char *column, struct buf *out)
{
    const json_t *keys = json_array_at(table, "foreign_keys");
    for (size_t i = 0; i < json_array_size(keys); i++) {
        const json_t *key = json_array_get(keys, i);
        const json_t *own = json_array_at(key, "columns");
        const json_t *other = json_array_at(key, "references");
        const char *name = json_string_value(json_array_get(own, 0));
        if (json_array_size(own) == 1 && str_equal(name, column)) {
            (void)buf_format(out, " -> %s.%s", str_or_empty(json_text_at(key, "table")),
                             str_or_empty(json_string_value(json_array_get(other, 0))));
            return;
        }
    }
}

static void tell_samples(const json_t *column, struct buf *out)
{
    const json_t *samples = json_array_at(column, "samples");
    const char *before = " [";
    for (size_t i = 0; i < json_array_size(samples) && i < SAMPLES_MOST; i++) {
        const char *text = json_string_value(json_array_get(samples, i));
        if (text && strlen(text) <= SAMPLE_MOST) {
            (void)buf_format(out, "%s%s", before, text);
            before = ", ";
        }
    }
    if (*before == ',') {
        bool all = json_bool_at(column, "samples_all", false) &&
                   json_array_size(samples) <= SAMPLES_MOST;
        (void)buf_text(out, all ? "]" : ", …]");
    }
}

void mcp_objects_tell(const json_t *table, struct buf *out)
{
    const json_t *columns = json_array_at(table, "columns");
    (void)buf_format(out, "%s(", str_or_empty(json_text_at(table, "name")));
    for (size_t i = 0; i < json_array_size(columns); i++) {
        const json_t *column = json_array_get(columns, i);
        const char *name = str_or_empty(json_text_at(column, "name"));
        const char *comment = json_text_at(column, "comment");
        (void)buf_format(out, "%s%s %s", i ? ", " : "", name,
                         str_or_empty(json_text_at(column, "type")));
        if (json_bool_at(column, "primary", false)) {
            (void)buf_text(out, " key");
        }
        tell_key(table, name, out);
        tell_samples(column, out);
        if (!str_empty(comment)) {
            (void)buf_format(out, " /* %.120s */", comment);
        }
    }
    (void)buf_char(out, ')');
    const json_t *metrics = json_array_at(table, "metrics");
    for (size_t i = 0; i < json_array_size(metrics); i++) {
        const json_t *metric = json_array_get(metrics, i);
        (void)buf_format(out, "; %s = %s", str_or_empty(json_text_at(metric, "name")),
                         str_or_empty(json_text_at(metric, "expression")));
    }
}

const json_t *mcp_objects_schema(struct mcp_call *call, struct arena *arena,
                                 const char *datasource, struct dgm_error *error)
{
    struct dgm *dgm = mcp_call_dgm(call);
    char *id = dgm_access_source(dgm, mcp_call_access(call), datasource, error);
    char *text =
        id ? dgm_schema_for(dgm, mcp_call_account(call), id, "json", error) : NULL;
    const json_t *schema = text ? json_quick(arena, text, strlen(text)) : NULL;
    dgm_free(id);
    dgm_free(text);
    return schema;
}

void mcp_objects_sources(struct mcp_call *call, struct arena *arena, struct texts *ids)
{
    char *text = dgm_datasources_for(mcp_call_dgm(call), mcp_call_access(call));
    const json_t *list = text ? json_quick(arena, text, strlen(text)) : NULL;
    for (size_t i = 0; i < json_array_size(list); i++) {
        const char *id = json_text_at(json_array_get(list, i), "id");
        if (id) {
            VEC_PUSH(arena, ids, arena_text(arena, id));
        }
    }
    dgm_free(text);
}
