/* Hearts of a sweep as one: the copies step together, and each point sees its own part of all vectors as a heart that its files are
 * written from. */
#include "app/monodomain/case_monodomain.h"
#include "app/monodomain/heart.h"
#include "app/monodomain/intervals.h"
#include "app/run/together.h"
#include "algebra/mat.h"
#include "core/clock.h"
#include "core/memory.h"

#include <math.h>
#include <string.h>

/* How long a request to stop may have to wait, seconds. */
static const double PATIENCE = 0.2;

/* A point: what it sees of the whole, and its files. */
typedef struct Share {
  Heart heart; /* a view */
  HeartOutput output;
} Share;

typedef struct HeartsWork {
  Run *run;
  Together *all;
  Case c;      /* of all: the first with the stimuli of each; a view but for that list */
  Setup setup; /* of all; its HeartSetup owns what is joined */
  Heart heart;
  Diffusion *diffusion; /* owned, of one copy: which row is which node */
  Share *share;         /* owned, [points] */
  double seconds_a_step;
} HeartsWork;

static Status hearts_end(void *work) {
  HeartsWork *w = work;
  Status status = OK;
  for (int32_t k = 0; w->share && k < w->all->n; ++k) {
    const Status closed = heart_output_close(&w->share[k].output);
    if (status == OK) status = closed;
  }
  diffusion_destroy(&w->diffusion);
  heart_destroy(&w->heart);
  setup_release(&w->setup);
  FREE(w->c.stimuli.item);
  FREE(w->share);
  return status;
}

/* What is in the way, by name. */
static Status hearts_refuse(const Case *c) {
  if (place_given(c->time.adaptive.place)) return together_refuse("adaptive steps ('time.adaptive'), one for all,");
  if (c->purkinje.n) return together_refuse("'purkinje:'");
  if (c->layers.n) return together_refuse("'layers:'");
  if (heart_is_bidomain(c)) return together_refuse("'model: bidomain'");
  if (c->torso.n) return together_refuse("a heart in a torso or a bath");
  if (place_given(c->eikonal.place)) return together_refuse("'eikonal:' in place of stimuli");
  if (c->reaction.value == MONODOMAIN_GAUSS) return together_refuse("'reaction: gauss'");
  if (case_has_extracellular(c)) return together_refuse("the extracellular potential");
  if (heart_has_phase(c) || heart_map_beats(c, HEART_DF)) return together_refuse("phases and dominant frequencies");
  if (place_given(c->output.checkpoint.place)) return together_refuse("'output.checkpoint'");
  for (int32_t t = 0; t < c->materials.n; ++t)
    if (ionic_varies(&heart_tissue(c, t)->ionic)) return together_refuse("a cell parameter that varies with the place");
  return OK;
}

static bool on_step(const Case *c, const NumberValue *time) {
  const double steps = time->value / c->time.step.value;
  return fabs(steps - round(steps)) <= 1e-9 * fmax(1, steps);
}

static bool same_edges(const CaseStimulus *a, const CaseStimulus *b) {
  return a->start.value == b->start.value && a->duration.value == b->duration.value &&
         a->period.value == b->period.value && a->count.value == b->count.value;
}

/* Steps end where pulses do, and those of a scheme with a history begin anew there: of one point in all of them. */
static void warn_edges(const Together *all) {
  const Case *first = all->point[0].c;
  const bool forgets = time_scheme(first->time.scheme.value)->stages;
  for (int32_t k = 1; k < all->n; ++k)
    for (int32_t i = 0; i < all->point[k].c->stimuli.n && i < first->stimuli.n; ++i) {
      const Case *c = all->point[k].c;
      const CaseStimulus *s = case_stimulus(c, i), *of_first = case_stimulus(first, i);
      if (same_edges(s, of_first)) continue;
      if (forgets && on_step(c, &s->start) && on_step(c, &s->duration) && on_step(c, &s->period) &&
          on_step(c, &of_first->start) && on_step(c, &of_first->duration) && on_step(c, &of_first->period))
        continue;
      status_warn("stimuli of the points begin or end at different times: steps of all of them end there, and results "
                  "differ from those of single runs by the error of such steps\n  remedy: 'scheme: "
                  "rush-larsen-chebyshev' and times that are multiples of the step, or no --together");
      return;
    }
}

typedef const void *(*PartOf)(const HeartSetup *own, int k);
static const void *tensor_of(const HeartSetup *own, int k) { return (void)k, own->tensor; }
static const void *initial_of(const HeartSetup *own, int k) { return k < 0 ? own->initial : own->initial_state[k]; }

/* An array of all from that of each. */
static Status join(const HeartsWork *w, PartOf part, int number, size_t size, bool nodes, void **to) {
  const void **from = NULL;
  bool any = false, each = true;
  TRY(mem_alloc(w->all->n, sizeof *from, "parts of the points", (void **)(void *)&from));
  for (int32_t k = 0; k < w->all->n; ++k) {
    from[k] = part(heart_setup(&w->all->point[k].setup), number);
    any |= from[k] != NULL, each &= from[k] != NULL;
  }
  Status status = any == each ? OK : together_refuse("initial values of some points");
  if (status == OK)
    status = (nodes ? together_nodes : together_elements)(w->all, from, size, "parts of the points", to);
  mem_free((void **)(void *)&from);
  return status;
}

/* Cells of the regions of one point after another, and which of them the elements have. */
static Status join_cells(HeartsWork *w, HeartSetup *to) {
  const Together *all = w->all;
  int32_t *region = NULL;
  const void **from = NULL;
  Status status = OK;
  const int32_t n_solved = all->mesh->n_element - setup_first_solved(all->mesh);
  for (int32_t k = 0; k < all->n; ++k) to->n_region += heart_setup(&all->point[k].setup)->n_region;
  ALLOC(to->ionic, to->n_region, "ionic models of the tissue");
  if (heart_setup(&all->point[0].setup)->start) ALLOC(to->start, to->n_region, "cells that are paced");
  ALLOC_DONE(region, (int64_t)all->n * n_solved, "regions of the points");
  status = mem_alloc(all->n, sizeof *from, "regions of the points", (void **)(void *)&from);
  for (int32_t k = 0, at = 0; status == OK && k < all->n; ++k) {
    const HeartSetup *own = heart_setup(&all->point[k].setup);
    memcpy(to->ionic + at, own->ionic, (size_t)own->n_region * sizeof *own->ionic);
    if (to->start) memcpy(to->start + at, own->start, (size_t)own->n_region * sizeof *own->start);
    from[k] = region + (int64_t)k * n_solved;
    for (int32_t e = 0; e < n_solved; ++e) region[(int64_t)k * n_solved + e] = own->monodomain.element_region[e] + at;
    at += own->n_region;
  }
  if (status == OK)
    status = together_elements(all, from, sizeof *region, "regions of the points", (void **)&w->setup.element_material);
done:
  FREE(region);
  mem_free((void **)(void *)&from);
  return status;
}

static Status join_stimulus(const MonodomainStimulus *from, int32_t first, MonodomainStimulus *to) {
  int32_t *node = NULL;
  double *share = NULL;
  *to = *from;
  to->node = NULL, to->share = NULL;
  ALLOC(node, from->n, "stimulated nodes");
  to->node = node;
  for (int32_t j = 0; j < from->n; ++j) node[j] = from->node[j] + first;
  if (!from->share) return OK;
  ALLOC(share, from->n, "stimulated nodes");
  to->share = share;
  memcpy(share, from->share, (size_t)from->n * sizeof *share);
  return OK;
}

/* Stimuli with their lines of the case, which say when they are on. */
static Status join_stimuli(HeartsWork *w, HeartSetup *to) {
  const Together *all = w->all;
  MapsValue *list = &w->c.stimuli;
  int32_t n = 0;
  for (int32_t k = 0; k < all->n; ++k) n += all->point[k].c->stimuli.n;
  TRY(mem_alloc(n, list->size, "stimuli of the points", (void **)&list->item));
  ALLOC(to->stimulus, n, "stimuli of the points");
  ALLOC(to->bare, n, "stimuli of the points");
  for (int32_t k = 0; k < all->n; ++k) {
    const MapsValue *from = &all->point[k].c->stimuli;
    for (int32_t i = 0; i < from->n; ++i, ++list->n) {
      memcpy((char *)list->item + (size_t)list->n * list->size, maps_item(from, from->size, i), list->size);
      ++to->monodomain.n_stimulus;
      TRY(join_stimulus(&heart_setup(&all->point[k].setup)->stimulus[i], k * all->mesh->n_node,
                        &to->stimulus[list->n]));
    }
  }
  to->monodomain.stimulus = to->stimulus;
  return OK;
}

static Status hearts_join(HeartsWork *w) {
  const HeartSetup *first = heart_setup(&w->all->point[0].setup);
  TRY(together_rank(w->all, &w->setup.node_rank));
  TRY(setup_take_own(&w->setup, sizeof(HeartSetup), heart_setup_release));
  HeartSetup *to = heart_setup(&w->setup);
  TRY(join(w, tensor_of, 0, sizeof *to->tensor, false, (void **)(void *)&to->tensor));
  TRY(join(w, initial_of, -1, sizeof *to->initial, true, (void **)&to->initial));
  for (int s = 0; s < N_IONIC_STATES; ++s)
    TRY(join(w, initial_of, s, sizeof *to->initial, true, (void **)&to->initial_state[s]));
  TRY(join_cells(w, to));
  to->diffusion = first->diffusion;
  to->diffusion.mesh = w->run->mesh;
  to->diffusion.tensor = (const double(*)[6])to->tensor;
  to->diffusion.node_rank = w->setup.node_rank;
  to->monodomain = first->monodomain;
  to->monodomain.n_region = to->n_region, to->monodomain.region = to->ionic, to->monodomain.start = to->start;
  to->monodomain.element_region = w->setup.element_material;
  to->monodomain.n_stimulus = 0;
  return join_stimuli(w, to);
}

/* What point k sees. */
static void share_view(HeartsWork *w, int32_t k) {
  const int64_t n = w->all->mesh->n_node;
  TogetherPoint *p = &w->all->point[k];
  Heart *h = &w->share[k].heart;
  *h = w->heart;
  h->run = &p->run, h->c = p->c, h->mesh = w->all->mesh;
  h->setup = h->part = &p->setup;
  h->diffusion = w->diffusion;
  h->n = h->n_read = n;
  h->V += k * n;
  h->whole = &w->heart, h->first = k * n;
}

static Status hearts_create(HeartsWork *w) {
  Run *run = w->run;
  const DiffusionParams one = heart_setup(&w->all->point[0].setup)->diffusion;
  TRY(hearts_join(w));
  TRY(diffusion_create(run->device.exec, &one, &w->diffusion));
  run->c = &w->c;
  TRY(heart_create(run, &w->setup, &w->heart));
  TRY(heart_prepare(&w->heart));
  run->report->scheme = w->heart.scheme_word->text;
  run->report->format = mat_format(w->heart.stiffness);
  TRY(heart_start(&w->heart));
  ALLOC(w->share, w->all->n, "points of a sweep");
  for (int32_t k = 0; k < w->all->n; ++k) {
    Writer *writer = NULL;
    RunReport *report = &w->all->point[k].report;
    share_view(w, k);
    report->unknowns = diffusion_unknowns(w->diffusion);
    report->entries = mat_entries(w->heart.stiffness) / w->all->n;
    TRY(heart_output_create(&w->all->point[k].run, &w->share[k].heart, &writer, &w->share[k].output));
  }
  return OK;
}

/* All of now to the files of all. */
static Status hearts_store(HeartsWork *w, bool due, bool last) {
  const double time = w->run->report->time;
  for (int32_t k = 0; k < w->all->n; ++k) {
    HeartOutput *out = &w->share[k].output;
    together_tell(w->run, &w->all->point[k]);
    if (last) result_stream_request(out->stream);
    TRY(due ? heart_output_store(out, &w->all->point[k].report, time) : heart_output_observe(out, time));
  }
  return OK;
}

static Status hearts_call(HeartsWork *w) {
  Run *run = w->run;
  RunReport *report = run->report;
  StepReport step = {0};
  const double before = clock_seconds(), most = w->seconds_a_step > 0 ? PATIENCE / w->seconds_a_step : 1;
  const Status status = stepper_step(w->heart.stepper, most < 1 ? 1 : (int64_t)fmin(most, 1e6), &step);
  if (step.steps) heart_add_step(report, &step);
  if (status != OK) return status_context(status, "in the step from t = %g ms", report->time);
  w->seconds_a_step = (clock_seconds() - before) / (double)step.steps;
  progress_newton(&run->progress, report->steps, report->time, run->c->time.end.value, report->heart.newton,
                  report->linear.iterations, stepper_stages(w->heart.stepper).n ? "stages" : "Chebyshev");
  const bool due = heart_output_due(run, report->time);
  progress_phase(&run->progress, PHASE_SOLVE);
  TRY(hearts_store(w, due, stepper_done(w->heart.stepper)));
  progress_phase(&run->progress, PHASE_WRITE);
  return OK;
}

static Status hearts_solve(HeartsWork *w) {
  Run *run = w->run;
  run_guard(run, 1);
  run->solving = true;
  TRY(hearts_store(w, true, false));
  while (!stepper_done(w->heart.stepper)) {
    TRY(hearts_call(w));
    CHECK(!run_asked_to_stop(run), ERR_STOPPED, "stopped on request at t = %g ms: points together leave no checkpoint",
          run->report->time);
  }
  progress_clear(&run->progress);
  return OK;
}

static Status hearts_pipeline(void *work) {
  HeartsWork *w = work;
  Run *run = w->run;
  TRY(together_begin(run, w->all));
  if (w->all->n == 0) return OK;
  warn_edges(w->all);
  w->c = *w->all->point[0].c;
  w->c.stimuli.n = 0, w->c.stimuli.item = NULL; /* join_stimuli makes a list of all */
  TRY(hearts_create(w));
  progress_phase(&run->progress, PHASE_SETUP);
  TRY(hearts_solve(w));
  heart_tell_solve(&w->heart, run->report);
  run_measure_memory(run);
  for (int32_t k = 0; k < w->all->n; ++k) {
    together_tell(run, &w->all->point[k]);
    TRY(heart_warn_uncaptured(&w->share[k].heart));
  }
  return OK;
}

/* The files of all are closed before their reports are there. */
static Status hearts_close(void *work) {
  HeartsWork *w = work;
  const bool whole = w->run->report->converged;
  TRY(hearts_end(work));
  for (int32_t k = 0; whole && k < w->all->n; ++k) TRY(intervals_save(&w->all->point[k].run));
  progress_phase(&w->run->progress, PHASE_WRITE);
  const Status status = whole ? together_save(w->run, w->all) : OK;
  run_guard(w->run, 0);
  return status;
}

Status hearts_together(Run *run, Together *all) {
  HeartsWork w = {.run = run, .all = all};
  TRY(hearts_refuse(all->point[0].c));
  for (int32_t k = 1; k < all->n; ++k) TRY(hearts_refuse(all->point[k].c));
  const Status status = together_run(run, &w, hearts_pipeline, hearts_close);
  run->c = all->n ? all->point[0].c : run->c;
  return status;
}
