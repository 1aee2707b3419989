/* How programs that link the library find the engine processes. */
#include "datasource/engine/engine_program.h"
#include "service/instance.h"

bool dgm_helper(int argc, char *const *argv, int *status)
{
    return engine_helper(argc, argv, status);
}

bool dgm_start_engines(const struct dgm_config *config, struct dgm_error *error)
{
    struct err err;
    err_clear(&err);
    instance_no_error(error);
    return engine_start_early(config->options, &err) || instance_fail(error, &err);
}

bool dgm_engines_alive(struct dgm *dgm, struct dgm_error *error)
{
    struct err err;
    err_clear(&err);
    instance_no_error(error);
    if (engine_still_there(dgm->options, &err)) {
        return true;
    }
    (void)err_set(&err, ERR_DATASOURCE_UNREACHABLE,
                  "The process that runs DuckDB has ended and cannot be started again: "
                  "DuckDB files, datasets and questions over several datasources fail.");
    (void)err_hint(&err, "Restart the server.");
    return instance_fail(error, &err);
}
