/* sinew: the only place but bench/main.c where a process begins and ends. */
#include "app/app.h"
#include "app/process.h"

int main(int argc, char **argv) { return process_run(argc, argv, app_main_guarded); }
