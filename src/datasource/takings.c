/* Finds the table with the lines of sales, and writes its metric. */
#include "datasource/takings.h"

#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/str.h"
#include "model/schema.h"
#include "sql/dialect.h"

enum { NAME_MOST = 1024 };

static bool named(const char *name, const char *const *words)
{
    for (; *words; words++) {
        if (str_contains_nocase(name, *words)) {
            return true;
        }
    }
    return false;
}

static bool is_number(const struct column *column)
{
    static const char *const words[] = {"int", "real",  "doub",  "dec",
                                        "num", "float", "money", NULL};
    return column->type && named(column->type, words);
}

/* The one numeric column that is named so; NULL: none, or several. */
static const struct column *only(const struct table *table, const char *const *words,
                                 const char *const *but)
{
    const struct column *found = NULL;
    for (size_t i = 0; i < table->columns.count; i++) {
        const struct column *column = &table->columns.items[i];
        if (is_number(column) && named(column->name, words) &&
            !named(column->name, but) && !column->primary) {
            if (found) {
                return NULL;
            }
            found = column;
        }
    }
    return found;
}

struct lines {
    const struct table *table;
    const struct column *quantity;
    const struct column *price;
    const struct column *discount; /* or NULL */
};

/* A stock has quantities and prices, too: lines of sales belong to an order and to a
 * product, or are named after what they are. Purchases are not revenue. */
static bool read_lines(const struct table *table, struct lines *out)
{
    static const char *const quantities[] = {"quantity", "qty", "pieces", "units_sold",
                                             NULL};
    static const char *const prices[] = {"price", NULL};
    static const char *const discounts[] = {"discount", NULL};
    static const char *const no_price[] = {"list", "cost", "total", "currency", NULL};
    static const char *const no_quantity[] = {"stock",    "order_qty_min", "reorder",
                                              "returned", "_id",           NULL};
    static const char *const none[] = {NULL};
    static const char *const sales[] = {"sale", "order", "invoice", "transaction", NULL};
    static const char *const bought[] = {"purchas", "supplier", "stock", "cart",
                                         "quote",   "return",   "wish",  NULL};
    out->table = table;
    out->quantity = only(table, quantities, no_quantity);
    out->price = only(table, prices, no_price);
    out->discount = only(table, discounts, none);
    return !table->is_view && out->quantity && out->price &&
           (table->foreign_keys.count >= 2 || named(table->name, sales)) &&
           !named(table->name, bought);
}

/* A column that holds what was paid says better what is meant. */
static bool has_amount(const struct schema *schema, const struct lines *lines)
{
    static const char *const amounts[] = {"total",    "amount", "revenue", "sales",
                                          "turnover", "paid",   "income",  NULL};
    static const char *const discount[] = {"discount", "tax", "quantity", NULL};
    for (size_t i = 0; i < schema->tables.count; i++) {
        const struct table *table = &schema->tables.items[i];
        bool near = table == lines->table;
        for (size_t k = 0; k < lines->table->foreign_keys.count; k++) {
            near |=
                str_equal_nocase(lines->table->foreign_keys.items[k].table, table->name);
        }
        for (size_t k = 0; near && k < table->columns.count; k++) {
            const struct column *column = &table->columns.items[k];
            if (is_number(column) && named(column->name, amounts) &&
                !named(column->name, discount)) {
                return true;
            }
        }
    }
    return false;
}

static bool is_called_already(const struct schema *schema, const char *word)
{
    for (size_t i = 0; i < schema->tables.count; i++) {
        const struct table *table = &schema->tables.items[i];
        if (!table->is_view && str_contains_nocase(table->name, word)) {
            return true;
        }
        for (size_t k = 0; k < table->metrics.count; k++) {
            if (str_contains_nocase(table->metrics.items[k].name, word)) {
                return true;
            }
        }
        for (size_t k = 0; !table->is_view && k < table->columns.count; k++) {
            if (str_equal_nocase(table->columns.items[k].name, word)) {
                return true;
            }
        }
    }
    return false;
}

static const char *quoted(struct schema *schema, const char *name)
{
    struct buf out;
    enum dialect dialect = DIALECT_SQLITE;
    (void)dialect_find(schema->dialect, &dialect);
    buf_init(&out, NAME_MOST);
    dialect_quote(&out, dialect, name, false);
    const char *text = buf_clone(&out, schema->arena);
    buf_release(&out);
    return text;
}

/* " * (1 - discount)"; NULL: it cannot be told what the numbers mean. */
static const char *less_discount(struct schema *schema, const struct lines *lines)
{
    static const char *const percents[] = {"percent", "pct", NULL};
    static const char *const amounts[] = {"amount", "value", NULL};
    const struct column *discount = lines->discount;
    double most = 0;
    if (!discount) {
        return "";
    }
    if (discount->nullable && discount->null_share != 0) {
        return NULL; /* whether an empty one means none is not ours to say */
    }
    bool known = discount->greatest && str_to_real(discount->greatest, &most);
    const char *name = quoted(schema, discount->name);
    if (named(discount->name, amounts)) {
        return NULL; /* of each piece, or of the line? */
    }
    if (known && most <= 1) {
        return arena_format(schema->arena, " * (1 - %s)", name);
    }
    return known && most <= 100 && named(discount->name, percents)
               ? arena_format(schema->arena, " * (1 - %s / 100.0)", name)
               : NULL;
}

static void add_metric(struct schema *schema, const struct lines *lines,
                       const char *discount)
{
    struct metric metric = {
        .name = "revenue",
        .expression = arena_format(schema->arena, "SUM(%s * %s%s)",
                                   quoted(schema, lines->quantity->name),
                                   quoted(schema, lines->price->name), discount),
        .derived = true,
        .comment =
            arena_format(schema->arena, "%s × %s%s", lines->quantity->name,
                         lines->price->name, lines->discount ? " less the discount" : ""),
    };
    static const char *const words[] = {"sales", "turnover"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (!is_called_already(schema, words[i])) {
            VEC_PUSH(schema->arena, &metric.synonyms, words[i]);
        }
    }
    struct table *table = schema_table(schema, lines->table->name);
    VEC_PUSH(schema->arena, &table->metrics, metric);
}

void takings_add(struct schema *schema)
{
    struct lines found = {0};
    struct lines lines;
    for (size_t i = 0; i < schema->tables.count; i++) {
        if (read_lines(&schema->tables.items[i], &lines)) {
            if (found.table) {
                return;
            }
            found = lines;
        }
    }
    if (!found.table || is_called_already(schema, "revenue") ||
        has_amount(schema, &found)) {
        return;
    }
    const char *discount = less_discount(schema, &found);
    if (discount) {
        add_metric(schema, &found, discount);
    }
}
