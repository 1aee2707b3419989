/* The profiler's SQL, written from the description of a dialect. */
#include <string.h>
#include <strings.h>

#include "base/str.h"
#include "datasource/profile/profile_state.h"

static bool word_matches(const char *type, const char *word, size_t size)
{
    bool whole = size > 0 && word[0] == '=';
    bool anywhere = size > 0 && word[0] == '*';
    word += whole || anywhere;
    size -= whole || anywhere;
    size_t length = strlen(type);
    for (size_t at = 0; at + size <= length; at++) {
        if (strncasecmp(type + at, word, size) == 0) {
            return !whole || length == size;
        }
        if (!anywhere) {
            return false;
        }
    }
    return false;
}

static bool profile_type_among(const char *type, const char *words)
{
    while (*words) {
        size_t size = strcspn(words, " ");
        bool excludes = words[0] == '!';
        if (word_matches(type, words + excludes, size - excludes)) {
            return !excludes;
        }
        words += size;
        words += strspn(words, " ");
    }
    return false;
}

bool profile_holds_words(const struct profiling *work, const struct column *column)
{
    return profile_type_among(column->type, work->dialect->words);
}

/* The first column of an index: its ends are found without reading the table. */
static bool indexed(const struct table *table, const struct column *column)
{
    for (size_t i = 0; i < table->indexes.count; i++) {
        const struct texts *columns = &table->indexes.items[i].columns;
        if (columns->count > 0 && str_equal_nocase(columns->items[0], column->name)) {
            return true;
        }
    }
    return false;
}

static const char *distinct_form(const struct profiling *work,
                                 const struct column *column)
{
    const struct profile_dialect *dialect = work->dialect;
    if (!profile_type_among(column->type, dialect->ordered) &&
        !profile_type_among(column->type, dialect->countable)) {
        return NULL;
    }
    bool few = !dialect->distinct_columns ||
               work->table->columns.count <= dialect->distinct_columns;
    bool exact = work->small && work->table->row_count <= dialect->distinct_rows && few;
    return exact ? dialect->distinct : dialect->distinct_estimate;
}

bool profile_counts(const struct profiling *work, const struct column *column)
{
    return column->distinct >= 0 &&
           distinct_form(work, column) == work->dialect->distinct;
}

static const char *extreme_form(const struct profiling *work, const struct column *column)
{
    const struct profile_dialect *dialect = work->dialect;
    if (!profile_type_among(column->type, dialect->ordered)) {
        return NULL;
    }
    if (!work->small) {
        return !work->table->is_view && indexed(work->table, column)
                   ? dialect->extreme_index
                   : NULL;
    }
    return dialect->extreme_word && profile_holds_words(work, column)
               ? dialect->extreme_word
               : dialect->extreme;
}

const char *profile_figure_form(const struct profiling *work, const struct column *column,
                                enum profile_figure figure)
{
    switch (figure) {
    case FIGURE_PRESENT:
        return work->dialect->present;
    case FIGURE_DISTINCT:
        return distinct_form(work, column);
    default:
        return extreme_form(work, column);
    }
}

static void quote(struct profiling *work, const char *name)
{
    work->session->quote_name(work->session->context, &work->sql, name);
}

static const char *schema_of(const struct profiling *work)
{
    return work->table->namespace[0] ? work->table->namespace : work->session->schema;
}

static void table_add(struct profiling *work)
{
    const char *schema = schema_of(work);
    if (schema) {
        quote(work, schema);
        (void)buf_char(&work->sql, '.');
    }
    quote(work, work->table->bare_name);
}

static void columns_add(struct profiling *work)
{
    for (size_t i = work->from; i < work->to; i++) {
        (void)buf_text(&work->sql, i > work->from ? ", " : "");
        quote(work, work->table->columns.items[i].name);
    }
}

static void literal_add(struct profiling *work, const char *text)
{
    work->session->quote_text(work->session->context, &work->sql, str_or_empty(text));
}

/* The word at `name`, which ends with a brace. */
static void field_add(struct profiling *work, const char *name, size_t column,
                      const char *end)
{
    const struct {
        const char *name;
        int64_t number;
    } numbers[] = {
        {"index}", (int64_t)column},
        {"scan}", work->scan},
        {"bytes}", PROFILE_SAMPLE_BYTES},
        {"samples}", work->samples},
        {"over}", work->dialect->exact_rows + 1},
    };
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        if (str_starts(name, numbers[i].name)) {
            (void)buf_int(&work->sql, numbers[i].number);
            return;
        }
    }
    if (str_starts(name, "table}")) {
        table_add(work);
    } else if (str_starts(name, "columns}")) {
        columns_add(work);
    } else if (str_starts(name, "column}")) {
        quote(work, work->table->columns.items[column].name);
    } else if (str_starts(name, "schema}")) {
        literal_add(work, schema_of(work));
    } else if (str_starts(name, "name}")) {
        literal_add(work, work->table->bare_name);
    } else {
        (void)buf_text(&work->sql, str_or_empty(end)); /* {end} */
    }
}

void profile_sql_add(struct profiling *work, const char *form, size_t column,
                     const char *end)
{
    for (const char *at = form; *at;) {
        size_t plain = strcspn(at, "{");
        (void)buf_add(&work->sql, at, plain);
        at += plain;
        if (*at) {
            field_add(work, at + 1, column, end);
            at += strcspn(at, "}") + 1;
        }
    }
}

size_t profile_statistics_sql(struct profiling *work)
{
    size_t columns = 1;
    buf_clear(&work->sql);
    (void)buf_text(&work->sql, "SELECT ");
    (void)buf_text(&work->sql, work->dialect->rows);
    for (size_t i = work->from; i < work->to; i++) {
        for (enum profile_figure figure = 0; figure < FIGURE_COUNT; figure++) {
            const char *form =
                profile_figure_form(work, &work->table->columns.items[i], figure);
            if (form) {
                (void)buf_text(&work->sql, ", ");
                profile_sql_add(work, form, i, figure == FIGURE_LEAST ? "min" : "max");
                columns++;
            }
        }
    }
    (void)buf_text(&work->sql, " FROM ");
    profile_sql_add(work, work->small ? "{table}" : work->dialect->first_rows, 0, NULL);
    return columns;
}
