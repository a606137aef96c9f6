/* Are mesh and steps fine enough for the wave front? A front is sqrt(2 D/(3 max_slope)) long (app/monodomain/strand.h);
 * what elements and steps of a length do to its speed is measured on a strand with the region's own cells. With fibres
 * the lengths of elements are those of each direction: they are measured by D^-1. */
#include "app/monodomain/case_monodomain.h"
#include "app/monodomain/setup_heart.h"
#include "app/monodomain/strand.h"
#include "core/memory.h"
#include "core/percent.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double TOLERATED = 0.05, TOLERATED_IN_TIME = 0.01;
static const double FAR_TOO_LONG = 8; /* elements, in lengths of a front: three refinements */
static const double MICROMETRES = 50; /* elements so long may be a thousand times shorter than the file says, and all */
static const double METRES = 0.5;     /* tissue, in lengths of a front, a thousand times longer */
/* Longest elements that steps are tried on, in lengths of a front: on longer ones the mesh is what errs. */
static const double COARSE = 1.5;
static const double AIM = 0.008; /* of the step that a warning names */

/* Of its elements, in lengths of a front; 0: not known. */
static double length_at(const Setup *setup, int32_t k) {
  const double *length = heart_setup(setup)->front_length;
  return length ? length[k] : 0;
}

/* What a region's elements are like. */
typedef struct Front {
  FrontSpeed speed; /* without lengths, which are the roots of the mean squares below */
  double square;    /* sum over its elements of (h/l)^2 */
  double way[3];    /* of each direction alone, where there are several */
  int64_t n;
} Front;

/* Scaled, since the product of three diffusivities may be no number. */
Form form_create(const double tensor[6]) {
  const double scale = fmax(tensor[0], fmax(tensor[1], tensor[2]));
  double D[6];
  for (int k = 0; k < 6; ++k) D[k] = tensor[k] / scale;
  const double a = D[1] * D[2] - D[4] * D[4], b = D[4] * D[5] - D[3] * D[2], c = D[3] * D[4] - D[1] * D[5];
  const double d = D[0] * D[2] - D[5] * D[5], f = D[3] * D[5] - D[0] * D[4], g = D[0] * D[1] - D[3] * D[3];
  const double part = 1 / (D[0] * a + D[3] * b + D[5] * c) / scale;
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

/* Projector on the direction of D[k] from a tensor with these eigenvalues, the others of which are D[a] and D[b]; both the
 * same: of two that are different. */
static Form projector(const double T[6], const double D[3], int k, int a, int b) {
  static const int row[6] = {0, 1, 2, 0, 1, 0}, column[6] = {0, 1, 2, 1, 2, 2},
                   at[3][3] = {{0, 3, 5}, {3, 1, 4}, {5, 4, 2}};
  const double part = a == b ? 1 : 1 / (D[k] - D[b]);
  Form out;
  for (int m = 0; m < 6; ++m) {
    const double one = m < 3 ? 1 : 0;
    double value = T[m] - one * D[a];
    if (a != b) {
      value = -D[b] * value;
      for (int i = 0; i < 3; ++i) value += (T[at[row[m]][i]] - (i == row[m]) * D[a]) * T[at[i][column[m]]];
    }
    out.part[m] = (m < 3 ? 1 : 2) * part * value / (D[k] - D[a]);
  }
  return out;
}

/* Squares of an element by each direction; one that is as long in all directions is so in each. The first of two directions is
 * one, the second all others. */
static void add_ways(const Mesh *mesh, int32_t e, const double T[6], double part, Front *front) {
  const FrontSpeed *s = &front->speed;
  const Form all = {{1, 1, 1}};
  const double dim = mesh->dim, l2 = s->l * s->l;
  double rest = dim * length_square(mesh, e, &all, part);
  for (int k = 0; k + 1 < s->n; ++k) {
    const Form form = projector(T, s->D, k, k ? 0 : 1, s->n == 2 ? 1 : 2);
    const double square = dim * length_square(mesh, e, &form, part);
    front->way[k] += square / (s->D[k] * l2);
    rest -= square;
  }
  front->way[s->n - 1] += rest / (s->n == 2 ? dim - 1 : 1) / (s->D[s->n - 1] * l2);
}

/* Elements of a chunk, whose sums are added in the order of the chunks: the same for any number of threads. */
enum { CHUNK = 4096 };

/* The part of elements [begin, end), from the solved ones on. */
static void survey_chunk(const Mesh *mesh, const Setup *setup, int32_t begin, int32_t end, Front *front) {
  const int32_t first = setup_first_solved(mesh);
  for (int32_t e = begin; e < end; ++e) {
    const int32_t t = setup->element_material[e];
    const double l = front[t].speed.l;
    double part;
    on_a_strand(element_type(mesh_block_of(mesh, e)->kind), &part, &front[t].speed.point);
    if (l > 0) {
      const Form form = form_create(heart_setup(setup)->tensor[e - first]);
      front[t].square += length_square(mesh, e, &form, part) / (l * l);
      if (front[t].speed.n > 1) add_ways(mesh, e, heart_setup(setup)->tensor[e - first], part, &front[t]);
    }
    ++front[t].n;
  }
}

/* Lines: a link has conductance D area / h and mass area h / 2, so that their quotient has h^2 / D. */
static void survey_trees(const Case *c, const Setup *setup, Front *front) {
  const HeartSetup *own = heart_setup(setup);
  for (int32_t i = 0; i < own->n_link; ++i) {
    Front *f = &front[own->link_region[i] - own->n_region + heart_ionics(c)];
    if (own->link[i].mass == 0) continue;
    if (f->speed.l > 0) f->square += 2 * own->link[i].mass / own->link[i].conductance / (f->speed.l * f->speed.l);
    ++f->n;
  }
}

static Status survey_elements(const Mesh *mesh, const Setup *setup, int32_t n_tissue, Front *front) {
  const int32_t first = setup_first_solved(mesh), n_chunk = (mesh->n_element - first + CHUNK - 1) / CHUNK;
  Front *part = NULL;
  ALLOC(part, (int64_t)n_chunk * n_tissue, "lengths of elements by tissue");
#pragma omp parallel for schedule(static)
  for (int32_t c = 0; c < n_chunk; ++c) {
    const int32_t begin = first + c * CHUNK, end = mesh->n_element - begin > CHUNK ? begin + CHUNK : mesh->n_element;
    Front *here = part + (int64_t)c * n_tissue;
    for (int32_t t = 0; t < n_tissue; ++t) here[t].speed = front[t].speed;
    survey_chunk(mesh, setup, begin, end, here);
  }
  for (int64_t k = 0; k < (int64_t)n_chunk * n_tissue; ++k) {
    Front *to = &front[k % n_tissue];
    to->square += part[k].square;
    for (int d = 0; d < 3; ++d) to->way[d] += part[k].way[d];
    to->n += part[k].n;
    if (part[k].n) to->speed.point = part[k].speed.point;
  }
  FREE(part);
  return OK;
}

/* Roots of mean squares: of all directions together, then of each. */
static double mean_length(const Front *front) { return front->n ? sqrt(front->square / (double)front->n) : 0; }
static double way_length(const Front *front, int k) {
  return front->speed.n > 1 && front->n ? sqrt(fmax(front->way[k], 0) / (double)front->n) : mean_length(front);
}

/* What so long elements add to the speed of a front, relative to it; 0 where it is not known. */
static Status mesh_error(const Case *c, const IonicConstants *ionic, double share, const FrontSpeed *front,
                         double length, double *error) {
  StrandParams p = {.ionic = ionic, .scheme = &bdf2_scheme, .h = length * front->l, .point = front->point};
  double speed;
  *error = 0;
  if (!(front->l > 0) || length < 2 * FRONT_FINE) return OK;
  p.step = FRONT_FINE_STEP / ionic_type(ionic->kind)->front_slope(ionic);
  p.consistent = c->reaction.value == MONODOMAIN_GAUSS;
  p.share = p.consistent ? 0 : share;
  TRY(strand_speed(&p, &speed));
  if (front->alone > 0 && !isnan(speed)) *error = speed / front->alone - 1;
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
                    .step = fmin(FRONT_FINE_STEP / steep, 0.25 * step)};
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
  if (!(strand_front(ionic) > 0) || !(step * ionic_type(ionic->kind)->front_slope(ionic) > FRONT_SHORT_STEP)) return OK;
  TRY(time_error_on(ionic, scheme, FRONT_FINE, step, error));
  if (length > FRONT_FINE) TRY(time_error_on(ionic, scheme, fmin(length, COARSE), step, &here));
  if (fabs(here) > fabs(*error)) *error = here;
  return OK;
}

static const char *setup_front_direction(double error) { return error > 0 ? "fast" : "slow"; }

/* Elements a few times too long are refined; others would be too many. */
static void remedy_of(const Case *c, double length, bool stops, char *text, size_t size) {
  const bool muscle = place_given(c->time.cells.step.place); /* whose elements are split for the cells alone */
  const int64_t split = muscle ? c->time.cells.refine.value : c->mesh.refine.value;
  const long long levels = (long long)split + (long long)fmax(1, ceil(log2(length)));
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
    snprintf(text, size, "remedy: 'refine: %lld' under '%s:'%s", levels, muscle ? "cells" : "mesh",
             muscle || stops || c->reaction.value > 0 || c->mass.value > 0
                 ? ""
                 : ", or 'mass: 0.5', which errs a third as much or less");
}

/* What so long elements do to a front: "some 9.5 % too slow". */
static const char *mesh_text(double error, char text[64]) {
  char share[32];
  snprintf(text, 64, "some %s too %s", percent_text(fabs(error), share), setup_front_direction(error));
  return text;
}

/* Of directions those are told that err. */
static Status warn_mesh(const Case *c, const Setup *setup, int32_t t, Front *front, double error) {
  const FrontSpeed *s = &front->speed;
  const bool ways = s->n > 1 && s->way[0] == FRONT_ALONG && s->way[1] == FRONT_ACROSS;
  double way[2] = {error, 0}, length = mean_length(front);
  char name[128], text[2][64], across[128] = "", remedy[384] = "remedy: shorter lines, by 'size:' of that tree";
  for (int d = 0; d < 2 && ways; ++d)
    TRY(mesh_error(c, heart_cells(c, setup, t), c->mass.value, s, way_length(front, d), &way[d]));
  const bool along = fabs(way[0]) > TOLERATED, beside = fabs(way[1]) > TOLERATED;
  if (!along && !beside) return OK;
  if (!along) length = way_length(front, 1);
  if (t < c->materials.n) remedy_of(c, length, fmin(way[0], way[1]) <= -1, remedy, sizeof remedy);
  front->speed.none = way[0] <= -1;
  heart_cells_name(c, t, name);
  mesh_text(way[0], text[0]), mesh_text(way[1], text[1]);
  if (beside && way[1] <= -1) snprintf(across, sizeof across, ", and no front will run across them");
  else if (beside) snprintf(across, sizeof across, " and %s across them", text[1]);
  if (way[0] <= -1)
    status_warn("the mesh is too coarse for a wave in %s: on average an element is %.3g times as long as the "
                "front, and no front will run\n  %s",
                name, length, remedy);
  else if (along)
    status_warn("the mesh is coarse for the wave front in %s: on average an element is %.2g times as long as "
                "the front; conduction will be %s%s%s\n  %s",
                name, length, text[0], ways ? " along the fibres" : "", across, remedy);
  else
    status_warn("the mesh is coarse for the wave front across the fibres of %s: on average an element is %.2g times as "
                "long as the front there; %s%s\n  %s",
                name, length, way[1] <= -1 ? "no front will run across them" : "conduction across them will be ",
                way[1] <= -1 ? "" : text[1], remedy);
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
  const IonicConstants *ionic = heart_cells(c, setup, t);
  const bool first_order = time_scheme(scheme->value)->order == 1 && ionic_type(ionic->kind)->implicit;
  const double step = c->time.step.value, length = length_at(setup, t);
  double other = 0, better;
  char remedy[128] = "", name[128], share[32];
  if (first_order) TRY(time_error(ionic, &bdf2_scheme, length, step, &other));
  if (first_order && fabs(other) < 0.5 * fabs(error))
    snprintf(remedy, sizeof remedy, "'scheme: bdf2' (some %s at this step, same cost), or ",
             percent_text(fmax(fabs(other), 1e-3), share));
  TRY(better_step(c, time_scheme(scheme->value), ionic, length, error, &better));
  for (int32_t k = 0; k < heart_ionics(c) && error <= -1 && heart_setup(setup)->front_speed; ++k)
    heart_setup(setup)->front_speed[k].none |= ionic_same(heart_cells(c, setup, k), ionic);
  if (error <= -1)
    status_warn("steps of %g ms are too long for a wave in %s: with %s no front will run\n  remedy: %s'step: %g' under "
                "'time:'",
                step, heart_cells_name(c, t, name), scheme->text, remedy, better);
  else
    status_warn("steps of %g ms are long for the wave front in %s: with %s conduction will be some %s too "
                "%s\n  remedy: "
                "%s'step: %g' under 'time:'",
                step, heart_cells_name(c, t, name), scheme->text, percent_text(fabs(error), share),
                setup_front_direction(error), remedy, better);
  return OK;
}

static bool seen_before(const Case *c, const Setup *setup, int32_t t) {
  for (int32_t k = 0; k < t; ++k)
    if (ionic_same(heart_cells(c, setup, k), heart_cells(c, setup, t))) return true;
  return false;
}

/* The worst of all cells. */
static Status steps_error(const Case *c, const TimeScheme *scheme, const Setup *setup, int32_t *worst, double *error) {
  *worst = 0, *error = 0;
  for (int32_t t = 0; t < heart_ionics(c); ++t) {
    double here;
    if (seen_before(c, setup, t)) continue;
    TRY(time_error(heart_cells(c, setup, t), scheme, length_at(setup, t), c->time.step.value, &here));
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
  FREE(own->front_speed);
  ALLOC(own->front_length, heart_ionics(c), "lengths of elements by tissue");
  TRY(mem_alloc(heart_ionics(c), sizeof *own->front_speed, "speeds of fronts by tissue",
                (void **)(void *)&own->front_speed));
  for (int32_t t = 0; t < heart_ionics(c); ++t) {
    own->front_speed[t] = front[t].speed;
    for (int k = 0; k < front[t].speed.n; ++k) own->front_speed[t].length[k] = way_length(&front[t], k);
    for (int32_t k = 0; k <= t; ++k)
      if (front[t].n && ionic_same(heart_cells(c, setup, k), heart_cells(c, setup, t)))
        own->front_length[k] = fmax(own->front_length[k], mean_length(&front[t]));
  }
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
static Status setup_front_warn(const Case *c, int dim, const Setup *setup, Front *front) {
  int32_t worst = 0;
  double error = 0;
  for (int32_t t = 0; t < heart_ionics(c); ++t) {
    double here;
    TRY(mesh_error(c, heart_cells(c, setup, t), t < c->materials.n ? c->mass.value : 0, &front[t].speed,
                   mean_length(&front[t]), &here));
    if (fabs(here) > fabs(error)) error = here, worst = t;
  }
  if (fabs(error) > TOLERATED) TRY(warn_mesh(c, setup, worst, &front[worst], error));
  for (int32_t t = 0; t < c->materials.n && front[worst].speed.none; ++t) { /* one mesh, and one warning of it */
    TRY(mesh_error(c, heart_cells(c, setup, t), c->mass.value, &front[t].speed, way_length(&front[t], 0), &error));
    front[t].speed.none |= error <= -1;
  }
  warn_small(c, dim, front);
  return OK;
}

static Status survey_fronts(const Case *c, const Mesh *mesh, Setup *setup, Front *front) {
  for (int32_t t = 0; t < heart_ionics(c); ++t) {
    int32_t first = 0;
    while (first < t && !ionic_same(heart_cells(c, setup, first), heart_cells(c, setup, t))) ++first;
    TRY(front_alone(c, setup, mesh->dim, t, first < t ? &front[first].speed : NULL, &front[t].speed));
  }
  if (place_given(c->eikonal.place))
    return keep_lengths(c, front, setup); /* it runs with the velocities that are given */
  survey_trees(c, setup, front);
  TRY(survey_elements(mesh, setup, c->materials.n, front));
  TRY(setup_front_warn(c, mesh->dim, setup, front));
  return keep_lengths(c, front, setup);
}

bool setup_told_none(const Case *c, const Setup *setup, int32_t t) {
  const FrontSpeed *speed = heart_setup(setup)->front_speed;
  bool all = speed != NULL;
  for (int32_t k = 0; k < c->materials.n && t < 0; ++k) all = all && speed[k].none;
  return t < 0 ? all : all && speed[t].none;
}

Status setup_warn_front(const Case *c, const Mesh *mesh, Setup *setup) {
  HeartSetup *own = heart_setup(setup);
  Front *front = NULL;
  ALLOC(front, heart_ionics(c), "lengths of elements by tissue");
  const Status status = survey_fronts(c, mesh, setup, front);
  FREE(front);
  TRY(status);
  TRY(setup_speeds(c, setup));
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
