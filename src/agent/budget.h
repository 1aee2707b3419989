/* The limits of one question: calls, attempts, rounds and time. No other code bounds the
 * loops of the machine. */
#ifndef DGM_AGENT_BUDGET_H
#define DGM_AGENT_BUDGET_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "model/options/options.h"

struct budget {
    int sql_attempts;   /* SQL texts so far; reset by a user's answer */
    int corrections;    /* corrections by the user so far */
    int clarifications; /* clarifying questions so far */
    int llm_calls;
    int64_t tokens;
    int schema_rounds; /* how often the schema changed while the question was running */
    /* time worked before started_ms; waiting for the user is not counted */
    int64_t worked_ms;
    int64_t started_ms; /* clock_ms() when the run last started to work */
};

void budget_start(struct budget *budget); /* the run starts to work */
void budget_pause(struct budget *budget); /* the run waits for the user */
int64_t budget_worked_ms(const struct budget *budget);
int64_t budget_deadline_ms(const struct budget *budget, const struct options *options);

/* True while the question may continue; else err says which limit was reached (BUDGET,
 * TIMEOUT). */
bool budget_check(const struct budget *budget, const struct options *options,
                  struct err *err);
/* May n more calls be made? */
bool budget_allows_calls(const struct budget *budget, const struct options *options,
                         int n, struct err *err);

#endif
