/* What the documents of a collection look like, learned from some of them. */
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/memory.h"
#include "base/str.h"
#include "datasource/mongodb/mongodb_driver.h"

enum {
    DEPTH_MOST = 8,     /* documents within documents; deeper ones are kept as JSON */
    FIELDS_MOST = 2000, /* names in a collection's documents */
    NESTED_MOST = 200,  /* names below one field: more, and its keys are data */
    ELEMENTS_MOST = 50, /* elements of one array that are looked at */
    DIGITS_MOST = 38,
    WHOLE_MOST = 10000,
};

enum mongodb_kind mongodb_kind_of(const bson_iter_t *iter)
{
    bson_subtype_t subtype = BSON_SUBTYPE_BINARY;
    uint32_t size = 0;
    const uint8_t *data = NULL;
    switch ((int)mongo.bson_iter_type(iter)) {
    case BSON_TYPE_NULL:
    case BSON_TYPE_UNDEFINED:
        return MONGODB_NULL;
    case BSON_TYPE_BOOL:
        return MONGODB_BOOL;
    case BSON_TYPE_INT32:
    case BSON_TYPE_INT64:
        return MONGODB_INT;
    case BSON_TYPE_DOUBLE:
        return MONGODB_REAL;
    case BSON_TYPE_DECIMAL128:
        return MONGODB_DECIMAL;
    case BSON_TYPE_UTF8:
    case BSON_TYPE_SYMBOL:
        return MONGODB_TEXT;
    case BSON_TYPE_OID:
        return MONGODB_ID;
    case BSON_TYPE_DATE_TIME:
    case BSON_TYPE_TIMESTAMP:
        return MONGODB_TIME;
    case BSON_TYPE_BINARY:
        mongo.bson_iter_binary(iter, &subtype, &size, &data);
        return subtype == BSON_SUBTYPE_UUID && size == 16 ? MONGODB_UUID : MONGODB_BYTES;
    case BSON_TYPE_DOCUMENT:
        return MONGODB_DOCUMENT;
    case BSON_TYPE_ARRAY:
        return MONGODB_ARRAY;
    default:
        return MONGODB_OTHER;
    }
}

const char *mongodb_kind_name(enum mongodb_kind kind)
{
    static const char *const names[MONGODB_KINDS] = {
        "null", "boolean", "integer", "double",   "decimal", "string", "objectId",
        "date", "binary",  "uuid",    "document", "array",   "other"};
    return names[kind];
}

struct mongodb_field *mongodb_field_at(struct mongodb_shape *shape,
                                       struct mongodb_field *parent, const char *name,
                                       size_t most)
{
    struct mongodb_fields *fields = &parent->fields;
    for (size_t i = 0; i < fields->count; i++) {
        size_t at = (parent->hint + i) % fields->count;
        if (strcmp(fields->items[at]->name, name) == 0) {
            parent->hint = at + 1;
            return fields->items[at];
        }
    }
    if (fields->count >= most) {
        return NULL;
    }
    struct mongodb_field *field = ARENA_NEW(shape->arena, struct mongodb_field);
    field->name = arena_text(shape->arena, name);
    VEC_PUSH(shape->arena, fields, field);
    parent->hint = fields->count;
    return field;
}

/* How many digits a decimal has before and after its point. */
static void decimal_measure(struct mongodb_field *field, const bson_iter_t *iter)
{
    bson_decimal128_t number;
    char text[BSON_DECIMAL128_STRING];
    if (!mongo.bson_iter_decimal128(iter, &number)) {
        return;
    }
    mongo.bson_decimal128_to_string(&number, text);
    if (strchr(text, 'N') || strchr(text, 'I')) {
        field->uneven = true; /* NaN, Infinity */
        return;
    }
    const char *digits = text[0] == '-' ? text + 1 : text;
    size_t size = strspn(digits, "0123456789.");
    long exponent = digits[size] == 'E' ? strtol(digits + size + 1, NULL, 10) : 0;
    const char *point = memchr(digits, '.', size);
    long behind = (point ? (long)(digits + size - point) - 1 : 0) - exponent;
    long before = (long)size - (point ? 1 : 0) - behind;
    unsigned whole = before < 1 ? 1 : before > WHOLE_MOST ? WHOLE_MOST : (unsigned)before;
    unsigned scale = behind < 0 ? 0 : behind > WHOLE_MOST ? WHOLE_MOST : (unsigned)behind;
    field->whole = whole > field->whole ? whole : field->whole;
    field->scale = scale > field->scale ? scale : field->scale;
    field->uneven = field->uneven || field->whole + field->scale > DIGITS_MOST;
}

static void value_add(struct mongodb_shape *shape, struct mongodb_field *field,
                      const bson_iter_t *iter, int depth);

static void fields_add(struct mongodb_shape *shape, struct mongodb_field *parent,
                       bson_iter_t *iter, int depth)
{
    size_t most = depth == 0 ? FIELDS_MOST : NESTED_MOST;
    while (mongo.bson_iter_next(iter)) {
        const char *key = mongo.bson_iter_key(iter);
        size_t size = strlen(key);
        struct mongodb_field *field =
            mongodb_field_at(shape, parent, text_clean(shape->arena, key, &size), most);
        if (!field) {
            parent->wide = true;
            continue;
        }
        value_add(shape, field, iter, depth + 1);
    }
}

static void value_add(struct mongodb_shape *shape, struct mongodb_field *field,
                      const bson_iter_t *iter, int depth)
{
    enum mongodb_kind kind = mongodb_kind_of(iter);
    bson_iter_t inside;
    field->counts[kind]++;
    field->stamps = field->stamps || mongo.bson_iter_type(iter) == BSON_TYPE_TIMESTAMP;
    if (kind == MONGODB_DECIMAL) {
        decimal_measure(field, iter);
    }
    if ((kind != MONGODB_DOCUMENT && kind != MONGODB_ARRAY) ||
        !mongo.bson_iter_recurse(iter, &inside)) {
        return;
    }
    if (depth > DEPTH_MOST) {
        field->wide = true;
        return;
    }
    if (kind == MONGODB_DOCUMENT) {
        fields_add(shape, field, &inside, depth);
        return;
    }
    if (!field->element) {
        field->element = ARENA_NEW(shape->arena, struct mongodb_field);
        field->element->name = "value";
    }
    for (int i = 0; i < ELEMENTS_MOST && mongo.bson_iter_next(&inside); i++) {
        value_add(shape, field->element, &inside, depth + 1);
    }
}

void mongodb_shape_add(struct mongodb_shape *shape, const bson_t *document)
{
    bson_iter_t iter;
    shape->documents++;
    if (mongo.bson_iter_init(&iter, document)) {
        shape->root->counts[MONGODB_DOCUMENT]++;
        shape->root->hint = 0;
        fields_add(shape, shape->root, &iter, 0);
    }
}

struct mongodb_shape *mongodb_shape_new(const struct mongodb_about *about)
{
    struct mongodb_shape *shape = memory_alloc(sizeof *shape);
    shape->arena = arena_new();
    shape->references = 1;
    shape->collection = arena_text(shape->arena, about->name);
    shape->is_view = about->is_view;
    shape->collated = about->collated;
    shape->root = ARENA_NEW(shape->arena, struct mongodb_field);
    shape->root->name = "";
    if (!about->is_view) { /* every document has one, and it comes first */
        (void)mongodb_field_at(shape, shape->root, "_id", FIELDS_MOST);
    }
    return shape;
}

void mongodb_shape_free(struct mongodb_shape *shape)
{
    arena_free(shape->arena);
    memory_free(shape);
}

static bool sample_row(void *context, const bson_t *document)
{
    mongodb_shape_add(context, document);
    return true;
}

bool mongodb_shape_sample(struct mongodb_session *session, struct mongodb_shape *shape,
                          const struct mongodb_about *about, int64_t documents,
                          struct err *err)
{
    int64_t half = about->has_index ? (documents + 1) / 2 : documents;
    struct mongodb_find find = {.collection = about->name, .limit = half};
    if (!mongodb_find(session, &find, sample_row, shape, err)) {
        return false;
    }
    shape->whole = shape->documents < half;
    if (!shape->whole && about->has_index) {
        find.newest = true;
        return mongodb_find(session, &find, sample_row, shape, err);
    }
    return true;
}
