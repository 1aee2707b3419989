/* What a host's model needs to write the SQL itself where dragoman is not sure. */
#include "mcp/context.h"

#include <string.h>

#include "base/str.h"
#include "base/utf8.h"
#include "mcp/call.h"
#include "mcp/objects.h"
#include "mcp/plain.h"

enum { TABLES_MOST = 5, CONTEXT_MOST = 8 * 1024, CUT = 8, USED = 1000 };

static const struct {
    const char *dialect;
    const char *notes;
} dialects[] = {
    {"sqlite",
     "Dates are text: strftime('%Y-%m', day), date('now', '-1 month'). || joins "
     "texts. Integer / integer is an integer."},
    {"duckdb",
     "date_trunc('month', day), current_date - INTERVAL 1 MONTH. 7 / 2 is 3.5; // "
     "divides integers. QUALIFY is there."},
    {"postgres",
     "date_trunc('month', day), CURRENT_DATE - INTERVAL '1 month'. Names in mixed "
     "case need double quotes. Integer / integer is an integer."},
    {"mysql",
     "DATE_FORMAT(day, '%Y-%m'), CURDATE() - INTERVAL 1 MONTH. Names are quoted with "
     "backticks; CONCAT() joins texts."},
    {"clickhouse",
     "toStartOfMonth(day), today() - INTERVAL 1 MONTH. countIf(), sumIf(). Joins "
     "want the smaller table on the right."},
    {"bigquery",
     "DATE_TRUNC(day, MONTH), DATE_SUB(CURRENT_DATE(), INTERVAL 1 MONTH). Names "
     "are quoted with backticks; SAFE_DIVIDE()."},
};

static const char *notes_for(const char *dialect)
{
    for (size_t i = 0; i < sizeof dialects / sizeof *dialects; i++) {
        if (str_equal(dialects[i].dialect, dialect)) {
            return dialects[i].notes;
        }
    }
    return NULL;
}

static bool is_used(const json_t *answer, const char *table)
{
    const json_t *used = json_array_at(answer, "tables_used");
    for (size_t i = 0; i < json_array_size(used); i++) {
        if (str_equal_nocase(json_string_value(json_array_get(used, i)), table)) {
            return true;
        }
    }
    return false;
}

/* The question, and what the options say, in words. */
static void take_words(struct arena *arena, const json_t *answer, struct texts *words)
{
    const json_t *asked = json_object_at(answer, "clarification");
    const json_t *options = json_array_at(asked, "options");
    const char *full = json_text_at(answer, "rewritten_query");
    mcp_objects_words(arena, full ? full : json_text_at(answer, "question"), words);
    for (size_t i = 0; i < json_array_size(options); i++) {
        mcp_objects_words(arena, json_text_at(json_array_get(options, i), "label"),
                          words);
    }
}

/* Writes the best tables, each once. */
static void write_tables(const json_t *answer, const json_t *tables, struct texts *words,
                         struct arena *arena, struct writer *json)
{
    size_t count = json_array_size(tables);
    int *scores = arena_array(arena, count + 1, sizeof *scores);
    size_t before = json->out->size;
    for (size_t i = 0; i < count; i++) {
        const json_t *table = json_array_get(tables, i);
        bool used = is_used(answer, json_text_at(table, "name"));
        scores[i] = mcp_objects_score(words, table) + (used ? USED : 0);
    }
    for (size_t n = 0; n < TABLES_MOST; n++) {
        size_t best = count;
        for (size_t i = 0; i < count; i++) {
            best = scores[i] > (best < count ? scores[best] : 0) ? i : best;
        }
        if (best == count || json->out->size - before > CONTEXT_MOST) {
            return;
        }
        struct buf line;
        buf_init(&line, CONTEXT_MOST);
        mcp_objects_tell(json_array_get(tables, best), &line);
        size_t size = utf8_cut(buf_get(&line), line.size, CONTEXT_MOST - CUT);
        if (size < line.size || line.full) { /* hundreds of columns */
            line.full = false;
            buf_truncate(&line, size);
            (void)buf_text(&line, " …");
        }
        writer_text(json, mcp_plain(arena, buf_get(&line), MCP_ONE_LINE));
        buf_release(&line);
        scores[best] = 0;
    }
}

void mcp_context_write(struct mcp_call *call, const json_t *answer, struct writer *json)
{
    struct dgm_error error;
    struct arena *arena = arena_new();
    struct texts words = {0};
    const json_t *schema =
        mcp_objects_schema(call, arena, json_text_at(answer, "datasource"), &error);
    if (schema) {
        const char *dialect = json_text_at(schema, "dialect");
        take_words(arena, answer, &words);
        writer_key(json, "context");
        writer_object(json);
        writer_key_text(json, "dialect", dialect);
        writer_key_text(json, "notes", notes_for(dialect));
        writer_key(json, "tables");
        writer_array(json);
        write_tables(answer, json_array_at(schema, "tables"), &words, arena, json);
        writer_array_end(json);
        writer_object_end(json);
    }
    arena_free(arena);
}
