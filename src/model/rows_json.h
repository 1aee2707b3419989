/* The rows of an answer object, read back from its JSON. */
#ifndef DGM_MODEL_ROWS_JSON_H
#define DGM_MODEL_ROWS_JSON_H

#include "base/json.h"
#include "model/rows.h"

/* With the kinds that column_types tell: decimals are texts in JSON. The cells borrow
 * from the JSON. False when it has no rows. */
bool rows_read(struct rows *rows, struct arena *arena, const json_t *json);
/* `incomplete` and `cut_cells`, where there is something to say; rows count from 0. */
void rows_write_cut(const struct rows *rows, struct writer *writer);

#endif
