/* Filling the files of a static result: one step at time 0. */
#include "app/elasticity/results.h"
#include "app/run/output_files.h"
#include "core/memory.h"

#include <math.h>
#include <stdio.h>

enum { POINTS_MAX = ELEMENT_MAX_QUADRATURE, FIELDS_MAX = N_OUTPUT_FIELDS + POINTS_MAX };

typedef struct FieldList {
  int32_t n;
  WriterField field[FIELDS_MAX];
  const double *value[FIELDS_MAX];
  char point_name[POINTS_MAX][32];
  double (*point)[6]; /* owned, [n_point][n_solved][6]: stress by integration point; NaN where an element has fewer */
} FieldList;

static void add(FieldList *list, const char *name, bool on_cells, int32_t n_component, const void *value) {
  list->field[list->n] = (WriterField){.name = name, .on_cells = on_cells, .n_component = n_component};
  list->value[list->n++] = value;
}

/* The k-th point of every element as one array of cells: "point-stress-1" and so on. */
static Status add_points(const Mesh *mesh, const ElasticFields *fields, FieldList *list) {
  const int64_t n = mesh->n_element - setup_first_solved(mesh);
  int64_t most = 0;
  for (int64_t e = 0; e < n; ++e) {
    const int64_t here = fields->point_start[e + 1] - fields->point_start[e];
    if (here > most) most = here;
  }
  CHECK(most <= POINTS_MAX, ERR_BUG, "an element with %lld integration points", (long long)most);
  ALLOC(list->point, most * n, "stress at integration points");
  for (int64_t q = 0; q < most; ++q) {
    for (int64_t e = 0; e < n; ++e) {
      const int64_t at = fields->point_start[e] + q;
      for (int k = 0; k < 6; ++k)
        list->point[q * n + e][k] = at < fields->point_start[e + 1] ? fields->point_stress[at][k] : (double)NAN;
    }
    snprintf(list->point_name[q], sizeof list->point_name[q], "point-stress-%d", (int)q + 1);
    add(list, list->point_name[q], true, 6, list->point[q * n]);
  }
  return OK;
}

static Status list_fields(const Case *c, const Mesh *mesh, const ElasticFields *fields, FieldList *list) {
  const uint32_t mask = c->output.fields.mask;
  if (mask >> OUTPUT_DISPLACEMENT & 1) add(list, "displacement", false, 3, fields->displacement);
  if (mask >> OUTPUT_STRESS & 1) add(list, "stress", false, 6, fields->stress);
  if (mask >> OUTPUT_VON_MISES & 1) add(list, "von-mises", false, 1, fields->von_mises);
  if (mask >> OUTPUT_PRINCIPAL & 1) add(list, "principal", false, 3, fields->principal);
  if (mask >> OUTPUT_REACTION & 1) add(list, "reaction", false, 3, fields->reaction);
  if (mask >> OUTPUT_STRAIN_ENERGY & 1) add(list, "strain-energy", true, 1, fields->strain_energy);
  if (mask >> OUTPUT_ELEMENT_STRESS & 1) add(list, "element-stress", true, 6, fields->element_stress);
  return mask >> OUTPUT_POINT_STRESS & 1 ? add_points(mesh, fields, list) : OK;
}

static Status write_history(Writer *writer, const RunReport *report) {
  static const char *const names[] = {"time",     "iterations",    "products",
                                      "restarts", "true_residual", "recursive_residual"};
  const LinearReport *linear = &report->linear;
  const double values[] = {0,
                           (double)linear->iterations,
                           (double)linear->products,
                           linear->restarts,
                           linear->true_residual,
                           linear->recursive_residual};
  return writer_history(writer, 6, names, values);
}

static Status write_all(Writer *writer, ProbeFile *probes, const FieldList *list, const RunReport *report) {
  TRY(write_history(writer, report));
  TRY(probe_file_row(probes, 0, report->columns.value));
  TRY(output_timing(writer, report));
  return writer_step(writer, 0, list->value);
}

Status results_write(Run *run, const Setup *setup, const ElasticFields *fields) {
  FieldList *list = NULL;
  Writer *writer = NULL;
  ProbeFile *probes = NULL;
  ALLOC(list, 1, "list of fields");
  Status status = list_fields(run->c, run->mesh, fields, list);
  const WriterParams params = {.n_field = list->n, .field = list->field, .n_step = 1};
  if (status == OK) status = output_writer(run, setup, &params, &writer);
  if (status == OK) status = output_probes(run, "time", &probes);
  if (status == OK) status = write_all(writer, probes, list, run->report);
  char message[4096]; /* closing the files may have others */
  snprintf(message, sizeof message, "%s", status == OK ? "" : status_message());
  const Status closed = output_close(&writer, &probes);
  FREE(list->point);
  FREE(list);
  return status != OK ? FAIL(status, "%s", message) : closed;
}
