/* A question without the names of its databases: "Which CRM customers ordered in the
 * shop" asks for customers that ordered, once it is known which databases are meant. */
#include <ctype.h>
#include <string.h>

#include "agent/sources/crossing.h"
#include "agent/understand/intent_words.h"
#include "agent/sources/narrowing.h"
#include "base/buf.h"
#include "base/str.h"

enum { QUESTION_MOST = 64 * 1024 };

/* Without the marks around it: "(PostgreSQL)," is PostgreSQL. */
static const char *as_written(struct run *run, const char *word)
{
    while (*word && ispunct((unsigned char)*word)) {
        word++;
    }
    size_t size = strlen(word);
    while (size > 0 && ispunct((unsigned char)word[size - 1])) {
        size--;
    }
    return arena_copy(run->scratch, word, size);
}

/* The word itself: "(PostgreSQL)," is postgresql, "shop's" is shop. */
static const char *bare_word(struct run *run, const char *word)
{
    char *bare = str_lower(run->scratch, as_written(run, word));
    size_t size = strlen(bare);
    if (size > 2 && strcmp(bare + size - 2, "'s") == 0) {
        bare[size - 2] = '\0';
    }
    return bare;
}

/* Does it name a table or column, too? Then it may be meant as that. */
static bool names_more(struct run *run, const char *word)
{
    const struct schema *schema = run_schema(run);
    struct texts alone = {&word, 1, 1};
    if (intent_table_named(run->scratch, schema, &alone)) {
        return true;
    }
    for (size_t i = 0; i < schema->tables.count; i++) {
        if (table_column(&schema->tables.items[i], word)) {
            return true;
        }
    }
    return false;
}

static bool names_source(struct run *run, const char *word)
{
    bool source = narrowing_is_kind(word);
    for (size_t i = 0; i < run->sources.count && !source; i++) {
        source = str_equal_nocase(run->sources.items[i].source->id, word);
    }
    return source && *word && !names_more(run, word);
}

/* The id of the only source, or a system: "shop", "postgresql", "postgres". */
static bool names_only_source(struct run *run, const char *word)
{
    const struct datasource *source = run->sources.count ? run_datasource(run) : NULL;
    return source && *word && !names_more(run, word) &&
           (str_equal_nocase(source->id, word) || narrowing_is_kind(word));
}

/* "my PostgreSQL database" where there is none: the name is no condition either, but the
 * user may think of another database. */
static void tell_kind(struct run *run, const char *word)
{
    struct texts ids = {0};
    if (!narrowing_is_kind(word) || narrowing_has_kind(run, word)) {
        return;
    }
    for (size_t i = 0; i < run->sources.count; i++) {
        VEC_PUSH(run->scratch, &ids, run->sources.items[i].source->id);
    }
    run_warn(run, "There is no %s database here; the question is about %s.", word,
             str_join(run->scratch, &ids, ", "));
}

/* "in the", "from our": they go with the name. */
static void drop_leading(struct run *run, struct texts *kept)
{
    static const char *const articles[] = {"the", "our", "my", "this", NULL};
    static const char *const places[] = {"in",     "from", "of",   "at",
                                         "within", "on",   "into", NULL};
    if (kept->count &&
        intent_in_list(bare_word(run, kept->items[kept->count - 1]), articles)) {
        kept->count--;
    }
    if (kept->count &&
        intent_in_list(bare_word(run, kept->items[kept->count - 1]), places)) {
        kept->count--;
    }
}

/* The question mark, or the comma, behind a word that goes. */
static const char *tail_of(struct run *run, const char *word)
{
    size_t size = strlen(word);
    return size && strchr("?,;.!", word[size - 1])
               ? arena_copy(run->scratch, word + size - 1, 1)
               : "";
}

/* The table that the word is the name of, or what is done with it: "ordered" for orders.
 */
static const struct table *table_of(struct run *run, const char *word, bool *deed)
{
    const struct schema *schema = run_schema(run);
    struct texts alone = {&word, 1, 1};
    const struct table *table = intent_table_named(run->scratch, schema, &alone);
    *deed = !table;
    return table ? table : crossing_table_stem(schema, word);
}

/* "never opened a ticket" is "have no tickets": the table; NULL when it is none. */
static const struct table *never_table(struct run *run, const struct texts *words,
                                       size_t i)
{
    static const char *const articles[] = {"a", "an", "any", "one", NULL};
    bool deed = false;
    if (i + 3 >= words->count || !str_equal(bare_word(run, words->items[i]), "never") ||
        !intent_in_list(bare_word(run, words->items[i + 2]), articles)) {
        return NULL;
    }
    const struct table *table = table_of(run, bare_word(run, words->items[i + 3]), &deed);
    return deed ? NULL : table;
}

/* What was done in one database is what there is in it: "customers ordered" are those
 * that have orders. Said so, a reader of nouns understands it. */
static const char *in_nouns(struct run *run, const struct texts *words)
{
    static const char *const links[] = {"but", "and", "yet", NULL};
    struct texts said = {0};
    for (size_t i = 0; i < words->count; i++) {
        const char *word = words->items[i];
        const char *bare = bare_word(run, word);
        const char *next =
            i + 1 < words->count ? bare_word(run, words->items[i + 1]) : "";
        const struct table *none = never_table(run, words, i);
        bool deed = false;
        const struct table *table = table_of(run, bare, &deed);
        if (none) {
            bool linked =
                i > 0 && intent_in_list(bare_word(run, words->items[i - 1]), links);
            i += 3;
            word = arena_format(run->scratch, "%s %s%s", linked ? "no" : "have no",
                                none->bare_name, tail_of(run, words->items[i]));
        } else if (table && deed && str_ends(bare, "ed") && !str_equal(next, "by")) {
            word = arena_format(run->scratch, "have %s%s", table->bare_name,
                                tail_of(run, word));
        }
        VEC_PUSH(run->scratch, &said, word);
    }
    return arena_text(run->arena, str_join(run->scratch, &said, " "));
}

static const char *const after[] = {"database", "db", "system", NULL};

void crossing_systems(struct run *run, const char *text, struct texts *out)
{
    struct texts words = {0};
    str_split(run->scratch, str_squeeze(run->scratch, text), ' ', &words);
    for (size_t i = 0; i + 1 < words.count; i++) {
        const char *word = bare_word(run, words.items[i]);
        if (narrowing_is_kind(word) && !names_more(run, word) &&
            intent_in_list(bare_word(run, words.items[i + 1]), after)) {
            VEC_PUSH(run->scratch, out, word);
        }
    }
}

const char *crossing_question(struct run *run, const char *text)
{
    struct texts words = {0};
    struct texts kept = {0};
    bool across = run->sources.across != NULL;
    if (!run_schema(run) || strlen(text) > QUESTION_MOST) {
        return text;
    }
    str_split(run->scratch, str_squeeze(run->scratch, text), ' ', &words);
    for (size_t i = 0; i < words.count; i++) {
        const char *word = words.items[i];
        bool follows = i + 1 < words.count &&
                       intent_in_list(bare_word(run, words.items[i + 1]), after);
        /* of one source, only "my PostgreSQL database": a name alone may be a cell */
        if (across ? !names_source(run, bare_word(run, word))
                   : !follows || !names_only_source(run, bare_word(run, word))) {
            VEC_PUSH(run->scratch, &kept, word);
            continue;
        }
        if (follows) {
            tell_kind(run, as_written(run, word));
        }
        drop_leading(run, &kept);
        i += follows;
        const char *tail = tail_of(run, words.items[i]);
        if (*tail && kept.count) {
            kept.items[kept.count - 1] =
                arena_format(run->scratch, "%s%s", kept.items[kept.count - 1], tail);
        }
    }
    if (!kept.count || (!across && kept.count == words.count)) {
        return text;
    }
    return across ? in_nouns(run, &kept)
                  : arena_text(run->arena, str_join(run->scratch, &kept, " "));
}

const char *crossing_subject(struct run *run)
{
    const char *text = run->question.text;
    return run->sources.across ? text : crossing_question(run, text);
}
