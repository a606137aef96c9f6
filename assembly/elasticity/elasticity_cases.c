/* Load cases: other loads and other prescribed values, with the same unknowns free. */
#include "assembly/elasticity/elasticity_data.h"
#include "core/memory.h"

#include <math.h>
#include <string.h>

bool elasticity_has_load(const Elasticity *p) {
  bool moved = p->supports.moved;
  for (int32_t i = 0; i < p->equations.n; ++i) moved |= p->equations.gap[i] != 0;
  for (int32_t g = 0; g < p->equations.n_rigid; ++g) moved |= rigid_group_acts(&p->equations.rigid[g]);
  return moved || p->loads.any || p->heated || p->begins;
}
const double *elasticity_external(const Elasticity *p) { return p->external; }
void elasticity_set_external(Elasticity *p, const double *force) { p->external = force; }

double elasticity_set_gap(Elasticity *p, double gap) {
  const double before = p->gap;
  p->gap = gap;
  return before;
}

/* Directions of a frame agree within this. */
static const double SAME_FRAME = 1e-9;

static bool same_frames(const Supports *a, const Supports *b) {
  if (a->n_frame != b->n_frame) return false;
  for (int32_t f = 0; f < a->n_frame; ++f) {
    if (a->frame_node[f] != b->frame_node[f]) return false;
    for (int k = 0; k < 9; ++k)
      if (!(fabs(a->frame[9 * (int64_t)f + k] - b->frame[9 * (int64_t)f + k]) <= SAME_FRAME)) return false;
  }
  return true;
}

/* The first node where they do not prescribe the same, -1: there is none. */
static int32_t first_difference(const Supports *a, const Supports *b) {
  for (int32_t i = 0; i < a->n_node; ++i)
    if (a->fixed[i] != b->fixed[i]) return i;
  return -1;
}

static Status check_same(const Supports *a, const Supports *b, const char *name, const char *before) {
  static const char *const REMEDY = "all load cases share one stiffness, so each prescribes the same unknowns\n  "
                                    "remedy: prescribe it in all of them, with 0 where it does not move, or solve "
                                    "separate cases";
  const Mesh *mesh = a->mesh;
  const int32_t i = first_difference(a, b);
  if (i < 0) {
    CHECK(same_frames(a, b), ERR_INPUT,
          "the load cases '%s' and '%s' prescribe displacements in different directions\n  %s", before, name, REMEDY);
    return OK;
  }
  const double *x = mesh->x[i];
  const unsigned more = a->fixed[i] & ~b->fixed[i];
  const unsigned odd = a->fixed[i] ^ b->fixed[i];
  const int c = odd & 1 ? 0 : odd & 2 ? 1 : 2;
  return FAIL(
      ERR_INPUT, "displacement %c of node %lld at (%g, %g, %g) is prescribed in load case '%s' and free in '%s'\n  %s",
      "xyz"[c], (long long)mesh -> node_tag[i], x[0], x[1], x[2], more ? before : name, more ? name : before, REMEDY);
}

static Status supports_replace(Elasticity *p, const ElasticityParams *params, const char *name, const char *before) {
  Supports next;
  Status status = elasticity_make_supports(p, params, &next);
  const bool shared = !p->inspect_only && p->space->pattern->share.halo; /* who has the whole has looked */
  if (status == OK && !shared) status = check_same(&p->supports, &next, name, before);
  if (status == OK && !p->inspect_only) status = supports_upload(p->space, &next);
  if (status != OK) {
    supports_release(&next);
    return status;
  }
  supports_release(&p->supports);
  p->supports = next;
  return OK;
}

Status elasticity_load_case(Elasticity *p, const ElasticityParams *params, const char *name, const char *before) {
  if (params->support) TRY(supports_replace(p, params, name, before));
  Inertia inertia = p->loads.inertia;
  p->loads.inertia = (Inertia){0};
  loads_release(&p->loads);
  p->loads = (Loads){0};
  TRY(elasticity_make_loads(p, params, &inertia, &p->loads));
  const ScalarSource *heat = params->temperature;
  p->heated = heat && (scalar_source_varies(heat) || heat->value != 0);
  if (p->inspect_only) return OK;
  TRY(loads_upload(p->space, &p->loads));
  TRY(elasticity_heat(p, heat != NULL, &heat, NULL));
  if (heat) TRY(elasticity_thermal_load(p));
  if (p->loads.n_point && !p->timed_load)
    EXEC_ALLOC(p->space->exec, p->timed_load, p->space->n_dof, "forces that depend on time");
  return elasticity_load_at_time(p, params->time);
}
