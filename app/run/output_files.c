#include "app/run/output_files.h"
#include "app/input/physics.h"
#include "core/memory.h"

/* Units of the axes and what the cells are made of. */
static void describe_mesh(const Case *c, const Setup *setup, Units *units, WriterParams *params) {
  units_of_case(c, units);
  params->length_unit = units_text(units, UNIT_LENGTH);
  params->time_unit = units_text(units, c->physics->step_unit);
  params->n_material = setup->n_material_name;
  params->material = (const char *const *)setup->material_name;
  params->element_material = setup->element_material;
}

static void describe_run(Run *run, WriterParams *params) {
  const Case *c = run->c;
  params->single = c->output.precision.value == OUTPUT_SINGLE;
  params->packed = c->output.compression.value == COMPRESSION_FAST;
  params->version = sinew_version(), params->commit = sinew_commit();
  params->case_text = c->text;
  params->device = run->report->device, params->precision = run->report->precision;
  params->mesh_hash = run_mesh_hash(run);
}

Status output_beside(Run *run, const char *name, WriterParams *params, OutputFolder **folder, Writer **out) {
  char *path = NULL;
  TRY(output_path(run->params->folder, name, &path));
  describe_run(run, params);
  params->folder = path;
  params->overwrite = true;
  Status status = output_drop_link(path);
  if (status == OK) status = output_folder_open(path, folder);
  if (status == OK) status = writer_create(params, out);
  FREE(path);
  return status;
}

Status output_writer(Run *run, const Setup *setup, WriterParams *params, Writer **out) {
  const Case *c = run->c;
  char *report = NULL;
  Units units;
  describe_mesh(c, setup, &units, params);
  TRY(report_running(run->report, c, &report));
  describe_run(run, params);
  params->folder = run->params->folder;
  params->mesh = run->mesh;
  params->overwrite = run->params->overwrite || run->params->resume;
  params->receipt = run->receipt, params->n_receipt = run->n_receipt;
  params->report = report;
  params->published = &run->published;
  const Status status = writer_create(params, out);
  FREE(report);
  return status;
}

Status output_probes(Run *run, const char *first, ProbeFile **out) {
  const Columns *columns = &run->report->columns;
  const char **names = NULL;
  TRY(mem_alloc(columns->n, sizeof *names, "names of columns", (void **)(void *)&names));
  for (int32_t i = 0; i < columns->n; ++i) names[i] = columns->name[i];
  const ProbeFileParams params = {.folder = run->params->folder,
                                  .first = first,
                                  .n_column = columns->n,
                                  .name = names,
                                  .receipt = run->receipt,
                                  .n_receipt = run->n_receipt};
  const Status status = probe_file_create(&params, out);
  mem_free((void **)(void *)&names);
  return status;
}

Status output_close(Writer **writer, ProbeFile **probes) {
  const Status row = probe_file_close(probes), file = writer_close(writer);
  return row != OK ? row : file;
}

Status output_timing(Writer *writer, const RunReport *report) {
  const char *names[N_PHASES];
  for (Phase phase = 0; phase < N_PHASES; ++phase) names[phase] = phase_name(phase);
  return writer_timing(writer, N_PHASES, names, report->seconds);
}
