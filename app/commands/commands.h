/* What each command does; options are checked already. */
#pragma once
#include "app/commands/options.h"
#include "app/input/case.h"
#include "output/text.h"

#include <stddef.h>

typedef int (*Guard)(int on); /* app_main_guarded */

/* A command line from its words to the exit code: help and version, or what `command` does; messages. */
int app_line(int argc, char **argv, Guard guard, Status (*command)(const Options *, Guard));

Status command_run(const Options *options, Guard guard);
/* Its part for points of a sweep, of that case and output. */
Status command_together(const Options *options, const char *path, const char *folder, Guard guard);
Status command_check(const Options *options);
Status command_verify(const Options *options, Guard guard);
Status command_mesh(const Options *options, Guard guard);
Status command_convert(const Options *options, Guard guard);
/* Its part for results: whether the output's name is of one, and what is then done. */
bool convert_is_result(const char *out);
/* "a, b or c": the endings of those formats. */
void convert_result_endings(char *text, size_t size);
Status convert_result(const Options *options, Guard guard);
Status command_solve(const Options *options, Guard guard);
Status command_info(const Options *options);
Status command_plot(const Options *options);
/* Ends in Python; returns where that cannot be started. */
Status command_report(const Options *options);
Status command_list(const Options *options);
/* Ends in the program sinew-bench; returns where that cannot be started. */
Status command_bench(const Options *options);
Status command_init(const Options *options);
Status command_schema(void);
Status command_cell(const Options *options);
Status command_tune(const Options *options);
Status command_circulation(const Options *options, Guard guard);
/* The same. */
Status command_sweep(const Options *options);
Status command_protocol(const Options *options);
/* Until the standard input ends; `run`: a command line to its exit code. */
typedef int (*CommandLineRun)(int argc, char **argv, Guard guard);
Status command_serve(Guard guard, CommandLineRun run);
Status command_model(const Options *options, Guard guard);

/* The case file that `given` means: itself, or the one in a folder; owned. ERR_INPUT with what was probably meant. */
Status case_operand(const char *given, char **out);
/* The case of that file, or of that deck. */
Status case_open(const char *path, int n_set, const char *const *set, Case **out);
/* ERR_IO where the command may not write a file there: something else than a file has that name, or one and no --overwrite. */
Status file_is_free(const char *path, bool overwrite);
/* Hands the text over as a path, to be freed; ERR_MEMORY where it did not grow. */
Status folder_path(Text *path, char **out);
/* "results" beside case.yaml, "results-plate" beside plate.yaml; owned. */
Status results_beside(const char *case_path, char **out);
/* The same, or --output; owned. */
Status output_folder_of(const Options *options, const char *case_path, char **out);
