/*
 * What lines of sales bring in: quantity × price, less the discount. "Revenue" and
 * "sales" then mean the same in every question about a database, in both brains.
 */
#ifndef DGM_DATASOURCE_TAKINGS_H
#define DGM_DATASOURCE_TAKINGS_H

struct schema;

/* Adds the metric "revenue" where one table alone can mean it, and nothing else is called
 * so: no dictionary's metric, and no column with an amount of its own. Needs the
 * statistics: they tell a discount of 0.1 from one of 10. */
void takings_add(struct schema *schema);

#endif
