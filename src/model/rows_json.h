/* The rows of an answer object, read back from its JSON. */
#ifndef DGM_MODEL_ROWS_JSON_H
#define DGM_MODEL_ROWS_JSON_H

#include "base/json.h"
#include "model/rows.h"

/* Uses column_types for the kinds: decimals are texts in JSON. The cells borrow from the
 * JSON. False if there are no rows. */
bool rows_read(struct rows *rows, struct arena *arena, const json_t *json);
/* Writes `incomplete` and `cut_cells` if necessary; rows are counted from 0. */
void rows_write_cut(const struct rows *rows, struct writer *writer);

#endif
