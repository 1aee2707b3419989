/*
 * A table that refers to itself, with a condition on one of its two rows. "Who manages the most
 * technicians": those who are managed are technicians. The network asks for managers who are.
 */
#include <string.h>

#include "base/arena.h"
#include "base/str.h"
#include "base/vec.h"
#include "parser/search/mend/mend_state.h"

enum { STEM_LEAST = 4 };

/* The two rows of a table: the one with the key names the other one. */
struct pair {
    int table;
    int column;  /* the key */
    bool second; /* the second copy has it, and not the first */
    int target;
    struct ir_node *written; /* the key in the join; NULL: nobody says which it is */
    size_t source;           /* the first copy's place */
};

/* The key by which a table refers to itself; -1: none, or several. */
static int self_key(const struct ir_schema *schema, int table)
{
    int found = -1;
    for (int i = 0; i < schema->key_count; i++) {
        const struct ir_key *key = &schema->keys[i];
        if (schema->columns[key->from].table == table &&
            schema->columns[key->to].table == table) {
            if (found >= 0 || key->goes_on) {
                return -1;
            }
            found = i;
        }
    }
    return found;
}

/* The only join of the sources; false: there are several, or one of another kind. */
static bool only_join(const struct ir_query *query, struct ir_node **out)
{
    *out = NULL;
    for (size_t i = 0; i < query->sources.count; i++) {
        const struct ir_source *source = &query->sources.items[i];
        if (source->left || source->joins.count + (*out != NULL) > 1 ||
            (source->joins.count && source->joins.items[0].b)) {
            return false;
        }
        *out = source->joins.count ? source->joins.items[0].a : *out;
    }
    return true;
}

static bool find_pair(const struct mend *mend, const struct ir_query *query,
                      struct pair *out)
{
    bool first = false;
    bool second = false;
    *out = (struct pair){.table = -1};
    for (size_t i = 0; i < query->sources.count; i++) {
        const struct ir_source *source = &query->sources.items[i];
        if (source->second) {
            out->table = source->table;
        }
    }
    for (size_t i = 0; i < query->sources.count; i++) {
        const struct ir_source *source = &query->sources.items[i];
        bool own = source->table == out->table;
        second = second || (own && source->second);
        if (own && !source->second) {
            first = true;
            out->source = i;
        }
    }
    int key = first && second ? self_key(mend->schema, out->table) : -1;
    if (key < 0 || !only_join(query, &out->written)) {
        return false;
    }
    out->column = mend->schema->keys[key].from;
    out->target = mend->schema->keys[key].to;
    out->second = out->written && out->written->second;
    return !out->written || out->written->token.index == out->column;
}

/* The other one of the two names this one. */
static void turn(const struct mend *mend, struct ir_query *query, struct pair *pair)
{
    pair->second = !pair->second;
    if (pair->written) {
        pair->written->second = pair->second;
        return;
    }
    pair->written = ir_node_column(mend->arena, pair->column, pair->second);
    struct ir_join join = {pair->written, NULL};
    VEC_PUSH(mend->arena, &query->sources.items[pair->source].joins, join);
}

/* A condition `column = value` on a row of the pair. */
static bool is_test(const struct mend *mend, const struct pair *pair,
                    const struct ir_node *part)
{
    return ir_node_is(part, IR_EQUAL) && part->args.count == 2 &&
           ir_node_is_column(part->args.items[0]) &&
           mend->schema->columns[part->args.items[0]->token.index].table == pair->table &&
           mend_text(mend, part->args.items[1]);
}

static bool is_value_at(const struct mend *mend, const struct ir_node *part, size_t at)
{
    const struct tokens *words = mend->request->words;
    return at < words->count && words->items[at].kind == TOKEN_WORD &&
           ir_is_called(mend_text(mend, part->args.items[1]), words->items[at].text);
}

/* "the most technicians", "how many French actors": the value tells what is counted. */
static bool is_counted(const struct mend *mend, const struct ir_node *part)
{
    static const char *const leads[] = {"most", "fewest", "least", "many"};
    const struct tokens *words = mend->request->words;
    for (size_t i = 0; i + 1 < words->count; i++) {
        if (IS_AMONG(words->items[i].text, leads) && is_value_at(mend, part, i + 1)) {
            return true;
        }
    }
    return false;
}

/* "technicians managed by Anna", "which technicians": what is asked for. */
static bool is_asked_for(const struct mend *mend, const struct ir_node *part)
{
    static const char *const leads[] = {"which", "all", "list", "show", "the", "find"};
    const struct tokens *words = mend->request->words;
    return is_value_at(mend, part, 0) ||
           (words->count && IS_AMONG(words->items[0].text, leads) &&
            (is_value_at(mend, part, 1) ||
             (words->count > 1 && IS_AMONG(words->items[1].text, leads) &&
              is_value_at(mend, part, 2))));
}

/* "manage technicians", where the key is manager_id */
static bool is_object(const struct mend *mend, const struct pair *pair,
                      const struct ir_node *part)
{
    const char *role = mend->schema->columns[pair->column].name;
    const struct tokens *words = mend->request->words;
    for (size_t i = 1; i + 1 < words->count; i++) {
        const struct token *verb = &words->items[i];
        size_t same = 0;
        while (verb->text[same] &&
               str_starts_nocase(role + same, (char[]){verb->text[same], '\0'})) {
            same++;
        }
        size_t size = strcspn(role, "_");
        bool noun = strlen(verb->text) >= size &&
                    str_starts_nocase(role, arena_copy(mend->arena, verb->text, size)) &&
                    (!verb->text[size] || str_equal(verb->text + size, "s"));
        bool active = !noun && !str_ends(verb->text, "ed") &&
                      !str_ends(verb->text, "or") && !str_ends(verb->text, "ors");
        if (same >= STEM_LEAST && strlen(verb->text) <= same + 3 && active &&
            is_value_at(mend, part, i + 1)) {
            return true;
        }
    }
    return false;
}

/* Which copy the columns of these nodes are of; -1: of both, of none, or of another table. */
static int copy_of(const struct mend *mend, const struct pair *pair,
                   const struct ir_nodes *nodes)
{
    int found = -1;
    for (size_t i = 0; i < nodes->count; i++) {
        const struct ir_node *node = nodes->items[i];
        bool own = ir_node_is_column(node) &&
                   mend->schema->columns[node->token.index].table == pair->table;
        if (!own || (found >= 0 && found != (int)node->second)) {
            return -1;
        }
        found = node->second;
    }
    return found;
}

/* Is there another condition on this copy: "does Peter manage"? */
static bool is_taken(const struct mend *mend, const struct pair *pair,
                     struct ir_query *query, size_t except, bool copy)
{
    for (size_t i = 0; i < mend_part_count(query->where); i++) {
        const struct ir_node *part = *mend_part(&query->where, i);
        if (i != except && is_test(mend, pair, part) &&
            part->args.items[0]->second == copy) {
            return true;
        }
    }
    return false;
}

/* "The most", "the first": a query without an order misses that anyway. "Who is the manager of
 * Anna" asks for one. */
static bool asks_for_one(const struct tokens *words)
{
    static const char *const firsts[] = {"most",  "fewest", "least",
                                         "first", "last",   "top"};
    if (words->count > 1 && str_equal(words->items[1].text, "is")) {
        return true;
    }
    for (size_t i = 0; i < words->count; i++) {
        if (IS_AMONG(words->items[i].text, firsts) ||
            str_ends(words->items[i].text, "est")) {
            return true;
        }
    }
    return false;
}

/* Each of the upper ones once, however many name it. */
static bool show_once(const struct mend *mend, const struct pair *pair,
                      struct ir_query *query)
{
    int shown = copy_of(mend, pair, &query->select);
    if (asks_for_one(mend->request->words) || shown < 0 || shown == (int)pair->second ||
        query->group.count || query->distinct || query->order.count || query->limit ||
        query->set != IR_PAD) {
        return false;
    }
    VEC_PUSH(mend->arena, &query->group,
             ir_node_column(mend->arena, pair->target, shown));
    return true;
}

bool mend_side(const struct mend *mend, struct ir_query *query)
{
    struct pair pair;
    bool changed = false;
    if (query->from || !find_pair(mend, query, &pair)) {
        return false;
    }
    int group = copy_of(mend, &pair, &query->group);
    int shown = copy_of(mend, &pair, &query->select);
    for (size_t i = 0; i < mend_part_count(query->where); i++) {
        struct ir_node *part = *mend_part(&query->where, i);
        struct ir_node *column = is_test(mend, &pair, part) ? part->args.items[0] : NULL;
        if (!column) {
            continue;
        }
        bool grouped = group >= 0 && group == (int)column->second;
        bool named =
            !query->group.count && is_taken(mend, &pair, query, i, column->second);
        if (((grouped || named) && is_counted(mend, part)) ||
            (named && is_asked_for(mend, part))) {
            column->second = !column->second;
            changed = true;
        } else if (shown >= 0 && shown != (int)column->second &&
                   shown == (int)pair.second && is_object(mend, &pair, part)) {
            turn(mend, query, &pair);
            changed = true;
        }
    }
    return show_once(mend, &pair, query) || changed;
}
