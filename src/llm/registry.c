/* The providers, and which of them the options mean. */
#include <string.h>

#include "base/str.h"
#include "llm/provider.h"

const struct llm_provider llm_scripted = {.name = "scripted", .default_model = "script"};

const struct llm_provider llm_mcp = {.name = "mcp", .default_model = "host"};

static const struct llm_provider *const providers[] = {
    &llm_openai, &llm_anthropic, &llm_ollama, &llm_mcp, &llm_scripted,
};

const struct llm_provider *llm_provider_find(const char *name, size_t size)
{
    for (size_t i = 0; i < sizeof providers / sizeof *providers; i++) {
        if (strlen(providers[i]->name) == size &&
            strncmp(providers[i]->name, name, size) == 0) {
            return providers[i];
        }
    }
    return NULL;
}

/* "anthropic/claude-x" and "ollama:llama3" name the provider too. *model is the rest. */
static const struct llm_provider *provider_in_model(const char **model)
{
    size_t size = strcspn(*model, "/:");
    const struct llm_provider *provider =
        (*model)[size] ? llm_provider_find(*model, size) : NULL;
    if (provider) {
        *model += size + 1;
    }
    return provider;
}

/* When nothing is said, the address, the model and the key say enough. */
static const struct llm_provider *guess(const struct options *options, const char **model)
{
    const char *url = options->llm_url;
    if (*url) {
        return strstr(url, "anthropic.com")                   ? &llm_anthropic
               : strstr(url, ":11434") && !strstr(url, "/v1") ? &llm_ollama
                                                              : &llm_openai;
    }
    const struct llm_provider *provider = provider_in_model(model);
    if (provider) {
        return provider;
    }
    if (*options->llm_key) {
        return str_starts(options->llm_key, "sk-ant-") || str_starts(*model, "claude")
                   ? &llm_anthropic
                   : &llm_openai;
    }
    return *options->llm_script ? &llm_scripted : NULL;
}

static bool key_is_clean(const char *key)
{
    for (; *key; key++) {
        if ((unsigned char)*key <= ' ' || (unsigned char)*key == 0x7F) {
            return false;
        }
    }
    return true;
}

static void copy_limits(const struct options *options, struct llm_settings *settings)
{
    settings->temperature = options->llm_temperature;
    settings->context_tokens = (int)options->llm_context_tokens;
    settings->reply_tokens = (int)options->llm_reply_tokens;
    settings->stream = options->llm_stream;
    settings->structured = options->llm_structured;
    settings->connect_timeout_ms = options->llm_connect_timeout_s * 1000;
    settings->idle_timeout_ms = options->llm_timeout_s * 1000;
    settings->total_timeout_ms = options->llm_total_timeout_s * 1000;
    settings->max_retries = (int)options->llm_max_retries;
    settings->retry_base_ms = options->llm_retry_base_ms;
    settings->max_reply_bytes = (size_t)options->llm_max_reply_bytes;
    settings->price_in = options->llm_price_in;
    settings->price_out = options->llm_price_out;
}

static const struct llm_provider *registry_choose(const struct options *options,
                                                  const char **model, struct err *err)
{
    const char *name = options->llm_provider;
    const struct llm_provider *provider;
    if (!*name) {
        provider = guess(options, model);
        if (!provider) {
            (void)err_set(err, ERR_LLM_NOT_CONFIGURED,
                          "No language model is configured.");
        }
        return provider;
    }
    provider = llm_provider_find(name, strlen(name));
    if (!provider) {
        (void)err_set(err, ERR_CONFIG, "There is no language model provider '%.40s'.",
                      name);
        (void)err_hint(err, "Known: openai, anthropic, ollama, mcp, scripted. For "
                            "OpenAI-compatible services use openai and llm.url.");
        return NULL;
    }
    const char *rest = *model;
    if (provider_in_model(&rest) == provider) {
        *model = rest;
    }
    return provider;
}

const struct llm_provider *llm_resolve(const struct options *options, struct arena *arena,
                                       struct llm_settings *settings, struct err *err)
{
    const char *model = options->llm_model;
    const struct llm_provider *provider = registry_choose(options, &model, err);
    if (!provider) {
        return NULL;
    }
    copy_limits(options, settings);
    if (!*model ||
        (str_equal(model, llm_openai.default_model) && provider != &llm_openai)) {
        model = provider->default_model; /* the option's default is OpenAI's */
    }
    settings->model = arena_text(arena, model);
    settings->key = str_trim(arena, options->llm_key);
    if (!key_is_clean(settings->key)) {
        (void)err_set(err, ERR_CONFIG,
                      "llm.key holds white space or control characters.");
        return NULL;
    }
    settings->url = settings->safe_url = "";
    if (!provider->address) {
        return provider;
    }
    if (provider->needs_key && !*options->llm_url && !*settings->key) {
        (void)err_set(err, ERR_LLM_NOT_CONFIGURED, "No key for %s is set.",
                      provider->name);
        return NULL;
    }
    const char *url = *options->llm_url ? options->llm_url : provider->default_url;
    settings->url = provider->address(arena, url);
    settings->safe_url = address_safe(arena, settings->url);
    return provider;
}
