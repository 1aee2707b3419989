/* The program's entry; everything is in cli.c so that tests can link it. */
#include "cli/cli.h"
#include "dragoman_server.h"

int main(int argc, char **argv)
{
    int status = 0;
    return dgm_helper(argc, argv, &status) ? status : cli_main(argc, argv);
}
