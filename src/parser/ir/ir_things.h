/* What the tables of a schema stand for: their names as words, their amounts, and what belongs to
 * what. */
#ifndef DGM_PARSER_IR_THINGS_H
#define DGM_PARSER_IR_THINGS_H

#include <stdbool.h>

struct ir_schema;

/* "bikes" and "bike" for "bikes", "bike" for "bike"; "companies" for "company" */
bool ir_is_called(const char *table, const char *word);
/* The first table that is called so; -1: none. */
int ir_table_called(const struct ir_schema *schema, const char *word);
/* The name of a table, without that of its namespace. */
const char *ir_table_name(const struct ir_schema *schema, int table);
/* The only amount of money of a table: `total` of invoices; 0: none, or several. */
int ir_amount_of(const struct ir_schema *schema, int table);
/* Is there one row of `to` for each row of `from`? Also over other tables, and itself. */
bool ir_leads_to(const struct ir_schema *schema, int from, int to);

#endif
