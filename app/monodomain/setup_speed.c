/* How fast will a front run? Found on a strand (app/monodomain/strand.h) of each tissue's cells: on fine elements, and on those
 * of the mesh in each direction with the scheme and steps of the case. Speeds that no heart has are warned of: they come of
 * numbers in another unit. */
#include "app/monodomain/case_monodomain.h"
#include "app/monodomain/setup_heart.h"
#include "app/monodomain/strand.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

const char FRONT_ALONG[] = "along", FRONT_ACROSS[] = "across", FRONT_NORMAL[] = "normal";
/* mm/ms: conduction of hearts, of Purkinje fibres (2 to 4 mm/ms) and of what a remedy aims at; a direction that is slower by
 * so many times than the fastest is not a direction of a tissue. */
static const double SLOWEST = 0.1, FASTEST = 2, FASTEST_FIBRE = 5, USUAL = 0.6, USUAL_FIBRE = 2, MOST_RATIO = 10;
static const double SAME = 1e-6; /* relative difference of diffusivities without a direction */
static const double PER_MICROMETRE =
    2; /* 1/mm: no cell has so little membrane; 0.14 is that of openCARP per micrometre */
enum { PLACE = 1024 };

const IonicConstants *heart_cells(const Case *c, const Setup *setup, int32_t t) {
  const HeartSetup *own = heart_setup(setup);
  return &own->ionic[t < c->materials.n ? t : own->n_region - heart_ionics(c) + t];
}

const char *heart_cells_name(const Case *c, int32_t t, char text[128]) {
  if (t < c->materials.n) snprintf(text, 128, "tissue '%s'", heart_tissue(c, t)->on.item[0].text);
  else snprintf(text, 128, "tree '%s'", case_tree(c, t - c->materials.n)->name.text);
  return text;
}

static bool same(double a, double b) { return fabs(a - b) <= SAME * fmax(a, b); }

static void add_way(FrontSpeed *s, const char *way, double D) {
  s->way[s->n] = way;
  s->D[s->n++] = D;
}

/* In a flat mesh the third direction is none of its own. */
static void find_ways(const double D[3], int dim, FrontSpeed *s) {
  const double along = D[0], across = D[1] > 0 && dim > 1 ? D[1] : along, normal = D[2] > 0 && dim > 2 ? D[2] : across;
  const bool flat = dim < 3 || same(normal, across);
  if (flat && same(along, across)) add_way(s, FRONT_ALONG, along);
  else if (flat) add_way(s, FRONT_ALONG, along), add_way(s, FRONT_ACROSS, across);
  else if (same(along, across)) add_way(s, FRONT_NORMAL, normal), add_way(s, FRONT_ALONG, along);
  else if (same(along, normal)) add_way(s, FRONT_ACROSS, across), add_way(s, FRONT_ALONG, along);
  else add_way(s, FRONT_ALONG, along), add_way(s, FRONT_ACROSS, across), add_way(s, FRONT_NORMAL, normal);
}

Status front_alone(const Case *c, const Setup *setup, int dim, int32_t t, const FrontSpeed *known, FrontSpeed *out) {
  const IonicConstants *ionic = heart_cells(c, setup, t);
  *out = (FrontSpeed){.l = known ? known->l : strand_front(ionic)};
  if (t < c->materials.n) find_ways(heart_setup(setup)->mean[t].D, dim, out);
  else add_way(out, FRONT_ALONG, case_tree(c, t - c->materials.n)->diffusivity.value);
  if (!(out->l > 0)) return OK;
  const StrandParams fine = {.ionic = ionic,
                             .scheme = &bdf2_scheme,
                             .h = FRONT_FINE * out->l,
                             .step = FRONT_FINE_STEP / ionic_type(ionic->kind)->front_slope(ionic)};
  if (known) out->alone = known->alone;
  else TRY(strand_speed(&fine, &out->alone));
  for (int k = 0; k < out->n; ++k) out->fine[k] = out->alone * sqrt(out->D[k]);
  return OK;
}

/* Steps that follow an error have no length of their own: short ones. */
static Status speed_on_mesh(const Case *c, const Setup *setup, int32_t t, int k, FrontSpeed *s) {
  const IonicConstants *ionic = heart_cells(c, setup, t);
  const bool tissue = t < c->materials.n, adaptive = place_given(c->time.adaptive.place);
  const double steep = ionic_type(ionic->kind)->front_slope(ionic);
  StrandParams p = {.ionic = ionic,
                    .scheme = adaptive ? &bdf2_scheme : time_scheme(c->time.scheme.value),
                    .step = fmax(c->time.step.value, FRONT_SHORT_STEP / steep),
                    .h = fmax(s->length[k], FRONT_FINE) * s->l,
                    .point = s->point};
  if (adaptive) p.step = FRONT_FINE_STEP / steep;
  p.consistent = tissue && c->reaction.value == MONODOMAIN_GAUSS;
  p.share = tissue && !p.consistent ? c->mass.value : 0;
  for (int j = 0; j < k; ++j) /* as long in lengths of a front */
    if (same(s->length[j], s->length[k])) {
      s->mesh[k] = s->mesh[j] * sqrt(s->D[k] / s->D[j]);
      return OK;
    }
  TRY(strand_speed(&p, &s->mesh[k]));
  s->mesh[k] *= sqrt(s->D[k]);
  return OK;
}

/* What has the speed that a heart has. */
static void remedy_of(const Case *c, int32_t t, double D, double times, char *text, size_t size) {
  const CaseTissue *tissue = t < c->materials.n ? heart_tissue(c, t) : NULL;
  const double usual = tissue ? USUAL : USUAL_FIBRE;
  if (!tissue || !place_given(tissue->conductivity.place))
    snprintf(text, size, "a diffusivity of %.2g mm2/ms, with which they run at %g mm/ms", D * times, usual);
  else if (tissue->conductivity.surface.value < PER_MICROMETRE && times < 1)
    snprintf(text, size, "'surface-to-volume: %g', per mm, if %g is per micrometre",
             1e3 * tissue->conductivity.surface.value, tissue->conductivity.surface.value);
  else
    snprintf(
        text, size,
        "conductivities in S/m and 'surface-to-volume' per mm, such as {intra: 0.17, extra: 0.62, surface-to-volume: "
        "140}; %.2g times the conductivities run at %g mm/ms",
        times, usual);
}

static void warn_speed(const Case *c, int32_t t, const FrontSpeed *s, int k, const char *bound) {
  const CaseTissue *tissue = t < c->materials.n ? heart_tissue(c, t) : NULL;
  const CasePurkinje *tree = tissue ? NULL : case_tree(c, t - c->materials.n);
  const Place at = tissue ? tissue->diffusivity.along.place : tree->diffusivity.place;
  const double usual = tissue ? USUAL : USUAL_FIBRE, times = usual / s->fine[k] * (usual / s->fine[k]);
  char place[PLACE], name[128], remedy[320], way[32] = "";
  if (s->n > 1) snprintf(way, sizeof way, " %s", s->way[k]);
  remedy_of(c, t, s->D[k], times, remedy, sizeof remedy);
  status_warn("%s: fronts in %s will run at %.3g mm/ms%s, by a diffusivity of %.4g mm2/ms%s%s; %s\n  remedy: %s",
              place_text(c->path, at, place, sizeof place), heart_cells_name(c, t, name), s->fine[k], way, s->D[k],
              tissue && place_given(tissue->diffusivity.varying[0].place) ? " in the mean" : "",
              tissue && place_given(tissue->conductivity.place) ? ", which its conductivities make" : "", bound,
              remedy);
}

/* The fastest direction tells, and one that is out of all proportion. */
static void check_speed(const Case *c, int32_t t, const FrontSpeed *s) {
  const bool tissue = t < c->materials.n;
  int fast = 0, slow = 0;
  char bound[128];
  for (int k = 1; k < s->n; ++k) {
    if (s->fine[k] > s->fine[fast]) fast = k;
    if (s->fine[k] < s->fine[slow]) slow = k;
  }
  if (!(s->l > 0) || !(s->fine[fast] > 0)) return; /* no front runs: its cells are no muscle */
  snprintf(bound, sizeof bound, "those of %s run at %g to %g", tissue ? "hearts" : "Purkinje fibres", SLOWEST,
           tissue ? FASTEST : FASTEST_FIBRE);
  if (s->fine[fast] < SLOWEST || s->fine[fast] > (tissue ? FASTEST : FASTEST_FIBRE)) warn_speed(c, t, s, fast, bound);
  else if (s->fine[slow] * MOST_RATIO < s->fine[fast]) {
    snprintf(bound, sizeof bound, "%s they are %.3g times as fast, where hearts have 1.5 to 4", s->way[fast],
             s->fine[fast] / s->fine[slow]);
    warn_speed(c, t, s, slow, bound);
  }
}

/* Whether cells of no tissue excite each other, of region t itself where it is a tree. */
static bool all_dead(const Case *c, const HeartSetup *own, int32_t t) {
  if (t >= c->materials.n) return own->front_speed[t].l > 0 && own->front_speed[t].alone <= 0;
  for (int32_t k = 0; k < c->materials.n; ++k)
    if (!(own->front_speed[k].l > 0) || !(own->front_speed[k].alone <= 0)) return false;
  return t == 0;
}

/* Cells of a file whose potential is in volts, or of the order of 1, and says no unit. */
static bool other_unit(const IonicConstants *ionic) {
  static const double LEAST_REST = 1; /* mV */
  double s[IONIC_STATES];
  return ionic_type(ionic->kind)->program && fabs(ionic_type(ionic->kind)->rest(ionic, s)) < LEAST_REST;
}

static void warn_dead(const Case *c, int32_t t) {
  const IonicConstants ionic = monodomain_constants_of(heart_ionic(c, t));
  const Place at = t < c->materials.n ? heart_tissue(c, t)->ionic.place : case_tree(c, t - c->materials.n)->ionic.place;
  char place[PLACE], name[128];
  status_warn("%s: no front will run in %s, on no mesh: with these parameters its cells do not excite each other\n  "
              "remedy: %s",
              place_text(c->path, at, place, sizeof place), heart_cells_name(c, t, name),
              other_unit(&ionic)
                  ? "a potential in mV, or with its unit in the file, such as [V]: they rest within 1 mV of 0, and "
                    "what has no unit counts as mV"
              : ionic_type(ionic.kind)->program
                  ? "other 'parameters:' of the file; fast fronts need the sodium current"
                  : "the parameters of a preset, 'sinew list ionic'; fast fronts need the sodium current");
}

/* The same tissue was said. */
static bool said_before(const HeartSetup *own, int32_t t) {
  for (int32_t k = 0; k < t; ++k)
    if (own->front_speed[k].n == own->front_speed[t].n &&
        !memcmp(own->front_speed[k].fine, own->front_speed[t].fine, sizeof own->front_speed[t].fine))
      return true;
  return false;
}

Status setup_speeds(const Case *c, Setup *setup) {
  HeartSetup *own = heart_setup(setup);
  for (int32_t t = 0; t < heart_ionics(c); ++t) {
    FrontSpeed *s = &own->front_speed[t];
    for (int k = 0; s->l > 0 && k < s->n && !place_given(c->eikonal.place); ++k) TRY(speed_on_mesh(c, setup, t, k, s));
    if (all_dead(c, own, t)) {
      warn_dead(c, t);
      for (int32_t k = t; k <= t || (t == 0 && k < c->materials.n); ++k) own->front_speed[k].none = true;
    } else if (!said_before(own, t)) check_speed(c, t, s);
  }
  return OK;
}

static void add_speed(double speed, bool unit, Text *out) {
  if (!(speed > 0)) text_add(out, isnan(speed) ? "?" : "none");
  else text_add(out, speed < 0.095 ? "%.2g" : "%.2f", speed);
  if (unit && speed > 0) text_add(out, " mm/ms");
}

/* "0.62 mm/ms along, 0.22 across (on fine elements 0.62, 0.24)" */
static void speed_text(const FrontSpeed *s, Text *out) {
  for (int k = 0; k < s->n; ++k) {
    if (k) text_add(out, ", ");
    add_speed(s->mesh[k], k == 0, out);
    if (s->n > 1) text_add(out, " %s", s->way[k]);
  }
  text_add(out, " (on fine elements ");
  for (int k = 0; k < s->n; ++k) {
    if (k) text_add(out, ", ");
    add_speed(s->fine[k], false, out);
  }
  text_add(out, ")\n");
}

void front_text(const Case *c, const Setup *setup, Text *out) {
  const HeartSetup *own = heart_setup(setup);
  int32_t n = 0;
  if (place_given(c->eikonal.place) || !own->front_speed) return;
  for (int32_t t = 0; t < heart_ionics(c); ++t) n += own->front_speed[t].l > 0;
  for (int32_t t = 0; t < heart_ionics(c); ++t) {
    char name[128];
    if (!(own->front_speed[t].l > 0)) continue;
    text_add(out, "front        ");
    if (n > 1) text_add(out, "%s: ", heart_cells_name(c, t, name));
    speed_text(&own->front_speed[t], out);
  }
}
