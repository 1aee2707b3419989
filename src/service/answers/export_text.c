/* Exports to CSV and JSON. */
#include <string.h>

#include "base/csv.h"
#include "base/writer.h"
#include "service/answers/export.h"

/* As on a page, except that bytes are not shortened. */
static void print_cell(struct buf *out, const struct value *value)
{
    if (value->kind == VALUE_BLOB) {
        (void)buf_hex(out, value->text.data, value->text.size);
    } else {
        value_show(out, value);
    }
}

static bool csv_begin(struct exporter *exporter, struct err *err)
{
    for (size_t i = 0; i < exporter->count; i++) {
        const char *name = exporter->columns[i].name;
        (void)buf_text(&exporter->out, i ? "," : "");
        (void)csv_add(&exporter->out, name, strlen(name));
    }
    (void)buf_text(&exporter->out, "\r\n");
    return export_flush(exporter, false, err);
}

static bool csv_row(struct exporter *exporter, const struct value *cells, struct err *err)
{
    struct buf text;
    buf_init(&text, exporter->out.ceiling);
    for (size_t i = 0; i < exporter->count; i++) {
        (void)buf_text(&exporter->out, i ? "," : "");
        if (cells[i].kind != VALUE_NULL) {
            buf_clear(&text);
            print_cell(&text, &cells[i]);
            (void)csv_add(&exporter->out, buf_get(&text), text.size);
        }
    }
    buf_release(&text);
    (void)buf_text(&exporter->out, "\r\n");
    return export_flush(exporter, false, err);
}

static bool text_end(struct exporter *exporter, bool good, struct err *err)
{
    return !good || export_flush(exporter, true, err);
}

const struct export_format export_csv = {.name = "csv",
                                         .type =
                                             "text/csv; charset=utf-8; header=present",
                                         .begin = csv_begin,
                                         .row = csv_row,
                                         .end = text_end};

static bool json_begin(struct exporter *exporter, struct err *err)
{
    (void)buf_text(&exporter->out, "[");
    return export_flush(exporter, false, err);
}

/* One object a row: every column is there, under a name of its own. */
static bool json_row(struct exporter *exporter, const struct value *cells,
                     struct err *err)
{
    struct writer writer;
    (void)buf_text(&exporter->out, exporter->rows ? ",\n" : "\n");
    writer_init(&writer, &exporter->out);
    writer_object(&writer);
    for (size_t i = 0; i < exporter->count; i++) {
        writer_key(&writer, exporter->names[i]);
        value_show_json(&writer, &cells[i]);
    }
    writer_object_end(&writer);
    return export_flush(exporter, false, err);
}

static bool json_end(struct exporter *exporter, bool good, struct err *err)
{
    (void)buf_text(&exporter->out, "\n]\n");
    return text_end(exporter, good, err);
}

const struct export_format export_json = {.name = "json",
                                          .type = "application/json",
                                          .begin = json_begin,
                                          .row = json_row,
                                          .end = json_end};
