/* A schema prepared for linking: the words of every table and column. */
#include "parser/link/linker.h"

#include <string.h>

#include "base/buf.h"
#include "base/hash.h"
#include "model/schema.h"
#include "parser/ir/ir_schema.h"
#include "parser/link/linker_state.h"
#include "knowledge/words/stem.h"

enum {
    SHOWN_MOST = 5,
    COMMENT_WORDS = 8,
    COMMENT_NAME = 4, /* a comment of so few words is another name */
    JOINED_BYTES = 512,
    PREFIX_LEAST = 3, /* columns that begin alike */
};

static uint32_t word_number(struct linker *linker, struct arena *arena, const char *text)
{
    uintptr_t known = (uintptr_t)map_get(&linker->word_numbers, text);
    if (known) {
        return (uint32_t)known - 1;
    }
    char stem[STEM_SIZE];
    size_t size = stem_word(stem, text);
    struct linker_word *word = VEC_ADD(arena, &linker->words);
    word->text = arena_text(arena, text);
    word->stem = arena_copy(arena, stem, size);
    lexicon_senses(&linker->names.lexicon, text, &word->senses);
    (void)map_set(&linker->word_numbers, text, (void *)(uintptr_t)linker->words.count);
    (void)map_set(&linker->known, text, linker);
    (void)map_set(&linker->known, stem, linker);
    return (uint32_t)linker->words.count - 1;
}

/* The hash of the stems run together: "order date" and "orderdate" are one. */
static uint64_t joined_hash(const struct texts *words)
{
    char joined[JOINED_BYTES];
    size_t used = 0;
    for (size_t i = 0; i < words->count; i++) {
        char stem[STEM_SIZE];
        size_t size = stem_word(stem, words->items[i]);
        if (used + size >= sizeof joined) {
            break;
        }
        memcpy(joined + used, stem, size);
        used += size;
    }
    return hash_of(joined, used);
}

static void add_words(struct linker *linker, struct arena *arena,
                      struct linker_item *item, const struct texts *words)
{
    for (size_t i = 0; i < words->count; i++) {
        uint32_t number = word_number(linker, arena, words->items[i]);
        bool known = false;
        for (size_t j = 0; j < item->word_count && !known; j++) {
            known = item->words[j] == number;
        }
        if (!known) {
            item->words[item->word_count++] = number;
        }
    }
}

static void show_words(struct arena *arena, struct linker_item *item,
                       const struct texts *words)
{
    for (size_t i = 0; i < words->count && item->shown.count < SHOWN_MOST; i++) {
        bool shown = false;
        for (size_t j = 0; j < item->shown.count && !shown; j++) {
            shown = strcmp(item->shown.items[j], words->items[i]) == 0;
        }
        if (!shown) {
            VEC_PUSH(arena, &item->shown, words->items[i]);
        }
    }
}

/* "employee" of "employees", when it is a word. */
static const char *singular(const struct linker *linker, struct arena *arena,
                            const char *word)
{
    char bases[STEM_BASES][STEM_SIZE];
    size_t count = stem_bases(bases, word);
    for (size_t i = 1; i < count; i++) {
        if (lexicon_find(&linker->names.lexicon, bases[i], strlen(bases[i])) >= 0) {
            return arena_text(arena, bases[i]);
        }
    }
    return word;
}

/* The word of a table's name that starts like this. */
static const char *word_starting(const struct linker *linker, struct arena *arena,
                                 const struct table *table, const char *start,
                                 size_t size)
{
    struct name_words words;
    names_split(&linker->names, arena, table->bare_name, &words);
    for (size_t i = 0; i < words.full.count; i++) {
        if (strncmp(words.full.items[i], start, size) == 0 &&
            strlen(words.full.items[i]) > size) {
            return singular(linker, arena, words.full.items[i]);
        }
    }
    return NULL;
}

/* "eid" of employee, "flno" of flight, "bname" of branch: the name of the column's own
 * table, or of one that it refers to, cut to a letter or two. */
static void write_out_initial(const struct linker *linker, struct arena *arena,
                              const struct table *table, struct name_words *words)
{
    static const char *const endings[][2] = {
        {"id", "id"}, {"no", "number"}, {"name", "name"}, {"code", "code"}};
    const char *word = words->plain.items[0];
    size_t size = strlen(word);
    for (size_t i = 0; words->plain.count == 1 && !words->differ &&
                       i < sizeof endings / sizeof *endings;
         i++) {
        size_t ending = strlen(endings[i][0]);
        size_t start = size > ending ? size - ending : 0;
        if (start < 1 || start > 2 || strcmp(word + start, endings[i][0]) != 0) {
            continue;
        }
        const char *whole = word_starting(linker, arena, table, word, start);
        for (size_t j = 0; !whole && j < table->foreign_keys.count; j++) {
            const struct foreign_key *key = &table->foreign_keys.items[j];
            const struct table *other = schema_table(linker->schema->source, key->table);
            whole = other ? word_starting(linker, arena, other, word, start) : NULL;
        }
        if (whole) {
            words->full = (struct texts){0};
            words->differ = true;
            VEC_PUSH(arena, &words->full, whole);
            VEC_PUSH(arena, &words->full, endings[i][1]);
        }
    }
}

static bool has_word(const struct texts *words, const char *word)
{
    char stem[STEM_SIZE];
    char other[STEM_SIZE];
    (void)stem_word(stem, word);
    for (size_t i = 0; i < words->count; i++) {
        (void)stem_word(other, words->items[i]);
        if (strcmp(stem, other) == 0) {
            return true;
        }
    }
    return false;
}

/* "crs" of "course": the same first letter, and only vowels left out. */
static bool is_squeezed(const char *brief, const struct texts *words)
{
    for (size_t i = 0; i < words->count && strlen(brief) > 1; i++) {
        const char *left = brief;
        const char *at = words->items[i];
        bool fits = *at == *left;
        for (; fits && *at && *left; at++) {
            if (*at == *left) {
                left++;
            } else if (!strchr("aeiou", *at)) {
                fits = false;
            }
        }
        if (fits && *left == '\0') {
            return true;
        }
    }
    return false;
}

/* The word that most columns of the table begin with, or NULL: it says nothing of one. */
static const char *common_prefix(const struct linker *linker, struct arena *arena,
                                 const struct table *table)
{
    size_t count = table->columns.count;
    const char **first = arena_array(arena, count + 1, sizeof *first);
    const char *word = NULL; /* the only one that can be the first of more than half */
    size_t lead = 0;
    for (size_t i = 0; i < count; i++) {
        struct name_words words;
        names_split(&linker->names, arena, table->columns.items[i].name, &words);
        first[i] = words.plain.count > 1 ? words.plain.items[0] : "";
        if (lead == 0) {
            word = first[i];
        }
        lead = strcmp(word, first[i]) == 0 ? lead + 1 : lead - 1;
    }
    size_t with = 0;
    for (size_t i = 0; i < count; i++) {
        with += strcmp(word, first[i]) == 0;
    }
    bool common = word && *word && with >= PREFIX_LEAST && with * 2 > count;
    return common ? word : NULL;
}

/* The columns of a table come one after the other: its prefix is looked for once. */
static bool is_prefix_of_all(struct linker *linker, struct arena *arena,
                             const struct table *table, const char *word)
{
    if (linker->prefix_table != table) {
        linker->prefix_table = table;
        linker->prefix = common_prefix(linker, arena, table);
    }
    return linker->prefix && strcmp(linker->prefix, word) == 0;
}

/* "first name" of EMP_FNAME in EMPLOYEE, "grade" of ENROLL_GRADE in ENROLL. */
static void own_names(struct linker *linker, struct arena *arena,
                      struct linker_item *item, const struct table *table,
                      const struct name_words *words)
{
    struct name_words home;
    names_split(&linker->names, arena, table->bare_name, &home);
    size_t plain = 0;
    while (plain + 1 < words->plain.count &&
           (has_word(&home.plain, words->plain.items[plain]) ||
            has_word(&home.full, words->plain.items[plain]) ||
            is_squeezed(words->plain.items[plain], &home.full))) {
        plain++;
    }
    if (plain == 0 && words->plain.count > 1 &&
        is_prefix_of_all(linker, arena, table, words->plain.items[0])) {
        plain = 1;
    }
    size_t full = 0;
    while (full + 1 < words->full.count &&
           has_word(&home.full, words->full.items[full])) {
        full++;
    }
    struct texts rest = {words->plain.items + plain, words->plain.count - plain, 0};
    if (plain) {
        item->own[item->own_count++] = joined_hash(&rest);
    }
    /* what the word left out is short for goes with it */
    size_t longer = words->full.count - words->plain.count;
    full = full || !plain ? full : plain;
    rest = (struct texts){words->full.items + full, words->full.count - full, 0};
    if (full && full < words->full.count && (words->differ || longer)) {
        item->own[item->own_count++] = joined_hash(&rest);
    }
}

/* What a dictionary says people call it: each is another name, in full. */
static void add_synonyms(struct linker *linker, struct arena *arena,
                         struct linker_item *item, const struct texts *synonyms)
{
    for (size_t i = 0; i < synonyms->count && i < SYNONYMS_MOST; i++) {
        struct name_words words;
        names_split(&linker->names, arena, synonyms->items[i], &words);
        add_words(linker, arena, item, &words.plain);
        item->joined[item->joined_count++] = joined_hash(&words.plain);
        show_words(arena, item, &words.plain);
    }
}

static void prepare_item(struct linker *linker, struct arena *arena,
                         struct linker_item *item, const char *name, const char *comment,
                         const struct texts *synonyms, const struct table *table)
{
    struct name_words words;
    struct texts described;
    names_split(&linker->names, arena, name, &words);
    names_describe(arena, comment, COMMENT_WORDS, &described);
    if (table) {
        write_out_initial(linker, arena, table, &words);
    }
    size_t most = words.plain.count + words.full.count + described.count +
                  (synonyms->count ? SYNONYMS_MOST * NAMES_WORDS_MAX : 0);
    item->words = arena_array(arena, most, sizeof *item->words);
    add_words(linker, arena, item, &words.full);
    add_words(linker, arena, item, &words.plain);
    add_words(linker, arena, item, &described);
    item->joined[item->joined_count++] = joined_hash(&words.plain);
    if (described.count && described.count <= COMMENT_NAME) {
        item->joined[item->joined_count++] = joined_hash(&described);
    }
    if (words.differ) {
        item->own[item->own_count++] = joined_hash(&words.full);
    }
    if (table) {
        own_names(linker, arena, item, table, &words);
    }
    for (size_t i = 0; i < words.full.count && item->shown.count < SHOWN_MOST; i++) {
        VEC_PUSH(arena, &item->shown, words.full.items[i]);
    }
    add_synonyms(linker, arena, item, synonyms);
    show_words(arena, item, &described);
}

static void linker_release(void *object)
{
    struct linker *linker = object;
    names_release(&linker->names);
    map_release(&linker->known);
    map_release(&linker->word_numbers);
}

struct linker *linker_new(struct arena *arena, const struct ir_schema *schema)
{
    struct linker *linker = ARENA_NEW(arena, struct linker);
    size_t tables = (size_t)schema->table_count;
    size_t columns = (size_t)schema->column_count;
    linker->schema = schema;
    names_init(&linker->names);
    map_init(&linker->known, false);
    map_init(&linker->word_numbers, false);
    arena_defer(arena, linker_release, linker);
    linker->items = arena_array(arena, tables + columns, sizeof *linker->items);
    for (size_t i = 0; i < tables; i++) {
        names_learn(&linker->names, schema->tables[i].source->bare_name);
    }
    for (size_t i = 1; i < columns; i++) {
        names_learn(&linker->names, schema->columns[i].name);
    }
    for (size_t i = 0; i < tables; i++) {
        const struct table *table = schema->tables[i].source;
        prepare_item(linker, arena, &linker->items[i], table->bare_name, table->comment,
                     &table->synonyms, NULL);
    }
    VEC_PUSH(arena, &linker->items[tables].shown, "*");
    for (size_t i = 1; i < columns; i++) {
        const struct column *column = schema->columns[i].source;
        prepare_item(linker, arena, &linker->items[tables + i], column->name,
                     column->comment, &column->synonyms,
                     schema->tables[schema->columns[i].table].source);
    }
    return linker;
}

const struct map *linker_words(const struct linker *linker)
{
    return &linker->known;
}

const struct lexicon *linker_lexicon(const struct linker *linker)
{
    return &linker->names.lexicon;
}

const struct texts *linker_item_words(const struct linker *linker, size_t item)
{
    return &linker->items[item].shown;
}
