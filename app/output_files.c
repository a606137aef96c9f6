#include "app/output_files.h"
#include "app/expect.h"
#include "core/memory.h"

#include <math.h>

Status output_probes(const char *folder, const char *first, const Columns *columns, bool resumed, ProbeFile **out) {
  const char **names = NULL;
  TRY(mem_alloc(columns->n, sizeof *names, "names of columns", (void **)(void *)&names));
  for (int32_t i = 0; i < columns->n; ++i) names[i] = columns->name[i];
  const Status status = probe_file_create_over(folder, first, columns->n, names, resumed, out);
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

void output_note_expected(const Run *run, double time) {
  const Case *c = run->c;
  RunReport *report = run->report;
  for (int32_t i = 0; i < c->expect.n; ++i) {
    const CaseExpect *row = case_expect(c, i);
    if (!place_given(row->time.place) || fabs(row->time.value - time) > 1e-9 * c->time.end.value) continue;
    report->at_time[i] = column_value(&report->columns, expect_column(row));
  }
}
