/* Every loop of the machine is bounded here, and nowhere else. */
#ifndef DGM_AGENT_BUDGET_H
#define DGM_AGENT_BUDGET_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "model/options/options.h"

struct budget {
    int sql_attempts;   /* SQL texts so far; starts anew after a user's answer */
    int corrections;    /* user's corrections taken */
    int clarifications; /* questions back */
    int llm_calls;
    int64_t tokens;
    int schema_rounds;  /* times the schema changed under the question */
    int64_t worked_ms;  /* before the present stretch of work; waiting does not count */
    int64_t started_ms; /* clock_ms() of the present stretch */
};

void budget_start(struct budget *budget); /* a stretch of work begins */
void budget_pause(struct budget *budget); /* it waits for its user */
int64_t budget_worked_ms(const struct budget *budget);
int64_t budget_deadline_ms(const struct budget *budget, const struct options *options);

/* True while the question may go on; else err says what is used up (BUDGET, TIMEOUT). */
bool budget_check(const struct budget *budget, const struct options *options,
                  struct err *err);
/* May n more calls be made? */
bool budget_allows_calls(const struct budget *budget, const struct options *options,
                         int n, struct err *err);

#endif
