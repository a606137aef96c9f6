/* Common parts of the output files of all runs. */
#pragma once
#include "app/run/run.h"
#include "app/setup/setup.h"
#include "app/input/units.h"
#include "output/folder.h"
#include "output/writer.h"

/* results.hdf: `params` has the fields, steps and history; folder, mesh, materials,
 * provenance and what a resumed run continues are filled in. */
Status output_writer(Run *run, const Setup *setup, WriterParams *params, Writer **out);
/* Files of their own in the folder NAME below the results, in the place of those that are there: `params` has mesh, fields, steps and
 * units; what the run is goes in here. *folder holds the folder until output_folder_close. */
Status output_beside(Run *run, const char *name, WriterParams *params, OutputFolder **folder, Writer **out);
/* probes.csv with the columns of the report; `first` names what its rows go by, such as "time". */
Status output_probes(Run *run, const char *first, ProbeFile **out);
/* Closes both, whatever they are; the first failure. Accept NULL, set NULL. */
Status output_close(Writer **writer, ProbeFile **probes);
/* The seconds of the phases. */
Status output_timing(Writer *writer, const RunReport *report);
