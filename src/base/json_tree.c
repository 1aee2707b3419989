/* JSON into nodes of an arena: one pass, one buffer for every text. */
#include "base/json_tree.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/json.h"
#include "base/str.h"
#include "base/utf8.h"
#include "base/vec.h"

enum {
    DEEPEST = JSON_PARSER_MAX_DEPTH, /* as json_parse */
    LARGEST = 1 << 30,               /* bytes; so that a count fits */
    NODES_AT_ONCE = 512,
    BYTES_OF_NODE =
        16,        /* bytes of text per node: the first guess for the number of nodes */
    FEW_KEYS = 32, /* compared one by one; more are sorted */
    PLAIN_DIGITS = 15,   /* as many always fit a double exactly */
    LONGEST_NUMBER = 18, /* digits that always fit an int64_t */
};

struct reader {
    const char *at;
    const char *end;
    char *text; /* where the next decoded text goes: never more than the JSON has */
    struct arena *arena;
    struct json_tree *spare;
    size_t spare_count;
    size_t at_once; /* nodes that are asked of the arena together */
    int depth;
};

static struct json_tree *reader_node(struct reader *reader)
{
    if (reader->spare_count == 0) {
        reader->spare =
            arena_array(reader->arena, reader->at_once, sizeof(struct json_tree));
        reader->spare_count = reader->at_once;
    }
    reader->spare_count--;
    return reader->spare++;
}

/* The next character that is not white space, not taken; NUL at the end, where a NUL in
 * the text is as wrong. */
static char reader_look(struct reader *reader)
{
    while (reader->at < reader->end) {
        char c = *reader->at;
        if (c != ' ' && c != '\n' && c != '\t' && c != '\r') {
            return c;
        }
        reader->at++;
    }
    return '\0';
}

static bool reader_take(struct reader *reader, char wanted)
{
    bool there = reader_look(reader) == wanted && reader->at < reader->end;
    reader->at += there;
    return there;
}

/* ------------------------------------------------------------------ texts */

static bool read_hex(struct reader *reader, uint32_t *code)
{
    if (reader->end - reader->at < 4) {
        return false;
    }
    *code = 0;
    for (int i = 0; i < 4; i++) {
        int digit = str_hex_digit(*reader->at++);
        if (digit < 0) {
            return false;
        }
        *code = *code << 4 | (uint32_t)digit;
    }
    return true;
}

static char *put_utf8(char *out, uint32_t code)
{
    static const unsigned char lead[] = {0, 0, 0xC0, 0xE0, 0xF0};
    int length = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    for (int i = length - 1; i > 0; i--) {
        out[i] = (char)(0x80 | (code & 0x3F));
        code >>= 6;
    }
    out[0] = (char)(lead[length] | code);
    return out + length;
}

/* After "\u". No NUL, which would end the text, and no half of a pair. */
static char *read_code(struct reader *reader, char *out)
{
    uint32_t code = 0;
    uint32_t low = 0;
    if (!read_hex(reader, &code) || code == 0 || (code >= 0xDC00 && code <= 0xDFFF)) {
        return NULL;
    }
    if (code >= 0xD800 && code <= 0xDBFF) {
        if (reader->end - reader->at < 2 || reader->at[0] != '\\' ||
            reader->at[1] != 'u') {
            return NULL;
        }
        reader->at += 2;
        if (!read_hex(reader, &low) || low < 0xDC00 || low > 0xDFFF) {
            return NULL;
        }
        code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
    }
    return put_utf8(out, code);
}

/* After the backslash. Where the next character goes; NULL when it is no escape. */
static char *read_escape(struct reader *reader, char *out)
{
    static const char from[] = "\"\\/bfnrt";
    static const char to[] = "\"\\/\b\f\n\r\t";
    if (reader->at == reader->end) {
        return NULL;
    }
    char c = *reader->at++;
    if (c == 'u') {
        return read_code(reader, out);
    }
    const char *found = memchr(from, c, sizeof from - 1);
    if (!found) {
        return NULL;
    }
    *out = to[found - from];
    return out + 1;
}

/* One character beyond ASCII. */
static char *read_wide(struct reader *reader, char *out)
{
    uint32_t code = 0;
    size_t length = utf8_next(reader->at, (size_t)(reader->end - reader->at), &code);
    if (length < 2) {
        return NULL;
    }
    memcpy(out, reader->at, length);
    reader->at += length;
    return out + length;
}

/* After the opening quote. NULL when it is not closed or holds what it may not. */
static const char *read_text(struct reader *reader)
{
    const char *begin = reader->text;
    char *out = reader->text;
    while (reader->at < reader->end) {
        unsigned char c = (unsigned char)*reader->at;
        if (c == '"') {
            reader->at++;
            *out = '\0';
            reader->text = out + 1;
            return begin;
        }
        if (c >= 0x20 && c < 0x80 && c != '\\') {
            *out++ = (char)c;
            reader->at++;
            continue;
        }
        if (c < 0x20) {
            return NULL;
        }
        reader->at += c == '\\';
        out = c == '\\' ? read_escape(reader, out) : read_wide(reader, out);
        if (!out) {
            return NULL;
        }
    }
    return NULL;
}

/* ------------------------------------------------------------------ numbers */

static size_t skip_digits(struct reader *reader)
{
    const char *begin = reader->at;
    while (reader->at < reader->end && *reader->at >= '0' && *reader->at <= '9') {
        reader->at++;
    }
    return (size_t)(reader->at - begin);
}

static bool reader_next_is(const struct reader *reader, char a, char b)
{
    return reader->at < reader->end && (*reader->at == a || *reader->at == b);
}

/* The long and the rare ones: rounding and limits are jansson's. */
static bool read_rare_number(const char *begin, size_t size, struct json_tree *node)
{
    json_t *value = json_loadb(begin, size, JSON_DECODE_ANY, NULL);
    bool real = json_is_real(value);
    bool good = real || json_is_integer(value);
    node->kind = real ? JSON_TREE_REAL : JSON_TREE_INTEGER;
    if (real) {
        node->as.real = json_real_value(value);
    } else if (good) {
        node->as.integer = json_integer_value(value);
    }
    json_decref(value);
    return good;
}

static int64_t digits_value(const char *begin, const char *end)
{
    int64_t value = 0;
    for (const char *at = begin; at < end; at++) {
        value = *at == '.' ? value : value * 10 + (*at - '0');
    }
    return value;
}

static bool read_number(struct reader *reader, struct json_tree *node)
{
    static const double powers[PLAIN_DIGITS + 1] = {1,    1e1,  1e2,  1e3, 1e4,  1e5,
                                                    1e6,  1e7,  1e8,  1e9, 1e10, 1e11,
                                                    1e12, 1e13, 1e14, 1e15};
    const char *begin = reader->at;
    bool negative = *begin == '-';
    reader->at += negative;
    const char *digits = reader->at;
    size_t whole = skip_digits(reader);
    size_t part = 0;
    bool rare = false;
    if (whole == 0 || (whole > 1 && *digits == '0')) {
        return false;
    }
    if (reader_next_is(reader, '.', '.')) {
        reader->at++;
        part = skip_digits(reader);
        if (part == 0) {
            return false;
        }
    }
    const char *end = reader->at;
    if (reader_next_is(reader, 'e', 'E')) {
        rare = true;
        reader->at++;
        reader->at += reader_next_is(reader, '+', '-');
        if (skip_digits(reader) == 0) {
            return false;
        }
    }
    if (rare || whole + part > (size_t)(part ? PLAIN_DIGITS : LONGEST_NUMBER)) {
        return read_rare_number(begin, (size_t)(reader->at - begin), node);
    }
    int64_t value = digits_value(digits, end);
    node->kind = part ? JSON_TREE_REAL : JSON_TREE_INTEGER;
    if (part) { /* both are exact, so the quotient is rounded once, as it must be */
        double size = (double)value / powers[part];
        node->as.real = negative ? -size : size;
    } else {
        node->as.integer = negative ? -value : value;
    }
    return true;
}

/* ------------------------------------------------------------------ the rest */

static bool read_word(struct reader *reader, const char *word, enum json_tree_kind kind,
                      struct json_tree *node)
{
    size_t size = strlen(word);
    if ((size_t)(reader->end - reader->at) < size ||
        memcmp(reader->at, word, size) != 0) {
        return false;
    }
    reader->at += size;
    node->kind = kind;
    return true;
}

static bool read_value(struct reader *reader, struct json_tree *node);

static bool read_array(struct reader *reader, struct json_tree *array)
{
    const struct json_tree **link = &array->as.first;
    array->kind = JSON_TREE_ARRAY;
    if (reader_take(reader, ']')) {
        return true;
    }
    do {
        struct json_tree *item = reader_node(reader);
        if (!read_value(reader, item)) {
            return false;
        }
        *link = item;
        link = &item->next;
        array->count++;
    } while (reader_take(reader, ','));
    return reader_take(reader, ']');
}

static int key_order(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Of an object with many keys: is one there twice? */
static bool keys_repeat(struct reader *reader, const struct json_tree *object)
{
    const char **keys = arena_array(reader->arena, object->count, sizeof *keys);
    size_t count = 0;
    for (const struct json_tree *at = object->as.first; at; at = at->next) {
        keys[count++] = at->key;
    }
    qsort(keys, count, sizeof *keys, key_order);
    for (size_t i = 1; i < count; i++) {
        if (strcmp(keys[i - 1], keys[i]) == 0) {
            return true;
        }
    }
    return false;
}

static const struct json_tree *find_key(const struct json_tree *object, const char *key)
{
    const struct json_tree *at = object->as.first;
    while (at && (at->key[0] != key[0] || strcmp(at->key, key) != 0)) {
        at = at->next;
    }
    return at;
}

static bool read_object(struct reader *reader, struct json_tree *object)
{
    const struct json_tree **link = &object->as.first;
    object->kind = JSON_TREE_OBJECT;
    if (reader_take(reader, '}')) {
        return true;
    }
    do {
        struct json_tree *item = reader_node(reader);
        item->key = reader_take(reader, '"') ? read_text(reader) : NULL;
        if (!item->key || (object->count < FEW_KEYS && find_key(object, item->key)) ||
            !reader_take(reader, ':') || !read_value(reader, item)) {
            return false;
        }
        *link = item;
        link = &item->next;
        object->count++;
    } while (reader_take(reader, ','));
    return reader_take(reader, '}') &&
           (object->count <= FEW_KEYS || !keys_repeat(reader, object));
}

static bool read_kind(struct reader *reader, struct json_tree *node)
{
    char c = reader_look(reader);
    if (c == '"') {
        reader->at++;
        node->kind = JSON_TREE_TEXT;
        node->as.text = read_text(reader);
        return node->as.text != NULL;
    }
    if (c == '{' || c == '[') {
        reader->at++;
        return c == '{' ? read_object(reader, node) : read_array(reader, node);
    }
    if (c == '-' || (c >= '0' && c <= '9')) {
        return read_number(reader, node);
    }
    return read_word(reader, "true", JSON_TREE_TRUE, node) ||
           read_word(reader, "false", JSON_TREE_FALSE, node) ||
           read_word(reader, "null", JSON_TREE_NULL, node);
}

static bool read_value(struct reader *reader, struct json_tree *node)
{
    if (++reader->depth > DEEPEST) {
        return false;
    }
    bool good = read_kind(reader, node);
    reader->depth--;
    return good;
}

const struct json_tree *json_tree_read(struct arena *arena, const char *text, size_t size)
{
    if (size > LARGEST) {
        return NULL;
    }
    size_t nodes = size / BYTES_OF_NODE + 1;
    struct reader reader = {.at = text,
                            .end = text + size,
                            .text = arena_alloc(arena, size),
                            .arena = arena,
                            .at_once = nodes < NODES_AT_ONCE ? nodes : NODES_AT_ONCE};
    struct json_tree *root = reader_node(&reader);
    bool whole =
        read_value(&reader, root) && !reader_look(&reader) && reader.at == reader.end;
    return whole ? root : NULL;
}

const struct json_tree *json_tree_parse(struct arena *arena, const char *text,
                                        size_t size, struct err *err)
{
    if (size > LARGEST) {
        (void)err_set(err, ERR_INVALID_DATA, "Not valid JSON: larger than 1 GB.");
        return NULL;
    }
    const struct json_tree *root = json_tree_read(arena, text, size);
    if (root) {
        return root;
    }
    /* Once more, slowly: json_parse tells what is wrong, and where. It passes over a NUL
     * behind a number. */
    if (json_parse(arena, text, size, err)) {
        (void)err_set(err, ERR_INVALID_DATA, "Not valid JSON: it holds a NUL byte.");
    }
    return NULL;
}

/* ------------------------------------------------------------------ getters */

static const struct json_tree *get(const struct json_tree *object, const char *key)
{
    return object && object->kind == JSON_TREE_OBJECT ? find_key(object, key) : NULL;
}

const char *json_tree_text(const struct json_tree *object, const char *key)
{
    const struct json_tree *node = get(object, key);
    return node && node->kind == JSON_TREE_TEXT ? node->as.text : NULL;
}

int64_t json_tree_int(const struct json_tree *object, const char *key, int64_t missing)
{
    const struct json_tree *node = get(object, key);
    return node && node->kind == JSON_TREE_INTEGER ? node->as.integer : missing;
}

double json_tree_real(const struct json_tree *object, const char *key, double missing)
{
    const struct json_tree *node = get(object, key);
    if (node && node->kind == JSON_TREE_INTEGER) {
        return (double)node->as.integer;
    }
    return node && node->kind == JSON_TREE_REAL ? node->as.real : missing;
}

bool json_tree_bool(const struct json_tree *object, const char *key, bool missing)
{
    const struct json_tree *node = get(object, key);
    bool is_bool =
        node && (node->kind == JSON_TREE_TRUE || node->kind == JSON_TREE_FALSE);
    return is_bool ? node->kind == JSON_TREE_TRUE : missing;
}

const struct json_tree *json_tree_array(const struct json_tree *object, const char *key)
{
    const struct json_tree *node = get(object, key);
    return node && node->kind == JSON_TREE_ARRAY ? node : NULL;
}

const struct json_tree *json_tree_items(const struct json_tree *object, const char *key)
{
    const struct json_tree *array = json_tree_array(object, key);
    return array ? array->as.first : NULL;
}

void json_tree_texts(struct arena *arena, const struct json_tree *object, const char *key,
                     struct texts *out)
{
    for (const struct json_tree *item = json_tree_items(object, key); item;
         item = item->next) {
        if (item->kind == JSON_TREE_TEXT) {
            VEC_PUSH(arena, out, arena_text(arena, item->as.text));
        }
    }
}
