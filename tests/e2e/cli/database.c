/*
 * SQLite files in the states that a test needs.
 *
 * usage: database FILE SQL          runs the SQL, making the file when it is not there
 *        database FILE --lock READY holds it exclusively; READY is made once it does
 */
#include <sqlite3.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { PATIENCE_S = 60 };

int main(int argc, char **argv)
{
    sqlite3 *database = NULL;
    char *problem = NULL;
    int lock = argc == 4 && strcmp(argv[2], "--lock") == 0;
    if (argc != 3 && !lock) {
        fprintf(stderr, "usage: database FILE SQL | database FILE --lock READY\n");
        return 2;
    }
    int failed = sqlite3_open(argv[1], &database) != SQLITE_OK ||
                 sqlite3_exec(database, lock ? "BEGIN EXCLUSIVE" : argv[2], NULL, NULL,
                              &problem) != SQLITE_OK;
    if (failed) {
        fprintf(stderr, "database: %s\n", problem ? problem : sqlite3_errmsg(database));
    } else if (lock) {
        FILE *ready = fopen(argv[3], "w");
        if (ready) {
            (void)fclose(ready);
        }
        (void)sleep(PATIENCE_S); /* until the test ends us */
    }
    sqlite3_free(problem);
    (void)sqlite3_close(database);
    return failed;
}
