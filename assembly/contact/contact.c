/* Gaps and pressures of nodes that may touch an obstacle. */
#include "assembly/contact/contact.h"
#include "assembly/space/facet.h"
#include "core/memory.h"
#include "core/vec3.h"

#include <math.h>
#include <string.h>

void contact_release(Contact *c) {
  toggles_release(&c->nodes);
  FREE(c->item);
  FREE(c->of);
  mem_free((void **)(void *)&c->x);
  mem_free((void **)(void *)&c->at);
  mem_free((void **)(void *)&c->arm);
  FREE(c->along);
  FREE(c->area);
  mem_free((void **)(void *)&c->edge);
  FREE(c->given);
  FREE(c->handed.node);
  FREE(c->handed.start);
  FREE(c->handed.to);
  FREE(c->kept);
  FREE(c->arrived);
  FREE(c->rate);
  FREE(c->bend);
  FREE(c->swerve);
  FREE(c->gap);
  FREE(c->seen);
  FREE(c->pressure);
  FREE(c->room);
  FREE(c->size);
  mem_free((void **)(void *)&c->drift);
  FREE(c->first_gap);
  FREE(c->ease);
  FREE(c->jump);
  FREE(c->slid);
  mem_free((void **)(void *)&c->across);
  friction_release(&c->friction);
  mem_free((void **)(void *)&c->force);
  *c = (Contact){0};
}

/* Of a middle of an edge in functions N', as it is seen; before those of its ends are. */
static double gap_in_shares(const Contact *c, int32_t k) {
  double gap = c->nodes.scale[k] * c->gap[k];
  for (int e = 0; e < 2; ++e) {
    const int32_t end = c->edge[k][e];
    gap -= FACET_SHARE * c->nodes.scale[k] * vec3_dot(c->nodes.d[k], c->nodes.d[end]) * c->gap[end];
  }
  return isfinite(gap) ? gap : (double)INFINITY;
}

double contact_fit(const Contact *c, int32_t k) {
  double fit = c->nodes.scale[k] + c->given[k];
  for (int e = 0; e < 2 && contact_is_middle(c, k); ++e) {
    const int32_t end = c->edge[k][e];
    fit -= FACET_SHARE * c->nodes.scale[k] * (end < 0 ? 1 : vec3_dot(c->nodes.d[k], c->nodes.d[end]));
  }
  return fit;
}

static double part_grown(const Obstacle *o, double time) {
  return fmin(1, fmax(0, (time - o->begun) / (o->grown - o->begun)));
}

static void rates_find(Contact *c) {
  for (int32_t k = 0; k < c->nodes.n && (c->moves || c->bends); ++k) {
    double velocity[3], acceleration[3];
    if (contact_is_between(c, k)) continue;
    obstacle_rates(&c->item[c->of[k]], c->time, c->span, velocity, acceleration);
    c->rate[k] = vec3_dot(velocity, c->nodes.d[k]);
    c->rate[c->nodes.n + k] = vec3_dot(acceleration, c->nodes.d[k]) + c->bend[k];
  }
}

/* w . dg/dx w at y, by differences over a little of `size`. */
static double bent(const Obstacle *o, double time, const double y[3], const double w[3], double size) {
  static const double LITTLE = 1e-4; /* what differences and rounding leave is as much */
  const double speed = sqrt(vec3_dot(w, w)), h = LITTLE * size;
  double at[2][3], g[2][3], sum = 0;
  if (!(speed > 0)) return 0;
  for (int i = 0; i < 2; ++i) {
    for (int d = 0; d < 3; ++d) at[i][d] = y[d] + (i ? h : -h) * w[d] / speed;
    (void)obstacle_distance(o, time, at[i], g[i]);
  }
  for (int d = 0; d < 3; ++d) sum += w[d] * (g[1][d] - g[0][d]);
  return sum * speed / (2 * h);
}

void contact_bend(Contact *c, const double (*velocity)[3]) {
  c->bends = false;
  for (int32_t k = 0; k < c->nodes.n; ++k) {
    const Obstacle *o = &c->item[c->of[k]];
    double v[3], a[3], w[3], g[3];
    c->bend[k] = 0;
    if (contact_is_between(c, k) || obstacle_is_flat(o)) continue;
    obstacle_rates(o, c->time, c->span, v, a);
    vec3_minus(velocity[k], v, w);
    (void)obstacle_distance(o, c->time, c->at[k], g);
    c->bend[k] = (vec3_dot(g, c->nodes.d[k]) > 0 ? -1 : 1) * bent(o, c->time, c->at[k], w, c->size[c->of[k]]);
    c->bends = true;
  }
  rates_find(c);
}

/* As if all were active. */
static void gaps_bare(Contact *c) {
  const double time = c->time;
#pragma omp parallel for schedule(static)
  for (int32_t k = 0; k < c->nodes.n; ++k) {
    const Obstacle *o = &c->item[c->of[k]];
    if (!contact_is_between(c, k)) c->gap[k] = obstacle_gap(o, time, c->at[k], c->nodes.d[k]);
    else c->gap[k] = c->first_gap[k] - contact_fit(c, k) * fmax(0, o->interference) * part_grown(o, time);
  }
  for (int32_t k = 0; k < c->nodes.n; ++k)
    if (!contact_is_between(c, k) && contact_follows(c, k) && c->edge[k][0] >= 0) c->gap[k] = gap_in_shares(c, k);
  for (int32_t k = 0; k < c->nodes.n; ++k) c->gap[k] += c->along[k];
}

static void gaps_find(Contact *c) {
  gaps_bare(c);
  for (int32_t k = 0; k < c->nodes.n; ++k)
    if (!obstacle_phase(&c->item[c->of[k]], c->time)->active) c->gap[k] = (double)INFINITY;
}

int32_t contact_behind(Contact *c, int32_t i, double *depth) {
  static const double LITTLE = 1e-6; /* of the facets */
  int32_t n = 0;
  *depth = 0;
  gaps_bare(c);
  for (int32_t k = 0; k < c->nodes.n; ++k) {
    const double behind = c->seen[2 * k] - c->gap[k];
    if (c->of[k] == i && behind > LITTLE * c->size[i]) ++n, *depth = fmax(*depth, behind);
  }
  gaps_find(c);
  return n;
}

Status contact_begin(Contact *c, double time) {
  c->turn = 0;
  if (c->time != time) {
    for (int32_t i = 0; i < c->n_item; ++i)
      if (c->item[i].kind != OBSTACLE_BODY) TRY(obstacle_check(&c->item[i], time));
    c->time = time;
    gaps_find(c);
    rates_find(c);
    for (int32_t k = 0; k < c->nodes.n; ++k)
      if (!obstacle_phase(&c->item[c->of[k]], time)->active) c->kept[k] = 0;
  }
  memcpy(c->nodes.on, c->kept, (size_t)c->nodes.n);
  return friction_begin(c);
}

void contact_jumps(Contact *c) {
  for (int32_t k = 0; k < c->nodes.n; ++k) {
    const double jump = c->seen[2 * k] - c->gap[k];
    c->jump[k] = contact_is_between(c, k) && isfinite(jump) ? c->nodes.on[k] ? jump : fmax(0, jump) : 0;
  }
}

void contact_ease(Contact *c, double part) {
  gaps_find(c);
  for (int32_t k = 0; k < c->nodes.n && part > 0; ++k) c->gap[k] += part * c->jump[k];
}

uint8_t contact_arrives(const Contact *c, int32_t k) {
  const bool sticks = contact_status(c, k) == 2 && c->friction.kept[k] != GRIP_STICK;
  return (uint8_t)((c->nodes.on[k] && !c->kept[k] ? ARRIVED : 0) | (sticks ? STUCK : 0));
}

void contact_commit(Contact *c) {
  for (int32_t k = 0; k < c->nodes.n; ++k) c->arrived[k] = contact_arrives(c, k);
  memcpy(c->kept, c->nodes.on, (size_t)c->nodes.n);
  for (int32_t k = 0; k < c->nodes.n; ++k)
    c->borne[BORNE_PRESSURE] = fmax(c->borne[BORNE_PRESSURE], c->nodes.on[k] ? c->pressure[k] : 0);
  friction_commit(c);
}

void contact_forces(Contact *c) {
  for (int32_t k = 0; k < c->nodes.n; ++k)
    for (int e = 0; e < 2 && contact_follows(c, k); ++e)
      for (int d = 0; d < 3 && c->edge[k][e] >= 0; ++d) c->force[c->edge[k][e]][d] += FACET_SHARE * c->force[k][d];
  for (int32_t k = 0; k < c->nodes.n; ++k)
    if (contact_follows(c, k))
      c->seen[2 * k + 1] = c->nodes.on[k] ? vec3_dot(c->nodes.unit[k], c->force[k]) / c->nodes.scale[k] : 0;
  friction_see(c);
  for (int32_t k = 0; k < c->nodes.n; ++k) c->slid[k] = sqrt(vec3_dot(c->across[k], c->across[k]));
}

/* v of functions N to that of N', which is what is conjugate to displacements at ends of edges and beside them. */
static void to_shares(const Contact *c, double *v) {
  for (int32_t k = 0; k < c->nodes.n; ++k)
    for (int e = 0; e < 2; ++e)
      if (c->edge[k][e] >= 0 && !contact_follows(c, k)) v[c->edge[k][e]] += FACET_SHARE * v[k];
  for (int32_t k = 0; k < c->nodes.n; ++k)
    if (c->edge[k][0] >= 0 && !contact_follows(c, k)) v[k] *= 1 - 2 * FACET_SHARE;
}

void contact_pressures(Contact *c) {
  const int32_t n = c->nodes.n;
  double *area = c->room, *force = c->room + n;
  for (int32_t k = 0; k < n; ++k) area[k] = c->area[k], force[k] = c->nodes.on[k] ? c->seen[2 * k + 1] : 0;
  to_shares(c, area);
  to_shares(c, force);
  for (int32_t k = 0; k < n; ++k) c->pressure[k] = area[k] > 0 ? force[k] / area[k] : 0; /* 0 on an axis */
}

double contact_open(const Contact *c, int32_t k) {
  double g[3];
  if (c->nodes.on[k]) return 0;
  return isfinite(c->gap[k]) || contact_is_between(c, k)
             ? c->gap[k] - c->seen[2 * k]
             : fabs(obstacle_distance(&c->item[c->of[k]], c->time, c->at[k], g));
}

ContactState contact_state(const Contact *c, int32_t i) {
  ContactState s = {.gap = (double)INFINITY,
                    .size = c->size[i],
                    .reach = c->item[i].reach,
                    .rubs = obstacle_rubs(&c->item[i]),
                    .active = obstacle_phase(&c->item[i], c->time)->active};
  for (int32_t k = 0; k < c->nodes.n; ++k) {
    const double open = c->gap[k] - c->seen[2 * k], *n = c->nodes.d[k];
    double g[3], y[3];
    if (c->of[k] != i) continue;
    ++s.n;
    s.n_closed += c->nodes.on[k];
    s.penetration = fmax(s.penetration, -open);
    if (!c->nodes.on[k]) {
      s.gap = fmin(s.gap, open);
      continue;
    }
    for (int d = 0; d < 3; ++d) s.force[d] -= c->seen[2 * k + 1] * n[d] + friction_force(c, k, d);
    s.n_stick += contact_status(c, k) == 2;
    if (contact_is_between(c, k)) {
      s.slid = fmax(s.slid, c->slid[k]);
      continue;
    }
    for (int d = 0; d < 3; ++d) y[d] = c->at[k][d] + (c->seen[2 * k] - c->along[k]) * n[d];
    (void)obstacle_distance(&c->item[i], c->time, y, g);
    s.turned = fmax(s.turned, acos(fmin(1, fabs(vec3_dot(g, n)))));
  }
  return s;
}
