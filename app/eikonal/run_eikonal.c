/* When fronts arrive, from a case to files: one solve. */
#include "app/eikonal/case_eikonal.h"
#include "app/eikonal/eikonal_leads.h"
#include "app/monodomain/conduction_velocity.h"
#include "app/monodomain/heart.h"
#include "app/monodomain/intervals.h"
#include "app/monodomain/purkinje.h"
#include "app/run/result_stream.h"
#include "app/run/together.h"
#include "assembly/eikonal/eikonal.h"
#include "core/memory.h"
#include "output/wording.h"

#include <math.h>
#include <string.h>

typedef struct Work {
  Run *run;
  Setup setup;
  Eikonal *eikonal;
  double *start, *time; /* owned, [n_node], mesh order */
  EikonalLeads *leads;  /* owned; NULL: none are asked for */
  int64_t sample;       /* of the leads, the next */
  ResultStream *stream;
} Work;

static Status eikonal_release(void *work) {
  Work *w = work;
  const Status status = result_stream_close(&w->stream);
  progress_phase(&w->run->progress, PHASE_WRITE);
  eikonal_destroy(&w->eikonal);
  eikonal_leads_destroy(&w->leads);
  FREE(w->start);
  FREE(w->time);
  setup_release(&w->setup);
  return status;
}

/* The earliest stimulus at each node. */
static Status find_starts(Work *w) {
  const int32_t n = w->run->mesh->n_node;
  ALLOC(w->start, n, "times of start");
  ALLOC(w->time, n, "times of activation");
  setup_front_starts(w->run->c, &w->setup, n, w->start);
  return OK;
}

static const double *time_unpack(void *context, const StreamMoment *m, int32_t f, double *room) {
  (void)m, (void)f, (void)room;
  return ((const Work *)context)->time;
}

static const double *velocity_unpack(void *context, const StreamMoment *m, int32_t f, double *room) {
  const Work *w = context;
  (void)m, (void)f;
  conduction_velocity(w->run->mesh, w->time, room);
  return room;
}

/* -1 where the front does not come to all nodes of the element. */
static double time_at(const Work *w, int32_t probe) {
  const Location *at = &w->setup.probe[probe];
  const Mesh *mesh = w->run->mesh;
  const int32_t *nodes = mesh_nodes_of(mesh, at->element);
  for (int32_t a = 0; at->node < 0 && a < element_type(mesh_block_of(mesh, at->element)->kind)->n_node; ++a)
    if (w->time[nodes[a]] < 0) return -1;
  return location_value(mesh, at, w->time, 1);
}

static Status columns_fill(void *context, const StreamMoment *m, double *value) {
  Work *w = context;
  const Case *c = w->run->c;
  (void)m;
  for (int32_t i = 0; i < c->output.probes.n; ++i) *value++ = time_at(w, i);
  if (w->leads) memcpy(value, eikonal_leads_at(w->leads, w->sample++), (size_t)case_leads(c) * sizeof *value);
  value += case_leads(c);
  for (int32_t i = 0; i < c->output.velocity.n; ++i) {
    const CaseVelocity *v = case_velocity(c, i);
    const int32_t from = heart_probe_index(c, v->from.text), to = heart_probe_index(c, v->to.text);
    *value++ = heart_velocity(c, from, to, time_at(w, from), time_at(w, to));
  }
  return OK;
}

static Status store(Work *w) {
  const Mesh *mesh = w->run->mesh;
  const int64_t cells = (int64_t)mesh->n_cable + mesh->n_element - setup_first_solved(mesh);
  const double *(*const unpack[N_EIKONAL_FIELDS])(void *, const StreamMoment *, int32_t, double *) = {
      [EIKONAL_ACTIVATION] = time_unpack, [EIKONAL_CV] = velocity_unpack};
  StreamField field[N_EIKONAL_FIELDS];
  for (int32_t f = 0; f < N_EIKONAL_FIELDS; ++f) {
    field[f] = stream_field(&eikonal_field[f], words_have(&w->run->c->output.fields, f));
    field[f].unpack = field[f].wanted ? unpack[f] : NULL;
    field[f].n_room = field[f].wanted && field[f].on_cells ? field[f].n_component * cells : 0;
  }
  const StreamParams params = {.n_field = N_EIKONAL_FIELDS,
                               .field = field,
                               .n_step = 1,
                               .n_history_row = 1,
                               .context = w,
                               .columns = columns_fill};
  TRY(result_stream_create(w->run, &w->setup, &params, &w->stream));
  warnings_print();
  if (w->run->rehearsed) return OK;
  TRY(result_stream_store(w->stream, 0));
  for (int64_t k = 1; w->leads && k < eikonal_leads_samples(w->leads); ++k)
    TRY(result_stream_sample(w->stream, (double)k * w->run->c->time.step.value));
  return OK;
}

/* Leads of the map, and after its files intervals of them. */
static Status find_leads(Work *w, EikonalLeads **leads) {
  if (!case_leads(w->run->c)) return OK;
  TRY(eikonal_leads_bind(w->run, &w->setup, leads));
  if (!w->run->rehearsed) TRY(eikonal_leads_fill(*leads, w->time));
  return OK;
}

static Status store_intervals(const Run *run) {
  if (!heart_has_intervals(run->c) || run->rehearsed) return OK;
  return intervals_save(run->c, run->params->folder, run->report);
}

/* Nodes of trees or of the tissue, by their bit, that no front comes to, and the latest time. */
static Status count_reached(const Work *w, uint8_t bit, EikonalReport *done) {
  const Mesh *mesh = w->run->mesh;
  uint8_t *bits = NULL;
  ALLOC(bits, mesh->n_node, "nodes of trees");
  purkinje_nodes(mesh, bits);
  for (int32_t i = 0; i < mesh->n_node; ++i) {
    if (!(bits[i] & bit)) continue;
    done->n_unreached += w->time[i] < 0;
    done->last = fmax(done->last, w->time[i]);
  }
  FREE(bits);
  return OK;
}

static Status solve(Work *w, EikonalReport *done) {
  const Run *run = w->run;
  if (run->c->purkinje.n == 0) return eikonal_solve(w->eikonal, w->start, w->time, done);
  TRY(setup_wave_trees(run->c, run->mesh, &w->setup, w->eikonal, w->start, w->time, done));
  return count_reached(w, NODE_TREE, done);
}

/* A front that some tissue hardly lets through, or a stimulus at another hour. */
static void warn_late(const Work *w, const EikonalReport *done) {
  static const double LATEST = 2000; /* ms: hearts are excited within some 200 */
  const Case *c = w->run->c;
  double first = INFINITY;
  for (int32_t s = 0; s < c->stimuli.n; ++s) first = fmin(first, case_stimulus(c, s)->start.value);
  if (done->last - first > LATEST)
    status_warn("the last node is activated %.6g ms after the first; hearts are excited within about 50 to 200 ms\n  "
                "remedy: velocities in mm/ms, of each tissue and each direction, 'start:' and 'delay:' in ms",
                done->last - first);
}

/* A stimulus that comes when the front has been at all of its nodes changes nothing. */
static void warn_after(const Work *w) {
  const Case *c = w->run->c;
  for (int32_t s = 0; s < c->stimuli.n; ++s) {
    const MonodomainStimulus *hit = &heart_setup(&w->setup)->stimulus[s];
    const double start = case_stimulus(c, s)->start.value;
    double last = 0;
    char name[32];
    for (int32_t k = 0; k < hit->n; ++k) last = fmax(last, w->time[hit->node[k]]);
    if (last < start)
      status_warn("stimulus '%s' starts at %g ms and changes nothing: a front reached all of its nodes by %.6g ms, and "
                  "activates each once\n  remedy: an earlier 'start:', in ms; 'physics: monodomain' for a second beat",
                  stimulus_name(case_stimulus(c, s), s, name), start, last);
  }
}

static void report_fill(Work *w, const EikonalReport *done) {
  Run *run = w->run;
  char n[32], m[32];
  run->report->linear.iterations = done->sweeps;
  run->report->precision = "double";
  run->report->converged = true;
  progress_say(&run->progress, "front        arrives everywhere by %.6g ms, %s sweeps", done->last,
               count_text(done->sweeps, n));
  if (done->n_unreached)
    status_warn(
        "the front never arrives at %s of %s nodes: no stimulus is in their part of the tissue\n  activation is "
        "-1 there",
        count_text(done->n_unreached, n), count_text(run->mesh->n_node, m));
  if (run->rehearsed) return;
  warn_late(w, done);
  warn_after(w);
}

static Status eikonal_pipeline(void *work) {
  Work *w = work;
  Run *run = w->run;
  EikonalReport done = {0};
  TRY(run_begin(run, &w->setup));
  TRY(run_check_memory(run, &w->setup));
  const EikonalParams params = {
      .mesh = run->mesh, .tensor = heart_setup(&w->setup)->diffusion.tensor, .node_rank = w->setup.node_rank};
  TRY(eikonal_create(run->device.exec, &params, &w->eikonal));
  TRY(find_starts(w));
  run->report->unknowns = run->mesh->n_node;
  progress_phase(&run->progress, PHASE_SETUP);
  run->solving = true;
  if (!run->rehearsed) TRY(solve(w, &done));
  progress_phase(&run->progress, PHASE_SOLVE);
  report_fill(w, &done);
  TRY(find_leads(w, &w->leads));
  run_guard(run, 1);
  Status status = store(w);
  if (status == OK) status = result_stream_close(&w->stream);
  if (status == OK) status = store_intervals(run);
  run_guard(run, 0);
  TRY(status);
  run_measure_memory(run);
  progress_phase(&run->progress, PHASE_RECOVER);
  return OK;
}

Status run_eikonal(Run *run) {
  Work w = {.run = run};
  return run_pipeline(run, &w, eikonal_pipeline, eikonal_release);
}

/* ---- points of a sweep ---- */

typedef struct TogetherWork {
  Run *run;
  Together *all;
  Eikonal *eikonal;
  double (*tensor)[6]; /* owned, as is all here */
  int32_t *rank;
  double *start, *time; /* [points][n_node] */
  EikonalLeads *leads;  /* of the point that is stored */
} TogetherWork;

static Status together_end(void *work) {
  TogetherWork *w = work;
  eikonal_destroy(&w->eikonal);
  eikonal_leads_destroy(&w->leads);
  FREE(w->tensor);
  FREE(w->rank);
  FREE(w->start);
  FREE(w->time);
  return OK;
}

static Status together_build(TogetherWork *w) {
  const Together *all = w->all;
  const int64_t n_node = all->mesh->n_node;
  const void **from = NULL;
  TRY(mem_alloc(all->n, sizeof *from, "tensors of the points", (void **)(void *)&from));
  for (int32_t k = 0; k < all->n; ++k) from[k] = heart_setup(&all->point[k].setup)->diffusion.tensor;
  const Status status =
      together_elements(all, from, sizeof *w->tensor, "tensors of the points", (void **)(void *)&w->tensor);
  mem_free((void **)(void *)&from);
  TRY(status);
  TRY(together_rank(all, &w->rank));
  ALLOC(w->start, all->n * n_node, "times of start");
  ALLOC(w->time, all->n * n_node, "times of activation");
  for (int32_t k = 0; k < all->n; ++k)
    setup_front_starts(all->point[k].c, &all->point[k].setup, (int32_t)n_node, w->start + k * n_node);
  const EikonalParams params = {.mesh = w->run->mesh, .tensor = (const double(*)[6])w->tensor, .node_rank = w->rank};
  return eikonal_create(w->run->device.exec, &params, &w->eikonal);
}

/* The files of a point, and its own part of what the solve found. */
static Status together_store(TogetherWork *w, int32_t k, const EikonalReport *whole) {
  const int64_t n_node = w->all->mesh->n_node;
  TogetherPoint *p = &w->all->point[k];
  EikonalReport done = {.sweeps = whole->sweeps};
  Work own = {.run = &p->run, .setup = p->setup, .time = w->time + k * n_node};
  TRY(count_reached(&own, NODE_TISSUE, &done));
  p->report.unknowns = n_node;
  together_tell(w->run, p);
  report_fill(&own, &done);
  TRY(find_leads(&own, &w->leads));
  own.leads = w->leads;
  const Status status = store(&own), closed = result_stream_close(&own.stream);
  TRY(status);
  TRY(closed);
  return store_intervals(&p->run);
}

static Status together_pipeline(void *work) {
  TogetherWork *w = work;
  Run *run = w->run;
  EikonalReport done = {0};
  TRY(together_begin(run, w->all));
  if (w->all->n == 0) return OK;
  TRY(together_build(w));
  progress_phase(&run->progress, PHASE_SETUP);
  run->solving = true;
  TRY(eikonal_solve(w->eikonal, w->start, w->time, &done));
  progress_phase(&run->progress, PHASE_SOLVE);
  run->report->linear.iterations = done.sweeps;
  run->report->precision = "double";
  run->report->converged = true;
  run_measure_memory(run);
  run_guard(run, 1);
  Status status = OK;
  for (int32_t k = 0; k < w->all->n && status == OK; ++k) status = together_store(w, k, &done);
  if (status == OK) status = together_save(run, w->all);
  run_guard(run, 0);
  progress_phase(&run->progress, PHASE_WRITE);
  return status;
}

Status eikonal_together(Run *run, Together *all) {
  TogetherWork w = {.run = run, .all = all};
  const Case *c = all->point[0].c;
  if (c->purkinje.n) return together_refuse("'purkinje:'");
  return together_run(run, &w, together_pipeline, together_end);
}
