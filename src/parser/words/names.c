/* Names into words. */
#include "parser/words/names.h"

#include <string.h>

#include "base/str.h"
#include "knowledge/words/abbreviations.h"
#include "knowledge/words/fold.h"
#include "knowledge/words/stem.h"
#include "parser/words/tokens.h"

enum {
    SEGMENT_LEAST = 5, /* letters of a word that may be two */
    SEGMENT_MOST = 30,
    PIECES_MOST = 4,
    PIECE_COST = 2,
    AVERAGE_MOST = 7, /* a dearer split is a guess */
    NO_PIECE = 1000,
    LEARN_LEAST = 3,
};

void names_init(struct names *names)
{
    lexicon_init(&names->lexicon);
    map_init(&names->own, false);
}

void names_release(struct names *names)
{
    map_release(&names->own);
}

struct piece {
    char text[STEM_SIZE];
    size_t size;
    size_t letters; /* of the run that is not digits */
    enum fold_kind kind;
    bool upper; /* the last character was a capital */
};

static void piece_end(struct arena *arena, struct piece *piece, struct texts *out)
{
    if (piece->size && out->count < NAMES_WORDS_MAX) {
        VEC_PUSH(arena, out, arena_copy(arena, piece->text, piece->size));
    }
    *piece = (struct piece){0};
}

/* "orderId", "HTTPServer", "line2"; but "A2", "Q1" and "IDs" are one. */
static bool starts_word(const struct piece *piece, const struct fold_char *c,
                        const struct fold_char *next, const struct fold_char *after)
{
    if (piece->size == 0 || c->kind == FOLD_ALONE || piece->kind == FOLD_ALONE) {
        return piece->size > 0;
    }
    if (c->kind == FOLD_DIGIT || piece->kind == FOLD_DIGIT) {
        return c->kind != piece->kind && (piece->letters != 1 || c->kind != FOLD_DIGIT);
    }
    if (!c->upper) {
        return false;
    }
    bool plural = next->code == 's' && !next->upper && after->kind != FOLD_LETTER;
    return !piece->upper || (next->kind == FOLD_LETTER && !next->upper && !plural);
}

static void split_signs(struct arena *arena, const char *name, struct texts *out)
{
    struct piece piece = {0};
    size_t size = strlen(name);
    for (size_t at = 0; at < size;) {
        struct fold_char c;
        struct fold_char next = {0};
        struct fold_char after = {0};
        at += fold_next(name + at, size - at, &c);
        if (at < size) {
            size_t bytes = fold_next(name + at, size - at, &next);
            if (at + bytes < size) {
                (void)fold_next(name + at + bytes, size - at - bytes, &after);
            }
        }
        if (c.kind == FOLD_NOTHING) {
            continue;
        }
        bool word = c.kind != FOLD_MARK && c.kind != FOLD_SPACE;
        if (!word || starts_word(&piece, &c, &next, &after)) {
            piece_end(arena, &piece, out);
        }
        if (word && piece.size + 4 < sizeof piece.text) {
            piece.size += fold_put(piece.text + piece.size, c.code);
            piece.letters += c.kind == FOLD_LETTER;
            piece.kind = c.kind;
            piece.upper = c.upper;
        }
    }
    piece_end(arena, &piece, out);
}

void names_learn(struct names *names, const char *name)
{
    struct arena *arena = arena_new();
    struct texts words = {0};
    split_signs(arena, name, &words);
    for (size_t i = 0; i < words.count; i++) {
        if (strlen(words.items[i]) >= LEARN_LEAST) {
            (void)map_set(&names->own, words.items[i], names);
        }
    }
    arena_free(arena);
}

/* How well known the word or what it is a form of is; -1: not at all. */
static int known_weight(const struct names *names, const char *word)
{
    char bases[STEM_BASES][STEM_SIZE];
    size_t count = stem_bases(bases, word);
    int best = -1;
    for (size_t i = 0; i < count; i++) {
        int found = lexicon_find(&names->lexicon, bases[i], strlen(bases[i]));
        int weight = found < 0 ? -1 : lexicon_weight(&names->lexicon, found);
        best = weight > best ? weight : best;
    }
    return best;
}

static int piece_cost(const struct names *names, const char *word, bool last)
{
    /* the first few only at the end */
    static const char *const tiny[] = {"id", "no", "kg", "km", "cm", "mm", "dt", "nm",
                                       "of", "by", "to", "is", "in", "at", "on"};
    enum { TINY_ENDINGS = 8 };
    size_t size = strlen(word);
    if (size < 3) {
        for (size_t i = 0; i < sizeof tiny / sizeof *tiny; i++) {
            if (strcmp(word, tiny[i]) == 0) {
                return last && i < TINY_ENDINGS ? 3 : i < TINY_ENDINGS ? NO_PIECE : 6;
            }
        }
        return NO_PIECE;
    }
    if (token_is_grammar(word) && !token_is_common(word)) {
        return NO_PIECE; /* "Hispanic" is no panic of his */
    }
    int risk = size == 3 ? 2 : 0;
    if (map_has(&names->own, word)) {
        return 2 + risk;
    }
    int weight = known_weight(names, word);
    if (weight >= 2) {
        return 3 + risk;
    }
    if (abbreviation_full(word, false)) {
        return 3 + risk;
    }
    return weight == 1 ? 4 + risk : weight == 0 && size >= 5 ? 6 : NO_PIECE;
}

struct split {
    int cost;
    size_t pieces;
    size_t from;
};

/* The cheapest way to cut word[0, size) into known words, found left to right. */
static bool find_split(const struct names *names, const char *word, size_t size,
                       struct split best[SEGMENT_MOST + 1])
{
    best[0] = (struct split){0};
    for (size_t end = 1; end <= size; end++) {
        best[end] = (struct split){.cost = NO_PIECE};
        for (size_t from = 0; from < end; from++) {
            char part[SEGMENT_MOST + 1];
            if (best[from].cost >= NO_PIECE || best[from].pieces == PIECES_MOST ||
                end - from < 2 || end - from == size) {
                continue;
            }
            memcpy(part, word + from, end - from);
            part[end - from] = '\0';
            int cost =
                best[from].cost + piece_cost(names, part, end == size) + PIECE_COST;
            if (cost < best[end].cost) {
                best[end] = (struct split){cost, best[from].pieces + 1, from};
            }
        }
    }
    return best[size].cost < NO_PIECE &&
           best[size].cost <= AVERAGE_MOST * (int)best[size].pieces;
}

static bool plain_letters(const char *word)
{
    for (; *word; word++) {
        if (*word < 'a' || *word > 'z') {
            return false;
        }
    }
    return true;
}

static void add_segmented(const struct names *names, struct arena *arena,
                          const char *word, struct texts *out)
{
    struct split best[SEGMENT_MOST + 1];
    size_t size = strlen(word);
    if (size < SEGMENT_LEAST || size > SEGMENT_MOST || !plain_letters(word) ||
        known_weight(names, word) >= 0 || abbreviation_full(word, false) ||
        !find_split(names, word, size, best)) {
        VEC_PUSH(arena, out, word);
        return;
    }
    const char *parts[PIECES_MOST];
    size_t count = 0;
    for (size_t end = size; end > 0; end = best[end].from) {
        parts[count++] = arena_copy(arena, word + best[end].from, end - best[end].from);
    }
    while (count > 0) {
        VEC_PUSH(arena, out, parts[--count]);
    }
}

/* What stands for a word in this place: the same letters mean different things at the end
 * of a name. NULL: the word itself. */
static const char *full_of(const struct texts *plain, size_t index)
{
    const char *word = plain->items[index];
    bool last = index + 1 == plain->count;
    const char *next = last ? "" : plain->items[index + 1];
    if (last && index > 0 && strcmp(word, "no") == 0) {
        return "number"; /* account_no */
    }
    if (last && index > 0 && (strcmp(word, "at") == 0 || strcmp(word, "on") == 0)) {
        return "date"; /* created_at */
    }
    if (last && index > 0 && strcmp(word, "min") == 0) {
        return NULL; /* start_min: a minute */
    }
    if (strcmp(next, "name") == 0 && (strcmp(word, "l") == 0 || strcmp(word, "f") == 0)) {
        return word[0] == 'l' ? "last" : "first"; /* LName */
    }
    if (last && index > 0 && strcmp(word, "cst") == 0) {
        return "cost"; /* std_cst, but cst_no */
    }
    if (last && index > 0 && strcmp(word, "oh") == 0) {
        return "on hand"; /* qty_oh */
    }
    const char *full = abbreviation_before(word, next);
    full = full ? full : abbreviation_full(word, false);
    return full && strcmp(full, word) != 0 ? full : NULL;
}

static void add_full(struct arena *arena, const struct texts *plain, size_t index,
                     struct name_words *out)
{
    const char *full = full_of(plain, index);
    if (full) {
        out->differ = true;
        struct texts parts = {0};
        str_split(arena, full, ' ', &parts);
        for (size_t i = 0; i < parts.count; i++) {
            VEC_PUSH(arena, &out->full, parts.items[i]);
        }
    } else {
        VEC_PUSH(arena, &out->full, plain->items[index]);
    }
}

void names_split(const struct names *names, struct arena *arena, const char *name,
                 struct name_words *out)
{
    struct texts words = {0};
    *out = (struct name_words){0};
    split_signs(arena, name, &words);
    for (size_t i = 0; i < words.count; i++) {
        add_segmented(names, arena, words.items[i], &out->plain);
    }
    if (out->plain.count == 0) {
        char folded[STEM_SIZE];
        size_t size = fold_text(folded, sizeof folded, name, strlen(name));
        VEC_PUSH(arena, &out->plain, size ? arena_copy(arena, folded, size) : "_");
    }
    for (size_t i = 0; i < out->plain.count; i++) {
        add_full(arena, &out->plain, i, out);
    }
}

void names_describe(struct arena *arena, const char *comment, size_t most,
                    struct texts *out)
{
    struct tokens tokens;
    *out = (struct texts){0};
    if (str_empty(comment)) {
        return;
    }
    tokens_split(arena, comment, &tokens);
    for (size_t i = 0; i < tokens.count && out->count < most; i++) {
        const struct token *token = &tokens.items[i];
        bool repeated = token->kind != TOKEN_WORD || strlen(token->text) < 2 ||
                        (token_is_common(token->text) && !token_is_naming(token->text));
        for (size_t j = 0; j < out->count && !repeated; j++) {
            repeated = strcmp(out->items[j], token->text) == 0;
        }
        if (!repeated) {
            VEC_PUSH(arena, out, token->text);
        }
    }
}
