/* Files of a modal run: a step for each mode, whose time is its frequency, and modes.csv; of modes about a state shapes in a folder of
 * their own. */
#include "app/elasticity/elastic.h"
#include "app/elasticity/elastic_fields.h"
#include "app/elasticity/modal.h"
#include "app/input/case_tables.h"
#include "app/run/output_files.h"
#include "app/run/ranks.h"
#include "core/memory.h"
#include "output/folder.h"
#include "output/text.h"

#include <math.h>

enum { HISTORY = 2 };
static const char *const history_name[2][HISTORY] = {{"frequency", "true_residual"}, {"load-factor", "true_residual"}};

static const double *field_unpack(void *context, const StreamMoment *m, int32_t f, double *room) {
  (void)m, (void)room;
  return elastic_field_value(&((const ModalOutput *)context)->fields, f);
}

static Status columns_fill(void *context, const StreamMoment *m, double *value) {
  (void)m;
  const ModalOutput *o = context;
  return results_columns(o->run->c, o->run->mesh, o->setup, &o->fields, value);
}

static Status stream_create(ModalOutput *o) {
  const Case *c = o->run->c;
  StreamField field[N_ELASTIC_FIELDS];
  for (int32_t k = 0; k < N_ELASTIC_FIELDS; ++k) {
    field[k] = elastic_stream_field(c, k);
    field[k].unpack = field_unpack;
  }
  const char *const *history = history_name[modal_buckles(c)];
  const StreamParams params = {.first = history[0],
                               .n_field = N_ELASTIC_FIELDS,
                               .field = field,
                               .n_step = modal_count(c),
                               .n_history = HISTORY,
                               .history = history,
                               .context = o,
                               .columns = columns_fill};
  return result_stream_create(o->run, o->setup, &params, &o->stream);
}

Status modal_output_create(Run *run, const Setup *setup, Elasticity *elasticity, ModalOutput *o) {
  *o = (ModalOutput){.run = run, .setup = setup, .elasticity = elasticity, .needed = results_needed(run->c)};
  run_guard(run, 1);
  const Status status = stream_create(o);
  run_guard(run, 0);
  return status;
}

Status modal_output_close(ModalOutput *o) {
  const Status status = result_stream_close(&o->stream);
  if (o->run && o->run->share) elastic_collect_release(&o->fields);
  elastic_fields_release(&o->own);
  return status;
}

/* The component that is the largest; of those that are so but for rounding the first. */
static double largest_of(const Mesh *mesh, double (*u)[3]) {
  double most = 0;
  const double *all = u[0];
  for (int64_t i = 0; i < 3 * (int64_t)mesh->n_node; ++i) most = fmax(most, fabs(all[i]));
  for (int64_t i = 0; i < 3 * (int64_t)mesh->n_node; ++i)
    if (fabs(all[i]) >= most * (1 - 1e-6)) return all[i];
  return 1;
}

/* Shapes have the sign that makes that positive; those of buckling, which have no size, have it 1. */
static void shape_scale(const Mesh *mesh, bool buckles, ElasticFields *f, ModeRow *row) {
  const double largest = largest_of(mesh, f->displacement);
  const double factor = buckles && largest != 0 ? 1 / largest : largest < 0 ? -1 : 1;
  if (factor == 1) return;
  if (factor < 0)
    for (int d = 0; d < 3; ++d) row->participation[d] = -row->participation[d];
  FOR_ELASTIC_FIELDS(k) {
    double *value = elastic_field_value(f, k);
    const double times = elastic_field[k].linear ? factor : fabs(factor);
    if (!value || !field_at_nodes(&elastic_field[k])) continue;
#pragma omp parallel for schedule(static)
    for (int64_t i = 0; i < (int64_t)mesh->n_node * elastic_field[k].width; ++i) value[i] *= times;
  }
  for (int64_t k = 0; k < f->n_other; ++k)
    for (int c = 0; c < 6; ++c) f->other[k].stress[c] *= factor;
}

/* Times of steps rise: modes of one frequency are told apart in the last digit. */
static double time_of(ModalOutput *o, double frequency) {
  if (o->mode > 1 && !(frequency > o->last)) frequency = nextafter(o->last, INFINITY);
  return o->last = frequency;
}

/* What the vector is in fields, scaled, where they are shown. */
static Status shape_recover(ModalOutput *o, const double *u, FieldBits needed, bool buckles, ModeRow *row) {
  ElasticFields *f = &o->own;
  TRY(f->own ? elasticity_recover_again(o->elasticity, u, f) : elasticity_recover_start(o->elasticity, u, needed, f));
  TRY(elastic_fields_wait(o->elasticity, f));
  if (o->run->share) elastic_collect_release(&o->fields);
  if (o->run->share) TRY(elastic_collect(o->run, f, &o->fields));
  else o->fields = *f;
  if (run_is_root(o->run)) shape_scale(o->run->mesh, buckles, &o->fields, row);
  return OK;
}

Status modal_output_store(ModalOutput *o, const double *u, ModeRow *row) {
  const double history[HISTORY] = {row->frequency, row->residual};
  ++o->mode;
  TRY(shape_recover(o, u, o->needed, modal_buckles(o->run->c), row));
  run_guard(o->run, 1);
  Status status = result_stream_history(o->stream, history);
  if (status == OK) status = result_stream_store(o->stream, time_of(o, row->frequency));
  run_guard(o->run, 0);
  return status;
}

/* ---- about a state: files of their own, as the steps are of loads ---- */

static Status shapes_open(Run *run, OutputFolder **folder, Writer **writer) {
  Units units;
  units_of_case(run->c, &units);
  const char *length = units_text(&units, UNIT_LENGTH);
  const WriterField field[] = {{.name = "displacement", .n_component = 3, .unit = length},
                               {.name = "state", .n_component = 3, .unit = length, .once = true}};
  WriterParams params = {.mesh = run->mesh,
                         .n_field = (int32_t)COUNT(field),
                         .field = field,
                         .n_step = run->report->modes.n,
                         .axis = "frequency",
                         .units = run->c->units.text ? run->c->units.text : run->c->physics->units,
                         .length_unit = length,
                         .time_unit = units_text(&units, UNIT_FREQUENCY)};
  return output_beside(run, "modes", &params, folder, writer);
}

static Status shape_save(ModalOutput *o, Writer *writer, const double (*state)[3], const double *u, ModeRow *row) {
  TRY(shape_recover(o, u, FIELD_DISPLACEMENT, false, row));
  const double *const values[] = {o->fields.displacement[0], o->mode++ == 0 ? state[0] : NULL};
  if (!writer) return OK;
  run_guard(o->run, 1);
  const Status status = writer_step(writer, time_of(o, row->frequency), values);
  run_guard(o->run, 0);
  return status;
}

Status modal_shapes_save(ModalOutput *o, const double (*state)[3], EigenSolver *solver, double *u) {
  RunReport *report = o->run->report;
  OutputFolder *folder = NULL;
  Writer *writer = NULL;
  run_guard(o->run, 1);
  Status status = o->run->rehearsed ? OK : shapes_open(o->run, &folder, &writer);
  run_guard(o->run, 0);
  for (int32_t k = 0; k < report->modes.n && status == OK; ++k) {
    status = eigen_vector(solver, k, u);
    if (status == OK) status = shape_save(o, writer, state, u, &report->modes.row[k]);
  }
  run_guard(o->run, 1);
  const Status closed = writer_close(&writer);
  output_folder_close(&folder);
  run_guard(o->run, 0);
  return status == OK ? closed : status;
}

Status modal_output_table(const ModalOutput *o) {
  const RunReport *report = o->run->report;
  Text text = {0};
  char *path = NULL;
  if (o->run->rehearsed || !run_is_root(o->run)) return OK;
  const bool buckles = modal_buckles(o->run->c);
  text_add(&text, buckles ? "mode,load-factor,residual"
                          : "mode,frequency,residual,participation-x,participation-y,participation-z,effective-mass-x,"
                            "effective-mass-y,effective-mass-z");
  text_add(&text, report->modes.waves ? ",diameter\n" : "\n");
  for (int32_t k = 0; k < report->modes.n; ++k) {
    const ModeRow *row = &report->modes.row[k];
    text_add(&text, "%d,%.17g,%.17g", (int)k + 1, row->frequency, row->residual);
    for (int d = 0; d < 3 && !buckles; ++d) text_add(&text, ",%.17g", row->participation[d]);
    for (int d = 0; d < 3 && !buckles; ++d) text_add(&text, ",%.17g", row->effective[d]);
    if (report->modes.waves) text_add(&text, ",%d", (int)row->diameter);
    text_add(&text, "\n");
  }
  Status status = text.status;
  if (status == OK) status = output_path(o->run->params->folder, "modes.csv", &path);
  if (status == OK) status = text_save(&text, path, false);
  FREE(path);
  text_release(&text);
  return status;
}
