/* When fronts arrive, from a case to files: one solve. */
#include "app/eikonal/case_eikonal.h"
#include "app/eikonal/eikonal_leads.h"
#include "app/monodomain/conduction_velocity.h"
#include "app/monodomain/heart.h"
#include "app/monodomain/intervals.h"
#include "app/monodomain/purkinje.h"
#include "app/run/ranks.h"
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
  double *start,
      *time; /* owned, [n_node], mesh order; of several ranks of what is here, and time then of all on rank 0 */
  EikonalLeads *leads; /* owned; NULL: none are asked for */
  int64_t sample;      /* of the leads, the next */
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

/* Trees and tissue start each other in turns, on rank 0 alone. */
static bool is_shared(const Run *run) { return run->share && run->c->purkinje.n == 0; }

/* The earliest stimulus at each node. */
static Status find_starts(Work *w, const Setup *here, int32_t n) {
  ALLOC(w->start, n, "times of start");
  ALLOC(w->time, n, "times of activation");
  setup_front_starts(w->run->c, here, n, w->start);
  return OK;
}

/* All times come to rank 0. */
static Status times_collect(Work *w) {
  double *whole = NULL;
  Status status = OK;
  if (!is_shared(w->run)) return OK;
  if (run_is_root(w->run))
    status = mem_alloc(w->run->mesh->n_node, sizeof *whole, "times of activation", (void **)&whole);
  status = ranks_agree(w->run, status);
  if (status == OK) status = collect(w->run->share->collector, OF_NODES, sizeof *whole, w->time, whole);
  FREE(w->time);
  w->time = whole;
  return status;
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

enum { RULED = N_EIKONAL_FIELDS, FIELDS = RULED + HEART_ROWS - HEART_RULE_ROW };

static const double *rule_unpack(void *context, const StreamMoment *m, int32_t f, double *room) {
  (void)m, (void)room;
  return setup_ruled_field(&((const Work *)context)->setup, f - RULED);
}

/* Those of the eikonal equation, and of fibres by rule. */
static void fields_list(const Work *w, StreamField field[FIELDS]) {
  const Mesh *mesh = w->run->mesh;
  const int64_t cells = (int64_t)mesh->n_cable + mesh->n_element - setup_first_solved(mesh);
  const double *(*const unpack[N_EIKONAL_FIELDS])(void *, const StreamMoment *, int32_t, double *) = {
      [EIKONAL_ACTIVATION] = time_unpack, [EIKONAL_CV] = velocity_unpack};
  for (int32_t f = 0; f < N_EIKONAL_FIELDS; ++f) {
    field[f] = stream_field(&eikonal_field[f], words_have(&w->run->c->output.fields, f));
    field[f].unpack = field[f].wanted ? unpack[f] : NULL;
    field[f].n_room = field[f].wanted && field[f].on_cells ? field[f].n_component * cells : 0;
  }
  for (int32_t f = RULED; f < FIELDS; ++f) {
    const bool there = setup_ruled_field(&w->setup, f - RULED);
    field[f] = stream_field(&heart_field[HEART_RULE_ROW + f - RULED], there);
    field[f].unpack = there ? rule_unpack : NULL;
  }
}

static Status store(Work *w) {
  StreamField field[FIELDS];
  fields_list(w, field);
  const StreamParams params = {
      .n_field = FIELDS, .field = field, .n_step = 1, .n_history_row = 1, .context = w, .columns = columns_fill};
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

/* Rank 0 says and writes it. */
static Status report_others(Run *run, const EikonalReport *done) {
  run->report->linear.iterations = done->sweeps;
  run->report->precision = "double";
  run->report->converged = true;
  run_measure_memory(run);
  return OK;
}

static Status fronts_find(Work *w, EikonalReport *done) {
  Run *run = w->run;
  const Setup *here = is_shared(run) ? run_setup(run, &w->setup) : &w->setup;
  const EikonalParams params = {.mesh = is_shared(run) ? run_mesh(run) : run->mesh,
                                .tensor = heart_setup(here)->diffusion.tensor,
                                .node_rank = here->node_rank,
                                .halo = is_shared(run) ? run->share->halo : NULL};
  TRY(eikonal_create(run->device.exec, &params, &w->eikonal));
  TRY(find_starts(w, here, params.mesh->n_node));
  progress_phase(&run->progress, PHASE_SETUP);
  run->solving = true;
  return run->rehearsed ? OK : solve(w, done);
}

static Status eikonal_pipeline(void *work) {
  Work *w = work;
  Run *run = w->run;
  EikonalReport done = {0};
  TRY(run_begin(run, &w->setup));
  TRY(run_check_memory(run, &w->setup));
  run->report->unknowns = run->mesh->n_node;
  ranks_forget_whole(run, &w->setup);
  Status status = OK;
  if (is_shared(run) || run_is_root(run)) status = fronts_find(w, &done);
  TRY(ranks_agree(run, status));
  TRY(times_collect(w));
  progress_phase(&run->progress, PHASE_SOLVE);
  if (!run_is_root(run)) return report_others(run, &done);
  report_fill(w, &done);
  TRY(find_leads(w, &w->leads));
  run_guard(run, 1);
  status = store(w);
  if (status == OK) status = result_stream_close(&w->stream);
  if (status == OK) status = intervals_save(run);
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

/* ---- points of a sweep: one at a time, on a GPU as many as fill it ---- */

typedef struct TogetherWork {
  Run *run;
  Together *all;
  Setup base;        /* owned, as is all below, of the first point: what is solved for there serves all */
  Mesh *copies;      /* as many as points are solved at a time; NULL: one */
  int32_t at_a_time; /* points */
  int32_t next;      /* of all->point */
  int32_t n;         /* points that are solved now: */
  TogetherPoint **point;
  Eikonal *eikonal;
  int32_t *rank;
  double *start, *time; /* [at_a_time][n_node] */
  EikonalLeads *leads;  /* of the point that is stored */
  EikonalReport done;   /* of the last solve */
} TogetherWork;

static void lot_release(TogetherWork *w) {
  for (int32_t k = 0; k < w->n; ++k) together_point_release(w->point[k]);
  w->n = 0;
}

static Status together_end(void *work) {
  TogetherWork *w = work;
  lot_release(w);
  eikonal_destroy(&w->eikonal);
  eikonal_leads_destroy(&w->leads);
  setup_release(&w->base);
  mesh_destroy(&w->copies);
  mem_free((void **)(void *)&w->point);
  FREE(w->rank);
  FREE(w->start);
  FREE(w->time);
  return OK;
}

/* Copies of the mesh, where the device takes several. */
static Status together_build(TogetherWork *w) {
  enum { FILLS = 1 << 22 }; /* nodes */
  Run *run = w->run;
  const int32_t n_node = run->mesh->n_node, most = FILLS / n_node;
  TRY(setup_create(run->c, run->mesh, &w->base));
  TRY(run_choose_device(run));
  TRY(setup_rules(run->c, run->mesh, run->device.exec, &w->base));
  status_warnings_clear(); /* that each point has from its own setup */
  w->at_a_time = exec_is_host(run->device.exec) || most < 2 ? 1 : most < w->all->n ? most : w->all->n;
  if (w->at_a_time > 1) TRY(together_copies(run->mesh, w->at_a_time, &w->copies));
  if (w->base.node_rank) {
    ALLOC(w->rank, (int64_t)w->at_a_time * n_node, "numbering of the nodes");
    for (int64_t i = 0; i < (int64_t)w->at_a_time * n_node; ++i)
      w->rank[i] = (int32_t)(i / n_node) * n_node + w->base.node_rank[i % n_node];
  }
  TRY(mem_alloc(w->at_a_time, sizeof *w->point, "points of a sweep", (void **)(void *)&w->point));
  ALLOC(w->start, (int64_t)w->at_a_time * n_node, "times of start");
  ALLOC(w->time, (int64_t)w->at_a_time * n_node, "times of activation");
  return OK;
}

/* The next points that have a setup. */
static Status lot_open(TogetherWork *w) {
  for (; w->n < w->at_a_time && w->next < w->all->n; ++w->next) {
    TogetherPoint *p = &w->all->point[w->next];
    const Status status = together_point_open(w->run, p, &w->base);
    if (status == OK) w->point[w->n++] = p;
    else TRY(together_point_fail(w->all, status, p));
    if (status != OK) together_point_release(p);
  }
  return OK;
}

/* Tensors of the mesh of copies; those beyond the last point have its own. */
static Status lot_tensors(const TogetherWork *w, double (**out)[6]) {
  const Together copies = {.n = w->at_a_time, .mesh = w->run->mesh};
  const void **from = NULL;
  TRY(mem_alloc(w->at_a_time, sizeof *from, "tensors of the points", (void **)(void *)&from));
  for (int32_t k = 0; k < w->at_a_time; ++k)
    from[k] = heart_setup(&w->point[k < w->n ? k : w->n - 1]->setup)->diffusion.tensor;
  const Status status = together_elements(&copies, from, sizeof **out, "tensors of the points", (void **)(void *)out);
  mem_free((void **)(void *)&from);
  return status;
}

static Status lot_solve(TogetherWork *w) {
  const int64_t n_node = w->run->mesh->n_node;
  double(*tensor)[6] = NULL;
  if (w->copies) TRY(lot_tensors(w, &tensor));
  const EikonalParams params = {.mesh = w->copies ? w->copies : w->run->mesh,
                                .tensor = w->copies ? (const double(*)[6])tensor
                                                    : heart_setup(&w->point[0]->setup)->diffusion.tensor,
                                .node_rank = w->rank};
  for (int64_t i = 0; i < w->at_a_time * n_node; ++i) w->start[i] = INFINITY;
  for (int32_t k = 0; k < w->n; ++k)
    setup_front_starts(w->point[k]->c, &w->point[k]->setup, (int32_t)n_node, w->start + k * n_node);
  const Status status =
      w->eikonal ? eikonal_renew(w->eikonal, &params) : eikonal_create(w->run->device.exec, &params, &w->eikonal);
  FREE(tensor);
  TRY(status);
  progress_phase(&w->run->progress, PHASE_SETUP);
  return eikonal_solve(w->eikonal, w->start, w->time, &w->done);
}

/* The files of a point, and its own part of what the solve found. */
static Status together_store(void *work, int32_t k) {
  TogetherWork *w = work;
  const int64_t n_node = w->run->mesh->n_node;
  TogetherPoint *p = w->point[k];
  EikonalReport done = {.sweeps = w->done.sweeps};
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
  TRY(intervals_save(&p->run));
  return together_point_save(w->run, p);
}

static Status together_pipeline(void *work) {
  TogetherWork *w = work;
  Run *run = w->run;
  TRY(together_load(run, w->all));
  if (w->all->n == 0) return OK;
  run->c = w->all->point[0].c;
  TRY(together_build(w));
  run->report->precision = "double";
  run->solving = run->report->converged = true;
  while (w->next < w->all->n) {
    w->done = (EikonalReport){0};
    TRY(lot_open(w));
    if (w->n) TRY(lot_solve(w));
    progress_phase(&run->progress, PHASE_SOLVE);
    run_measure_memory(run);
    run_guard(run, 1);
    run->report->linear.iterations = w->done.sweeps;
    TRY(together_points_store(w->all, w->n, w->point, together_store, w));
    lot_release(w);
    progress_phase(&run->progress, PHASE_WRITE);
    TRY(together_goes_on(run, w->all->n - w->next));
  }
  return together_failures(w->all);
}

Status eikonal_together(Run *run, Together *all) {
  TogetherWork w = {.run = run, .all = all};
  const Case *c = all->point[0].c;
  if (c->purkinje.n) return together_refuse("'purkinje:'");
  return together_run(run, &w, together_pipeline, together_end);
}
