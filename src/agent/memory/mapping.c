/* Lessons as a mapper of names, for tables and questions. */
#include "agent/memory/mapping.h"

#include <string.h>

#include "agent/memory/remembering.h"
#include "agent/memory/rivals.h"
#include "base/buf.h"
#include "base/str.h"
#include "base/writer.h"
#include "knowledge/words/phrase.h"

enum { QUESTION_MOST = 1024 * 1024 };

static bool user_wants(const struct run *run, const struct table *table)
{
    const struct texts *names = &run->request.correction.use_tables;
    for (size_t i = 0; table && i < names->count; i++) {
        if (schema_table(run_schema(run), names->items[i]) == table) {
            return true;
        }
    }
    return false;
}

static bool user_refuses(const struct run *run, const struct table *table)
{
    const struct texts *names = &run->request.correction.reject_tables;
    for (size_t i = 0; i < names->count; i++) {
        if (schema_table(run_schema(run), names->items[i]) == table) {
            return true;
        }
    }
    return false;
}

static const struct table *target(struct run *run, const struct lesson *lesson,
                                  const char *name, bool known)
{
    const struct schema *schema = run_schema(run);
    if (str_equal_nocase(lesson->schema_name, name)) {
        return schema_table(schema, lesson->actual_name);
    }
    /* A rule says something about names that are not there, nothing about others. */
    const char *made =
        known ? NULL : lesson_transform(run->scratch, lesson->transformation_rule, name);
    return made ? schema_table(schema, made) : NULL;
}

static void note_use(struct run *run, const struct lesson *lesson, const char *name,
                     const struct table *table)
{
    struct buf line;
    buf_init(&line, 1024);
    writer_quote(&line, name, strlen(name));
    (void)buf_text(&line, " means the table ");
    writer_quote(&line, table->name, strlen(table->name));
    struct remembered_lesson *item =
        line.full ? NULL : remembering_add(run, lesson, buf_clone(&line, run->arena));
    buf_release(&line);
    if (item) {
        item->table = table;
        item->told = true;
    }
}

const struct table *mapping_table(struct run *run, const char *name)
{
    remembering_find(run);
    const struct table *known = schema_table(run_schema(run), name);
    if (!run->memory.remembered || user_wants(run, known)) {
        return NULL;
    }
    struct phrase_words question;
    phrase_split(run->scratch, run_question_text(run), &question);
    for (size_t i = 0; i < run->memory.remembered->all.count; i++) {
        const struct lesson *lesson = &run->memory.remembered->all.items[i];
        if (lesson->kind != LESSON_TABLE || !remembering_trusts(run, lesson)) {
            continue;
        }
        const struct table *table = target(run, lesson, name, known != NULL);
        if (table && table != known && !user_refuses(run, table) &&
            !rivals_table(run, &question, name, table)) {
            note_use(run, lesson, name, table);
            return table;
        }
    }
    return NULL;
}

static bool chosen_before(const struct run *run, size_t count, const struct table *table)
{
    for (size_t i = 0; i < count; i++) {
        if (run->understanding.tables.items[i].table == table) {
            return true;
        }
    }
    return false;
}

void mapping_tables(struct run *run)
{
    size_t kept = 0;
    for (size_t i = 0; i < run->understanding.tables.count; i++) {
        struct chosen_table chosen = run->understanding.tables.items[i];
        const struct table *meant = mapping_table(run, chosen.table->bare_name);
        /* Where both were chosen both may be meant; else see mapping_decides. */
        if (meant && !run_chosen(run, meant->name)) {
            /* the columns that were named are the other table's */
            chosen.table = meant;
            chosen.columns = (struct texts){0};
        }
        if (!chosen_before(run, kept, chosen.table)) {
            run->understanding.tables.items[kept++] = chosen;
        }
    }
    run->understanding.tables.count = kept;
}

bool mapping_decides(struct run *run)
{
    const struct table *decided = NULL;
    for (size_t i = 0; remembering_any(run) && i < run->memory.remembered->count; i++) {
        struct remembered_lesson *item = &run->memory.remembered->items[i];
        if (!item->table || item->column || !item->said ||
            !run_chosen(run, item->table->name)) {
            continue;
        }
        if (decided && decided != item->table) {
            return false;
        }
        decided = item->table;
        item->told = true;
    }
    if (!decided) {
        return false;
    }
    run->understanding.tables.items[0] = *run_chosen(run, decided->name);
    run->understanding.tables.count = 1;
    return true;
}

void mapping_names(struct run *run, struct texts *out)
{
    remembering_find(run);
    for (size_t i = 0; remembering_any(run) && i < run->memory.remembered->count; i++) {
        const struct remembered_lesson *item = &run->memory.remembered->items[i];
        if (item->table) {
            VEC_PUSH(run->scratch, out, item->table->bare_name);
        }
        if (item->column) {
            VEC_PUSH(run->scratch, out, item->column->name);
        }
    }
}

/* A name as people would say it: "geographic_area" as two words. */
static void put_words(struct arena *arena, struct buf *out, const char *name)
{
    struct phrase_words words;
    phrase_split(arena, name, &words);
    for (size_t i = 0; i < words.count; i++) {
        (void)buf_text(out, i ? " " : "");
        (void)buf_add(out, words.items[i].start, words.items[i].size);
    }
}

static bool elsewhere(const struct run *run, const struct remembered_lesson *item)
{
    const struct schema *schema = run_schema(run);
    for (size_t i = 0; i < schema->tables.count; i++) {
        const struct table *table = &schema->tables.items[i];
        if (table != item->table && !table->is_view &&
            table_column(table, item->column->name)) {
            return true;
        }
    }
    return false;
}

/* Words for what is added up: "revenue per month" is the total fare per month. */
static bool is_total(const char *said)
{
    static const char *const words[] = {
        "revenue", "revenues", "sales",  "income",      "turnover", "earnings",
        "takings", "proceeds", "spend",  "spending",    "expenses", "costs",
        "profit",  "volume",   "output", "consumption", "usage",    "money"};
    const char *last = strrchr(said, ' ');
    last = last ? last + 1 : said;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (str_equal_nocase(last, words[i])) {
            return true;
        }
    }
    return false;
}

/* "average revenue", "number of sales": how it is reckoned is said already. */
static bool is_reckoned(struct arena *arena, const struct phrase_words *words, size_t at)
{
    static const char *const figures[] = {"average", "avg",     "mean",  "median",
                                          "total",   "sum",     "count", "number",
                                          "minimum", "maximum", "min",   "max"};
    for (size_t back = 1; back <= 2 && back <= at; back++) {
        const struct word *word = &words->items[at - back];
        const char *text = arena_copy(arena, word->start, word->size);
        for (size_t i = 0; i < sizeof figures / sizeof *figures; i++) {
            if (str_equal_nocase(text, figures[i])) {
                return true;
            }
        }
    }
    return false;
}

static const char *replace(struct run *run, const char *text,
                           struct remembered_lesson *item)
{
    struct phrase_words words;
    struct phrase_words said;
    struct phrase_words meant;
    size_t first = 0;
    phrase_split(run->scratch, text, &words);
    phrase_split(run->scratch, item->said, &said);
    phrase_split(run->scratch, item->column ? item->column->name : item->table->bare_name,
                 &meant);
    /* Who says the whole name already is understood without a lesson. */
    size_t ignored = 0;
    if (!phrase_find(&words, &said, &first) || phrase_find(&words, &meant, &ignored)) {
        return text;
    }
    const struct word *last = &words.items[first + said.count - 1];
    struct buf out;
    buf_init(&out, QUESTION_MOST);
    (void)buf_add(&out, text, (size_t)(words.items[first].start - text));
    bool total = item->column && !item->column->is_text && is_total(item->said) &&
                 !is_reckoned(run->scratch, &words, first);
    (void)buf_text(&out, total ? "total " : "");
    if (!total && item->column && elsewhere(run, item)) {
        put_words(run->scratch, &out, item->table->bare_name);
        (void)buf_char(&out, ' ');
    }
    put_words(run->scratch, &out,
              item->column ? item->column->name : item->table->bare_name);
    if (total) {
        (void)buf_text(&out, " of ");
        put_words(run->scratch, &out, item->table->bare_name);
    }
    (void)buf_text(&out, last->start + last->size);
    const char *made = out.full ? text : buf_clone(&out, run->arena);
    buf_release(&out);
    item->told = true;
    return made;
}

const char *mapping_question(struct run *run, const char *text)
{
    remembering_find(run);
    for (size_t i = 0; remembering_any(run) && i < run->memory.remembered->count; i++) {
        struct remembered_lesson *item = &run->memory.remembered->items[i];
        if (item->said && item->table) {
            text = replace(run, text, item);
        }
    }
    return text;
}
