/* LOOP_ROWS and LOOP_ROWS_SUM of a rows.def are ROWS and ROWS_SUM of kernels that are recorded in loops (exec_loop_create).
 * The kernel that stays on the GPU for a whole loop is built with these only (gpu/persistent/persist_rows.def): each costs seconds of
 * compilation there. A loop with any other row kernel takes the graph; tests/solver/loop_kernels.c says which are missing. */
#ifndef LOOP_ROWS
#define LOOP_ROWS ROWS
#define LOOP_ROWS_SUM ROWS_SUM
#endif
