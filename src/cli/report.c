/* Errors, warnings and notes for people, on standard error; as JSON when that was asked
 * for. */
#include "cli/report.h"

#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/str.h"
#include "base/utf8.h"
#include "base/writer.h"
#include "cli/clean.h"
#include "cli/cli.h"

enum { JSON_CEILING = 1 << 16, INDENT = 2 };

void report_convert(const struct err *err, struct dgm_error *error)
{
    (void)snprintf(error->code, sizeof error->code, "%s", err_name(err->code));
    error->exit_status = err_exit_status(err->code);
    error->http_status = err_http_status(err->code);
    error->retryable = err_retryable(err->code);
    error->position = err->position;
    (void)snprintf(error->message, sizeof error->message, "%s", err->message);
    (void)snprintf(error->detail, sizeof error->detail, "%s", err->detail);
    (void)snprintf(error->hint, sizeof error->hint, "%s", err->hint);
}

static const char *not_empty(const char *text)
{
    return str_empty(text) ? NULL : text;
}

static void print_json(struct cli *cli, const struct dgm_error *error)
{
    struct buf buf;
    struct writer writer;
    buf_init(&buf, JSON_CEILING);
    writer_init(&writer, &buf);
    writer_object(&writer);
    writer_key_text(&writer, "status", "failed");
    writer_key(&writer, "error");
    writer_object(&writer);
    writer_key_text(&writer, "code", error->code);
    writer_key_text(&writer, "message", error->message);
    writer_key_text(&writer, "detail", not_empty(error->detail));
    writer_key_text(&writer, "hint", not_empty(error->hint));
    writer_object_end(&writer);
    writer_object_end(&writer);
    out_add(&cli->out, buf_get(&buf), buf.size);
    out_text(&cli->out, "\n");
    buf_release(&buf);
}

/* Every line of a detail is indented, so that it stays one block with its error. */
static void print_indented(struct out *out, const char *text)
{
    while (*text) {
        size_t size = strcspn(text, "\n");
        char line[1024];
        (void)snprintf(line, sizeof line, "%.*s", (int)size, text);
        out_text(out, "  ");
        out_foreign(out, line);
        out_text(out, "\n");
        text += size + (text[size] == '\n');
    }
}

void report_print(struct cli *cli, const struct dgm_error *error)
{
    struct out *out = &cli->err;
    out_flush(&cli->out); /* what came before stays before */
    out_shade(out, SHADE_RED);
    out_text(out, "error: ");
    out_shade(out, SHADE_PLAIN);
    out_foreign(out, error->message);
    out_text(out, "\n");
    print_indented(out, error->detail);
    if (not_empty(error->hint)) {
        out_shade(out, SHADE_CYAN);
        out_text(out, "  hint: ");
        out_shade(out, SHADE_PLAIN);
        out_foreign(out, error->hint);
        out_text(out, "\n");
    }
    out_flush(out);
}

int report_error(struct cli *cli, const struct dgm_error *error)
{
    if (cli->json) {
        print_json(cli, error);
    } else {
        report_print(cli, error);
    }
    return error->exit_status > 0 ? error->exit_status : 1;
}

int report_err(struct cli *cli, const struct err *err)
{
    struct dgm_error error;
    report_convert(err, &error);
    return report_error(cli, &error);
}

static void print_note(struct cli *cli, enum shade shade, const char *prefix,
                       const char *text)
{
    if (cli->quiet || cli->json || str_empty(text)) {
        return;
    }
    struct out *out = &cli->err;
    out_flush(&cli->out);
    out_shade(out, shade);
    out_text(out, prefix);
    if (shade != SHADE_DIM) {
        out_shade(out, SHADE_PLAIN);
    }
    out_foreign(out, text);
    if (shade == SHADE_DIM) {
        out_shade(out, SHADE_PLAIN);
    }
    out_text(out, "\n");
    out_flush(out);
}

void report_warning(struct cli *cli, const char *text)
{
    print_note(cli, SHADE_YELLOW, "warning: ", text);
}

void report_note(struct cli *cli, const char *text)
{
    print_note(cli, SHADE_DIM, "", text);
}

/* How far the line must be cut at its left so that the caret is still on the screen. */
static size_t first_shown(const char *line, size_t before, size_t width)
{
    size_t from = 0;
    while (width && before - from > width * 3 / 4) {
        uint32_t code = 0;
        from += utf8_next(line + from, before - from, &code);
    }
    return from;
}

void report_caret(struct out *out, const char *sql, int position)
{
    size_t size = sql ? strlen(sql) : 0;
    if (position < 0 || (size_t)position > size) {
        return;
    }
    size_t at = (size_t)position;
    size_t start = at;
    while (start && sql[start - 1] != '\n') {
        start--;
    }
    size_t end = start + strcspn(sql + start, "\n");
    size_t width = out->width > INDENT ? out->width - INDENT : 78;
    size_t from = start + first_shown(sql + start, at - start, width);
    struct arena *arena = arena_new();
    size_t before = 0;
    size_t after = 0;
    const char *left =
        clean_text(arena, sql + from, at - from, CLEAN_ONE_LINE, out->utf8, &before);
    const char *right =
        clean_text(arena, sql + at, end - at, CLEAN_ONE_LINE, out->utf8, &after);
    size_t columns = utf8_columns(left, before);
    size_t room = width > columns ? width - columns : 0;
    out_repeat(out, " ", INDENT);
    out_add(out, left, before);
    out_add(out, right, utf8_cut(right, after, room));
    out_text(out, "\n");
    out_repeat(out, " ", INDENT + columns);
    out_shade(out, SHADE_RED);
    out_text(out, "^");
    out_shade(out, SHADE_PLAIN);
    out_text(out, "\n");
    arena_free(arena);
}
