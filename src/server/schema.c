/* Bodies checked against the table of schemas; the same table as OpenAPI. */
#include "server/schema.h"

#include <string.h>

#include "base/err.h"
#include "base/str.h"
#include "base/writer.h"

enum field_type {
    TYPE_TEXT,
    TYPE_INT,
    TYPE_NUMBER,
    TYPE_BOOL,
    TYPE_OBJECT,
    TYPE_LIST,
    TYPE_ANY
};

enum { FIELD_OPTIONAL, FIELD_REQUIRED };

/* A row is a schema (no field) or a field of the schema above it. */
struct row {
    const char *schema;
    const char *field;
    enum field_type type;
    int required;
    const char *text;
};

static const struct row rows[] = {
#define SCHEMA(name, description) {#name, NULL, TYPE_OBJECT, 0, description},
#define FIELD(name, kind, presence, description)                                         \
    {NULL, #name, TYPE_##kind, FIELD_##presence, description},
#include "server/schemas.def"
#undef SCHEMA
#undef FIELD
};

enum { ROW_COUNT = sizeof rows / sizeof *rows };

/* What a field must be, for people and for OpenAPI. */
static const struct {
    const char *words;
    const char *type;
} types[] = {
    [TYPE_TEXT] = {"a text", "string"},      [TYPE_INT] = {"a whole number", "integer"},
    [TYPE_NUMBER] = {"a number", "number"},  [TYPE_BOOL] = {"true or false", "boolean"},
    [TYPE_OBJECT] = {"an object", "object"}, [TYPE_LIST] = {"a list", "array"},
    [TYPE_ANY] = {"a value", NULL},
};

static bool has_type(const json_t *value, enum field_type type)
{
    switch (type) {
    case TYPE_TEXT:
        return json_is_string(value);
    case TYPE_INT:
        return json_is_integer(value);
    case TYPE_NUMBER:
        return json_is_number(value);
    case TYPE_BOOL:
        return json_is_boolean(value);
    case TYPE_OBJECT:
        return json_is_object(value);
    case TYPE_LIST:
        return json_is_array(value);
    case TYPE_ANY:
        break;
    }
    return true;
}

/* The first field's row; ROW_COUNT when there is no such schema. */
static size_t find_schema(const char *name)
{
    for (size_t i = 0; i < ROW_COUNT; i++) {
        if (rows[i].schema && str_equal(rows[i].schema, name)) {
            return i + 1;
        }
    }
    return ROW_COUNT;
}

static const struct row *find_field(size_t first, const char *name)
{
    for (size_t i = first; i < ROW_COUNT && rows[i].field; i++) {
        if (str_equal(rows[i].field, name)) {
            return &rows[i];
        }
    }
    return NULL;
}

static bool check_fields(size_t first, const json_t *body, struct err *err)
{
    const char *key = NULL;
    json_t *value = NULL;
    json_t *walked = json_incref((json_t *)(uintptr_t)body); /* the walk wants it so */
    bool ok = true;
    json_object_foreach(walked, key, value)
    {
        const struct row *row = find_field(first, key);
        if (!row) {
            ok = err_set(err, ERR_INVALID_DATA, "The field '%.64s' is unknown.", key);
        } else if (!json_is_null(value) && !has_type(value, row->type)) {
            ok = err_set(err, ERR_INVALID_DATA, "The field '%s' must be %s.", key,
                         types[row->type].words);
        }
        if (!ok) {
            break;
        }
    }
    json_decref(walked);
    return ok;
}

bool schema_check(const char *name, const json_t *body, struct err *err)
{
    size_t first = find_schema(name);
    if (!json_is_object(body)) {
        return err_set(err, ERR_INVALID_DATA, "The body must be a JSON object.");
    }
    if (!check_fields(first, body, err)) {
        return false;
    }
    for (size_t i = first; i < ROW_COUNT && rows[i].field; i++) {
        const json_t *value = json_object_get(body, rows[i].field);
        if (rows[i].required && (!value || json_is_null(value))) {
            return err_set(err, ERR_INVALID_DATA, "The field '%s' is missing.",
                           rows[i].field);
        }
    }
    return true;
}

/* What may be left out may also be null. */
static void write_type(struct writer *writer, const struct row *row)
{
    const char *type = types[row->type].type;
    if (type && !row->required) {
        writer_key(writer, "type");
        writer_array(writer);
        writer_text(writer, type);
        writer_text(writer, "null");
        writer_array_end(writer);
    } else {
        writer_key_text(writer, "type", type);
    }
}

static void write_schema(struct writer *writer, size_t at, bool strict)
{
    writer_key(writer, rows[at].schema);
    writer_object(writer);
    writer_key_text(writer, "type", "object");
    writer_key_text(writer, "description", rows[at].text);
    writer_key(writer, "properties");
    writer_object(writer);
    for (size_t i = at + 1; i < ROW_COUNT && rows[i].field; i++) {
        writer_key(writer, rows[i].field);
        writer_object(writer);
        write_type(writer, &rows[i]);
        writer_key_text(writer, "description", rows[i].text);
        writer_object_end(writer);
    }
    writer_object_end(writer);
    bool any = false;
    for (size_t i = at + 1; i < ROW_COUNT && rows[i].field; i++) {
        if (rows[i].required && !any) {
            writer_key(writer, "required");
            writer_array(writer);
            any = true;
        }
        if (rows[i].required) {
            writer_text(writer, rows[i].field);
        }
    }
    if (any) {
        writer_array_end(writer);
    }
    if (strict) {
        writer_key_bool(writer, "additionalProperties", false);
    }
    writer_object_end(writer);
}

void schema_write_all(struct writer *writer, bool (*is_request)(const char *name))
{
    writer_object(writer);
    for (size_t i = 0; i < ROW_COUNT; i++) {
        if (rows[i].schema) {
            write_schema(writer, i, is_request(rows[i].schema));
        }
    }
    writer_object_end(writer);
}
