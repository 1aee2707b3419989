/*
 * Follow-ups such as "only those in Rome", "and the average?", "sort by date": short
 * texts that change the previous query. A table of rules matches the words; each rule
 * edits the previous query's IR, which is then converted to SQL like every other reading.
 */
#ifndef DGM_PARSER_FOLLOWUP_H
#define DGM_PARSER_FOLLOWUP_H

#include <stdbool.h>

#include "parser/ir/ir.h"
#include "sql/dialect.h"

struct arena;
struct feature_schema;
struct ir_query;
struct ir_schema;
struct texts;
struct value_index;

struct followup_request {
    const struct feature_schema *schema;
    const struct value_index *index; /* or NULL */
    enum dialect dialect;
    const char *today; /* 2024-03-15 */
    const char *previous_question;
    const char *previous_sql;
    const char *question;
    bool headings; /* what is computed gets a name for people to read */
};

struct followup_reading {
    const char *sql;
    struct ir_tokens tokens;
    double confidence;  /* that this is what was meant, 0 to 1 */
    size_t size;        /* bytes of the text, without "no, I meant" before it */
    bool certain;       /* nothing else can be meant */
    bool inferred_join; /* a join rests on names, not on a key */
};

/* False if the text is a complete question, or asks for something that no rule does.
 * Everything is in the arena. */
bool followup_read(struct arena *arena, const struct followup_request *request,
                   struct followup_reading *out);

/* The query before, for followup_lost(); NULL: it cannot be read. */
struct ir_query *followup_before(struct arena *arena,
                                 const struct followup_request *request);
/* The columns of conditions of the query before that are in no way part of this one any more. */
void followup_lost(struct arena *arena, const struct ir_schema *schema,
                   struct ir_query *before, const struct ir_tokens *tokens, size_t values,
                   struct texts *out);

#endif
