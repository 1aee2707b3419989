/* A schema as text, JSON or an ER diagram. */
#include "service/sources/schema_draw.h"

#include <ctype.h>
#include <string.h>

#include "base/buf.h"
#include "base/str.h"
#include "base/writer.h"
#include "model/schema.h"

static const struct foreign_key *key_of(const struct table *table,
                                        const struct column *column, size_t *part)
{
    for (size_t i = 0; i < table->foreign_keys.count; i++) {
        const struct foreign_key *key = &table->foreign_keys.items[i];
        for (size_t c = 0; c < key->columns.count; c++) {
            if (str_equal_nocase(key->columns.items[c], column->name)) {
                *part = c;
                return key;
            }
        }
    }
    return NULL;
}

/*
 * A name or sample from a database may hold anything; a terminal gets no control bytes.
 */
static void plain(struct buf *out, const char *text)
{
    for (; *text; text++) {
        (void)buf_char(out, (unsigned char)*text < 0x20 || *text == 0x7F ? ' ' : *text);
    }
}

static void synonyms(struct buf *out, const struct texts *names)
{
    for (size_t i = 0; i < names->count; i++) {
        (void)buf_text(out, i ? ", " : "; also called ");
        plain(out, names->items[i]);
    }
}

/* What a dictionary, or the database's own comment, says of a column. */
static void text_about(const struct column *column, struct buf *out)
{
    if (column->comment) {
        (void)buf_text(out, ": ");
        plain(out, column->comment);
    }
    synonyms(out, &column->synonyms);
    for (size_t i = 0; i < column->meanings.count; i++) {
        (void)buf_text(out, i ? ", " : "; ");
        plain(out, column->meanings.items[i].value);
        (void)buf_text(out, " = ");
        plain(out, column->meanings.items[i].text);
    }
}

static void text_metrics(const struct metrics *metrics, struct buf *out)
{
    for (size_t i = 0; i < metrics->count; i++) {
        const struct metric *metric = &metrics->items[i];
        (void)buf_text(out, "  metric ");
        plain(out, metric->name);
        (void)buf_text(out, " = ");
        plain(out, metric->expression);
        for (size_t j = 0; j < metric->joins.count; j++) {
            (void)buf_text(out, j ? " and " : " joining ");
            plain(out, metric->joins.items[j]);
        }
        if (metric->comment) {
            (void)buf_text(out, ": ");
            plain(out, metric->comment);
        }
        synonyms(out, &metric->synonyms);
        (void)buf_char(out, '\n');
    }
}

static void text_column(const struct table *table, const struct column *column,
                        struct buf *out)
{
    size_t part = 0;
    const struct foreign_key *key = key_of(table, column, &part);
    (void)buf_text(out, "  ");
    plain(out, column->name);
    (void)buf_char(out, ' ');
    plain(out, column->type);
    if (column->primary) {
        (void)buf_text(out, ", primary key");
    }
    if (!column->nullable && !column->primary) {
        (void)buf_text(out, ", not null");
    }
    if (key) {
        (void)buf_text(out, " -> ");
        plain(out, key->table);
        if (part < key->references.count) {
            (void)buf_char(out, '.');
            plain(out, key->references.items[part]);
        }
    }
    text_about(column, out);
    for (size_t i = 0; i < column->samples.count && i < 3; i++) {
        (void)buf_text(out, i ? ", " : "  e.g. ");
        plain(out, column->samples.items[i]);
    }
    (void)buf_char(out, '\n');
}

/* What could not be read, or what a dictionary describes and the database lacks. */
static void print_warnings(const struct schema *schema, struct buf *out)
{
    for (size_t i = 0; i < schema->warnings.count; i++) {
        (void)buf_text(out, i ? "warning: " : "\nwarning: ");
        plain(out, schema->warnings.items[i]);
        (void)buf_char(out, '\n');
    }
}

static void print_text(const struct schema *schema, struct buf *out)
{
    for (size_t i = 0; i < schema->tables.count; i++) {
        const struct table *table = &schema->tables.items[i];
        if (i) {
            (void)buf_char(out, '\n');
        }
        plain(out, table->name);
        if (table->is_view) {
            (void)buf_text(out, " (view)");
        }
        if (table->row_count >= 0) {
            (void)buf_format(out, " (%s%lld rows)",
                             table->row_count_exact ? "" : "about ",
                             (long long)table->row_count);
        }
        if (table->comment) {
            (void)buf_text(out, ": ");
            plain(out, table->comment);
        }
        synonyms(out, &table->synonyms);
        (void)buf_char(out, '\n');
        for (size_t c = 0; c < table->columns.count; c++) {
            text_column(table, &table->columns.items[c], out);
        }
        text_metrics(&table->metrics, out);
    }
    print_warnings(schema, out);
}

static void print_json(const struct schema *schema, struct buf *out)
{
    struct writer writer;
    writer_init(&writer, out);
    writer.pretty = true;
    schema_write(schema, &writer);
    (void)buf_char(out, '\n');
}

/* Mermaid takes letters, digits and _ in names. */
static void mermaid_name(struct buf *out, const char *name)
{
    for (; *name; name++) {
        (void)buf_char(out, isalnum((unsigned char)*name) ? *name : '_');
    }
}

static void print_mermaid(const struct schema *schema, struct buf *out)
{
    (void)buf_text(out, "erDiagram\n");
    for (size_t i = 0; i < schema->tables.count; i++) {
        const struct table *table = &schema->tables.items[i];
        (void)buf_text(out, "    ");
        mermaid_name(out, table->name);
        (void)buf_text(out, " {\n");
        for (size_t c = 0; c < table->columns.count; c++) {
            const struct column *column = &table->columns.items[c];
            size_t part = 0;
            (void)buf_text(out, "        ");
            mermaid_name(out, *column->type ? column->type : "any");
            (void)buf_char(out, ' ');
            mermaid_name(out, column->name);
            (void)buf_text(out, column->primary                ? " PK"
                                : key_of(table, column, &part) ? " FK"
                                                               : "");
            (void)buf_char(out, '\n');
        }
        (void)buf_text(out, "    }\n");
    }
    for (size_t i = 0; i < schema->tables.count; i++) {
        const struct table *table = &schema->tables.items[i];
        for (size_t k = 0; k < table->foreign_keys.count; k++) {
            const struct foreign_key *key = &table->foreign_keys.items[k];
            (void)buf_text(out, "    ");
            mermaid_name(out, key->table);
            (void)buf_text(out, " ||--o{ ");
            mermaid_name(out, table->name);
            (void)buf_text(out, " : ");
            mermaid_name(out, key->columns.count ? key->columns.items[0] : "key");
            (void)buf_char(out, '\n');
        }
    }
}

bool schema_draw(const struct schema *schema, const char *format, struct buf *out)
{
    static const struct {
        const char *name;
        void (*print)(const struct schema *schema, struct buf *out);
    } formats[] = {
        {"text", print_text}, {"json", print_json}, {"mermaid", print_mermaid}};
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        if (strcmp(formats[i].name, format) == 0) {
            formats[i].print(schema, out);
            return true;
        }
    }
    return false;
}
