/* The limits of a question; see budget.h. */
#include "agent/budget.h"

#include "base/clock.h"

void budget_start(struct budget *budget)
{
    budget->started_ms = clock_ms();
}

void budget_pause(struct budget *budget)
{
    if (budget->started_ms) {
        budget->worked_ms += clock_ms() - budget->started_ms;
        budget->started_ms = 0;
    }
}

int64_t budget_worked_ms(const struct budget *budget)
{
    int64_t now = budget->started_ms ? clock_ms() - budget->started_ms : 0;
    return budget->worked_ms + now;
}

int64_t budget_deadline_ms(const struct budget *budget, const struct options *options)
{
    return budget->started_ms + options->agent_timeout_s * 1000 - budget->worked_ms;
}

bool budget_check(const struct budget *budget, const struct options *options,
                  struct err *err)
{
    bool late = budget->started_ms ? clock_passed(budget_deadline_ms(budget, options) + 1)
                                   : budget->worked_ms > options->agent_timeout_s * 1000;
    if (late) {
        (void)err_set(err, ERR_TIMEOUT, "The question took longer than %lld seconds.",
                      (long long)options->agent_timeout_s);
        return err_hint(err, "Ask a narrower question or raise agent.timeout_s.");
    }
    if (budget->tokens > options->agent_max_tokens) {
        return err_set(err, ERR_BUDGET, "The question used more than %lld tokens.",
                       (long long)options->agent_max_tokens);
    }
    return true;
}

bool budget_allows_calls(const struct budget *budget, const struct options *options,
                         int n, struct err *err)
{
    if (budget->llm_calls + n > options->agent_max_llm_calls) {
        return err_set(err, ERR_BUDGET,
                       "The question needs more than %lld calls to the model.",
                       (long long)options->agent_max_llm_calls);
    }
    return true;
}
