/* The suite's statements as ClickHouse wants them. */
#ifndef DGM_TESTS_CLICKHOUSE_SCRIPT_H
#define DGM_TESTS_CLICKHOUSE_SCRIPT_H

#include "base/vec.h"

void clickhouse_script(struct arena *arena, const char *sql, struct texts *out);

#endif
