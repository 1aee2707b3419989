/* The parameters of a saved query, and running it. */
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "model/actor.h"
#include "service/accounts/access.h"
#include "service/saved/saved.h"

/* A JSON value as the text that its type is read from; false for lists and objects. */
static bool text_of(struct arena *arena, const json_t *json, const char **out)
{
    if (!json || json_is_null(json)) {
        *out = NULL;
    } else if (json_is_string(json)) {
        *out = json_string_value(json);
        return strlen(*out) == json_string_length(json);
    } else if (json_is_integer(json)) {
        *out = arena_format(arena, "%lld", (long long)json_integer_value(json));
    } else if (json_is_real(json)) {
        *out = arena_format(arena, "%.10f", json_real_value(json));
    } else if (json_is_boolean(json)) {
        *out = json_is_true(json) ? "true" : "false";
    } else {
        return false;
    }
    return true;
}

static bool is_place(const struct texts *found, const char *name)
{
    for (size_t i = 0; i < found->count; i++) {
        if (str_equal_nocase(found->items[i], name)) {
            return true;
        }
    }
    return false;
}

static const struct saved_parameter *parameter_find(const struct saved *saved,
                                                    const char *name)
{
    for (size_t i = 0; i < saved->count; i++) {
        if (str_equal_nocase(saved->parameters[i].name, name)) {
            return &saved->parameters[i];
        }
    }
    return NULL;
}

static bool read_one(struct arena *arena, const json_t *item, const struct texts *found,
                     struct saved *out, struct err *err)
{
    struct saved_parameter *parameter = &out->parameters[out->count];
    const char *name = json_text_at(item, "name");
    const char *type = json_text_at(item, "type");
    *parameter = (struct saved_parameter){.name = name, .type = PARAMETER_TEXT};
    if (!parameter_name_good(name) || parameter_find(out, name)) {
        return err_set(err, ERR_USAGE,
                       "Parameters need names of letters, digits and _, "
                       "each once.");
    }
    if (type && !parameter_type_find(type, &parameter->type)) {
        (void)err_set(err, ERR_USAGE, "There is no type '%.32s' for '%s'.", type, name);
        return err_hint(err, "Types are text, integer, number, date and boolean.");
    }
    if (!is_place(found, name)) {
        return err_set(err, ERR_USAGE, "The SQL has no parameter :%s.", name);
    }
    const json_t *given = json_object_get(item, "default");
    parameter->has_default = given != NULL;
    if (!text_of(arena, given, &parameter->fallback)) {
        return err_set(err, ERR_USAGE, "The default of '%s' is not a valid value.", name);
    }
    out->count++;
    return true;
}

bool saved_parameters_read(struct arena *arena, const json_t *json,
                           const struct texts *found, struct saved *out, struct err *err)
{
    out->count = 0;
    if (json && (!json_is_array(json) || json_array_size(json) > PARAMETERS_MOST)) {
        return err_set(err, ERR_USAGE, "Parameters are a list of {name, type, default}.");
    }
    for (size_t i = 0; i < json_array_size(json); i++) {
        if (!read_one(arena, json_array_get(json, i), found, out, err)) {
            return false;
        }
    }
    for (size_t i = 0; i < found->count && out->count < PARAMETERS_MOST; i++) {
        if (!parameter_find(out, found->items[i])) {
            out->parameters[out->count++] =
                (struct saved_parameter){.name = found->items[i], .type = PARAMETER_TEXT};
        }
    }
    return true;
}

static const char *const samples[PARAMETER_TYPES] = {
    [PARAMETER_TEXT] = "a",       [PARAMETER_INTEGER] = "1",
    [PARAMETER_NUMBER] = "1.5",   [PARAMETER_DATE] = "2024-01-31",
    [PARAMETER_BOOLEAN] = "true",
};

static bool value_of(struct arena *arena, const struct saved_parameter *parameter,
                     const json_t *values, bool sample, struct parameter *out,
                     struct err *err)
{
    const json_t *given = json_object_get(values, parameter->name);
    *out = (struct parameter){
        .name = parameter->name, .type = parameter->type, .value = parameter->fallback};
    if (given && !text_of(arena, given, &out->value)) {
        return err_set(err, ERR_USAGE, "The value of '%s' is not a valid %s.",
                       parameter->name, parameter_type_name(parameter->type));
    }
    if (!given && !parameter->has_default && sample) {
        out->value = samples[parameter->type];
    } else if (!given && !parameter->has_default) {
        (void)err_set(err, ERR_USAGE, "'%s' has no value.", parameter->name);
        return err_hint(err, "It is a %s, and has no default.",
                        parameter_type_name(parameter->type));
    }
    return true;
}

const char *saved_bind(struct arena *arena, const struct saved *saved,
                       enum dialect dialect, const json_t *values, bool sample,
                       struct err *err)
{
    struct parameter bound[PARAMETERS_MOST];
    const char *key = NULL;
    json_t *value = NULL;
    json_t *walk =
        values ? json_keep(arena, json_copy((json_t *)(uintptr_t)values)) : NULL;
    json_object_foreach(walk, key, value)
    {
        if (!parameter_find(saved, key)) {
            (void)err_set(err, ERR_USAGE, "The query has no parameter '%.64s'.", key);
            return NULL;
        }
    }
    for (size_t i = 0; i < saved->count; i++) {
        if (!value_of(arena, &saved->parameters[i], values, sample, &bound[i], err)) {
            return NULL;
        }
    }
    return parameters_bind(arena, dialect, saved->sql, bound, saved->count, err);
}

/* The values that it runs with, for the answer. */
static const char *values_used(struct arena *arena, const struct saved *saved,
                               const json_t *values)
{
    json_t *used = json_keep(arena, json_object());
    for (size_t i = 0; i < saved->count; i++) {
        const struct saved_parameter *parameter = &saved->parameters[i];
        json_t *given = json_object_get(values, parameter->name);
        json_t *value = given                 ? json_incref(given)
                        : parameter->fallback ? json_string(parameter->fallback)
                                              : json_null();
        (void)json_object_set_new(used, parameter->name, value);
    }
    char *text = saved->count ? json_dumps(used, JSON_COMPACT) : NULL;
    const char *kept = arena_text(arena, text);
    free(text);
    return kept;
}

struct dgm_question *dgm_saved_run(struct dgm *dgm, const char *id,
                                   const char *parameters,
                                   const struct dgm_request *request,
                                   struct dgm_error *error)
{
    struct err err;
    struct saved saved;
    struct dgm_request run = request ? *request : (struct dgm_request){0};
    const struct dgm_access local = {.account = ""};
    struct dgm_access named = local;
    err_clear(&err);
    instance_no_error(error);
    struct arena *arena = arena_new();
    if (!run.access && !str_empty(run.account)) {
        str_put(named.account, sizeof named.account, actor_account(arena, run.account));
    }
    const char *text = str_empty(parameters) ? "{}" : parameters;
    const json_t *values = json_parse(arena, text, strlen(text), &err);
    bool ok = values != NULL;
    if (ok && !json_is_object(values)) {
        ok = err_set(&err, ERR_USAGE, "Parameters are an object of values by name.");
    }
    ok = ok && saved_open(dgm, arena, run.access ? run.access : &named, id, &saved, &err);
    struct datasource *source =
        ok ? instance_datasource_for(dgm, arena, request_account(&run), saved.datasource,
                                     &err)
           : NULL;
    const char *sql = source ? saved_bind(arena, &saved, datasource_dialect(source),
                                          values, false, &err)
                             : NULL;
    struct dgm_question *question = NULL;
    if (sql) {
        run.datasource = saved.datasource;
        run.parameters = values_used(arena, &saved, values);
        question = dgm_run_sql(dgm, sql, &run, error);
    } else {
        (void)instance_fail(error, &err);
    }
    arena_free(arena);
    return question;
}
