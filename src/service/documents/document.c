/* Kept answers as one HTML page. */
#include "service/documents/document.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/str.h"
#include "base/vec.h"
#include "chart/draw.h"
#include "model/chart.h"
#include "model/rows_json.h"
#include "service/documents/escape.h"
#include "service/documents/style.h"

enum {
    TITLE_MOST = 300,
    CELL_MOST = 4000,
    TEXT_MOST = 20000,
    SQL_MOST = 200000,
    LIST_MOST = 50,
    COLUMNS_SEEN = 4096,
};

/* What is being written. */
struct page {
    struct buf *out;
    struct arena *arena;
    const json_t *answer; /* the one that is written now */
    bool several;
};

static void raw(const struct page *page, const char *text)
{
    (void)buf_text(page->out, text);
}

static void text_of(const struct page *page, const char *text, size_t most)
{
    escape_text_cut(page->out, text, strlen(text), most);
}

/* begin, the text, end; nothing if there is no text. */
static void element(const struct page *page, const char *begin, const char *text,
                    size_t most, const char *end)
{
    if (!str_empty(text)) {
        raw(page, begin);
        text_of(page, text, most);
        raw(page, end);
    }
}

static void field(const struct page *page, const char *begin, const char *name,
                  size_t most, const char *end)
{
    element(page, begin, json_text_at(page->answer, name), most, end);
}

/* "2026-11-15T04:20:00Z" -> "2026-11-15 04:20 UTC"; others as they are. */
static const char *moment(struct arena *arena, const char *iso)
{
    bool known = iso && strlen(iso) == 20 && iso[10] == 'T' && iso[19] == 'Z';
    return known ? arena_format(arena, "%.10s %.5s UTC", iso, iso + 11) : iso;
}

/* ------------------------------------------------------------------ the page around it */

static void write_head(const struct page *page, const char *title)
{
    char hash[STYLE_HASH_SIZE];
    style_hash(hash);
    raw(page,
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
        "style-src '");
    raw(page, hash);
    raw(page, "'; base-uri 'none'; form-action 'none'\">\n"
              "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
              "<meta name=\"referrer\" content=\"no-referrer\">\n"
              "<meta name=\"robots\" content=\"noindex, nofollow\">\n<title>");
    text_of(page, title, TITLE_MOST);
    raw(page, "</title>\n<style>");
    style_write(page->out);
    raw(page, "</style>\n</head>\n<body>\n<main>\n");
}

static void write_tail(const struct page *page)
{
    raw(page, "</main>\n</body>\n</html>\n");
}

/* ------------------------------------------------------------------ rows */

static void write_cell(const struct page *page, const struct value *value, bool number)
{
    struct buf cell;
    if (value->kind == VALUE_NULL) {
        raw(page, "<td class=\"null\">–</td>");
        return;
    }
    buf_init(&cell, (size_t)1 << 26);
    value_show(&cell, value);
    raw(page, number ? "<td class=\"number\">" : "<td dir=\"auto\">");
    escape_text_cut(page->out, buf_get(&cell), cell.size, CELL_MOST);
    raw(page, "</td>");
    buf_release(&cell);
}

static void write_header(const struct page *page, const struct rows *rows,
                         const bool *numbers)
{
    raw(page, "<thead><tr>");
    for (size_t i = 0; i < rows->column_count; i++) {
        raw(page,
            numbers[i] ? "<th scope=\"col\" class=\"number\">" : "<th scope=\"col\">");
        text_of(page, str_or_empty(rows->columns[i].name), TITLE_MOST);
        raw(page, "</th>");
    }
    raw(page, "</tr></thead>\n<tbody>\n");
}

static void write_table(const struct page *page, const struct rows *rows)
{
    bool *numbers = arena_array(page->arena, rows->column_count + 1, sizeof *numbers);
    for (size_t i = 0; i < rows->column_count && i < COLUMNS_SEEN; i++) {
        struct chart_column column;
        chart_column_read(rows, i, &column);
        numbers[i] = column.is_number;
    }
    raw(page, "<div class=\"scroll\" role=\"region\" aria-label=\"Rows\" tabindex=\"0\">"
              "<table>\n");
    write_header(page, rows, numbers);
    for (size_t i = 0; i < rows->count && !page->out->full; i++) {
        raw(page, "<tr>");
        for (size_t j = 0; j < rows->column_count; j++) {
            write_cell(page, rows_cell(rows, i, j), numbers[j]);
        }
        raw(page, "</tr>\n");
    }
    raw(page, "</tbody>\n</table></div>\n");
    (void)buf_format(page->out, "<p class=\"note\">%zu row%s%s</p>\n", rows->count,
                     rows->count == 1 ? "" : "s",
                     json_bool_at(page->answer, "truncated", false)
                         ? "; the whole result has more rows, or longer cells"
                         : "");
}

/* The chart that was kept, or none. */
static void write_chart(const struct page *page, const struct rows *rows)
{
    struct chart chart;
    enum chart_kind kind = CHART_FIGURE;
    const char *name = json_text_at(json_object_at(page->answer, "chart"), "kind");
    if (!name || !chart_kind_find(name, &kind) || !chart_as(rows, kind, &chart)) {
        return;
    }
    if (kind == CHART_FIGURE) {
        struct buf cell;
        buf_init(&cell, CELL_MOST);
        value_show(&cell, rows_cell(rows, 0, chart.y[0]));
        element(page, "<p class=\"figure\">", buf_get(&cell), TITLE_MOST, "</p>\n");
        buf_release(&cell);
        return;
    }
    struct draw_options options = {.name = json_text_at(page->answer, "question"),
                                   .inside = true};
    raw(page, "<figure>\n");
    (void)draw_svg(&chart, rows, &options, page->out);
    raw(page, "</figure>\n");
}

static void write_rows(const struct page *page)
{
    struct rows rows;
    if (rows_read(&rows, page->arena, page->answer)) {
        write_chart(page, &rows);
        write_table(page, &rows);
    }
}

/* ------------------------------------------------------------------ how it came about */

static void write_doubts(const struct page *page)
{
    const json_t *confidence = json_object_at(page->answer, "confidence");
    const json_t *words = json_array_at(page->answer, "unplaced");
    struct texts assumed = {0};
    struct texts warnings = {0};
    if (str_equal(json_text_at(confidence, "label"), "unsure")) {
        raw(page, "<p class=\"doubt\">dragoman was not sure of this answer.</p>\n");
    }
    for (size_t i = 0; i < json_array_size(words) && i < LIST_MOST; i++) {
        element(page,
                "<p class=\"doubt\">The answer does not use this word of the question: ",
                json_text_at(json_array_get(words, i), "word"), TITLE_MOST, "</p>\n");
    }
    json_texts_at(page->arena, page->answer, "warnings", &warnings);
    for (size_t i = 0; i < warnings.count && i < LIST_MOST; i++) {
        element(page, "<p class=\"doubt\">", warnings.items[i], TEXT_MOST, "</p>\n");
    }
    json_texts_at(page->arena, page->answer, "assumptions", &assumed);
    for (size_t i = 0; i < assumed.count && i < LIST_MOST; i++) {
        element(page, "<p class=\"note\">", assumed.items[i], TEXT_MOST, "</p>\n");
    }
}

static void write_parameters(const struct page *page)
{
    const json_t *values = json_object_at(page->answer, "parameters");
    size_t left = LIST_MOST;
    for (void *at = json_object_iter((json_t *)(uintptr_t)values); at && left;
         at = json_object_iter_next((json_t *)(uintptr_t)values, at), left--) {
        const json_t *value = json_object_iter_value(at);
        char *other = json_is_string(value)
                          ? NULL
                          : json_dumps(value, JSON_ENCODE_ANY | JSON_COMPACT);
        raw(page, "<dt>");
        text_of(page, json_object_iter_key(at), TITLE_MOST);
        element(page, "</dt><dd>", other ? other : json_string_value(value), TEXT_MOST,
                "</dd>\n");
        free(other);
    }
}

static void write_facts(const struct page *page)
{
    struct texts tables = {0};
    json_texts_at(page->arena, page->answer, "tables_used", &tables);
    raw(page, "<dl>\n");
    write_parameters(page);
    const char *source = json_text_at(page->answer, "datasource_name");
    element(page, "<dt>From</dt><dd>",
            source ? source : json_text_at(page->answer, "datasource"), TITLE_MOST,
            "</dd>\n");
    element(page, "<dt>Tables</dt><dd>", str_join(page->arena, &tables, ", "), TEXT_MOST,
            "</dd>\n");
    element(page, "<dt>Answered</dt><dd>",
            moment(page->arena, json_text_at(page->answer, "answered_at")), TITLE_MOST,
            "</dd>\n");
    raw(page, "</dl>\n");
}

static void write_answer(const struct page *page)
{
    raw(page, "<article>\n");
    if (page->several) {
        field(page, "<h2 dir=\"auto\">", "question", TEXT_MOST, "</h2>\n");
    }
    field(page, "<p class=\"sentence\" dir=\"auto\">", "text", TEXT_MOST, "</p>\n");
    write_rows(page);
    write_doubts(page);
    /* below the question, which is the heading of the page if it is the only one */
    field(page,
          page->several ? "<h3 class=\"part\">SQL</h3>\n<pre><code>"
                        : "<h2 class=\"part\">SQL</h2>\n<pre><code>",
          "sql", SQL_MOST, "</code></pre>\n");
    write_facts(page);
    raw(page, "</article>\n");
}

static void write_footer(const struct page *page, const json_t *document)
{
    raw(page, "<footer>");
    element(page, "This copy was made on ",
            moment(page->arena, json_text_at(document, "made_at")), TITLE_MOST,
            "; its rows are not updated.");
    element(page, " This link works until ",
            moment(page->arena, json_text_at(document, "expires_at")), TITLE_MOST, ".");
    raw(page, " Made with dragoman.</footer>\n");
}

void document_write(const json_t *document, struct arena *arena, struct buf *out)
{
    const json_t *answers = json_array_at(document, "answers");
    struct page page = {
        .out = out, .arena = arena, .several = json_array_size(answers) > 1};
    const char *title = json_text_at(document, "title");
    title = str_empty(title) ? "An answer" : title;
    write_head(&page, title);
    element(&page, "<h1 dir=\"auto\">", title, TEXT_MOST, "</h1>\n");
    for (size_t i = 0; i < json_array_size(answers); i++) {
        page.answer = json_array_get(answers, i);
        write_answer(&page);
    }
    write_footer(&page, document);
    write_tail(&page);
}

void document_write_notice(const char *title, const char *sentence, struct buf *out)
{
    const struct page page = {.out = out};
    write_head(&page, title);
    element(&page, "<h1>", title, TEXT_MOST, "</h1>\n");
    element(&page, "<p>", sentence, TEXT_MOST, "</p>\n");
    write_tail(&page);
}
