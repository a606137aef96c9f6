/* Stretches and tensions of muscle that no muscle has, with a warning each at the end of the run. */
#include "app/electromechanics/pump.h"
#include "app/elasticity/elastic.h"
#include "app/run/ranks.h"
#include "core/memory.h"

#include <math.h>
#include <string.h>

/* Stretches of heart muscle that models of its tension were measured at, the share of the volume that may leave them, and the mean
 * tension, kPa, that no heart goes beyond. */
static const double SHORTEST = 0.8, LONGEST = 1.25, SHARE = 0.01, TENSION_MOST = 150;

static bool has_model(const Case *c, int32_t m) { return case_material(c, m)->active.model.text != NULL; }

/* Of muscles with a model; 0 elsewhere. */
static Status watch_volumes(const ElasticRun *w, PumpWatch *out) {
  const Run *run = w->run;
  const int32_t first = setup_first_solved(run->mesh), n = run->mesh->n_element - first;
  TRY(element_volumes(run->c, run->mesh, &w->setup, &out->volume));
  ALLOC(out->whole, n, "stretches and tensions of all elements");
  for (int32_t e = 0; e < n; ++e) {
    if (!has_model(run->c, w->setup.element_material[first + e])) out->volume[e] = 0;
    out->total += out->volume[e];
  }
  out->n_whole = n;
  return OK;
}

Status watch_create(ElasticRun *w, PumpWatch *out) {
  const Run *run = w->run;
  const Mesh *mesh = run_mesh(run);
  for (int32_t m = 0; m < run->c->materials.n; ++m) w->cells.watched |= has_model(run->c, m);
  if (!w->cells.watched) return OK;
  out->n = mesh->n_element - setup_first_solved(mesh);
  ALLOC(out->value, 2 * out->n, "stretches and tensions of elements");
  EXEC_ALLOC(run->device.exec, out->room, out->n, "stretches and tensions of elements");
  return run_is_root(run) ? watch_volumes(w, out) : OK;
}

void watch_destroy(Exec *exec, PumpWatch *k) {
  FREE(k->volume);
  FREE(k->value);
  mem_free((void **)(void *)&k->whole);
  if (exec) EXEC_RELEASE(exec, k->room, k->n);
}

/* Stretches and tensions of all elements, on rank 0. Collective. */
static Status watch_collect(const ElasticRun *w, PumpWatch *k) {
  double(*pair)[2] = NULL;
  Status status = OK;
  for (int i = 0; i < 2; ++i) {
    TRY(elastic_states_take(w->elasticity, &w->fields, ELASTIC_ELEMENT_STATES, w->cells.first + i, k->room));
    TRY(exec_download(w->run->device.exec, k->value + i * k->n, k->room, (size_t)k->n * sizeof *k->value));
  }
  ALLOC(pair, k->n, "stretches and tensions of elements");
  for (int64_t e = 0; e < k->n; ++e) pair[e][0] = k->value[e], pair[e][1] = k->value[k->n + e];
  if (w->run->share) status = collect(w->run->share->collector, OF_ELEMENTS, sizeof *pair, pair, k->whole);
  else memcpy(k->whole, pair, (size_t)k->n * sizeof *pair);
  mem_free((void **)(void *)&pair);
  return status;
}

Status watch_see(const ElasticRun *w, PumpWatch *k) {
  double outside = 0, mean = 0, least = INFINITY, most = 0;
  if (!w->cells.watched) return OK;
  TRY(watch_collect(w, k));
  for (int64_t e = 0; e < k->n_whole; ++e) {
    const double stretch = k->whole[e][0], tension = k->whole[e][1];
    if (!(k->volume[e] > 0)) continue;
    if (stretch < SHORTEST || stretch > LONGEST) outside += k->volume[e];
    mean += k->volume[e] * tension;
    least = fmin(least, stretch), most = fmax(most, stretch);
  }
  if (k->n_whole && outside / k->total > k->outside)
    k->outside = outside / k->total, k->outside_at = w->run->report->time, k->least = least, k->most = most;
  if (k->n_whole && mean / k->total > k->tension) k->tension = mean / k->total, k->tension_at = w->run->report->time;
  return OK;
}

void watch_tell(const PumpWatch *k) {
  if (k->outside > SHARE)
    status_warn(
        "fibres are stretched to less than %g or more than %g in %.3g %% of the muscle at t = %g ms, from %.3g to "
        "%.3g; tensions were measured between\n  remedy: loads that hold the muscle, a stiffer material, or less "
        "tension",
        SHORTEST, LONGEST, 100 * k->outside, k->outside_at, k->least, k->most);
  if (k->tension > TENSION_MOST)
    status_warn(
        "the mean tension is %.4g kPa at t = %g ms, and hearts pull with less than %g\n  remedy: check the unit of "
        "the tension, the preset, and the calcium of the cells",
        k->tension, k->tension_at, TENSION_MOST);
}
