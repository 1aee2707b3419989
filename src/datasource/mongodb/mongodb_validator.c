/* What a collection's validator ($jsonSchema) says about its documents. */
#include "base/arena.h"
#include "base/str.h"
#include "datasource/mongodb/mongodb_driver.h"

enum { DEPTH_MOST = 8, FIELDS_MOST = 2000, COMMENT_MOST = 500 };

static const struct {
    const char *word;
    enum mongodb_kind kind;
} words[] = {
    {"double", MONGODB_REAL},      {"string", MONGODB_TEXT},
    {"object", MONGODB_DOCUMENT},  {"array", MONGODB_ARRAY},
    {"binData", MONGODB_BYTES},    {"objectId", MONGODB_ID},
    {"bool", MONGODB_BOOL},        {"boolean", MONGODB_BOOL},
    {"date", MONGODB_TIME},        {"timestamp", MONGODB_TIME},
    {"null", MONGODB_NULL},        {"int", MONGODB_INT},
    {"long", MONGODB_INT},         {"number", MONGODB_REAL},
    {"decimal", MONGODB_DECIMAL},  {"regex", MONGODB_OTHER},
    {"javascript", MONGODB_OTHER},
};

static void word_add(struct mongodb_field *field, const bson_iter_t *iter)
{
    const char *word = mongo.bson_iter_type(iter) == BSON_TYPE_UTF8
                           ? mongo.bson_iter_utf8(iter, NULL)
                           : NULL;
    for (size_t i = 0; word && i < sizeof words / sizeof *words; i++) {
        if (str_equal(word, words[i].word) && field->counts[words[i].kind] == 0) {
            field->counts[words[i].kind] = 1;
        }
    }
}

/* A word, or a list of them. What documents really hold says more than the rule. */
static void kinds_add(struct mongodb_field *field, const bson_iter_t *iter)
{
    bson_iter_t item;
    for (int kind = MONGODB_BOOL; kind < MONGODB_KINDS; kind++) {
        if (field->counts[kind] > 0) {
            return;
        }
    }
    word_add(field, iter);
    if (mongo.bson_iter_type(iter) == BSON_TYPE_ARRAY &&
        mongo.bson_iter_recurse(iter, &item)) {
        while (mongo.bson_iter_next(&item)) {
            word_add(field, &item);
        }
    }
}

static void rule_read(struct mongodb_shape *shape, struct mongodb_field *field,
                      bson_iter_t *rule, int depth);

static void properties_read(struct mongodb_shape *shape, struct mongodb_field *field,
                            const bson_iter_t *properties, int depth)
{
    bson_iter_t property;
    bson_iter_t rule;
    if (!mongo.bson_iter_recurse(properties, &property)) {
        return;
    }
    while (mongo.bson_iter_next(&property)) {
        struct mongodb_field *child =
            mongodb_field_at(shape, field, mongo.bson_iter_key(&property), FIELDS_MOST);
        if (child && mongo.bson_iter_recurse(&property, &rule)) {
            rule_read(shape, child, &rule, depth + 1);
        }
    }
}

static void required_read(struct mongodb_shape *shape, struct mongodb_field *field,
                          const bson_iter_t *list)
{
    bson_iter_t name;
    if (!mongo.bson_iter_recurse(list, &name)) {
        return;
    }
    while (mongo.bson_iter_next(&name)) {
        if (mongo.bson_iter_type(&name) == BSON_TYPE_UTF8) {
            struct mongodb_field *child = mongodb_field_at(
                shape, field, mongo.bson_iter_utf8(&name, NULL), FIELDS_MOST);
            if (child) {
                child->required = true;
            }
        }
    }
}

static void comment_read(struct mongodb_shape *shape, struct mongodb_field *field,
                         const bson_iter_t *iter)
{
    uint32_t length = 0;
    if (mongo.bson_iter_type(iter) != BSON_TYPE_UTF8) {
        return;
    }
    const char *text = mongo.bson_iter_utf8(iter, &length);
    size_t size = length < COMMENT_MOST ? length : COMMENT_MOST;
    text = text_clean(shape->arena, text, &size);
    field->comment = arena_copy(shape->arena, text, size);
}

static void rule_read(struct mongodb_shape *shape, struct mongodb_field *field,
                      bson_iter_t *rule, int depth)
{
    bson_iter_t inside;
    while (depth <= DEPTH_MOST && mongo.bson_iter_next(rule)) {
        const char *key = mongo.bson_iter_key(rule);
        if (str_equal(key, "bsonType") || str_equal(key, "type")) {
            kinds_add(field, rule);
        } else if (str_equal(key, "description")) {
            comment_read(shape, field, rule);
        } else if (str_equal(key, "properties")) {
            properties_read(shape, field, rule, depth);
        } else if (str_equal(key, "required")) {
            required_read(shape, field, rule);
        } else if (str_equal(key, "items") && mongo.bson_iter_recurse(rule, &inside)) {
            if (!field->element) {
                field->element = ARENA_NEW(shape->arena, struct mongodb_field);
                field->element->name = "value";
            }
            rule_read(shape, field->element, &inside, depth + 1);
        }
    }
}

void mongodb_shape_validator(struct mongodb_shape *shape, const uint8_t *schema,
                             size_t size)
{
    bson_t document;
    bson_iter_t rule;
    if (schema && mongo.bson_init_static(&document, schema, size) &&
        mongo.bson_iter_init(&rule, &document)) {
        rule_read(shape, shape->root, &rule, 0);
    }
}
