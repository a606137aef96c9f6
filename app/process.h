/* Process set-up of sinew and sinew-bench: standard files, threads that wait asleep, signals, libraries that end the
 * process. */
#pragma once

/* Asked of a guard: a request to stop shall end this process without a word, since rank 0 says it for all. */
enum { GUARD_SILENT = -1 };
/* A program from its command line to its exit code. guard(1) and guard(0) are called around the writing of result files,
 * so that a request to stop can wait until they are whole; the answer says whether one is waiting. */
typedef int (*ProcessProgram)(int argc, char **argv, int (*guard)(int on));
/* The exit code, to be returned from main. */
int process_run(int argc, char **argv, ProcessProgram program);
