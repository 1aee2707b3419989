/* An answer as Markdown: a sentence, the table, doubts, the SQL, a link. */
#include "server/openai/markdown.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/markdown.h"
#include "base/str.h"
#include "base/utf8.h"
#include "base/writer.h"

enum {
    ROWS_MOST = 50,
    COLUMNS_MOST = 20,
    CELL_BYTES = 200,
    TEXT_BYTES = 4000,
    ITEMS_MOST = 8,
    TABLE_BYTES = 100 * 1024,
    SQL_BYTES = 16 * 1024,
};

/* Foreign text in one line, cut when it is too long. */
static void add(struct buf *out, const char *text, size_t most)
{
    size_t size = strlen(str_or_empty(text));
    size_t cut = size > most ? utf8_cut(text, size, most) : size;
    (void)markdown_add(out, str_or_empty(text), cut);
    (void)buf_text(out, cut < size ? "…" : "");
}

static void add_cell(struct buf *out, const json_t *cell)
{
    struct writer writer;
    if (json_is_string(cell)) {
        add(out, json_string_value(cell), CELL_BYTES);
    } else if (json_is_real(cell)) {
        writer_init(&writer, out);
        writer_real(&writer, json_real_value(cell));
    } else if (cell && !json_is_null(cell)) {
        char *text = json_dumps(cell, JSON_COMPACT | JSON_ENCODE_ANY);
        add(out, text, CELL_BYTES);
        free(text); /* NOLINT: jansson's */
    } else {
        (void)buf_text(out, "NULL");
    }
}

static bool is_number_column(const json_t *rows, size_t column)
{
    for (size_t r = 0; r < json_array_size(rows) && r < ROWS_MOST; r++) {
        const json_t *cell = json_array_get(json_array_get(rows, r), column);
        if (cell && !json_is_null(cell)) {
            return json_is_number(cell);
        }
    }
    return false;
}

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

static void write_head(struct buf *out, const json_t *columns, const json_t *rows)
{
    size_t width = least(json_array_size(columns), COLUMNS_MOST);
    for (size_t c = 0; c < width; c++) {
        (void)buf_text(out, c ? " | " : "| ");
        add(out, json_string_value(json_array_get(columns, c)), CELL_BYTES);
    }
    (void)buf_text(out, " |\n|");
    for (size_t c = 0; c < width; c++) {
        (void)buf_text(out, is_number_column(rows, c) ? " ---: |" : " --- |");
    }
    (void)buf_char(out, '\n');
}

/* Returns how many rows are shown. */
static size_t write_rows(struct buf *out, const json_t *columns, const json_t *rows)
{
    size_t width = least(json_array_size(columns), COLUMNS_MOST);
    size_t count = least(json_array_size(rows), ROWS_MOST);
    size_t end = out->size + TABLE_BYTES;
    size_t shown = 0;
    for (; shown < count && out->size < end; shown++) {
        const json_t *row = json_array_get(rows, shown);
        for (size_t c = 0; c < width; c++) {
            (void)buf_text(out, c ? " | " : "| ");
            add_cell(out, json_array_get(row, c));
        }
        (void)buf_text(out, " |\n");
    }
    return shown;
}

/* Says what of the result is not in the table. */
static void write_rest(struct buf *out, const json_t *answer, size_t shown)
{
    size_t given = json_array_size(json_array_at(answer, "rows"));
    size_t width = json_array_size(json_array_at(answer, "columns"));
    bool more = json_bool_at(answer, "truncated", false);
    if (shown < given || more) {
        (void)buf_format(out, "\nShowing the first %zu of %s%zu rows.\n", shown,
                         more ? "at least " : "", given);
    }
    if (width > COLUMNS_MOST) {
        (void)buf_format(out, "\nShowing the first %d of %zu columns.\n", COLUMNS_MOST,
                         width);
    }
    if (json_bool_at(answer, "incomplete", false)) {
        (void)buf_text(out, "\nThe result is incomplete because of a size limit.\n");
    }
}

static void write_table(struct buf *out, const json_t *answer)
{
    const json_t *columns = json_array_at(answer, "columns");
    const json_t *rows = json_array_at(answer, "rows");
    if (!json_array_size(columns)) {
        return;
    }
    (void)buf_char(out, '\n');
    write_head(out, columns, rows);
    write_rest(out, answer, write_rows(out, columns, rows));
}

static bool is_one_cell(const json_t *answer)
{
    return json_array_size(json_array_at(answer, "columns")) == 1 &&
           json_array_size(json_array_at(answer, "rows")) == 1 &&
           !json_bool_at(answer, "truncated", false);
}

/* A cell at the beginning of a line must not make a heading, a list or a rule of it. */
static void add_line(struct buf *out, const char *text)
{
    size_t digits = strspn(text, "0123456789");
    bool numbered = digits && text[digits] && strchr(".)", text[digits]);
    if (numbered) {
        (void)buf_add(out, text, digits);
        text += digits;
    }
    if (numbered || (*text && strchr("#+-=_", *text))) {
        (void)buf_char(out, '\\');
    }
    add(out, text, TEXT_BYTES);
}

static void write_sentence(struct buf *out, const json_t *answer)
{
    static const char *const keys[] = {"text", "explanation", "summary", "message"};
    const char *text = NULL;
    for (size_t i = 0; i < sizeof keys / sizeof *keys && str_empty(text); i++) {
        text = json_text_at(answer, keys[i]);
    }
    add_line(out, str_empty(text) ? "Done." : text);
    (void)buf_char(out, '\n');
}

/* The texts of a list; of objects the texts with this key. */
static void write_list(struct buf *out, const json_t *answer, const char *name,
                       const char *title, const char *key)
{
    size_t index = 0;
    const json_t *item = NULL;
    bool any = false;
    json_array_foreach(json_array_at(answer, name), index, item)
    {
        const char *text = key ? json_text_at(item, key) : json_string_value(item);
        if (!text || index == ITEMS_MOST || json_bool_at(item, "used", false)) {
            continue;
        }
        (void)buf_format(out, "%s- %s", any ? "" : "\n", title);
        add(out, text, TEXT_BYTES);
        (void)buf_char(out, '\n');
        any = true;
    }
}

static void write_doubts(struct buf *out, const json_t *answer)
{
    const json_t *confidence = json_object_at(answer, "confidence");
    if (str_equal(json_text_at(confidence, "label"), "unsure")) {
        (void)buf_format(out, "\nThis answer may be wrong: confidence %d %%.\n",
                         (int)(json_real_at(confidence, "score", 0) * 100));
    }
    write_list(out, answer, "warnings", "Warning: ", NULL);
    write_list(out, answer, "assumptions", "Assumed: ", NULL);
    write_list(out, answer, "unplaced", "Not used: ", "word");
    write_list(out, answer, "readings", "It could also mean: ", "words");
}

/* What the SQL does, if the sentence above is made from the rows. */
static void write_understood(struct buf *out, const json_t *answer)
{
    const char *words = json_text_at(answer, "explanation");
    if (json_array_at(answer, "rows") && !str_empty(words) &&
        !str_empty(json_text_at(answer, "text"))) {
        (void)buf_text(out, "\nHow it was understood: ");
        add(out, words, TEXT_BYTES);
        (void)buf_char(out, '\n');
    }
}

/* A fence longer than any in the text, so that the text cannot end it. */
static void write_fenced(struct buf *out, const char *sql)
{
    size_t longest = 2;
    for (const char *at = sql; *at; at++) {
        size_t ticks = strspn(at, "`");
        longest = ticks > longest ? ticks : longest;
        at += ticks ? ticks - 1 : 0;
    }
    for (int end = 0; end < 2; end++) {
        for (size_t i = 0; i <= longest; i++) {
            (void)buf_char(out, '`');
        }
        if (!end) {
            (void)buf_text(out, "sql\n");
            (void)buf_text(out, sql);
        }
        (void)buf_char(out, '\n');
    }
}

/* Pages look for the end of the block in the text, without reading the fence. */
static void write_sql(struct buf *out, const char *sql)
{
    if (str_empty(sql) || strlen(sql) > SQL_BYTES) {
        return;
    }
    bool folded = !str_contains_nocase(sql, "</details");
    (void)buf_text(out, folded ? "\n<details>\n<summary>SQL</summary>\n\n" : "\n");
    write_fenced(out, sql);
    (void)buf_text(out, folded ? "\n</details>\n" : "");
}

static void write_clarification(struct buf *out, const json_t *asked)
{
    const json_t *options = json_array_at(asked, "options");
    size_t index = 0;
    const json_t *option = NULL;
    add(out, json_text_at(asked, "message"), TEXT_BYTES);
    (void)buf_char(out, '\n');
    json_array_foreach(options, index, option)
    {
        const char *label = json_text_at(option, "label");
        (void)buf_format(out, "%s%zu. ", index ? "" : "\n", index + 1);
        add(out, str_empty(label) ? json_text_at(option, "value") : label, TEXT_BYTES);
        (void)buf_char(out, '\n');
    }
    (void)buf_text(out, index ? "\nReply with a number, or in your own words.\n" : "");
}

void openai_markdown_write(struct buf *out, const json_t *answer, const char *link)
{
    const json_t *asked = json_object_at(answer, "clarification");
    bool rows = json_array_at(answer, "rows") && !is_one_cell(answer);
    bool chart = rows && json_object_at(answer, "chart");
    if (str_equal(json_text_at(answer, "type"), "clarification") && asked) {
        write_clarification(out, asked);
    } else {
        if (is_one_cell(answer) && str_empty(json_text_at(answer, "text"))) {
            const json_t *row = json_array_get(json_array_at(answer, "rows"), 0);
            (void)buf_text(out, "**");
            add_cell(out, json_array_get(row, 0));
            (void)buf_text(out, "** – ");
        }
        write_sentence(out, answer);
        if (rows) {
            write_table(out, answer);
        }
        write_doubts(out, answer);
        write_understood(out, answer);
        write_sql(out, json_text_at(answer, "sql"));
    }
    (void)buf_format(out, "\n[%s](%s)\n",
                     chart  ? "Chart and all rows"
                     : rows ? "All rows"
                            : "Open in dragoman",
                     link);
}
