/* From the notebook to prompts: the values every prompt file may use, and the calls. */
#ifndef DGM_AGENT_PROMPTING_H
#define DGM_AGENT_PROMPTING_H

#include "agent/stage.h"
#include "knowledge/schema/schema_text.h"
#include "prompt/template.h"

/* Values that every prompt knows: question, dialect, rules, today, history, details,
 * constraints, bad_reply and what the notebook holds so far. In run->scratch. */
struct slot *prompting_values(struct run *run);
/* Is a plan wanted before the SQL? */
bool prompting_plans(const struct run *run);
/* Adds a schema as {{{schema}}}. */
void prompting_schema(struct run *run, struct slot *values,
                      const struct schema_text *text);
/* Renders the stage's prompt and adds the call. */
bool prompting_call(struct run *run, struct stage_calls *calls, const char *stage,
                    const struct slot *values, int max_tokens, struct err *err);
/* Tokens of the last call added (prompt side). */
int prompting_tokens(const struct stage_calls *calls);

/* The tables the question is about, or the whole schema before they are chosen, within
 * llm.context_tokens less `overhead`. Remembered in run->exchange.shown. */
const struct schema_text *prompting_tables(struct run *run, int overhead);
/* One call with the chosen tables' schema: what most stages do. */
bool prompting_ask(struct run *run, struct stage_calls *calls, const char *stage,
                   int max_tokens, struct err *err);

/* The JSON of a reply; NULL and err when it cannot be read. */
json_t *prompting_reply(struct run *run, const struct llm_reply *reply,
                        const char *const *wanted, struct err *err);
/* Copies an array of texts (or of objects' `field`) from a reply. */
void prompting_texts(struct run *run, const json_t *array, const char *field,
                     struct texts *out);
/* A text of a reply copied to the run; NULL when absent or empty. */
const char *prompting_text(struct run *run, const json_t *object, const char *key);
/* The same of words that people will read, made harmless by saying.h. */
const char *prompting_words(struct run *run, const json_t *object, const char *key);
const char *prompting_harmless(struct run *run, const char *words);

#endif
