/* See forecast.h. */
#include "app/run/forecast.h"
#include "app/run/memory_log.h"
#include "app/setup/mesh_sample.h"
#include "core/clock.h"

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#ifdef _OPENMP
#include <omp.h>
#endif

/* The smaller sample has an 8th of the nodes: in space half the edge length. */
enum { SMALLER = 8, MESSAGE = 4096 };
/* How far off the smaller one may be. */
static const double ROUGH = 1.5;

/* The Exec of a rehearsal: the CPU's, whose memory is told. */
typedef struct ToldExec {
  ExecTable table;        /* first: the Exec points here */
  const ExecTable *inner; /* the CPU's */
  MemoryLog *log;
} ToldExec;

static ToldExec *told_exec(Exec *exec) { return (ToldExec *)(uintptr_t)exec->table; }

static Status told_alloc(Exec *exec, size_t bytes, const char *what, void **out) {
  ToldExec *told = told_exec(exec);
  memory_log_on_exec(told->log, true);
  /* as the CPU's own, and clear under tests too: solves end before their first result, which is read all the same */
  const Status status = mem_alloc((int64_t)bytes, 1, what, out);
  memory_log_on_exec(told->log, false);
  return status;
}

/* On a GPU what goes to the host lies there too. */
static Status told_snapshot(Exec *exec, size_t bytes, const char *what, ExecSnapshot **out) {
  ToldExec *told = told_exec(exec);
  if (!exec_is_host(exec)) memory_log_add(told->log, what, false, (int64_t)bytes);
  return told->inner->snapshot_create(exec, bytes, what, out);
}

/* One rehearsal, with the log that it leaves. */
typedef struct Rehearsal {
  const ForecastRequest *request;
  const Mesh *mesh; /* the whole, or a sample */
  Setup *setup;
  double stands_for; /* as in Exec */
  const bool *kept;  /* not NULL: Physics.rehearse_whole with that, in the place of a run */
  MemoryLog *log;    /* owned */
  MeshCounts counts;
} Rehearsal;

/* The driver, with one iteration, and nothing written. */
static Status driver_run(Rehearsal *r, Exec *exec) {
  Case c = *r->request->c;
  if (r->kept) return c.physics->rehearse_whole(&c, r->mesh, exec, r->setup, *r->kept);
  RunReport report = {.precision = c.solver.precision.text, .format = c.solver.format.type.text};
  const RunParams params = {.backend = BACKEND_CPU, .folder = "", .quiet = true};
  Run run = {.c = &c,
             .params = &params,
             .report = &report,
             .rehearsed = r->setup,
             .mesh = (Mesh *)(uintptr_t)r->mesh,
             .device = {.exec = exec, .on_gpu = r->request->on_gpu}};
  c.solver.max_iterations.value = 1;
  run.progress = progress_start(true, false, clock_seconds(), report.seconds);
  const Status status = c.physics->run(&run);
  report_release(&report);
  return status == ERR_NUMERIC ? OK : status;
}

static Status rehearse(Rehearsal *r) {
  ToldExec told;
  Exec *exec = NULL;
  TRY(exec_create_cpu(0, &exec));
  told = (ToldExec){.table = *exec->table, .inner = exec->table};
  told.table.name = r->request->on_gpu ? "cuda" : "cpu";
  told.table.alloc = told_alloc;
  told.table.snapshot_create = told_snapshot;
  Status status = memory_log_open(&r->log);
  told.log = r->log;
  exec->table = &told.table;
  exec->stands_for = r->stands_for;
  if (status == OK) status = driver_run(r, exec);
  if (r->log && status == OK) status = memory_log_end(r->log);
  exec->table = told.inner;
  exec_destroy(&exec);
  return status;
}

/* ---- from samples to the whole ---- */

/* Bytes of a name on the whole mesh, from those on the samples. */
static double bytes_of_whole(double small, double large, const MeshCounts *s, const MeshCounts *l,
                             const MeshCounts *whole) {
  static const double SAME = 1.05, EXACT = 2e-3, MOST = 1.6;
  if (small <= 0) return large * whole->entries / l->entries;
  const double ratio = large / small;
  if (ratio < SAME) return large;
  const double counts[][3] = {{s->nodes, l->nodes, whole->nodes},
                              {s->elements, l->elements, whole->elements},
                              {s->entries, l->entries, whole->entries}};
  for (size_t k = 0; k < sizeof counts / sizeof *counts; ++k)
    if (fabs(ratio * counts[k][0] / counts[k][1] - 1) < EXACT) return large / counts[k][1] * counts[k][2];
  const double before = small / s->entries, now = large / l->entries;
  const double limit = now + (now - before) * (l->finest - whole->finest) / (s->finest - l->finest);
  return fmax(fmin(limit, MOST * now) * whole->entries, large);
}

static double most_of(const MemoryLog *log, const MemoryRow *row) {
  if (!log) return 0;
  for (int32_t i = 0; i < memory_log_rows(log); ++i) {
    const MemoryRow *other = memory_log_row(log, i);
    if (other->on_exec == row->on_exec && !strcmp(other->name, row->name)) return (double)other->most;
  }
  return 0;
}

/* large: the whole, or a sample; small: NULL where there is no smaller one. */
static Status plan_fill(const Rehearsal *small, const Rehearsal *large, MemoryPlan *plan) {
  const ForecastRequest *q = large->request;
  const int32_t n = memory_log_rows(large->log);
  Status status = OK;
  MeshCounts whole;
  const bool sampled = large->mesh != q->mesh;
  const Rehearsal none = {0};
  double *factor = NULL;
  bool *counts = NULL;
  ALLOC_DONE(factor, n, "the memory table");
  ALLOC_DONE(counts, n, "the memory table");
  if (!small) small = &none;
  if (sampled) TRY_DONE(mesh_count(q->mesh, &whole));
  TRY_DONE(memory_plan_add(plan, "mesh and case on it", q->host_bytes, false, true));
  for (int32_t i = 0; i < n; ++i) {
    const MemoryRow *row = memory_log_row(large->log, i);
    const double most = (double)row->most;
    factor[i] = 1;
    if (sampled && most > 0)
      factor[i] = bytes_of_whole(most_of(small->log, row), most, &small->counts, &large->counts, &whole) / most;
    TRY_DONE(memory_plan_add(plan, row->name, (int64_t)(factor[i] * most), row->on_exec, row->now > 0));
  }
  for (int on_exec = 0; on_exec < 2; ++on_exec) {
    for (int32_t i = 0; i < n; ++i) counts[i] = (q->on_gpu && memory_log_row(large->log, i)->on_exec) == on_exec;
    plan->peak[on_exec] = memory_log_peak(large->log, factor, counts) + (on_exec ? 0 : q->host_bytes);
  }
done:
  FREE(factor);
  FREE(counts);
  return status;
}

/* A rehearsal on a sample of n_node nodes. */
static Status sample_rehearse(Rehearsal *r, int64_t n_node) {
  const ForecastRequest *q = r->request;
  MeshSample sample;
  Setup setup = {0};
  TRY(mesh_sample_create(q->mesh, n_node, &sample));
  Status status = mesh_count(sample.mesh, &r->counts);
  if (status == OK) status = setup_cut(q->c, q->setup, &sample, &setup);
  r->mesh = sample.mesh;
  r->setup = &setup;
  r->stands_for = (double)q->mesh->n_node / sample.mesh->n_node;
  if (status == OK) status = rehearse(r);
  setup_release(&setup);
  mesh_sample_release(&sample);
  return status;
}

/* ---- what the heart was cut out of ---- */

/* The most at one time of what is done on all of it: on a sample, by elements or entries of a matrix; a small heart is rehearsed with all
 * of it. What is kept is in the plan as it is on the mesh alone, so that the rest is added. */
static Status whole_peak(const ForecastRequest *q, int64_t most, bool kept, MemoryPlan *plan) {
  Rehearsal r = {.request = q, .mesh = q->mesh, .setup = q->setup, .kept = &kept};
  MeshCounts all, own;
  double *factor = NULL;
  bool *counts = NULL;
  const bool sampled = q->mesh->n_node > most;
  Status status = sampled ? sample_rehearse(&r, most) : rehearse(&r);
  TRY_DONE(status);
  TRY_DONE(mesh_count(q->mesh, &own));
  TRY_DONE(mesh_count(q->mesh->whole, &all));
  const int32_t n = memory_log_rows(r.log);
  const double entries = kept ? all.entries - own.entries : all.entries,
               elements = kept ? all.elements - own.elements : all.elements;
  ALLOC_DONE(factor, n, "the memory table");
  ALLOC_DONE(counts, n, "the memory table");
  for (int on_exec = 0; on_exec < 2; ++on_exec) {
    for (int32_t i = 0; i < n; ++i) {
      factor[i] = sampled ? fmax(entries / r.counts.entries, elements / r.counts.elements) : 1;
      counts[i] = (q->on_gpu && memory_log_row(r.log, i)->on_exec) == on_exec;
    }
    const int64_t peak = memory_log_peak(r.log, factor, counts), before = on_exec ? 0 : q->host_bytes;
    TRY_DONE(memory_plan_add(plan, kept ? "the potential outside, in the torso" : "fields of leads in the torso", peak,
                             on_exec, kept));
    if (kept) plan->peak[on_exec] += peak;
    else if (plan->peak[on_exec] < before + peak) plan->peak[on_exec] = before + peak;
  }
done:
  memory_log_close(&r.log);
  FREE(factor);
  FREE(counts);
  return status;
}

/* Leads are solved for before the run begins, the potential outside beside it: where the run was rehearsed as it is, with
 * all of it. */
static Status add_whole(const ForecastRequest *q, int64_t most, MemoryPlan *plan) {
  if (!q->mesh->whole || !q->c->physics->rehearse_whole) return OK;
  if (q->mesh->n_node > most) TRY(whole_peak(q, most, true, plan));
  return whole_peak(q, most, false, plan);
}

/* ---- on a thread of its own, which has its own warnings and counts its own memory ---- */

typedef struct Forecast {
  const ForecastRequest *request;
  int threads;
  MemoryPlan *plan;
  Status status;
  char message[MESSAGE];
} Forecast;

static Status forecast_fill(const Forecast *f) {
  const ForecastRequest *q = f->request;
  const int64_t most = q->sample ? q->sample : FORECAST_NODES;
  const bool whole = q->mesh->n_node <= most || !q->c->physics->cut;
  Rehearsal small = {.request = q}, large = {.request = q, .mesh = q->mesh, .setup = q->setup};
  Status status = whole ? rehearse(&large) : sample_rehearse(&small, most / SMALLER);
  if (status == OK && !whole && q->room > 0) status = plan_fill(NULL, &small, f->plan);
  if (status == OK && (whole || (double)f->plan->peak[1] * ROUGH >= q->room)) {
    *f->plan = (MemoryPlan){0};
    if (!whole) status = sample_rehearse(&large, most);
    if (status == OK) status = plan_fill(whole ? NULL : &small, &large, f->plan);
  }
  memory_log_close(&small.log);
  memory_log_close(&large.log);
  return status == OK ? add_whole(q, most, f->plan) : status;
}

static void *forecast_thread(void *context) {
  Forecast *f = context;
#ifdef _OPENMP
  omp_set_num_threads(f->threads);
#endif
  status_warnings_drop(true);
  f->status = forecast_fill(f);
  snprintf(f->message, sizeof f->message, "%s", status_message());
  return NULL;
}

Status memory_forecast(const ForecastRequest *request, MemoryPlan *out) {
  Forecast f = {.request = request, .threads = 1, .plan = out};
  pthread_t thread;
  *out = (MemoryPlan){0};
#ifdef _OPENMP
  f.threads = omp_get_max_threads();
#endif
  CHECK(pthread_create(&thread, NULL, forecast_thread, &f) == 0, ERR_MEMORY, "no thread for the forecast of memory");
  pthread_join(thread, NULL);
  if (f.status == OK || request->mesh->n_node <= (request->sample ? request->sample : FORECAST_NODES))
    return f.status == OK ? OK : FAIL(f.status, "%s", f.message);
  status_warn("the memory that a run needs is not known: %s", f.message);
  *out = (MemoryPlan){0};
  return OK;
}

double memory_bound(const Case *c, const Mesh *mesh) {
  static const double MATRICES = 6, VECTORS = 100; /* in all, as element matrices and as vectors */
  const double components = c->physics->n_component == 1 ? 1 : mesh->dim;
  double pairs = 0;
  for (int32_t b = 0; b < mesh->n_block; ++b) {
    const double n = element_type(mesh->block[b].kind)->n_node;
    pairs += n * n * mesh->block[b].n;
  }
  const double own = 8 * components * (MATRICES * pairs * components + VECTORS * mesh->n_node);
  return mesh->whole ? own + memory_bound(c, mesh->whole) : own;
}
