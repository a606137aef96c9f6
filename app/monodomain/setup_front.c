/* Are mesh and steps fine enough for the wave front? A front is sqrt(2 D/(3 max_slope)) long (app/monodomain/strand.h);
 * what elements and steps of a length do to its speed is measured on a strand with the region's own cells. With fibres
 * the lengths of elements are those of each direction: they are measured by D^-1. */
#include "app/monodomain/case_monodomain.h"
#include "app/monodomain/setup_heart.h"
#include "app/monodomain/strand.h"
#include "core/memory.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double TOLERATED = 0.05, TOLERATED_IN_TIME = 0.01;
static const double FAR_TOO_LONG = 8; /* elements, in lengths of a front: three refinements */
static const double MICROMETRES = 50; /* elements so long may be a thousand times shorter than the file says, and all */
static const double METRES = 0.5;     /* tissue, in lengths of a front, a thousand times longer */
/* Elements and steps of a reference, in lengths of a front and in parts of 1/max_slope; those so short are not looked
 * at. */
static const double FINE = 1.0 / 3, FINE_STEP = 0.1, SHORT_STEP = 0.02;
/* Longest elements that steps are tried on, in lengths of a front: on longer ones the mesh is what errs. */
static const double COARSE = 1.5;
static const double SAME = 1e-6; /* relative difference of diffusivities without a direction */
static const double AIM = 0.008; /* of the step that a warning names */

/* Tissues come first, then trees, whose regions are the last ones. */
static const IonicConstants *cells_at(const Case *c, const Setup *setup, int32_t k) {
  const HeartSetup *own = heart_setup(setup);
  return &own->ionic[k < c->materials.n ? k : own->n_region - heart_ionics(c) + k];
}

/* Of its elements, in lengths of a front; 0: not known. */
static double length_at(const Setup *setup, int32_t k) {
  const double *length = heart_setup(setup)->front_length;
  return length ? length[k] : 0;
}

/* "tissue 'body'" */
static const char *name_at(const Case *c, int32_t k, char text[128]) {
  if (k < c->materials.n) snprintf(text, 128, "tissue '%s'", heart_tissue(c, k)->on.item[0].text);
  else snprintf(text, 128, "tree '%s'", case_tree(c, k - c->materials.n)->name.text);
  return text;
}

/* What a region's elements are like. */
typedef struct Front {
  double l;      /* strand_front of its cells */
  double square; /* sum over its elements of (h/l)^2 */
  double D[2];   /* along and across the fibres, where these are two; else 0 */
  double way[2]; /* square of each direction alone */
  double point;  /* as in StrandParams */
  int64_t n;
} Front;

Form form_create(const double D[6]) {
  const double a = D[1] * D[2] - D[4] * D[4], b = D[4] * D[5] - D[3] * D[2], c = D[3] * D[4] - D[1] * D[5];
  const double d = D[0] * D[2] - D[5] * D[5], f = D[3] * D[5] - D[0] * D[4], g = D[0] * D[1] - D[3] * D[3];
  const double part = 1 / (D[0] * a + D[3] * b + D[5] * c);
  return (Form){{a * part, d * part, g * part, 2 * b * part, 2 * f * part, 2 * c * part}};
}

double form_value(const Form *w, const double e[3]) {
  return w->part[0] * e[0] * e[0] + w->part[1] * e[1] * e[1] + w->part[2] * e[2] * e[2] + w->part[3] * e[0] * e[1] +
         w->part[4] * e[1] * e[2] + w->part[5] * e[0] * e[2];
}

/* What an element is on a strand: the square of its length is so much of the mean square of its edges, diagonals among
 * them in meshes of cut squares and cubes (in triangles and tetrahedra by the second moments of lumped mass, stiffness
 * and reaction, in wedges and pyramids by the edges' lengths there), and its reaction is taken so far from the
 * middle. */
static void on_a_strand(const ElementType *type, double *part, double *point) {
  *part = 1;
  *point = sqrt(1.0 / 3);
  switch (type->shape) {
  case SHAPE_TRIANGLE: *part = 0.75, *point = type->order > 1 ? *point : 1.0 / 3; break;
  case SHAPE_TETRAHEDRON: *part = 0.6, *point = type->order > 1 ? *point : sqrt(1.0 / 6); break;
  case SHAPE_WEDGE: *part = 9.0 / 11; break;
  case SHAPE_PYRAMID: *part = 2.0 / 3; break;
  default: break;
  }
}

/* Square of the length of an element by a form; of half of it where it is quadratic. */
static double length_square(const Mesh *mesh, int32_t e, const Form *form, double part) {
  const ElementType *type = element_type(mesh_block_of(mesh, e)->kind);
  const int32_t *nodes = mesh_nodes_of(mesh, e);
  double sum = 0;
  int32_t n = 0;
  for (int32_t f = 0; f < type->n_face; ++f) {
    const int32_t n_corner = element_type(type->face[f].kind)->n_vertex;
    for (int32_t a = 0; a < n_corner; ++a, ++n) {
      const double *p = mesh->x[nodes[type->face[f].nodes[a]]],
                   *q = mesh->x[nodes[type->face[f].nodes[(a + 1) % n_corner]]];
      const double edge[3] = {q[0] - p[0], q[1] - p[1], q[2] - p[2]};
      sum += form_value(form, edge);
    }
  }
  return part * sum / n / (type->order * type->order);
}

/* ff^T and I - ff^T from D_along ff^T + D_across (I - ff^T); an element that is as long in all directions is so in each. */
static void add_ways(const Mesh *mesh, int32_t e, const double D[6], double part, Front *front) {
  const double across = front->D[1], differ = front->D[0] - across, dim = mesh->dim;
  double ff[6];
  for (int k = 0; k < 6; ++k) ff[k] = (D[k] - (k < 3 ? across : 0)) / differ;
  const Form along = {{ff[0], ff[1], ff[2], 2 * ff[3], 2 * ff[4], 2 * ff[5]}}, all = {{1, 1, 1}};
  const double square = dim * length_square(mesh, e, &along, part), l = front->l;
  front->way[0] += square / (front->D[0] * l * l);
  front->way[1] += (dim * length_square(mesh, e, &all, part) - square) / (dim - 1) / (across * l * l);
}

/* Elements of a chunk, whose sums are added in the order of the chunks: the same for any number of threads. */
enum { CHUNK = 4096 };

/* The part of elements [begin, end), from the solved ones on. */
static void look_at_chunk(const Mesh *mesh, const Setup *setup, int32_t begin, int32_t end, Front *front) {
  const int32_t first = setup_first_solved(mesh);
  for (int32_t e = begin; e < end; ++e) {
    const int32_t t = setup->element_material[e];
    const double l = front[t].l;
    double part;
    on_a_strand(element_type(mesh_block_of(mesh, e)->kind), &part, &front[t].point);
    if (l > 0) {
      const Form form = form_create(heart_setup(setup)->tensor[e - first]);
      front[t].square += length_square(mesh, e, &form, part) / (l * l);
      if (front[t].D[0] > 0) add_ways(mesh, e, heart_setup(setup)->tensor[e - first], part, &front[t]);
    }
    ++front[t].n;
  }
}

/* Lines: a link has conductance D area / h and mass area h / 2, so that their quotient has h^2 / D. */
static void look_at_trees(const Case *c, const Setup *setup, Front *front) {
  const HeartSetup *own = heart_setup(setup);
  for (int32_t i = 0; i < own->n_link; ++i) {
    Front *f = &front[own->link_region[i] - own->n_region + heart_ionics(c)];
    if (own->link[i].mass == 0) continue;
    if (f->l > 0) f->square += 2 * own->link[i].mass / own->link[i].conductance / (f->l * f->l);
    ++f->n;
  }
}

static Status look_at_elements(const Mesh *mesh, const Setup *setup, int32_t n_tissue, Front *front) {
  const int32_t first = setup_first_solved(mesh), n_chunk = (mesh->n_element - first + CHUNK - 1) / CHUNK;
  Front *part = NULL;
  ALLOC(part, (int64_t)n_chunk * n_tissue, "lengths of elements by tissue");
#pragma omp parallel for schedule(static)
  for (int32_t c = 0; c < n_chunk; ++c) {
    const int32_t begin = first + c * CHUNK, end = mesh->n_element - begin > CHUNK ? begin + CHUNK : mesh->n_element;
    Front *here = part + (int64_t)c * n_tissue;
    for (int32_t t = 0; t < n_tissue; ++t) here[t].l = front[t].l, memcpy(here[t].D, front[t].D, sizeof front[t].D);
    look_at_chunk(mesh, setup, begin, end, here);
  }
  for (int64_t k = 0; k < (int64_t)n_chunk * n_tissue; ++k) {
    Front *to = &front[k % n_tissue];
    to->square += part[k].square;
    for (int d = 0; d < 2; ++d) to->way[d] += part[k].way[d];
    to->n += part[k].n;
    if (part[k].n) to->point = part[k].point;
  }
  FREE(part);
  return OK;
}

/* What the length of elements adds to the speed of a front, relative to it; 0 where it is not known. */
static Status mesh_error(const Case *c, const IonicConstants *ionic, double share, const Front *front, double *error) {
  const double l = front->l, length = front->n ? sqrt(front->square / (double)front->n) : 0;
  StrandParams p = {.ionic = ionic, .scheme = &bdf2_scheme, .h = FINE * l, .point = front->point};
  double known, speed;
  *error = 0;
  if (!(l > 0) || length < 2 * FINE) return OK;
  p.step = FINE_STEP / ionic_type(ionic->kind)->front_slope(ionic);
  TRY(strand_speed(&p, &known));
  p.h = length * l;
  p.consistent = c->reaction.value == MONODOMAIN_GAUSS;
  p.share = p.consistent ? 0 : share;
  TRY(strand_speed(&p, &speed));
  if (known > 0 && !isnan(speed)) *error = speed / known - 1;
  return OK;
}

/* The same of a scheme's steps, against short ones on elements of the same length (in lengths of a front). Of states that go first
 * the reference takes explicit stages, which err least. Steps that find no solution carry no front. */
static Status time_error_on(const IonicConstants *ionic, const TimeScheme *scheme, double length, double step,
                            double *error) {
  const double steep = ionic_type(ionic->kind)->front_slope(ionic);
  const bool first = !ionic_type(ionic->kind)->implicit || scheme->carries == SCHEME_STATES_FIRST;
  StrandParams p = {.ionic = ionic,
                    .scheme = first ? &rush_larsen_chebyshev_scheme : &bdf2_scheme,
                    .h = length * strand_front(ionic),
                    .step = fmin(FINE_STEP / steep, 0.25 * step)};
  double known, speed;
  *error = 0;
  TRY(strand_speed(&p, &known));
  p.scheme = scheme;
  p.step = step;
  TRY(strand_speed(&p, &speed));
  if (known > 0) *error = isnan(speed) ? -1 : speed / known - 1;
  return OK;
}

/* The worse of those on fine elements and on elements as the mesh has them. */
static Status time_error(const IonicConstants *ionic, const TimeScheme *scheme, double length, double step,
                         double *error) {
  double here = 0;
  *error = 0;
  if (!(strand_front(ionic) > 0) || !(step * ionic_type(ionic->kind)->front_slope(ionic) > SHORT_STEP)) return OK;
  TRY(time_error_on(ionic, scheme, FINE, step, error));
  if (length > FINE) TRY(time_error_on(ionic, scheme, fmin(length, COARSE), step, &here));
  if (fabs(here) > fabs(*error)) *error = here;
  return OK;
}

static const char *setup_front_direction(double error) { return error > 0 ? "fast" : "slow"; }

/* Elements a few times too long are refined; others would be too many. */
static void remedy_of(const Case *c, double length, bool stops, char *text, size_t size) {
  const long long levels = (long long)c->mesh.refine.value + (long long)fmax(1, ceil(log2(length)));
  if (length > FAR_TOO_LONG)
    snprintf(text, size,
             "remedy: 'eikonal: {}', and 'velocity: 0.6' (mm/ms) in each tissue: fronts of that velocity start the "
             "cells; or "
             "elements %.3g times as short%s",
             length,
             length > MICROMETRES
                 ? "; or 'scale: 1e-3' under 'mesh:' where the file is in micrometres: lengths are in mm"
                 : "");
  else
    snprintf(text, size, "remedy: 'refine: %lld' under 'mesh:'%s", levels,
             stops || c->reaction.value > 0 || c->mass.value > 0
                 ? ""
                 : ", or 'mass: 0.5', which errs a third as much or less");
}

/* The error along the fibres and that across them. */
static Status ways_errors(const Case *c, const Setup *setup, int32_t t, const Front *front, double error[2]) {
  for (int d = 0; d < 2; ++d) {
    Front way = *front;
    way.square = front->way[d];
    TRY(mesh_error(c, cells_at(c, setup, t), c->mass.value, &way, &error[d]));
  }
  return OK;
}

static Status warn_mesh(const Case *c, const Setup *setup, int32_t t, const Front *front, double error) {
  const double length = sqrt(front->square / (double)front->n);
  double way[2] = {error, error};
  char name[128], across[96] = "", remedy[384] = "remedy: shorter lines, by 'size:' of that tree";
  if (t < c->materials.n) remedy_of(c, length, error <= -1, remedy, sizeof remedy);
  if (front->D[0] > 0) {
    TRY(ways_errors(c, setup, t, front, way));
    snprintf(across, sizeof across, " along the fibres and some %.2g %% too %s across them", 100 * fabs(way[1]),
             setup_front_direction(way[1]));
    if (way[1] <= -1) snprintf(across, sizeof across, " along the fibres, and no front will run across them");
  }
  if (way[0] <= -1)
    status_warn("the mesh is too coarse for a wave in %s: on average an element is %.3g times as long as the "
                "front, and no front will run\n  %s",
                name_at(c, t, name), length, remedy);
  else
    status_warn("the mesh is coarse for the wave front in %s: on average an element is %.2g times as long as "
                "the front; conduction will be some %.2g %% too %s%s\n  %s",
                name_at(c, t, name), length, 100 * fabs(way[0]), setup_front_direction(way[0]), across, remedy);
  return OK;
}

/* A step, of one digit, with which the error is tolerated; what is known is the error of the case's own. The order of a
 * scheme says little about long steps, so each guess is tried. */
static Status better_step(const Case *c, const TimeScheme *scheme, const IonicConstants *ionic, double length,
                          double error, double *step) {
  char digit[32];
  *step = c->time.step.value;
  for (int k = 0; k < 6 && fabs(error) > TOLERATED_IN_TIME; ++k) {
    const double less = AIM / fabs(error);
    snprintf(digit, sizeof digit, "%.1g", *step * fmin(0.8, scheme->order == 1 ? less : sqrt(less)));
    *step = strtod(digit, NULL);
    TRY(time_error(ionic, scheme, length, *step, &error));
  }
  return OK;
}

static Status warn_steps(const Case *c, const WordValue *scheme, const Setup *setup, int32_t t, double error) {
  const IonicConstants *ionic = cells_at(c, setup, t);
  const bool first_order = time_scheme(scheme->value)->order == 1 && ionic_type(ionic->kind)->implicit;
  const double step = c->time.step.value, length = length_at(setup, t);
  double other = 0, better;
  char remedy[96] = "", name[128];
  if (first_order) TRY(time_error(ionic, &bdf2_scheme, length, step, &other));
  if (first_order && fabs(other) < 0.5 * fabs(error))
    snprintf(remedy, sizeof remedy, "'scheme: bdf2' (some %.1g %% at this step, same cost), or ",
             100 * fmax(fabs(other), 1e-3));
  TRY(better_step(c, time_scheme(scheme->value), ionic, length, error, &better));
  if (error <= -1)
    status_warn("steps of %g ms are too long for a wave in %s: with %s no front will run\n  remedy: %s'step: %g' under "
                "'time:'",
                step, name_at(c, t, name), scheme->text, remedy, better);
  else
    status_warn("steps of %g ms are long for the wave front in %s: with %s conduction will be some %.2g %% too "
                "%s\n  remedy: "
                "%s'step: %g' under 'time:'",
                step, name_at(c, t, name), scheme->text, 100 * fabs(error), setup_front_direction(error), remedy,
                better);
  return OK;
}

static bool seen_before(const Case *c, const Setup *setup, int32_t t) {
  for (int32_t k = 0; k < t; ++k)
    if (ionic_same(cells_at(c, setup, k), cells_at(c, setup, t))) return true;
  return false;
}

/* The worst of all cells. */
static Status steps_error(const Case *c, const TimeScheme *scheme, const Setup *setup, int32_t *worst, double *error) {
  *worst = 0, *error = 0;
  for (int32_t t = 0; t < heart_ionics(c); ++t) {
    double here;
    if (seen_before(c, setup, t)) continue;
    TRY(time_error(cells_at(c, setup, t), scheme, length_at(setup, t), c->time.step.value, &here));
    if (fabs(here) > fabs(*error)) *error = here, *worst = t;
  }
  return OK;
}

static bool steps_say_nothing(const Case *c) {
  return place_given(c->eikonal.place) || place_given(c->time.adaptive.place);
}

Status setup_warn_steps(const Case *c, const WordValue *scheme, const Setup *setup) {
  const HeartSetup *own = heart_setup(setup);
  int32_t worst = own->front_region;
  double error = own->front_error;
  if (steps_say_nothing(c)) return OK;
  if (own->front_scheme != time_scheme(scheme->value))
    TRY(steps_error(c, time_scheme(scheme->value), setup, &worst, &error));
  return fabs(error) > TOLERATED_IN_TIME ? warn_steps(c, scheme, setup, worst, error) : OK;
}

/* Of regions with the same cells the first one stands for all, with the longest elements. */
static Status keep_lengths(const Case *c, const Front *front, Setup *setup) {
  HeartSetup *own = heart_setup(setup);
  FREE(own->front_length);
  ALLOC(own->front_length, heart_ionics(c), "lengths of elements by tissue");
  for (int32_t t = 0; t < heart_ionics(c); ++t)
    for (int32_t k = 0; k <= t; ++k)
      if (front[t].n && ionic_same(cells_at(c, setup, k), cells_at(c, setup, t)))
        own->front_length[k] = fmax(own->front_length[k], sqrt(front[t].square / (double)front[t].n));
  return OK;
}

/* All tissue as a cube of its elements, beside the front. */
static void warn_small(const Case *c, int dim, const Front *front) {
  double square = 0, n = 0;
  for (int32_t t = 0; t < c->materials.n; ++t) square += front[t].square, n += (double)front[t].n;
  const double times = n > 0 ? sqrt(square / n) * pow(n, 1.0 / dim) : 0;
  if (times > 0 && times < METRES)
    status_warn("the tissue is some %.2g times as large as the front of a wave is long: it is excited as one cell is, "
                "without a wave; lengths are in mm\n  remedy: 'scale: 1000' under 'mesh:' where the file is in m",
                times);
}

/* The worst tissue. */
static Status setup_front_warn(const Case *c, int dim, const Setup *setup, const Front *front) {
  int32_t worst = 0;
  double error = 0;
  for (int32_t t = 0; t < heart_ionics(c); ++t) {
    double here;
    TRY(mesh_error(c, cells_at(c, setup, t), t < c->materials.n ? c->mass.value : 0, &front[t], &here));
    if (fabs(here) > fabs(error)) error = here, worst = t;
  }
  if (fabs(error) > TOLERATED) TRY(warn_mesh(c, setup, worst, &front[worst], error));
  warn_small(c, dim, front);
  return OK;
}

Status setup_warn_front(const Case *c, const Mesh *mesh, Setup *setup) {
  HeartSetup *own = heart_setup(setup);
  Front *front = NULL;
  if (place_given(c->eikonal.place)) return OK; /* it runs with the velocities that are given */
  ALLOC(front, heart_ionics(c), "lengths of elements by tissue");
  for (int32_t t = 0; t < heart_ionics(c); ++t) front[t].l = strand_front(cells_at(c, setup, t));
  for (int32_t t = 0; t < c->materials.n; ++t) {
    const CaseDiffusivity *d = &heart_tissue(c, t)->diffusivity;
    const bool two = place_given(d->across.place) && !place_given(d->normal.place) && mesh->dim > 1;
    if (two && fabs(d->along.value - d->across.value) > SAME * d->along.value)
      front[t].D[0] = d->along.value, front[t].D[1] = d->across.value;
  }
  look_at_trees(c, setup, front);
  Status status = look_at_elements(mesh, setup, c->materials.n, front);
  if (status == OK) status = setup_front_warn(c, mesh->dim, setup, front);
  if (status == OK) status = keep_lengths(c, front, setup);
  FREE(front);
  TRY(status);
  if (steps_say_nothing(c)) return OK;
  own->front_scheme = time_scheme(c->time.scheme.value);
  return steps_error(c, own->front_scheme, setup, &own->front_region, &own->front_error);
}

void front_elements(const Mesh *mesh, const Setup *setup, int32_t t, const double (*weight)[6], double *length,
                    double *point) {
  const int32_t first = setup_first_solved(mesh);
  double sum = 0, part;
  int64_t n = 0;
  for (int32_t e = first; e < mesh->n_element; ++e) {
    if (setup->element_material[e] != t) continue;
    const double *w = weight[e - first];
    const Form form = {{w[0], w[1], w[2], 2 * w[3], 2 * w[4], 2 * w[5]}};
    on_a_strand(element_type(mesh_block_of(mesh, e)->kind), &part, point);
    sum += length_square(mesh, e, &form, part);
    ++n;
  }
  *length = n ? sqrt(sum / (double)n) : 0;
}
