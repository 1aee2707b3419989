/* The fixed half of PostgreSQL's vocabulary. */
#ifndef DGM_TESTS_ORACLE_POSTGRES_WORDS_H
#define DGM_TESTS_ORACLE_POSTGRES_WORDS_H

#include "vocabulary.h"

extern const struct kind postgres_kinds[];
extern const int postgres_kind_count;
extern const struct table_words postgres_tables[];
extern const size_t postgres_table_count;
extern const size_t postgres_own_table_count; /* the last ones: read with own types */

#endif
