/* The claims of a sign-in that the conditions of a policy ask for: {claim.NAME}. */
#include <ctype.h>
#include <string.h>

#include "base/str.h"
#include "model/policy.h"

enum { NAME_MOST = 128 };

bool policy_claim_at(const char *condition, size_t *at, const char **name, size_t *size)
{
    static const char begin[] = "{claim.";
    for (const char *from = condition + *at; (from = strstr(from, begin)); from++) {
        const char *first = from + sizeof begin - 1;
        size_t length = 0;
        while (isalnum((unsigned char)first[length]) ||
               (first[length] && strchr("_-.:/", first[length]))) {
            length++;
        }
        if (length > 0 && length <= NAME_MOST && first[length] == '}') {
            *at = (size_t)(from - condition);
            *name = first;
            *size = length;
            return true;
        }
    }
    return false;
}

static void add_once(struct arena *arena, struct texts *out, const char *name)
{
    for (size_t i = 0; i < out->count; i++) {
        if (str_equal(out->items[i], name)) {
            return;
        }
    }
    VEC_PUSH(arena, out, name);
}

static void add_claims(const struct policy *policy, struct arena *arena,
                       struct texts *out)
{
    for (size_t i = 0; i < policy->filters.count; i++) {
        const char *condition = policy->filters.items[i].predicate;
        const char *name = NULL;
        size_t size = 0;
        for (size_t at = 0; policy_claim_at(condition, &at, &name, &size); at++) {
            add_once(arena, out, arena_copy(arena, name, size));
        }
    }
}

void policy_claims_of(const struct policy *policy, struct arena *arena, struct texts *out)
{
    for (; policy; policy = policy->outer) {
        add_claims(policy, arena, out);
    }
}

void policy_claims_within(const struct policy *policy, struct arena *arena,
                          struct texts *out)
{
    if (!policy) {
        return;
    }
    add_claims(policy, arena, out);
    for (size_t i = 0; i < policy->accounts.count; i++) {
        add_claims(policy->accounts.items[i].policy, arena, out);
    }
    for (size_t i = 0; i < policy->roles.count; i++) {
        add_claims(policy->roles.items[i].policy, arena, out);
    }
}
