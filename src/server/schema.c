/* Bodies checked against the table of schemas; the same table as OpenAPI. */
#include "server/schema.h"

#include <stdio.h>
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
    TYPE_TEXTS, /* a list of texts */
    TYPE_ROWS,  /* a list of lists */
    TYPE_ANY
};

enum presence { FIELD_OPTIONAL, FIELD_REQUIRED, FIELD_NULLABLE };

/* A row is a schema (no field; TYPE_ANY if a body may have other fields, too) or a field of
 * the schema above it. */
struct row {
    const char *schema;
    const char *field;
    enum field_type type;
    enum presence presence;
    const char *of;    /* the schema of the object, or of the list's elements; or NULL */
    const char *words; /* a text must be one of these, separated by blanks; or NULL */
    const char *text;
};

static const struct row rows[] = {
#define SCHEMA(name, description) {#name, NULL, TYPE_OBJECT, 0, NULL, NULL, description},
#define SCHEMA_OPEN(name, description)                                                   \
    {#name, NULL, TYPE_ANY, 0, NULL, NULL, description},
#define FIELD(name, kind, presence, description)                                         \
    {NULL, #name, TYPE_##kind, FIELD_##presence, NULL, NULL, description},
#define FIELD_OF(name, kind, schema, presence, description)                              \
    {NULL, #name, TYPE_##kind, FIELD_##presence, #schema, NULL, description},
#define FIELD_ONE_OF(name, words, presence, description)                                 \
    {NULL, #name, TYPE_TEXT, FIELD_##presence, NULL, words, description},
#include "server/schemas.def"
#undef SCHEMA
#undef SCHEMA_OPEN
#undef FIELD
#undef FIELD_OF
#undef FIELD_ONE_OF
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
    [TYPE_TEXTS] = {"a list", "array"},      [TYPE_ROWS] = {"a list", "array"},
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
    case TYPE_TEXTS:
    case TYPE_ROWS:
        return json_is_array(value);
    case TYPE_ANY:
        break;
    }
    return true;
}

/* The row of the schema's first field; ROW_COUNT: unknown schema. */
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
    json_t *walked =
        json_incref((json_t *)(uintptr_t)body); /* the macro takes no const */
    bool ok = true;
    json_object_foreach(walked, key, value)
    {
        const struct row *row = find_field(first, key);
        if (!row && rows[first - 1].type == TYPE_ANY) {
            continue; /* ignored */
        }
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
        if (rows[i].presence == FIELD_REQUIRED && (!value || json_is_null(value))) {
            return err_set(err, ERR_INVALID_DATA, "The field '%s' is missing.",
                           rows[i].field);
        }
    }
    return true;
}

static void write_reference(struct writer *writer, const char *schema)
{
    char place[128];
    (void)snprintf(place, sizeof place, "#/components/schemas/%s", schema);
    writer_object(writer);
    writer_key_text(writer, "$ref", place);
    writer_object_end(writer);
}

/* What may be left out of a request may also be null. In a reply it is left out. */
static bool may_be_null(const struct row *row, bool strict)
{
    return row->presence == FIELD_NULLABLE || (strict && row->presence == FIELD_OPTIONAL);
}

static void write_type(struct writer *writer, const struct row *row, bool strict)
{
    const char *type = types[row->type].type;
    if (type && may_be_null(row, strict)) {
        writer_key(writer, "type");
        writer_array(writer);
        writer_text(writer, type);
        writer_text(writer, "null");
        writer_array_end(writer);
    } else {
        writer_key_text(writer, "type", type);
    }
}

static void write_elements(struct writer *writer, const struct row *row)
{
    if (row->type == TYPE_LIST && row->of) {
        writer_key(writer, "items");
        write_reference(writer, row->of);
    } else if (row->type == TYPE_TEXTS) {
        writer_key(writer, "items");
        writer_raw(writer, "{\"type\":\"string\"}");
    } else if (row->type == TYPE_ROWS) {
        writer_key(writer, "items");
        writer_raw(writer, "{\"type\":\"array\"}");
    }
}

static void write_words(struct writer *writer, const struct row *row)
{
    writer_key(writer, "enum");
    writer_array(writer);
    for (const char *at = row->words; *at; at += strspn(at, " ")) {
        size_t size = strcspn(at, " ");
        writer_text_n(writer, at, size);
        at += size;
    }
    writer_array_end(writer);
}

static void write_field(struct writer *writer, const struct row *row, bool strict)
{
    writer_key(writer, row->field);
    writer_object(writer);
    if (row->type == TYPE_OBJECT && row->of) {
        writer_key(writer, "allOf"); /* a description may not stand beside $ref alone */
        writer_array(writer);
        write_reference(writer, row->of);
        writer_array_end(writer);
    } else {
        write_type(writer, row, strict);
        write_elements(writer, row);
    }
    if (row->words) {
        write_words(writer, row);
    }
    writer_key_text(writer, "description", row->text);
    writer_object_end(writer);
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
        write_field(writer, &rows[i], strict);
    }
    writer_object_end(writer);
    bool any = false;
    for (size_t i = at + 1; i < ROW_COUNT && rows[i].field; i++) {
        if (rows[i].presence == FIELD_REQUIRED && !any) {
            writer_key(writer, "required");
            writer_array(writer);
            any = true;
        }
        if (rows[i].presence == FIELD_REQUIRED) {
            writer_text(writer, rows[i].field);
        }
    }
    if (any) {
        writer_array_end(writer);
    }
    if (strict && rows[at].type != TYPE_ANY) {
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
