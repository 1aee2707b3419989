/* The drivers of this build: to add one, write its file and add its row here. */
#include "datasource/driver.h"

#include <assert.h>
#include <pthread.h>

#include "base/arena.h"
#include "base/str.h"
#include "base/vec.h"

#ifdef DRAGOMAN_HAS_DUCKDB
#define DRIVERS_DUCKDB(DRIVER) DRIVER(duckdb) DRIVER(files)
#else
#define DRIVERS_DUCKDB(DRIVER)
#endif
#ifdef DRAGOMAN_HAS_POSTGRES
#define DRIVERS_POSTGRES(DRIVER) DRIVER(postgres)
#else
#define DRIVERS_POSTGRES(DRIVER)
#endif
#ifdef DRAGOMAN_HAS_MYSQL
#define DRIVERS_MYSQL(DRIVER) DRIVER(mysql)
#else
#define DRIVERS_MYSQL(DRIVER)
#endif
#ifdef DRAGOMAN_HAS_MONGODB
#define DRIVERS_MONGODB(DRIVER) DRIVER(mongodb)
#else
#define DRIVERS_MONGODB(DRIVER)
#endif
#ifdef DRAGOMAN_HAS_ODBC
#define DRIVERS_ODBC(DRIVER) DRIVER(odbc)
#else
#define DRIVERS_ODBC(DRIVER)
#endif
#define DRIVERS(DRIVER)                                                                  \
    DRIVER(sqlite)                                                                       \
    DRIVERS_DUCKDB(DRIVER)                                                               \
    DRIVERS_POSTGRES(DRIVER)                                                             \
    DRIVERS_MYSQL(DRIVER)                                                                \
    DRIVER(clickhouse)                                                                   \
    DRIVER(bigquery)                                                                     \
    DRIVERS_MONGODB(DRIVER)                                                              \
    DRIVERS_ODBC(DRIVER)

#define DRIVER(name) extern const struct datasource_driver datasource_##name;
DRIVERS(DRIVER)
#undef DRIVER

static const struct datasource_driver *const registry[] = {
#define DRIVER(name) &datasource_##name,
    DRIVERS(DRIVER)
#undef DRIVER
};

enum { REGISTRY_COUNT = sizeof registry / sizeof *registry };

static void registry_assert(void)
{
    for (size_t i = 0; i < REGISTRY_COUNT; i++) {
        const struct datasource_driver *driver = registry[i];
        assert(driver->name && driver->schemes && driver->extensions);
        assert(driver->open && driver->close && driver->signature && driver->describe);
        assert(driver->check && driver->execute);
        (void)driver;
    }
}

const struct datasource_driver *datasource_driver_at(size_t index)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    (void)pthread_once(&once, registry_assert);
    return index < REGISTRY_COUNT ? registry[index] : NULL;
}

static const struct datasource_driver *registry_find(const char *word, bool extension)
{
    const struct datasource_driver *driver;
    for (size_t i = 0; (driver = datasource_driver_at(i)); i++) {
        const char *const *list = extension ? driver->extensions : driver->schemes;
        for (; *list; list++) {
            if (extension ? str_ends_nocase(word, *list)
                          : str_equal_nocase(word, *list)) {
                return driver;
            }
        }
    }
    return NULL;
}

const struct datasource_driver *registry_by_scheme(const char *scheme)
{
    return registry_find(scheme, false);
}

const struct datasource_driver *registry_by_extension(const char *path)
{
    return registry_find(path, true);
}

const struct datasource_driver *registry_by_name(const char *name)
{
    const struct datasource_driver *driver;
    for (size_t i = 0; (driver = datasource_driver_at(i)); i++) {
        if (str_equal(driver->name, name)) {
            return driver;
        }
    }
    return NULL;
}

char *registry_names(struct arena *arena)
{
    struct texts names = {0};
    const struct datasource_driver *driver;
    for (size_t i = 0; (driver = datasource_driver_at(i)); i++) {
        VEC_PUSH(arena, &names, driver->name);
    }
    return str_join(arena, &names, ", ");
}
