/*
 * SQL as parts that people can change by clicking: figures, columns, conditions, order
 * and limit. The SQL is read into IR; each part is one node of it. A changed object is
 * untrusted: it can only name tables and columns of the schema and words of the tables
 * here. What has no form of its own can be kept or removed, by its number.
 */
#ifndef DGM_PARSER_PARTS_H
#define DGM_PARSER_PARTS_H

#include <stdbool.h>

#include "base/json.h"
#include "sql/dialect.h"

struct arena;
struct err;
struct ir_schema;
struct parts;
struct writer;

struct parts_request {
    const struct ir_schema *schema;
    enum dialect dialect;
    const char *today;    /* 2024-03-15 */
    const char *question; /* its words choose among parallel keys; may be NULL */
    const char *sql;
};

struct parts_change {
    const char *sql;
    const char *words; /* the query in plain English */
    const char *said;  /* what is different: "Changed: by country instead of by city" */
};

/* NULL and err if the SQL says what the parts cannot. Everything is in the arena; the
 * request is borrowed. */
struct parts *parts_open(struct arena *arena, const struct parts_request *request,
                         struct err *err);
/* {measures, columns, filters, order, limit}; inside an object that is open. */
void parts_write(const struct parts *parts, struct writer *writer);
/* {tables, columns}: what can be chosen, nearest first. */
void parts_write_choices(const struct parts *parts, struct writer *writer);
/* The SQL of a changed object, of the form that parts_write() writes. err names the part
 * that is wrong. */
bool parts_change(struct parts *parts, const json_t *changed, struct parts_change *out,
                  struct err *err);
/* The most frequent cells of a column ("orders.status"), as SQL; search: only those that
 * contain it, or NULL. */
bool parts_values_sql(struct parts *parts, const char *column, const char *search,
                      const char **sql, struct err *err);
/* The same for a schema alone, with no query read. */
struct parts *parts_of_schema(struct arena *arena, const struct parts_request *request);

#endif
