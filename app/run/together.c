/* See together.h. */
#include "app/run/together.h"
#include "app/report/said.h"
#include "app/run/ranks.h"
#include "app/run/run_folder.h"
#include "core/memory.h"
#include "mesh/make/copies.h"
#include "output/folder.h"
#include "output/wording.h"

#include <stdio.h>
#include <string.h>

Status together_refuse(const char *what) {
  return FAIL(ERR_USAGE, "%s cannot be solved together with other points\n  remedy: leave out --together", what);
}

/* Is it what `may` names, or under it? A '*' in that is one name or number. */
static bool key_begins(const char *key, const char *may) {
  for (; *may; ++may) {
    if (*may == '*') key += strcspn(key, ".=");
    else if (*may != *key++) return false;
  }
  return *key == '.' || *key == '=';
}

Status together_key(const Physics *physics, const char *key) {
  char list[1024] = "";
  char kind[KIND_BYTES];
  CHECK(
      physics->run_together, ERR_USAGE,
      "--together solves hearts, fronts (physics: monodomain, eikonal) and static elasticity without steps, not a case "
      "of %s (%s)\n  remedy: leave it out",
      physics->name, kind_name(physics, kind));
  for (const char *const *may = physics->point_keys; *may; ++may) {
    if (key_begins(key, *may)) return OK;
    if (**may) snprintf(list + strlen(list), sizeof list - strlen(list), "%s%s", *list ? ", " : "", *may);
  }
  return FAIL(ERR_USAGE,
              "points that differ in '%.*s' cannot be solved together\n  keys that may differ: those under %s"
              "\n  remedy: leave out --together",
              (int)strcspn(key, "="), key, list);
}

static void point_begin(const Run *run, Mesh *mesh, TogetherPoint *p) {
  p->params = *run->params;
  p->params.folder = p->folder, p->params.quiet = true, p->params.verbose = false, p->params.together = NULL;
  p->report = (RunReport){.precision = p->c->solver.precision.text,
                          .format = p->c->solver.format.type.text,
                          .n_node = mesh->n_node,
                          .n_element = mesh->n_element - setup_first_solved(mesh)};
  p->run = (Run){.c = p->c,
                 .params = &p->params,
                 .report = &p->report,
                 .progress = progress_start(true, false, run->progress.start, p->report.seconds),
                 .mesh = mesh,
                 .mesh_hash = run->mesh_hash};
}

void together_point_release(TogetherPoint *p) {
  output_folder_close(&p->run.folder);
  setup_release(&p->setup);
  report_release(&p->report);
  FREE(p->run.receipt);
  FREE(p->folder);
  FREE(p->warned);
}

/* Points that the folder has whole already go behind the others. */
static Status drop_finished(const Run *run, Together *all) {
  int32_t n = 0;
  for (int32_t k = 0; k < all->n; ++k) {
    bool finished = false;
    point_begin(run, run->mesh, &all->point[k]);
    if (run->params->resume) TRY(run_finished(&all->point[k].run, &finished));
    if (finished) {
      together_point_release(&all->point[k]);
      continue;
    }
    if (n < k) {
      const TogetherPoint other = all->point[n];
      all->point[n] = all->point[k], all->point[k] = other;
    }
    all->point[n].run.params = &all->point[n].params, all->point[n].run.report = &all->point[n].report;
    all->point[n].run.progress.seconds = all->point[n].report.seconds;
    ++n;
  }
  all->n_finished = all->n - n;
  all->n = n;
  return OK;
}

/* Solves of the first point serve all that ask for the same. */
static Status point_set_up(const Run *run, TogetherPoint *p, const Setup *like) {
  const Physics *physics = p->c->physics;
  p->run.device = run->device;
  p->report.on_gpu = run->report->on_gpu;
  memcpy(p->report.device, run->report->device, sizeof p->report.device);
  TRY(run_open_folder(&p->run));
  TRY(setup_create_like(p->c, p->run.mesh, like, &p->setup));
  return physics->solve_setup ? physics->solve_setup(p->c, p->run.mesh, run->device.exec, &p->setup) : OK;
}

Status together_point_open(const Run *run, TogetherPoint *p, const Setup *like) {
  warnings_print(); /* of all */
  const int said = said_mark();
  TRY(point_set_up(run, p, like));
  warnings_print();
  return said_take(said, &p->warned, &p->n_warned);
}

int together_point_says(const TogetherPoint *p) {
  warnings_print();
  const int said = said_mark();
  said_give(p->warned, p->n_warned);
  return said;
}

void together_point_said(int said) {
  warnings_print();
  said_back(said);
}

Status together_load(Run *run, Together *all) {
  CHECK(run_alone(run), ERR_USAGE, "--together is the work of one process: start it without mpirun or srun");
  TRY(run_load_mesh(run));
  if (run->mesh->n_cable || run->mesh->whole) return together_refuse("a heart in a torso or with trees");
  run_mesh_hash(run);
  TRY(drop_finished(run, all));
  run->report->finished_before = all->n == 0;
  return OK;
}

Status together_begin(Run *run, Together *all) {
  char n[32];
  TRY(together_load(run, all));
  if (all->n == 0) return OK;
  progress_say(&run->progress, "together     %s points of a sweep", count_text(all->n, n));
  TRY(run_choose_device(run));
  all->mesh = run->mesh;
  run->mesh = NULL;
  TRY(mesh_copies(all->mesh, all->n, &run->mesh));
  for (int32_t k = 0; k < all->n; ++k)
    TRY_CONTEXT(together_point_open(run, &all->point[k], k ? &all->point[0].setup : NULL), "at the point of %s",
                all->point[k].folder);
  return OK;
}

void together_tell(const Run *run, TogetherPoint *p) {
  const RunReport own = p->report, *whole = run->report;
  p->report.linear = whole->linear;
  p->report.steps = whole->steps, p->report.rejected = whole->rejected;
  p->report.time = whole->time;
  p->report.heart = whole->heart;
  p->report.precision = whole->precision ? whole->precision : own.precision;
  p->report.format = whole->format, p->report.scheme = whole->scheme;
  p->report.converged = whole->converged;
  p->report.host_peak = whole->host_peak, p->report.exec_peak = whole->exec_peak;
  memcpy(p->report.seconds, whole->seconds, sizeof own.seconds);
}

Status together_point_save(const Run *run, TogetherPoint *p) {
  together_tell(run, p);
  p->report.total = run->progress.phase_start - run->progress.start;
  return report_save(&p->report, p->c, p->folder, NULL);
}

Status together_save(const Run *run, Together *all) {
  for (int32_t k = 0; k < all->n; ++k) {
    const int said = together_point_says(&all->point[k]);
    TRY(together_point_save(run, &all->point[k]));
    together_point_said(said);
  }
  return OK;
}

Status together_point_fail(Together *all, Status why, const TogetherPoint *p) {
  if (why != ERR_INPUT && why != ERR_NUMERIC && why != ERR_RESTART && why != ERR_MESH && why != ERR_IO)
    return status_context(why, "at the point of %s", p->folder);
  if (!all->n_failed++) {
    all->failed = why;
    snprintf(all->message, sizeof all->message, "%s\n  at the point of %s", status_message(), p->folder);
  }
  status_clear();
  return OK;
}

Status together_points_store(Together *all, int32_t n, TogetherPoint *const *point,
                             Status (*store)(void *work, int32_t k), void *work) {
  Status status = OK;
  for (int32_t k = 0; k < n && status == OK; ++k) {
    const int said = together_point_says(point[k]);
    status = store(work, k);
    if (status != OK) status = together_point_fail(all, status, point[k]);
    together_point_said(said);
  }
  return status;
}

Status together_failures(const Together *all) {
  CHECK(!all->n_failed, all->failed, "%s\n  %d of %d points have no result", all->message, (int)all->n_failed,
        (int)all->n);
  return OK;
}

Status together_goes_on(const Run *run, int32_t left) {
  CHECK(!run_asked_to_stop(run), ERR_STOPPED, "stopped on request: %d points are left", (int)left);
  run_guard(run, 0);
  return OK;
}

void together_release(Together *all) {
  for (int32_t k = 0; k < all->n + all->n_finished; ++k) {
    together_point_release(&all->point[k]);
    case_destroy(&all->point[k].c);
  }
  mesh_destroy(&all->mesh);
  FREE(all->point);
  all->n = all->n_finished = 0;
}

Status together_copies(const Mesh *mesh, int32_t n, Mesh **out) { return mesh_copies(mesh, n, out); }

Status together_nodes(const Together *all, const void *const *from, size_t size, const char *what, void **to) {
  const size_t bytes = (size_t)all->mesh->n_node * size;
  *to = NULL;
  if (!from[0]) return OK;
  TRY(mem_alloc((int64_t)all->n * all->mesh->n_node, size, what, to));
  for (int32_t k = 0; k < all->n; ++k) memcpy((char *)*to + (size_t)k * bytes, from[k], bytes);
  return OK;
}

Status together_elements(const Together *all, const void *const *from, size_t size, const char *what, void **to) {
  const Mesh *mesh = all->mesh;
  const int32_t first = setup_first_solved(mesh), n = mesh->n_element - first;
  *to = NULL;
  if (!from[0]) return OK;
  TRY(mem_alloc((int64_t)all->n * n, size, what, to));
  for (int32_t b = 0; b < mesh->n_block; ++b) {
    const ElementBlock *block = &mesh->block[b];
    if (block->first < first || !block->n) continue;
    for (int32_t k = 0; k < all->n; ++k) {
      const int64_t at = mesh_copy_element(mesh, all->n, k, block->first) - (int64_t)all->n * first;
      memcpy((char *)*to + (size_t)at * size, (const char *)from[k] + (size_t)(block->first - first) * size,
             (size_t)block->n * size);
    }
  }
  return OK;
}

Status together_rank(const Together *all, int32_t **out) {
  const int32_t n = all->mesh->n_node;
  *out = NULL;
  if (!all->point[0].setup.node_rank) return OK;
  ALLOC(*out, (int64_t)all->n * n, "numbering of the nodes");
  for (int32_t k = 0; k < all->n; ++k)
    for (int32_t i = 0; i < n; ++i) (*out)[k * n + i] = k * n + all->point[k].setup.node_rank[i];
  return OK;
}

Status together_run(Run *run, void *work, Status (*pipeline)(void *work), Status (*release)(void *work)) {
  char message[4096];
  const Status status = pipeline(work);
  snprintf(message, sizeof message, "%s", status == OK ? "" : status_message());
  const Status closed = release(work);
  progress_phase(&run->progress, PHASE_END);
  run->report->total = run->progress.phase_start - run->progress.start;
  return status == OK ? closed : FAIL(status, "%s", message);
}
