/* The body without load from a mesh of it under pressure: X for which a body that is at X without load goes to x*, the mesh as it is.
 * X' = X + (x* - x(X)), where x(X) is filled from X (Sellier, Engineering Computations 28, 2011), with the values before taken in
 * (core/anderson.h). docs/theory/electromechanics.md. */
#include "app/electromechanics/pump.h"
#include "app/run/run.h"
#include "core/anderson.h"
#include "core/memory.h"
#include "core/vec3.h"
#include "output/folder.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* So many times as far from the mesh as before: what X before have changed is of another place. Where it grows less that still says how. */
static const double FAR = 4;
enum { INFLATIONS = 40, BACK = 6 }; /* at most; and ways back to the last body that could be filled */

/* While the body is looked for. */
typedef struct Search {
  ElasticRun *w;
  Mesh *mesh;               /* has X */
  const double (*image)[3]; /* x* */
  double (*good)[3], (*next)[3], (*u)[3];
  double *volume; /* of cavities of the run: filled, and at X */
  double tolerance;
} Search;

static Status displacement_of(ElasticRun *t, double (*u)[3]) {
  Exec *exec = t->run->device.exec;
  const int64_t n = 3 * (int64_t)t->run->mesh->n_node;
  ElasticFields fields = {0};
  double *room = NULL;
  EXEC_ALLOC(exec, room, n, "displacement");
  Status status = elasticity_recover_begin(t->elasticity, t->u, FIELD_DISPLACEMENT, &fields);
  if (status == OK) status = elastic_fields_take(t->elasticity, &fields, ELASTIC_DISPLACEMENT, room);
  if (status == OK) status = exec_download(exec, u, room, (size_t)n * sizeof *room);
  elastic_fields_release(&fields);
  EXEC_RELEASE(exec, room, n);
  return status;
}

static Status fill(ElasticRun *t, const Search *s) {
  const Case *c = t->run->c;
  PumpRun *o = pump_own(t);
  FiniteCavities *of = &o->finite.cavities;
  of->n_unknown = of->n; /* none has the pressure of its own key */
  for (int32_t i = 0; i < of->n; ++i) {
    const int32_t k = finite_cavity_of(t, i);
    of->pressure[i] = 0;
    for (int32_t f = 0; k >= 0 && f < c->unload.n; ++f)
      if (strcmp(c->unload.item[f].name.text, case_cavity(c, k)->name.text) == 0)
        o->press[o->n_press++] = (PumpPress){i, c->unload.item[f].value};
  }
  const SumParts *before = exec_sum_over(t->run->device.exec, t->parts);
  const Status status = pump_press(t, "to find the body without load");
  exec_sum_over(t->run->device.exec, before);
  TRY(status);
  for (int32_t i = 0; i < of->n; ++i) {
    const int32_t k = finite_cavity_of(t, i);
    if (k >= 0) s->volume[k] = of->initial[i] / of->unit;
  }
  return displacement_of(t, s->u);
}

/* The case on the body at X, where points of probes are not those that it says. */
static Status setup_at(const Run *run, Setup *out) {
  Case bare = *run->c;
  bare.output.probes.n = 0;
  TRY(setup_create(&bare, run->mesh, out));
  return bare.physics->solve_setup(run->c, run->mesh, run->device.exec, out);
}

static Status begin(ElasticRun *t) {
  TRY(mem_alloc((int64_t)t->analysis->own, 1, "what an analysis has", &t->own));
  TRY(setup_at(t->run, &t->setup));
  TRY(finite_prepare(t));
  TRY(elastic_equation(t->run, &t->setup, &t->elasticity));
  t->n = elasticity_dofs(t->elasticity);
  return finite_begin(t);
}

/* s->u of the body at X, filled. */
static Status inflate(const Search *s) {
  ElasticRun t = {.run = s->w->run, .analysis = s->w->analysis, .linear = s->w->linear};
  Status status = begin(&t);
  if (status == OK) status = fill(&t, s);
  progress_phase(&t.run->progress, PHASE_SOLVE);
  const Status released = elastic_run_release(&t);
  return status == OK ? released : status;
}

/* The largest distance of nodes from the mesh; s->next is where they came from, moved back by it. */
static double misfit(const Search *s) {
  double most = 0;
  for (int32_t i = 0; i < s->mesh->n_node; ++i) {
    double r[3];
    for (int k = 0; k < 3; ++k) {
      r[k] = s->image[i][k] - s->mesh->x[i][k] - s->u[i][k];
      s->next[i][k] = s->mesh->x[i][k] + r[k];
    }
    most = fmax(most, vec3_dot(r, r));
  }
  return sqrt(most);
}

static void half_way_back(const Search *s) {
  for (int32_t i = 0; i < s->mesh->n_node; ++i)
    for (int k = 0; k < 3; ++k) s->mesh->x[i][k] = (s->mesh->x[i][k] + s->good[i][k]) / 2;
}

/* An element that has turned over at X. */
static Status check_elements(const Search *s) {
  MeshQuality quality;
  mesh_quality(s->mesh, &quality);
  if (quality.worst > 0) return OK;
  const ElementBlock *block = mesh_block_of(s->mesh, quality.worst_element);
  return FAIL(ERR_NUMERIC, "element %lld turns over in the body without load",
              (long long)block->tag[quality.worst_element - block->first]);
}

static Status not_found(void) {
  char message[2048];
  snprintf(message, sizeof message, "%s", status_message());
  return FAIL(ERR_NUMERIC,
              "%s\n  while the body without load was found: no body on the way to it can be filled\n  remedy: less "
              "pressure under 'unload:', or a stiffer muscle",
              message);
}

/* X, or what lies between it and the last one that could be filled. */
static Status inflate_or_back(const Search *s, Anderson *mixing, bool first) {
  Unloaded *body = &pump_own(s->w)->unloaded;
  for (int k = 0;; ++k) {
    unloaded_turn(s->mesh, body);
    s->mesh->quality = (MeshQuality){0};
    Status status = check_elements(s);
    if (status == OK) status = inflate(s);
    const bool too_far = status == ERR_NUMERIC || status == ERR_INPUT || status == ERR_MESH; /* of X */
    if (!too_far || first || k == BACK) return too_far && !first ? not_found() : status;
    half_way_back(s);
    mixing->count = 0;
  }
}

static Status search(Search *s, double *room) {
  Run *run = s->w->run;
  Unloaded *body = &pump_own(s->w)->unloaded;
  const size_t bytes = (size_t)s->mesh->n_node * sizeof *s->good;
  Anderson mixing = {.n = 3 * (int64_t)s->mesh->n_node, .room = room};
  double before = (double)INFINITY;
  for (int32_t k = 0; k < INFLATIONS; ++k) {
    TRY(inflate_or_back(s, &mixing, k == 0));
    body->distance = misfit(s);
    body->n_inflation = k + 1;
    if (k == 0) memcpy(body->volume[0], s->volume, sizeof body->volume[0]);
    progress_live(&run->progress, "unloading, %d: %.3g from the mesh", k + 1, body->distance);
    if (body->distance <= s->tolerance) return OK;
    CHECK(!run_asked_to_stop(run), ERR_STOPPED, "stopped while the body without load was found; nothing is stored");
    run_guard(run, 0);
    if (body->distance > FAR * before) mixing.count = 0;
    before = body->distance;
    memcpy(s->good, s->mesh->x, bytes);
    anderson_next(&mixing, &s->next[0][0], &s->mesh->x[0][0]);
  }
  return FAIL(
      ERR_NUMERIC,
      "after %d inflations the body without load, filled, is still %.3g mm from the mesh, and 'tolerance' is %g\n"
      "  remedy: less pressure, a stiffer muscle, or a larger 'tolerance' under 'unload:'",
      INFLATIONS, body->distance, s->tolerance);
}

Status pump_unloaded_write(const ElasticRun *w) {
  const Run *run = w->run;
  char *path = NULL;
  if (!pump_own(w)->unloaded.there || run->rehearsed) return OK;
  TRY(output_path(run->params->folder, "unloaded.h5", &path));
  const Status status = mesh_write_h5(run->mesh, path);
  FREE(path);
  return status;
}

/* Points of probes are those of the mesh as it was read. */
static Status setup_again(ElasticRun *w) {
  Location *probe = w->setup.probe;
  FieldPart *part = elastic_setup(&w->setup)->probe;
  w->setup.probe = NULL;
  elastic_setup(&w->setup)->probe = NULL;
  setup_release(&w->setup);
  const Status status = setup_at(w->run, &w->setup);
  if (status == OK) {
    FREE(w->setup.probe);
    FREE(elastic_setup(&w->setup)->probe);
    w->setup.probe = probe;
    elastic_setup(&w->setup)->probe = part;
    return OK;
  }
  FREE(probe);
  FREE(part);
  return status;
}

static void tell(const ElasticRun *w) {
  const Case *c = w->run->c;
  const Unloaded *body = &pump_own(w)->unloaded;
  char where[512];
  if (body->n_inflation == 1)
    status_warn(
        "%s: filled to these pressures the mesh itself comes to be %.3g mm from the mesh, and 'tolerance' is %g: it "
        "counts as the body without load\n  remedy: a smaller 'tolerance', 0.001 unless given, or leave 'unload' out",
        place_text(c->path, c->unload.place, where, sizeof where), body->distance, case_unload_tolerance(c));
  progress_say(&w->run->progress, "unloaded     in %d inflations, filled again it is %.2g mm from the mesh",
               body->n_inflation, body->distance);
  for (int32_t k = 0; k < c->cavities.n; ++k)
    progress_say(&w->run->progress, "             '%s' holds %.6g mL without load and %.6g mL in the mesh",
                 case_cavity(c, k)->name.text, body->volume[1][k], body->volume[0][k]);
}

Status pump_unload(ElasticRun *w) {
  const Case *c = w->run->c;
  Unloaded *body = &pump_own(w)->unloaded;
  Search s = {.w = w, .mesh = w->run->mesh, .tolerance = case_unload_tolerance(c), .volume = body->volume[1]};
  const int32_t n = s.mesh->n_node;
  double *room = NULL;
  Status status = OK;
  (void)run_mesh_hash(w->run); /* of the mesh as it was read */
  TRY(unloaded_create(c, s.mesh, body));
  s.image = (const double(*)[3])body->x;
  ALLOC_DONE(s.good, n, "the body without load");
  ALLOC_DONE(s.next, n, "the body without load");
  ALLOC_DONE(s.u, n, "the body without load");
  ALLOC_DONE(room, 3 * (int64_t)n * ANDERSON_ROOM, "the body without load");
  status_warnings_drop(true); /* the mesh as it was read has had its own */
  status = search(&s, room);
  progress_clear(&w->run->progress);
  if (status == OK) status = setup_again(w);
  status_warnings_drop(false);
  if (status == OK) tell(w);
done:
  mem_free((void **)(void *)&s.good);
  mem_free((void **)(void *)&s.next);
  mem_free((void **)(void *)&s.u);
  FREE(room);
  return status;
}
