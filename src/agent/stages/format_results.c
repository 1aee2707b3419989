/* FORMAT_RESULTS: adds to the rows: the answer in a sentence, explanation, dates used, warnings. */
#include <string.h>

#include "agent/counting/counting.h"
#include "agent/confidence.h"
#include "agent/literals/literals.h"
#include "agent/memory/history.h"
#include "agent/run_statement.h"
#include "agent/understand/intent_rules.h"
#include "agent/understand/language.h"
#include "agent/understand/parsing.h"
#include "agent/understand/placing/placing.h"
#include "agent/sources/policing.h"
#include "agent/memory/remembering.h"
#include "agent/sentence/sentence.h"
#include "agent/understand/sql_parts.h"
#include "agent/stages/stages.h"
#include "agent/suggest/suggest.h"
#include "agent/unfinished.h"
#include "agent/wording.h"
#include "base/clock.h"
#include "base/str.h"
#include "chart/wish.h"
#include "sql/describe/describe.h"

static bool names(const struct sql_nodes *used, const char *name)
{
    for (size_t i = 0; i < used->count; i++) {
        if (str_equal_nocase(used->items[i]->text, name)) {
            return true;
        }
    }
    return false;
}

/* Nobody was born today: an age has no end of the data. */
static bool is_birth(const struct column *column)
{
    return str_contains_nocase(column->name, "birth") ||
           str_contains_nocase(column->name, "born") ||
           str_equal_nocase(column->name, "dob");
}

/* "last month" is counted from today; where the data end earlier, no rows says little. */
static void note_end(struct run *run, const struct sql_nodes *used)
{
    const struct texts *dates = &run->answer.dates_used;
    const char *first = dates->count ? dates->items[0] : NULL;
    for (size_t i = 1; i < dates->count; i++) {
        first = strcmp(dates->items[i], first) < 0 ? dates->items[i] : first;
    }
    for (size_t i = 0; first && i < run->answer.tables.count; i++) {
        const struct table *table =
            schema_table(run_schema(run), run->answer.tables.items[i]);
        for (size_t c = 0; table && c < table->columns.count; c++) {
            const struct column *column = &table->columns.items[c];
            bool ends = column->greatest && !is_birth(column) &&
                        strlen(column->greatest) >= 10 &&
                        clock_begins_with_date(column->greatest) &&
                        strncmp(column->greatest, first, 10) < 0;
            if (ends && names(used, column->name)) {
                run_warn(run, "The data ends earlier: the last %s of %s is %.10s.",
                         column->name, table->name, column->greatest);
            }
        }
    }
}

/* Every answer states the dates it used. */
static void note_dates(struct run *run)
{
    const struct sql_statement *statement = run_statement(run, run->answer.sql);
    struct sql_nodes texts = {0};
    sql_collect(run->scratch, statement->root, SQL_STRING, &texts);
    run->answer.dates_used = (struct texts){0};
    for (size_t i = 0; i < texts.count && run->answer.dates_used.count < 20; i++) {
        if (clock_begins_with_date(texts.items[i]->text)) {
            VEC_PUSH(run->arena, &run->answer.dates_used,
                     arena_text(run->arena, texts.items[i]->text));
        }
    }
    if (run->answer.dates_used.count &&
        intent_uses_clock(run->scratch, run->question.text)) {
        struct sql_nodes used = {0};
        sql_collect(run->scratch, statement->root, SQL_NAME, &used);
        note_end(run, &used);
    }
}

static void note_cut(struct run *run)
{
    size_t count = rows_given(&run->answer.rows);
    enum rows_cut why = rows_given_cut(&run->answer.rows);
    if (why == ROWS_CUT_BY_BYTES) {
        run_warn(run,
                 "Only the first %zu rows are shown: the result is larger than %lld "
                 "bytes.",
                 count, (long long)policing_max_bytes(run));
    } else if (why == ROWS_CUT_BY_COUNT) {
        run_warn(run, "Only the first %zu rows are shown; there are more.", count);
    }
}

/* A connection that is less than it should be. */
static void note_connections(struct run *run)
{
    for (size_t i = 0; i < run->sources.count; i++) {
        const struct datasource *source = run->sources.items[i].source;
        const char *notice = source ? datasource_notice(source) : NULL;
        if (notice) {
            run_warn_system(run, "%s: %s.", source->id, notice);
        }
    }
}

/* Which cells are there only in part. */
static void note_cut_cells(struct run *run)
{
    enum { NAMED = 3 };
    const struct rows *rows = &run->answer.rows;
    const struct rows_cut_cells *cut = &rows->cut_cells;
    struct texts names = {0};
    for (size_t i = 0; i < cut->count && i < NAMED; i++) {
        VEC_PUSH(run->scratch, &names,
                 arena_format(run->scratch, "'%s' in row %zu",
                              rows->columns[cut->places[i].column].name,
                              cut->places[i].row + 1));
    }
    if (cut->count > NAMED) {
        VEC_PUSH(run->scratch, &names,
                 arena_format(run->scratch, "%zu more", cut->count - NAMED));
    }
    if (cut->count) {
        run_warn(run, "Of long cells only the beginning is shown: %s.",
                 str_join(run->scratch, &names, ", "));
    }
}

/* What was left out of a table when it was read is left out of the answer, too. */
static void note_tables(struct run *run)
{
    const struct schema *schema = run_schema(run);
    bool warned = schema && schema->warnings.count;
    for (size_t i = 0; warned && i < run->answer.tables.count; i++) {
        const char *begin =
            arena_format(run->scratch, "%s: ", run->answer.tables.items[i]);
        for (size_t w = 0; w < schema->warnings.count; w++) {
            if (str_starts_nocase(schema->warnings.items[w], begin)) {
                run_warn(run, "%s.", schema->warnings.items[w]);
            }
        }
    }
}

/* Clients show these sentences unchanged. */
static const char *message_of(struct run *run)
{
    const struct answer *answer = &run->answer;
    if (!answer->has_rows) {
        return NULL;
    }
    if (answer->corrected_from) {
        return "The query was corrected and executed.";
    }
    size_t count = rows_given(&answer->rows);
    return arena_format(run->arena, "Query executed successfully. Found %zu row%s.",
                        count, count == 1 ? "" : "s");
}

/* What could be asked next, by either brain and without any conversation. */
static void note_follow_ups(struct run *run, const struct sql_parts *parts)
{
    enum { MOST = 3 };
    struct answer *answer = &run->answer;
    struct suggest_answer about = {.schema = run_schema(run),
                                   .question = run->question.text,
                                   .tables = &answer->tables,
                                   .parts = parts,
                                   .rows = answer->has_rows ? &answer->rows : NULL};
    answer->follow_ups = (struct texts){0};
    if (!run->query.is_write && about.schema) {
        suggest_follow_ups(run->arena, &about, MOST, &answer->follow_ups);
    }
}

/* Made from the SQL, so that it says what was done and not what was meant. To a question
 * in another language the model's text is kept. */
static void note_explanation(struct run *run)
{
    struct answer *answer = &run->answer;
    if (!answer->explanation || !language_is_foreign(run->question.text)) {
        /* a LIMIT of ours is no part of what was asked; nor is how rows count once */
        const char *sql = run->query.counted_from ? run->query.counted_from
                          : run->query.unlimited  ? run->query.unlimited
                                                  : answer->sql;
        answer->explanation = describe_sql(run->arena, run_statement(run, sql));
    }
}

/* Why these tables: what was said of each, of those left out, of what is needed. */
static void note_reasoning(struct run *run)
{
    struct texts reasons = {0};
    for (size_t i = 0; i < run->understanding.tables.count; i++) {
        const struct chosen_table *chosen = &run->understanding.tables.items[i];
        if (chosen->reasoning) {
            VEC_PUSH(run->scratch, &reasons,
                     arena_format(run->scratch, "%s: %s", chosen->table->name,
                                  chosen->reasoning));
        }
    }
    for (size_t i = 0; i < run->understanding.reasons.count; i++) {
        VEC_PUSH(run->scratch, &reasons, run->understanding.reasons.items[i]);
    }
    if (reasons.count) {
        run->answer.reasoning = str_join(run->arena, &reasons, "\n");
    }
}

/* "… as a line chart": from the words alone, so that no stage before has to keep it. */
static void note_wish(struct run *run)
{
    struct wish wish;
    if (!run->request.given_sql && wish_read(run->arena, run->question.text, &wish)) {
        run->answer.wish = wish.chart;
    }
}

static enum event format_results_work(struct run *run, struct err *err)
{
    (void)err;
    struct answer *answer = &run->answer;
    struct sql_parts parts;
    sql_parts_read(run->scratch, run_statement(run, answer->sql), &parts);
    answer->type = run->query.is_write ? "write" : "rows";
    note_dates(run);
    history_note(run);
    parsing_fill(run, &parts);
    note_explanation(run);
    note_reasoning(run);
    if (run->query.first_failed_sql && !answer->corrected_from) {
        answer->corrected_from = run->query.first_failed_sql;
    }
    answer->message = message_of(run);
    answer->clarification = (struct clarification){0};
    note_cut(run);
    unfinished_tell(run);
    counting_tell_cut_period(run);
    counting_tell_ties(run);
    note_cut_cells(run);
    note_tables(run);
    note_connections(run);
    literals_hint(run);
    placing_warn(run);
    confidence_compare(run);
    confidence_no_rows(run);
    wording_answer(run);
    note_wish(run);
    sentence_note(run);
    note_follow_ups(run, &parts);
    remembering_note(run);
    return EVENT_DONE;
}

const struct stage stage_format_results = {.state = STATE_FORMAT_RESULTS,
                                           .work = format_results_work};
