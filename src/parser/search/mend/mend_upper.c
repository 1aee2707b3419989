/*
 * A table that refers to itself: "actors who are mentors", "patrons who referred someone" are
 * those that other rows name. The network takes those that name another one.
 */
#include <string.h>

#include "base/arena.h"
#include "base/str.h"
#include "base/vec.h"
#include "parser/search/mend/mend_state.h"

enum { STEM_LEAST = 4 };

/* The column that the self reference `column` leads to; -1: it is none. */
static int target_of(const struct ir_schema *schema, int column)
{
    for (int i = 0; i < schema->key_count; i++) {
        const struct ir_key *key = &schema->keys[i];
        if (key->from == column && !key->goes_on &&
            schema->columns[key->to].table == schema->columns[column].table) {
            return key->to;
        }
    }
    return -1;
}

/* "supervise" and supervisor: the first letters are the same, all but the ending. */
static bool is_akin(const char *word, const char *role, size_t size)
{
    size_t same = 0;
    while (same < size && word[same] == role[same]) {
        same++;
    }
    return same >= STEM_LEAST && same + 3 >= size && same + 4 >= strlen(word);
}

static bool is_plural(const char *word, const char *role, size_t size)
{
    return strlen(word) == size + 1 && strncmp(word, role, size) == 0 &&
           word[size] == 's';
}

/* "someone", "nobody", "no one", "a member": whom the verb before it is about. */
static bool is_whom(const struct tokens *words, size_t at, const char *table)
{
    static const char *const whom[] = {"someone", "somebody", "anyone", "anybody",
                                       "others",  "another",  "other",  "people",
                                       "nobody",  "noone"};
    static const char *const leads[] = {"a", "an", "any", "no", "one", "single"};
    if (at < words->count && IS_AMONG(words->items[at].text, whom)) {
        return true;
    }
    size_t noun = at;
    while (noun < words->count && IS_AMONG(words->items[noun].text, leads)) {
        noun++;
    }
    if (noun == at) {
        return false; /* "referred members" are the other side */
    }
    return str_equal(words->items[noun - 1].text, "one") ||
           (noun < words->count && (ir_is_called(table, words->items[noun].text) ||
                                    IS_AMONG(words->items[noun].text, whom)));
}

/* "referred someone": the verb in the active voice. "Was referred by someone" is the other side. */
static bool acts_at(const struct tokens *words, size_t at, const char *role, size_t size,
                    const char *table)
{
    static const char *const passive[] = {"was", "were", "is", "are", "been", "be"};
    return at > 0 && is_akin(words->items[at].text, role, size) &&
           is_whom(words, at + 1, table) && !IS_AMONG(words->items[at - 1].text, passive);
}

/* "referrers" for referred_by: who does it. */
static bool is_doer(struct arena *arena, const char *word, const char *column,
                    size_t size)
{
    size_t length = strlen(word);
    length -= length > 1 && word[length - 1] == 's';
    const char *one = arena_copy(arena, word, length);
    return str_ends(column, "by") && (str_ends(one, "er") || str_ends(one, "or")) &&
           is_akin(one, column, size);
}

/* "are also mentors" */
static bool is_at(struct arena *arena, const struct tokens *words, size_t at,
                  const char *role, size_t size)
{
    static const char *const be[] = {"are", "is", "were", "was", "been"};
    static const char *const between[] = {"also",  "themselves", "not", "a",
                                          "never", "ever",       "an"};
    size_t verb = at;
    while (verb > 0 && IS_AMONG(words->items[verb - 1].text, between)) {
        verb--;
    }
    bool noun = is_plural(words->items[at].text, role, size) ||
                (strlen(words->items[at].text) == size &&
                 strncmp(words->items[at].text, role, size) == 0) ||
                is_doer(arena, words->items[at].text, role, size);
    bool ends = at + 1 == words->count || words->items[at + 1].kind == TOKEN_MARK;
    return noun && ends && verb > 0 && IS_AMONG(words->items[verb - 1].text, be);
}

static bool asks_upper(const struct mend *mend, const char *column, const char *table)
{
    const struct tokens *words = mend->request->words;
    size_t size = strcspn(column, "_");
    for (size_t i = 0; i < words->count; i++) {
        if (acts_at(words, i, column, size, table) ||
            is_at(mend->arena, words, i, column, size)) {
            return true;
        }
    }
    return false;
}

static bool denies(const struct tokens *words)
{
    static const char *const nots[] = {"not",     "never", "no",     "t",      "didnt",
                                       "without", "dont",  "havent", "nobody", "noone"};
    for (size_t i = 0; i < words->count; i++) {
        if (IS_AMONG(words->items[i].text, nots)) {
            return true;
        }
    }
    return false;
}

bool mend_upper(const struct mend *mend, struct ir_query *query)
{
    if (query->sources.count > 1) {
        return false;
    }
    for (size_t i = 0; i < mend_part_count(query->where); i++) {
        struct ir_node **part = mend_part(&query->where, i);
        struct ir_node *key = (*part)->args.count ? (*part)->args.items[0] : NULL;
        bool tests = ir_node_is(*part, IR_NOT_NULL) || ir_node_is(*part, IR_IS_NULL);
        if (!tests || !ir_node_is_column(key) || key->second || key->outer) {
            continue;
        }
        int to = target_of(mend->schema, key->token.index);
        const char *name = mend->schema->columns[key->token.index].name;
        if (to < 0 ||
            !asks_upper(mend, str_lower(mend->arena, name),
                        ir_table_name(mend->schema, mend->schema->columns[to].table))) {
            continue;
        }
        struct ir_query *named = arena_array(mend->arena, 1, sizeof *named);
        named->set = IR_PAD;
        VEC_PUSH(mend->arena, &named->sources,
                 ((struct ir_source){.table = mend->schema->columns[to].table}));
        VEC_PUSH(mend->arena, &named->select,
                 ir_node_column(mend->arena, key->token.index, false));
        named->where =
            ir_node_call(mend->arena, IR_NOT_NULL,
                         ir_node_column(mend->arena, key->token.index, false), NULL);
        enum ir_keyword in = denies(mend->request->words) ? IR_NOT_IN : IR_IN;
        *part = ir_node_call(mend->arena, in, ir_node_column(mend->arena, to, false),
                             ir_node_query(mend->arena, named));
        return true;
    }
    return false;
}
