/* The chart of an answer, running or stored. */
#include "agent/sentence/sentence.h"
#include "base/buf.h"
#include "base/json.h"
#include "base/memory.h"
#include "base/str.h"
#include "base/writer.h"
#include "chart/draw.h"
#include "model/chart.h"
#include "service/questions/question.h"
#include "service/questions/stored.h"

enum { TEXT_MOST = 64 * 1024 * 1024 };

static bool chart_choose(const struct rows *rows, const char *kind,
                         const struct chart_wish *wish, struct chart *out,
                         struct err *err)
{
    enum chart_kind wanted = CHART_FIGURE;
    char note[CHART_NOTE_SIZE];
    if (str_empty(kind) && chart_wished(rows, wish, out, note)) {
        return true;
    }
    if (str_empty(kind)) {
        (void)err_set(err, ERR_INVALID_DATA,
                      "No chart suits this result better than a table.");
        return err_hint(err, "A chart needs numbers, and times or categories.");
    }
    if (!chart_kind_find(kind, &wanted)) {
        (void)err_set(err, ERR_USAGE, "There is no kind of chart '%.32s'.", kind);
        return err_hint(err, "Use figure, line, area, stacked, arc, bar, scatter, "
                             "multiples or share.");
    }
    return chart_as(rows, wanted, out) ||
           err_set(err, ERR_INVALID_DATA, "The result does not fit a chart of kind %s.",
                   chart_kind_name(wanted));
}

/* The wish that a stored answer was given with. */
static struct chart_wish wish_of(const json_t *answer)
{
    const json_t *chart = json_object_at(answer, "chart");
    const char *name = json_text_at(chart, "wished");
    struct chart_wish wish = {.by = json_text_at(chart, "by")};
    wish.table = str_equal(name, "table");
    wish.any = str_equal(name, "chart");
    wish.given = wish.table || wish.any || chart_kind_find(name, &wish.kind);
    return wish;
}

static char *draw(const struct rows *rows, const char *kind,
                  const struct chart_wish *wish, const char *title, struct err *err)
{
    struct chart chart = {.other_count = 0};
    if (!chart_choose(rows, kind, wish, &chart, err)) {
        return NULL;
    }
    struct buf buf;
    struct writer writer;
    buf_init(&buf, TEXT_MOST);
    writer_init(&writer, &buf);
    writer_object(&writer);
    writer_key(&writer, "chart");
    writer_object(&writer);
    writer_key_text(&writer, "kind", chart_kind_name(chart.kind));
    writer_key_text(&writer, "title", title);
    writer_key_text(&writer, "reason", chart.reason);
    writer_key(&writer, "spec");
    chart_write_spec(&chart, rows, title, &writer);
    writer_object_end(&writer);
    writer_key(&writer, "alternatives");
    writer_array(&writer);
    for (size_t i = 0; i < chart.other_count; i++) {
        writer_text(&writer, chart_kind_name(chart.others[i]));
    }
    writer_array_end(&writer);
    writer_object_end(&writer);
    return buf_take(&buf);
}

static char *paint(const struct rows *rows, const struct dgm_drawing *drawing,
                   const struct chart_wish *wish, const char *title, struct err *err)
{
    struct chart chart = {.other_count = 0};
    struct draw_words words;
    struct buf out;
    bool text = str_equal(drawing->format, "text");
    if (!text && !str_empty(drawing->format) && !str_equal(drawing->format, "svg")) {
        (void)err_set(err, ERR_USAGE, "A chart cannot be drawn as '%.32s'.",
                      drawing->format);
        (void)err_hint(err, "Use svg or text.");
        return NULL;
    }
    if (!chart_choose(rows, drawing->kind, wish, &chart, err)) {
        return NULL;
    }
    sentence_words(drawing->language, &words);
    struct draw_options options = {.title = drawing->title ? drawing->title : title,
                                   .words = &words,
                                   .width =
                                       drawing->width > 0 ? (size_t)drawing->width : 0,
                                   .ascii = drawing->ascii,
                                   .color = drawing->color};
    buf_init(&out, text ? DRAW_TEXT_MOST : DRAW_SVG_MOST);
    bool done = text ? draw_text(&chart, rows, &options, &out)
                     : draw_svg(&chart, rows, &options, &out);
    if (!done) {
        buf_release(&out);
        (void)err_set(err, ERR_RESULT_TOO_LARGE, "The chart is too large to be drawn.");
        return NULL;
    }
    return buf_take(&out);
}

/* ------------------------------------------------------------------ of answers */

/* A chart of the answer's rows: drawn, or as Vega-Lite if `drawing` is NULL. */
static char *of_answer(const struct answer *answer, const char *kind,
                       const struct dgm_drawing *drawing, struct dgm_error *error)
{
    struct err err;
    err_clear(&err);
    instance_no_error(error);
    char *text = NULL;
    if (!answer->has_rows) {
        (void)err_set(&err, ERR_INVALID_DATA, "The answer has no rows.");
    } else if (drawing) {
        text = paint(&answer->rows, drawing, &answer->wish, answer->question, &err);
    } else {
        text =
            draw(&answer->rows, kind, &answer->wish,
                 str_empty(answer->summary) ? answer->question : answer->summary, &err);
    }
    if (!text) {
        (void)instance_fail(error, &err);
    }
    return text;
}

/* The same of an answer in the store. */
static char *of_stored(struct dgm *dgm, const struct dgm_access *access,
                       const char *query_id, const char *kind,
                       const struct dgm_drawing *drawing, struct dgm_error *error)
{
    struct err err;
    struct stored stored;
    struct rows rows;
    err_clear(&err);
    instance_no_error(error);
    struct arena *arena = arena_new();
    char *text = NULL;
    if (stored_open(dgm, arena, access, query_id, &stored, &err) &&
        stored_rows(&stored, arena, &rows, &err)) {
        const char *question = json_text_at(stored.json, "question");
        struct chart_wish wish = wish_of(stored.json);
        text = drawing ? paint(&rows, drawing, &wish,
                               str_empty(question) ? stored.title : question, &err)
                       : draw(&rows, kind, &wish, stored.title, &err);
    }
    if (!text) {
        (void)instance_fail(error, &err);
    }
    arena_free(arena);
    return text;
}

static const struct dgm_drawing plain = {.format = NULL};

char *dgm_answer_chart(const struct dgm_answer *answer, const char *kind,
                       struct dgm_error *error)
{
    return of_answer(answer->answer, kind, NULL, error);
}

char *dgm_answer_draw(const struct dgm_answer *answer, const struct dgm_drawing *drawing,
                      struct dgm_error *error)
{
    return of_answer(answer->answer, NULL, drawing ? drawing : &plain, error);
}

char *dgm_chart(struct dgm *dgm, const struct dgm_access *access, const char *query_id,
                const char *kind, struct dgm_error *error)
{
    return of_stored(dgm, access, query_id, kind, NULL, error);
}

char *dgm_draw(struct dgm *dgm, const struct dgm_access *access, const char *query_id,
               const struct dgm_drawing *drawing, struct dgm_error *error)
{
    return of_stored(dgm, access, query_id, NULL, drawing ? drawing : &plain, error);
}

char *dgm_answer_chart_note(const struct dgm_answer *answer)
{
    struct chart chart;
    char note[CHART_NOTE_SIZE] = "";
    const struct answer *it = answer->answer;
    if (it->has_rows) {
        (void)chart_wished(&it->rows, &it->wish, &chart, note);
    }
    return *note ? memory_text(note) : NULL;
}
