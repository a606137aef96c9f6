/* Between run.c and run_folder.c: the output folder of a run. */
#pragma once
#include "app/run/run.h"

/* FNV-1a over the case as resolved: comments and the order of keys do not matter, defaults do. */
Status run_case_hash(const Case *c, uint64_t *out);
/* Hashes of case and mesh into the report. */
Status run_hashes(Run *run);
/* For --resume, before anything else: has this very case come to its end in the folder? Says so then. ERR_RESTART: its
 * files are not those of then. */
Status run_finished(Run *run, bool *finished);
/* Holds the folder until run_case lets it go. ERR_RESTART: in use, a result is there already, or --resume has nothing
 * that it may go on from; ERR_IO: it cannot be written. */
Status run_open_folder(Run *run);
/* May a run that has failed leave a report.json? Not beside the result of another run. */
bool run_may_report(const Run *run);
