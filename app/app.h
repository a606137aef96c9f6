/* The program around the rooms. In reading order:
 *   main.c            signals, nothing else; the only place that ends the process
 *   app.c             which command; messages and exit codes
 *   options.h         the command line
 *   case.h            the case file: tree.h (YAML with places), schema.h (tables of keys), diagnostics.h (all errors
 *   together) setup.h           the case held against its mesh
 *   backend.h         CPU or GPU, with memory_tracker.h (memory by name)
 *   run.h             the way of the data: case, mesh, matrix, solution, files
 *   results.h         fields, probes and sums; report.h the summary; expect.h the rows of `sinew verify`
 *   progress.h        what is said on the way */
#pragma once

/* Runs the command line and returns the exit code (PRODUCT: exit codes). Prints results on stdout, errors and warnings
 * on stderr. Frees all it took: tests call it in their own process. */
int app_main(int argc, char **argv);
/* Same; guard(1) and guard(0) are called around the writing of result files, so that a request to stop can wait until
 * they are whole; the answer says whether one is waiting. May be NULL. */
int app_main_guarded(int argc, char **argv, int (*guard)(int on));
