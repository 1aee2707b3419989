/* Maps claims to an account, scopes, datasources, and what policies ask for. */
#include "service/sign_in/identity.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/sha256.h"
#include "base/str.h"
#include "base/utf8.h"
#include "base/vec.h"
#include "service/accounts/accounts.h"

enum {
    VALUE_MOST = 1024, /* bytes of the claim that names the account */
    NAME_MOST = 64,    /* of an account */
    SLUG_MOST = 24,    /* of the readable part of a made-up name */
    DIGEST_SHOWN = 12, /* bytes */
    LIST_MOST = 1000,  /* values of a claim */
    TEXT_MOST = 4096,  /* all claims for policies */
};

#define MADE_UP "oidc-"

/* ------------------------------------------------------------------ looking up */

/* "realm_access.roles": the claim of this name, or else a member of an object. */
static const json_t *claim_find(const json_t *claims, const char *path)
{
    const json_t *found = json_object_get(claims, path);
    const char *dot = found ? NULL : strchr(path, '.');
    char name[256];
    if (!dot || (size_t)(dot - path) >= sizeof name) {
        return found;
    }
    str_put(name, (size_t)(dot - path) + 1, path);
    const json_t *inner = json_object_get(claims, name);
    return json_is_object(inner) ? claim_find(inner, dot + 1) : NULL;
}

/* The values of a claim: a list, or a text with spaces between them. */
static bool values_of(struct arena *arena, const json_t *claims, const char *path,
                      struct texts *out)
{
    const json_t *claim = str_empty(path) ? NULL : claim_find(claims, path);
    const char *text = json_string_value(claim);
    if (text) {
        str_split(arena, str_squeeze(arena, text), ' ', out);
    }
    for (size_t i = 0; i < json_array_size(claim); i++) {
        const char *value = json_string_value(json_array_get(claim, i));
        if (value && *value) {
            VEC_PUSH(arena, out, value);
        }
    }
    return out->count <= LIST_MOST;
}

static bool identity_refuse(struct err *err, enum err_code code, const char *why,
                            const char *claim)
{
    return err_set(err, code, "%s (claim '%.100s')", why, claim);
}

/* ------------------------------------------------------------------ the account */

static bool is_name(const char *value)
{
    size_t size = strlen(value);
    for (size_t i = 0; i < size; i++) {
        char c = value[i];
        if (!((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
              (c >= '0' && c <= '9') || c == '_' || c == '-')) {
            return false;
        }
    }
    return size > 0 && size <= NAME_MOST && *value != '-' && *value != '_' &&
           !str_starts_nocase(value, MADE_UP) && !str_starts(value, "dgm_") &&
           !str_equal_nocase(value, "local");
}

/* "ann@example.com" becomes oidc-ann-example-com-5f1d…: no two values get the same name,
 * and none gets the name of an account of another kind. */
static const char *account_name(struct arena *arena, const char *prefix,
                                const char *value)
{
    unsigned char digest[SHA256_SIZE];
    char hex[2 * DIGEST_SHOWN + 1];
    char slug[SLUG_MOST + 1];
    const char *whole = arena_format(arena, "%s%s", prefix, value);
    if (is_name(whole)) {
        return whole;
    }
    size_t size = 0;
    for (; whole[size] && size < SLUG_MOST; size++) {
        char c = whole[size];
        bool plain =
            (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
        slug[size] = (char)(plain ? c : '-');
    }
    slug[size] = '\0';
    sha256(whole, strlen(whole), digest);
    str_hex(hex, digest, DIGEST_SHOWN);
    return arena_format(arena, MADE_UP "%s-%s", slug, hex);
}

/* Every token has a subject. One without is of another kind, and its issuer could not end
 * what it began. */
static bool read_subject(const json_t *claims, struct err *err)
{
    return !str_empty(json_text_at(claims, "sub")) ||
           identity_refuse(err, ERR_UNAUTHORIZED, "The token has no subject.", "sub");
}

static bool read_account(const struct options *options, struct arena *arena,
                         const json_t *claims, struct identity *out, struct err *err)
{
    const char *name = options->oidc_account_claim;
    const char *value = json_string_value(claim_find(claims, name));
    size_t size = value ? strlen(value) : 0;
    if (size == 0 || size > VALUE_MOST || !utf8_valid(value, size, NULL)) {
        return identity_refuse(err, ERR_UNAUTHORIZED,
                               "The token does not name the account.", name);
    }
    if (str_equal(name, "email") && !json_bool_at(claims, "email_verified", false)) {
        return identity_refuse(err, ERR_UNAUTHORIZED,
                               "The address is not verified by the issuer.",
                               "email_verified");
    }
    out->account = account_name(arena, options->oidc_account_prefix, value);
    return true;
}

/* ------------------------------------------------------------------ rights */

static bool read_scopes(const struct options *options, struct arena *arena,
                        const json_t *claims, struct identity *out, struct err *err)
{
    struct texts values = {0};
    const char *prefix = options->oidc_scope_prefix;
    bool fits = values_of(arena, claims, options->oidc_scopes_claim, &values);
    out->scopes = 0;
    for (size_t i = 0; i < values.count && fits; i++) {
        const char *value = values.items[i];
        out->scopes |=
            str_starts(value, prefix) ? accounts_scope_bits(value + strlen(prefix)) : 0;
    }
    if (out->scopes == 0 && fits) {
        out->scopes = accounts_scope_bits(options->oidc_default_scope);
    }
    return out->scopes != 0 ||
           identity_refuse(err, ERR_FORBIDDEN, "The token has no scope of dragoman.",
                           options->oidc_scopes_claim);
}

/* Without the claim the account may see nothing: an empty list would mean all. */
static bool read_datasources(const struct options *options, struct arena *arena,
                             const json_t *claims, struct identity *out, struct err *err)
{
    const char *name = options->oidc_datasources_claim;
    struct texts values = {0};
    out->datasources = "";
    if (str_empty(name)) {
        return true;
    }
    bool good = values_of(arena, claims, name, &values) && values.count > 0;
    bool all = false;
    for (size_t i = 0; i < values.count && good; i++) {
        good = !strpbrk(values.items[i], ", \t\r\n") && *values.items[i];
        all = all || str_equal(values.items[i], "*");
    }
    if (good && !all) {
        out->datasources = str_join(arena, &values, ",");
        good = strlen(out->datasources) < sizeof((struct dgm_access *)0)->datasources;
    }
    return good || identity_refuse(err, ERR_FORBIDDEN,
                                   "The token names no datasource, or too many.", name);
}

/* ------------------------------------------------------------------ for policies */

static bool is_role(const struct options *options, const char *name)
{
    for (size_t i = 0; i < options->datasources.count; i++) {
        const struct policy *policy = options->datasources.items[i].policy;
        for (size_t k = 0; policy && k < policy->roles.count; k++) {
            if (str_equal(policy->roles.items[k].name, name)) {
                return true;
            }
        }
    }
    return false;
}

/* Only what a policy mentions: whatever else the token holds is nobody's business. */
static bool read_rest(const struct options *options, struct arena *arena,
                      const json_t *claims, struct identity *out, struct err *err)
{
    struct texts values = {0};
    struct texts names = {0};
    json_t *root = json_keep(arena, json_object());
    json_t *roles = json_array();
    json_t *kept = json_object();
    (void)json_object_set_new(root, "roles", roles);
    (void)json_object_set_new(root, "claims", kept);
    bool fits = values_of(arena, claims, options->oidc_roles_claim, &values);
    for (size_t i = 0; i < values.count && fits; i++) {
        if (is_role(options, values.items[i])) {
            (void)json_array_append_new(roles, json_string(values.items[i]));
        }
    }
    for (size_t i = 0; i < options->datasources.count; i++) {
        policy_claims_within(options->datasources.items[i].policy, arena, &names);
    }
    for (size_t i = 0; i < names.count; i++) {
        const json_t *value = claim_find(claims, names.items[i]);
        if (value) {
            (void)json_object_set_new(kept, names.items[i], json_deep_copy(value));
        }
    }
    bool any = json_array_size(roles) > 0 || json_object_size(kept) > 0;
    char *text = json_dumps(any ? root : json_keep(arena, json_object()),
                            JSON_COMPACT | JSON_SORT_KEYS);
    out->text = arena_text(arena, text);
    free(text);
    return (fits && out->text && strlen(out->text) <= TEXT_MOST) ||
           identity_refuse(err, ERR_FORBIDDEN,
                           "The token's roles or claims for policies are too long.",
                           options->oidc_roles_claim);
}

static int64_t time_at(const json_t *claims, const char *name)
{
    return (int64_t)json_real_at(claims, name, 0); /* jwt_check has bounded it */
}

bool identity_read(const struct options *options, struct arena *arena,
                   const json_t *claims, struct identity *out, struct err *err)
{
    *out = (struct identity){.claims = claims,
                             .issued_at = time_at(claims, "iat"),
                             .expires_at = time_at(claims, "exp")};
    return read_subject(claims, err) && read_account(options, arena, claims, out, err) &&
           read_scopes(options, arena, claims, out, err) &&
           read_datasources(options, arena, claims, out, err) &&
           read_rest(options, arena, claims, out, err);
}
