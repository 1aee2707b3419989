/* Which failures are worth another try, and after how long. */
#include "llm/provider.h"

enum { WAIT_MOST_MS = 60 * 1000, DOUBLINGS_MOST = 16 };

enum retry_kind retry_kind_of(enum err_code code, bool passing)
{
    switch (code) {
    case ERR_LLM_RATE_LIMITED:
    case ERR_LLM_UNAVAILABLE:
        return passing ? RETRY_AGAIN : RETRY_NEVER;
    case ERR_LLM_TIMEOUT:  /* waited for long already: one more chance, not three */
    case ERR_LLM_NONSENSE: /* the service, not the model, talked nonsense */
        return passing ? RETRY_ONCE : RETRY_NEVER;
    default:
        return RETRY_NEVER;
    }
}

int64_t retry_wait_ms(const struct llm_settings *settings, enum retry_kind kind,
                      int failures, int64_t retry_after_ms)
{
    int most = kind == RETRY_NEVER ? 0 : kind == RETRY_ONCE ? 1 : settings->max_retries;
    if (most > settings->max_retries) {
        most = settings->max_retries;
    }
    if (failures > most) {
        return -1;
    }
    int64_t wait = settings->retry_base_ms;
    for (int i = 1; i < failures && i < DOUBLINGS_MOST && wait < WAIT_MOST_MS; i++) {
        wait *= 2;
    }
    if (retry_after_ms >= 0) {
        wait = retry_after_ms;
    }
    return wait > WAIT_MOST_MS ? WAIT_MOST_MS : wait;
}
