/* Stretches and tensions of muscle that no muscle has, with a warning each at the end of the run. */
#include "app/electromechanics/pump.h"
#include "app/elasticity/elastic.h"
#include "app/run/ranks.h"
#include "core/memory.h"

#include <math.h>

/* Stretches of heart muscle that models of its tension were measured at, the share of the volume that may leave them, and the mean
 * tension, kPa, that no heart goes beyond. */
static const double SHORTEST = 0.8, LONGEST = 1.25, SHARE = 0.01, TENSION_MOST = 150;

static bool has_model(const Case *c, int32_t m) { return case_material(c, m)->active.model.text != NULL; }

Status watch_create(ElasticRun *w, PumpWatch *out) {
  const Run *run = w->run;
  const Mesh *mesh = run->mesh;
  for (int32_t m = 0; m < run->c->materials.n; ++m) w->cells.watched |= has_model(run->c, m);
  w->cells.watched &= run_alone(run);
  if (!w->cells.watched) return OK;
  const int32_t first = setup_first_solved(mesh), n = mesh->n_element - first;
  out->n = n;
  TRY(element_volumes(run->c, mesh, &w->setup, &out->volume));
  ALLOC(out->value, 2 * (int64_t)n, "stretches and tensions of elements");
  EXEC_ALLOC(run->device.exec, out->room, n, "stretches and tensions of elements");
  for (int32_t e = 0; e < n; ++e) {
    if (!has_model(run->c, w->setup.element_material[first + e])) out->volume[e] = 0;
    out->total += out->volume[e];
  }
  return OK;
}

void watch_destroy(Exec *exec, PumpWatch *k) {
  FREE(k->volume);
  FREE(k->value);
  if (exec) EXEC_RELEASE(exec, k->room, k->n);
}

Status watch_see(const ElasticRun *w, PumpWatch *k) {
  Exec *exec = w->run->device.exec;
  const int32_t n = (int32_t)k->n;
  if (!k->n) return OK;
  double *stretch = k->value, *tension = k->value + n, outside = 0, mean = 0, least = INFINITY, most = 0;
  for (int i = 0; i < 2; ++i) {
    TRY(elastic_states_take(w->elasticity, &w->fields, ELASTIC_ELEMENT_STATES, w->cells.first + i, k->room));
    TRY(exec_download(exec, k->value + (int64_t)i * n, k->room, (size_t)n * sizeof *k->value));
  }
  for (int32_t e = 0; e < n; ++e) {
    if (!(k->volume[e] > 0)) continue;
    if (stretch[e] < SHORTEST || stretch[e] > LONGEST) outside += k->volume[e];
    mean += k->volume[e] * tension[e];
    least = fmin(least, stretch[e]), most = fmax(most, stretch[e]);
  }
  if (outside / k->total > k->outside)
    k->outside = outside / k->total, k->outside_at = w->run->report->time, k->least = least, k->most = most;
  if (mean / k->total > k->tension) k->tension = mean / k->total, k->tension_at = w->run->report->time;
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
