/* The process that runs DuckDB for the library: nothing but the library's own helper. */
#include "dragoman.h"

int main(int argc, char **argv)
{
    int status = 1;
    (void)dgm_helper(argc, argv, &status);
    return status;
}
