/* What the files of every kind of run have in common. */
#pragma once
#include "app/run/run.h"
#include "app/setup/setup.h"
#include "app/input/units.h"
#include "output/writer.h"

/* results.hdf: `params` has fields, steps and history; folder, mesh, materials, units, provenance and what a resumed
 * run goes on with are the run's. */
Status output_writer(Run *run, const Setup *setup, const WriterParams *params, Writer **out);
/* probes.csv with the columns of the report; `first` names what its rows go by, such as "time". */
Status output_probes(Run *run, const char *first, ProbeFile **out);
/* Closes both, whatever they are; the first failure. Accept NULL, set NULL. */
Status output_close(Writer **writer, ProbeFile **probes);
/* The seconds of the phases. */
Status output_timing(Writer *writer, const RunReport *report);
/* The rows of `expect:` for this time take what the columns hold now. */
void output_note_expected(const Run *run, double time);
