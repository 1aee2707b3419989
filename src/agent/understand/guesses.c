/* How tables may belong together where no key says it, for a prompt. */
#include "agent/understand/guesses.h"

#include "agent/understand/understanding.h"
#include "knowledge/keys/join_hint.h"
#include "knowledge/schema/schema_cache.h"
#include "prompt/template.h"

enum {
    WHOLE_TABLES_MOST = 150, /* tables whose columns are compared, once per schema */
    TABLES_MOST = 60,        /* the same for one question */
    KEPT_MOST = 200,
    GUESSES_MOST = 12,
};

/* Every column is compared with every key: once per schema, not once per question. */
static const void *make_guesses(struct arena *arena, const struct schema *schema)
{
    struct join_guesses *guesses = ARENA_NEW(arena, struct join_guesses);
    const struct table *tables[WHOLE_TABLES_MOST];
    for (size_t i = 0; i < schema->tables.count; i++) {
        tables[i] = &schema->tables.items[i];
    }
    join_hint_all(arena, tables, schema->tables.count, KEPT_MOST, guesses);
    return guesses;
}

static const struct join_guesses *find_guesses(struct run *run,
                                               const struct schema_text *text)
{
    size_t count = text->tables.count;
    struct join_guesses *guesses = ARENA_NEW(run->scratch, struct join_guesses);
    if (count > 1 && count <= WHOLE_TABLES_MOST &&
        count == run_schema(run)->tables.count) {
        const struct join_guesses *all = schema_cache_made(
            run->agent->schemas, run->scratch, run_schema(run), make_guesses);
        if (all->count <= GUESSES_MOST) {
            return all;
        }
        size_t ranked = 0;
        const struct table **tables = understanding_ranked(run, count, &ranked);
        join_hint_pick(run->scratch, all, tables, ranked, GUESSES_MOST, guesses);
    } else if (count > 1 && count <= TABLES_MOST) {
        join_hint_all(run->scratch, text->tables.items, count, GUESSES_MOST, guesses);
    }
    return guesses;
}

bool guesses_put(struct run *run, struct slot *values, const struct schema_text *text)
{
    const struct join_guesses *guesses = find_guesses(run, text);
    for (size_t i = 0; i < guesses->count; i++) {
        slot_item_text(run->scratch, values, "guesses",
                       join_guess_condition(run->scratch, &guesses->items[i]));
    }
    slot_flag(run->scratch, values, "has_guesses", guesses->count > 0);
    return guesses->count > 0;
}
