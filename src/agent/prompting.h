/* Fills prompts from the run: values that every prompt file may use, and model calls. */
#ifndef DGM_AGENT_PROMPTING_H
#define DGM_AGENT_PROMPTING_H

#include "agent/stage.h"
#include "knowledge/schema/schema_text.h"
#include "prompt/template.h"

/* Values for every prompt: question, dialect, rules, today, history, details,
 * constraints, bad_reply and what the run knows so far. In run->scratch. */
struct slot *prompting_values(struct run *run);
/* Should the model write a plan before the SQL? */
bool prompting_plans(const struct run *run);
/* Adds a schema as {{{schema}}}. */
void prompting_schema(struct run *run, struct slot *values,
                      const struct schema_text *text);
/* Renders the stage's prompt and adds the call. */
bool prompting_call(struct run *run, struct stage_calls *calls, const char *stage,
                    const struct slot *values, int max_tokens, struct err *err);
/* Prompt tokens of the last call that was added. */
int prompting_tokens(const struct stage_calls *calls);

/* The chosen tables, or the whole schema before they are chosen, in at most
 * llm.context_tokens less `overhead` tokens. Stored in run->exchange.shown. */
const struct schema_text *prompting_tables(struct run *run, int overhead);
/* Adds one call with the schema of the chosen tables; most stages need no more. */
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
/* The same for text that people will read: cleaned by saying.h. */
const char *prompting_words(struct run *run, const json_t *object, const char *key);
const char *prompting_harmless(struct run *run, const char *words);

#endif
