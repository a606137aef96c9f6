/* The files of a static result: one step at time 0, or a step for each load case, combination and envelope. They are made before there are fields, as those are still on their
 * way, or not even solved for. */
#include "app/elasticity/elastic_fields.h"
#include "app/elasticity/envelope.h"
#include "app/run/ranks.h"
#include "core/memory.h"
#include "output/h5.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum {
  POINTS_MAX = ELEMENT_MAX_QUADRATURE,
  FIELDS_MAX = N_ELASTIC_FIELDS + 1 + POINTS_MAX,
  GOVERNING = N_ELASTIC_FIELDS
};

static const char *const history_name[] = {"time",     "iterations",    "products",
                                           "restarts", "true_residual", "recursive_residual"};
enum { HISTORY = (int)(sizeof history_name / sizeof *history_name) };

struct StaticOutput {
  const Run *run;
  const Setup *setup;
  const ElasticFields *fields;
  int32_t n;
  StreamField field[FIELDS_MAX];
  int32_t row[FIELDS_MAX]; /* ELASTIC_..., GOVERNING */
  int32_t first_point;     /* the field of the first integration point */
  char point_name[POINTS_MAX][32];
  ResultStream *stream; /* owned */
  int64_t n_point;
  double (*point)[6]; /* owned, [n_point][n_solved][6]: stress by integration point; NaN where an element has fewer */
  /* of load cases */
  Envelopes envelopes;   /* content owned */
  double *step;          /* owned, [n_node]: which governs, of steps that are no envelopes */
  double *column;        /* owned, [columns] of such steps */
  const Envelope *shown; /* that is stored now; NULL: none */
  Text tables;           /* owned */
};

static int64_t solved_elements(const Mesh *mesh) { return mesh->n_element - setup_first_solved(mesh); }

static const double *field_unpack(void *context, const StreamMoment *m, int32_t f, double *room) {
  (void)m, (void)room;
  const StaticOutput *o = context;
  if (o->row[f] == GOVERNING) return o->shown ? o->shown->governing : o->step;
  if (o->row[f] == ELASTIC_POINT_STRESS) return o->point[(f - o->first_point) * solved_elements(o->run->mesh)];
  return elastic_field_value(o->fields, o->row[f]);
}

static Status columns_fill(void *context, const StreamMoment *m, double *value) {
  (void)m;
  const StaticOutput *o = context;
  if (o->shown) {
    memcpy(value, o->shown->column, (size_t)o->envelopes.n_column * sizeof *value);
    return OK;
  }
  return results_columns(o->run->c, o->run->mesh, o->setup, o->fields, value);
}

static void field_add(StaticOutput *o, int32_t row, const char *name) {
  StreamField *field = &o->field[o->n];
  *field = row == GOVERNING ? (StreamField){.n_component = 1} : elastic_stream_field(o->run->c, row);
  field->wanted = true;
  field->unpack = field_unpack;
  if (name) field->name = name;
  o->row[o->n++] = row;
}

/* The k-th point of every element as one array of cells: "point-stress-1" and so on. */
static Status points_add(StaticOutput *o) {
  const Mesh *mesh = o->run->mesh;
  o->first_point = o->n;
  for (int32_t b = 0; b < mesh->n_block; ++b) {
    const ElementType *type = element_type(mesh->block[b].kind);
    Quadrature rule;
    if (type->dim != mesh->dim || mesh->block[b].n == 0) continue;
    TRY(element_stiffness_quadrature(type, &rule));
    if (rule.n > o->n_point) o->n_point = rule.n;
  }
  for (int64_t q = 0; q < o->n_point; ++q) {
    snprintf(o->point_name[q], sizeof o->point_name[q], "point-stress-%d", (int)q + 1);
    field_add(o, ELASTIC_POINT_STRESS, o->point_name[q]);
  }
  return OK;
}

static Status points_fill(StaticOutput *o) {
  const ElasticFields *fields = o->fields;
  const int64_t n = solved_elements(o->run->mesh);
  if (o->n_point == 0) return OK;
  if (!o->point) ALLOC(o->point, o->n_point * n, "stress at integration points");
#pragma omp parallel for schedule(static)
  for (int64_t e = 0; e < n; ++e)
    for (int64_t q = 0; q < o->n_point; ++q) {
      const int64_t at = fields->point_start[e] + q;
      for (int k = 0; k < 6; ++k)
        o->point[q * n + e][k] = at < fields->point_start[e + 1] ? fields->point_stress[at][k] : (double)NAN;
    }
  return OK;
}

static Status fields_list(StaticOutput *o) {
  const Case *c = o->run->c;
  for (int32_t k = 0; k < N_ELASTIC_FIELDS; ++k)
    if (elastic_field_asked(c, k) && k != ELASTIC_POINT_STRESS) field_add(o, k, NULL);
  if (o->envelopes.n) field_add(o, GOVERNING, "governing-case");
  return elastic_field_asked(c, ELASTIC_POINT_STRESS) ? points_add(o) : OK;
}

static Status fields_store(StaticOutput *o, double step, const LinearReport *linear) {
  const double row[HISTORY] = {step,
                               (double)linear->iterations,
                               (double)linear->products,
                               linear->restarts,
                               linear->true_residual,
                               linear->recursive_residual};
  TRY(points_fill(o));
  if (!o->shown) TRY(elastic_tables_add(o->run, o->setup, o->fields, step > 0 ? step : 1, &o->tables));
  TRY(result_stream_history(o->stream, row));
  return result_stream_store(o->stream, step);
}

/* Field by field: its slab of the mesh's order comes to this rank, which writes it. */
static Status slabs_write(const StaticOutput *o, const Slabs *slabs, const SlabSite *site, int file) {
  Status status = OK;
  double *slab = NULL;
  for (int32_t f = 0; f < o->n && status == OK; ++f) {
    const StreamField *field = &o->field[f];
    const CollectorItems of = field->on_cells ? OF_ELEMENTS : OF_NODES;
    const int64_t width = field->n_component;
    int32_t first;
    const int32_t n = slabs_items(slabs, of, &first);
    ALLOC_DONE(slab, n * width, "results on their way to the file");
    TRY_DONE(
        slabs_take(slabs, of, (size_t)width * sizeof *slab, field_unpack((void *)(uintptr_t)o, NULL, f, NULL), slab));
    const WriterField written = {.name = field->name, .on_cells = field->on_cells, .n_component = field->n_component};
    TRY_DONE(slab_write(site, file, f, &written, first * width, n * width, slab));
    FREE(slab);
  }
done:
  FREE(slab);
  return status;
}

/* The file that rank 0 has made, on every rank; -1 on all where one does not see it. Ranks of several hosts could not trust their
 * caches of a shared file's pages. */
static Status slabs_open(Run *run, const StaticOutput *output, SlabSite *site, int *file) {
  Comm *comm = run->params->comm;
  const bool one_host = comm->n_local == comm->n_rank || strcmp(comm->table->name, "mpi") != 0;
  bool can = one_host && !run->c->output.tables.n && !elastic_field_asked(run->c, ELASTIC_POINT_STRESS) &&
             !(columns_needed(run->c) & FIELD_POINT_STRESS),
       lacking;
  *file = -1;
  if (can && output) can = result_stream_site(output->stream, site);
  TRY(ranks_hear(run, &can));
  if (!can) return OK;
  TRY(comm_broadcast(comm, 0, site, sizeof *site));
  *file = slab_open(site);
  const Status status = ranks_any(run, *file < 0, &lacking);
  if (*file >= 0 && (lacking || status != OK)) close(*file), *file = -1;
  return status;
}

Status results_store_share(Run *run, StaticOutput *output, const ElasticFields *mine, bool *done) {
  StaticOutput share = {.run = run, .fields = mine};
  SlabSite *site = NULL;
  int file = -1;
  *done = false;
  ALLOC(site, 1, "where results go");
  Status status = slabs_open(run, output, site, &file);
  *done = status == OK && file >= 0;
  if (*done) status = fields_list(&share);
  if (*done && status == OK) status = slabs_write(&share, run->share->slabs, site, file);
  if (file >= 0) {
    h5_start_writeback(file, 0, 0);
    close(file);
  }
  FREE(site);
  if (status != OK || !*done) return status;
  if (output) result_stream_placed(output->stream);
  return ranks_agree(run, OK); /* all of it is there */
}

Status results_store(StaticOutput *o) { return fields_store(o, 0, &o->run->report->linear); }

Status results_store_case(StaticOutput *o, int32_t k, const ElasticFields *fields, const LinearReport *linear) {
  const int32_t n_node = o->run->mesh->n_node;
  o->fields = fields;
  TRY(fields_store(o, k, linear ? linear : &(LinearReport){0}));
  if (!o->envelopes.n) return OK;
  TRY(results_columns(o->run->c, o->run->mesh, o->setup, fields, o->column));
  TRY(envelopes_add(&o->envelopes, k, fields, o->column));
  for (int32_t i = 0; i < n_node; ++i) o->step[i] = k + 1; /* of the next */
  return OK;
}

/* What the summary says of an envelope. */
static void envelope_report(const StaticOutput *o, int32_t i, RunEnvelope *out) {
  const Mesh *mesh = o->run->mesh;
  const Case *c = o->run->c;
  const int32_t at = envelope_worst(&o->envelopes, i, &out->value);
  for (int k = 0; k < 3; ++k) out->x[k] = mesh->x[at][k];
  out->name = case_envelope(c, i)->name.text;
  out->field = case_envelope(c, i)->field.text;
  out->step = case_load_step(c, (int32_t)o->envelopes.item[i].governing[at])->text;
}

Status results_store_envelopes(StaticOutput *o) {
  const Case *c = o->run->c;
  RunReport *report = o->run->report;
  ALLOC(report->envelope, o->envelopes.n, "envelopes");
  report->n_envelope = o->envelopes.n;
  for (int32_t i = 0; i < o->envelopes.n; ++i) {
    o->shown = &o->envelopes.item[i];
    o->fields = &o->shown->fields;
    envelope_report(o, i, &report->envelope[i]);
    TRY(fields_store(o, c->load_cases.n + c->combinations.n + i + 1, &(LinearReport){0}));
  }
  return OK;
}

static Status envelopes_open(StaticOutput *o) {
  const Run *run = o->run;
  if (!run->c->envelopes.n) return OK;
  TRY(envelopes_create(run->c, run->mesh, o->setup, &o->envelopes));
  ALLOC(o->step, run->mesh->n_node, "envelopes");
  ALLOC(o->column, o->envelopes.n_column, "envelopes");
  for (int32_t i = 0; i < run->mesh->n_node; ++i) o->step[i] = 1;
  return OK;
}

Status results_open(Run *run, const Setup *setup, const ElasticFields *fields, StaticOutput **out) {
  StaticOutput *o = NULL;
  ALLOC(o, 1, "list of fields");
  *out = o;
  *o = (StaticOutput){.run = run, .setup = setup, .fields = fields};
  TRY(envelopes_open(o));
  TRY(fields_list(o));
  const int32_t n_step = case_load_steps(run->c);
  const StreamParams params = {.first = n_step ? "step" : NULL,
                               .n_field = o->n,
                               .field = o->field,
                               .n_step = n_step ? n_step : 1,
                               .n_history = HISTORY,
                               .history = history_name,
                               .context = o,
                               .columns = columns_fill};
  return result_stream_create(run, setup, &params, &o->stream);
}

Status results_close(StaticOutput **output) {
  StaticOutput *o = *output;
  if (!o) return OK;
  Status status = result_stream_close(&o->stream);
  if (status == OK && o->tables.n) status = tables_save(o->run, &o->tables);
  text_release(&o->tables);
  envelopes_release(&o->envelopes);
  FREE(o->step);
  FREE(o->column);
  FREE(o->point);
  FREE(*output);
  return status;
}
