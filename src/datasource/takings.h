/*
 * Adds the metric "revenue" for tables of order lines: quantity × price, less the
 * discount. So "revenue" and "sales" mean the same in every question, for parser and
 * model.
 */
#ifndef DGM_DATASOURCE_TAKINGS_H
#define DGM_DATASOURCE_TAKINGS_H

struct schema;

/*
 * Adds it if only one table qualifies and nothing else has the name: no metric of a
 * dictionary, and no column with amounts. Needs the statistics, which tell a discount of
 * 0.1 from one of 10.
 */
void takings_add(struct schema *schema);

#endif
