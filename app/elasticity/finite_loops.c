/* Volumes and pressures of cavities, a row for each step in loops.csv, and samples of them. */
#include "app/elasticity/case_elasticity.h"
#include "app/elasticity/finite.h"
#include "core/memory.h"
#include "output/folder.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static FiniteRun *own(const ElasticRun *w) { return w->own; }

static int32_t first_of(const ElasticRun *w) { return own(w)->cavities.n - w->run->c->cavities.n; }

int32_t finite_cavity_of(const ElasticRun *w, int32_t i) {
  return i < first_of(w) ? -1 : case_cavity_at(w->run->c, i - first_of(w));
}

static void write_head(const ElasticRun *w) {
  fprintf(own(w)->loops, "time");
  for (int32_t i = first_of(w); i < own(w)->cavities.n; ++i) {
    const char *name = case_cavity(w->run->c, finite_cavity_of(w, i))->name.text;
    fprintf(own(w)->loops, ",%s-volume,%s-pressure", name, name);
  }
  if (own(w)->loops_more) own(w)->loops_more(w, true);
  fprintf(own(w)->loops, "\n");
}

static void write_row(const ElasticRun *w) {
  const FiniteCavities *of = &own(w)->cavities;
  fprintf(own(w)->loops, "%.10g", w->run->report->time);
  for (int32_t i = first_of(w); i < of->n; ++i)
    fprintf(own(w)->loops, ",%.12g,%.12g", of->volume[i] / of->unit, of->pressure[i]);
  if (own(w)->loops_more) own(w)->loops_more(w, false);
  fprintf(own(w)->loops, "\n");
}

/* What a run that goes on has left of the file: rows up to this time. */
static long rows_until(FILE *file, double time) {
  char line[4096];
  long end = 0;
  for (int row = 0; fgets(line, sizeof line, file) && strchr(line, '\n'); ++row) {
    if (row && strtod(line, NULL) > time * (1 + 1e-9)) break;
    end = ftell(file);
  }
  return end;
}

Status finite_loops_open(ElasticRun *w) {
  const Run *run = w->run;
  char *path = NULL;
  if (!run->c->cavities.n || run->rehearsed) return OK;
  TRY(elasticity_cavity_volumes(w->elasticity, w->u, own(w)->cavities.volume));
  if (!run_is_root(run)) return OK;
  TRY(output_path(run->params->folder, "loops.csv", &path));
  FILE *file = run->report->time > 0 ? fopen(path, "r+") : NULL;
  const long end = file ? rows_until(file, run->report->time) : 0;
  if (file && (fseek(file, end, SEEK_SET) != 0 || ftruncate(fileno(file), end) != 0)) fclose(file), file = NULL;
  own(w)->loops = file ? file : fopen(path, "w");
  const Status status = own(w)->loops ? OK : FAIL(ERR_IO, "%s: cannot be written: %s", path, strerror(errno));
  FREE(path);
  TRY(status);
  if (end > 0) return OK;
  write_head(w);
  write_row(w);
  return OK;
}

Status finite_loops_add(ElasticRun *w) {
  if (!w->run->c->cavities.n || w->run->rehearsed) return OK;
  TRY(elasticity_cavity_volumes(w->elasticity, w->u, own(w)->cavities.volume));
  if (!own(w)->loops) return OK;
  write_row(w);
  CHECK(fflush(own(w)->loops) == 0, ERR_IO, "loops.csv: cannot be written: %s", strerror(errno));
  return OK;
}

Status finite_loops_close(ElasticRun *w, Status status) {
  if (!own(w)->loops) return status;
  const bool closed = fclose(own(w)->loops) == 0;
  own(w)->loops = NULL;
  if (!closed && status == OK) return FAIL(ERR_IO, "loops.csv: cannot be written: %s", strerror(errno));
  return status;
}

/* Volume and pressure of each cavity, force and elongation of each bolt; then leads of cells. */
static Status sample_take(void *context, double *room) {
  const ElasticRun *w = context;
  const FiniteCavities *of = &own(w)->cavities;
  const int32_t n = of->n + elasticity_bolts(w->elasticity);
  double *value = NULL;
  ALLOC(value, 2 * n, "sums of cavities and bolts");
  finite_bolts_sample(w, value + 2 * of->n);
  for (int32_t i = 0; i < of->n; ++i) {
    value[2 * i] = of->volume[i];
    value[2 * i + 1] = of->pressure[i];
  }
  const Status status = exec_upload(w->run->device.exec, room, value, 2 * (size_t)n * sizeof *value);
  FREE(value);
  if (status == OK && w->cells.n_lead) return w->cells.leads(w->cells.context, room + w->cells.first_lead);
  return status;
}

/* All ranks have the same sample, but for leads. */
static Status sample_gather(void *context, const double *mine, double *whole) {
  const ElasticRun *w = context;
  const int32_t n = own(w)->cavities.n + elasticity_bolts(w->elasticity);
  if (whole) memcpy(whole, mine, 2 * (size_t)n * sizeof *whole);
  return OK;
}

void finite_sample(ElasticRun *w, StreamParams *params) {
  const int32_t n = own(w)->cavities.n + elasticity_bolts(w->elasticity);
  w->cells.first_lead = 2 * n;
  params->n_sample = 2 * n + w->cells.n_lead, params->sample = params->n_sample ? sample_take : NULL;
  params->gather = params->n_sample ? sample_gather : NULL;
}
