/* The processes that run engines, as programs see them. */
#include "datasource/engine/engine_program.h"
#include "service/house.h"

bool dgm_helper(int argc, char *const *argv, int *status)
{
    return engine_helper(argc, argv, status);
}

bool dgm_start_engines(const struct dgm_config *config, struct dgm_error *error)
{
    struct err err;
    err_clear(&err);
    house_no_error(error);
    return engine_start_early(config->options, &err) || house_fail(error, &err);
}
