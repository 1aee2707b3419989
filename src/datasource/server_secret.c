/* Passwords of servers that stand in a variable or a file rather than in the URL. */
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/file.h"
#include "datasource/server_pool.h"

enum { SECRET_MOST = 4096 };

bool server_secret_read(struct arena *arena, const char *variable, const char *file,
                        const char **password, struct err *err)
{
    if (variable) {
        *password = arena_text(arena, getenv(variable));
        if (!*password) {
            (void)err_set(err, ERR_CONFIG,
                          "The variable '%s' with the database's password is not set.",
                          variable);
            return err_hint(err, "Set it, or change password_env in the URL.");
        }
    }
    if (file) {
        size_t size = 0;
        char *text = file_read(arena, file, SECRET_MOST, &size, err);
        if (!text) {
            (void)err_set(err, ERR_CONFIG,
                          "The file with the database's password cannot be read.");
            return err_hint(err, "Check password_file in the URL.");
        }
        text[strcspn(text, "\r\n")] = '\0';
        *password = text;
    }
    return true;
}
