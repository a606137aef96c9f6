/* Will a stimulus start a wave? What is stimulated is seen as a layer, as deep as its volume over the area by which it
 * touches tissue that is not (elements with stimulated and other nodes), and tried on a strand
 * (app/monodomain/strand.h). Small spots have more tissue around them than a layer and need more, so there is no false
 * alarm, but nor is every failure foreseen: after the run the map tells. */
#include "app/monodomain/setup_heart.h"
#include "app/monodomain/strand.h"
#include "output/wording.h"
#include "core/memory.h"
#include "core/parts.h"

#include <math.h>
#include <stdio.h>

/* Elements on the strand, in lengths of a front: not more of them than FINEST makes; layers are no thicker than
 * THICK. */
static const double FINEST = 0.1, THICK = 8;
/* In lengths of a front: a layer in which any wave begins. */
static const double DEEP = 2;
/* Times the amplitude that a warning looks for, at most; and how long after a pulse something must have happened,
 * 1/max_slope. */
static const double MOST_TIMES = 64, MORE = 1.5, LATE = 4;

/* A stimulus as a layer. */
typedef struct Layer {
  double volume, charge;    /* sums over its nodes of mass, and of mass times mV/ms */
  double border;            /* volume of the elements that it ends in */
  double square, square_mm; /* mean of the squares of edges across its end, by D^-1 and as they are */
  int32_t n_edge, tissue;   /* of one of those elements; -1: none */
  int32_t region;           /* the cells there: of the tissue, or of a tree that ends there; -1: none */
} Layer;

static double element_volume(const Mesh *mesh, int32_t e, Status *status) {
  const ElementType *type = element_type(mesh_block_of(mesh, e)->kind);
  const int32_t *nodes = mesh_nodes_of(mesh, e);
  double x[ELEMENT_MAX_NODES][3], J[3][3], sum = 0;
  Quadrature rule;
  if (*status == OK) *status = element_mass_quadrature(type, &rule);
  for (int32_t a = 0; a < type->n_node; ++a)
    for (int k = 0; k < 3; ++k) x[a][k] = mesh->x[nodes[a]][k];
  for (int32_t q = 0; *status == OK && q < rule.n; ++q)
    sum += rule.weight[q] * fabs(element_jacobian(type, (const double(*)[3])x, rule.xi[q], J, false));
  return sum;
}

static void add_edges(const Mesh *mesh, int32_t e, const double D[6], const uint8_t *hit, Layer *out) {
  const ElementType *type = element_type(mesh_block_of(mesh, e)->kind);
  const int32_t *nodes = mesh_nodes_of(mesh, e);
  const Form form = form_create(D);
  for (int32_t f = 0; f < type->n_face; ++f) {
    const int32_t n_corner = element_type(type->face[f].kind)->n_vertex;
    for (int32_t a = 0; a < n_corner; ++a) {
      const int32_t i = nodes[type->face[f].nodes[a]], j = nodes[type->face[f].nodes[(a + 1) % n_corner]];
      if (hit[i] == hit[j]) continue;
      const double edge[3] = {mesh->x[j][0] - mesh->x[i][0], mesh->x[j][1] - mesh->x[i][1],
                              mesh->x[j][2] - mesh->x[i][2]};
      const double part = 1.0 / (type->order * type->order); /* to the node in the middle */
      out->square += part * form_value(&form, edge);
      out->square_mm += part * (edge[0] * edge[0] + edge[1] * edge[1] + edge[2] * edge[2]);
      ++out->n_edge;
    }
  }
}

/* Which of the elements from the solved ones on have nodes that are hit and others; they are few. */
static void find_border(const Mesh *mesh, const uint8_t *hit, uint8_t *border) {
  const int32_t first = setup_first_solved(mesh);
#pragma omp parallel for schedule(static) num_threads(parts_of(mesh->n_element - first))
  for (int32_t e = first; e < mesh->n_element; ++e) {
    const int32_t *nodes = mesh_nodes_of(mesh, e), n = element_type(mesh_block_of(mesh, e)->kind)->n_node;
    int32_t n_hit = 0;
    for (int32_t a = 0; a < n; ++a) n_hit += hit[nodes[a]];
    border[e - first] = n_hit > 0 && n_hit < n;
  }
}

/* Lines of trees where a stimulus ends: a fibre is a strand. Where it ends in the tissue too that is what is looked at. */
static void add_lines(const HeartSetup *own, const uint8_t *hit, Layer *out) {
  for (int32_t k = 0; k < own->n_link; ++k) {
    const DiffusionLink *link = &own->link[k];
    if (link->mass == 0 || hit[link->node[0]] == hit[link->node[1]]) continue;
    const double *a = own->diffusion.mesh->x[link->node[0]], *b = own->diffusion.mesh->x[link->node[1]];
    out->border += 2 * link->mass;
    out->square += 2 * link->mass / link->conductance; /* length^2 / D */
    for (int d = 0; d < 3; ++d) out->square_mm += (a[d] - b[d]) * (a[d] - b[d]);
    if (out->region < 0) out->region = own->link_region[k];
    ++out->n_edge;
  }
}

/* hit[n_node] is zero before and after; border[n_solved]: room. */
static Status layer_of(const Mesh *mesh, const Setup *setup, const MonodomainStimulus *s, const double *mass,
                       uint8_t *hit, uint8_t *border, Layer *out) {
  const int32_t first = setup_first_solved(mesh);
  Status status = OK;
  *out = (Layer){.tissue = -1, .region = -1};
  for (int32_t k = 0; k < s->n; ++k) {
    const double m = mass[s->node[k]], share = s->share ? s->share[k] : 1;
    hit[s->node[k]] = 1;
    out->volume += s->per_area ? m : m * share;
    out->charge += s->amplitude * share * (s->per_area ? 1 : m);
  }
  find_border(mesh, hit, border);
  for (int32_t e = first; e < mesh->n_element; ++e) {
    if (!border[e - first]) continue;
    out->border += element_volume(mesh, e, &status);
    add_edges(mesh, e, heart_setup(setup)->tensor[e - first], hit, out);
    if (out->tissue < 0) out->tissue = out->region = setup->element_material[e];
  }
  if (out->tissue < 0) add_lines(heart_setup(setup), hit, out);
  for (int32_t k = 0; k < s->n; ++k) hit[s->node[k]] = 0;
  out->square /= out->n_edge > 0 ? out->n_edge : 1;
  out->square_mm /= out->n_edge > 0 ? out->n_edge : 1;
  return status;
}

/* The strand that stands for a layer, and how many of its nodes are stimulated by how many mV/ms. */
static void strand_of(const Layer *layer, double l, StrandParams *p, int32_t *n, double *amplitude) {
  const double h = sqrt(layer->square), deep = fmin(h * layer->volume / layer->border, THICK * l);
  *amplitude = layer->charge / layer->volume;
  *n = (int32_t)fmax(1, round(deep / fmax(h, FINEST * l) + 0.5));
  p->h = deep / (*n - 0.5);
  if (p->h >= h || *n > 1) return;
  *amplitude *= p->h / h; /* a layer thinner than that of a node is spread over it */
  p->h = h;
}

/* The smallest power of MORE by which a stimulus that starts no wave must be stronger, by bisection; 0: none up to MOST_TIMES would
 * do, which is asked first: on meshes without waves every strand takes its whole patience. */
static Status strength_needed(const StrandParams *p, int32_t n, double amplitude, double duration, double *times) {
  int32_t low = 0, high = (int32_t)ceil(log(MOST_TIMES) / log(MORE));
  bool captures;
  *times = 0;
  TRY(strand_captures(p, n, pow(MORE, high) * amplitude, duration, &captures));
  if (!captures) return OK;
  while (high - low > 1) {
    const int32_t middle = (low + high) / 2;
    TRY(strand_captures(p, n, pow(MORE, middle) * amplitude, duration, &captures));
    *(captures ? &high : &low) = middle;
  }
  *times = pow(MORE, high);
  return OK;
}

static Status warn_one(const CaseStimulus *s, int32_t index, const Layer *layer, const Setup *setup) {
  const IonicConstants *ionic = layer->region < 0 ? NULL : &heart_setup(setup)->ionic[layer->region];
  const double l = ionic ? strand_front(ionic) : 0, h = sqrt(layer->square_mm);
  char name[32], more[96] = "";
  if (heart_setup(setup)->bare[index] && layer->tissue >= 0 && layer->n_edge > 0)
    status_warn("stimulus '%s' acts on the nodes of a group of surfaces, curves or points: they stand for a layer %.2g "
                "mm deep, which gets thinner "
                "with every refinement\n  remedy: 'depth:' in mm, or 'current:' per area in place of 'amplitude:'",
                stimulus_name(s, index, name), h * layer->volume / layer->border);
  if (layer->charge < 0)
    status_warn("stimulus '%s' is negative: it hyperpolarises cells and starts no wave\n  remedy: a positive "
                "value, which depolarises, if a wave is meant",
                stimulus_name(s, index, name));
  if (!(l > 0) || !(layer->charge > 0) || !(layer->volume > 0) || !(layer->square > 0))
    return OK; /* no end within the tissue */
  StrandParams p = {.ionic = ionic};
  int32_t n;
  double amplitude, times;
  bool captures;
  strand_of(layer, l, &p, &n, &amplitude);
  TRY(strand_captures(&p, n, amplitude, s->duration.value, &captures));
  if (captures) return OK;
  TRY(strength_needed(&p, n, amplitude, s->duration.value, &times));
  captures = times > 0;
  if (!captures && sqrt(layer->square) * layer->volume / layer->border > DEEP * l)
    return OK; /* it is deep enough, and no strength would do: elements are too long, which is another warning */
  if (captures) snprintf(more, sizeof more, "some %.2g times as much would, and so would ", times);
  status_warn("stimulus '%s' is too weak to start a wave on this mesh: it stands for %s %.2g mm %s, %.2g times "
              "the length of a front, "
              "with %.3g mV/ms for %g ms\n  remedy: %sa larger depth or region, or a longer duration",
              stimulus_name(s, index, name), layer->tissue < 0 ? "a piece of fibre" : "a layer",
              h * layer->volume / layer->border, layer->tissue < 0 ? "long" : "deep",
              sqrt(layer->square) * layer->volume / layer->border / l, layer->charge / layer->volume, s->duration.value,
              more);
  return OK;
}

Status setup_warn_stimuli(const Case *c, const Mesh *mesh, const Setup *setup, const double *mass) {
  Status status = OK;
  uint8_t *hit = NULL, *border = NULL;
  if (place_given(c->eikonal.place)) return OK; /* fronts take every node */
  ALLOC_DONE(hit, mesh->n_node, "nodes of the stimuli");
  ALLOC_DONE(border, mesh->n_element - setup_first_solved(mesh), "elements where stimuli end");
  for (int32_t i = 0; i < c->stimuli.n; ++i) {
    Layer layer;
    TRY_DONE(layer_of(mesh, setup, &heart_setup(setup)->stimulus[i], mass, hit, border, &layer));
    TRY_DONE(warn_one(case_stimulus(c, i), i, &layer, setup));
  }
done:
  FREE(hit);
  FREE(border);
  return status;
}

/* Long enough after the end of the first pulse for a wave to have left its nodes. */
static bool late_enough(const Case *c, const Setup *setup) {
  double steep = HUGE_VAL, over = HUGE_VAL;
  for (int32_t t = 0; t < c->materials.n; ++t) {
    const IonicConstants *ionic = &heart_setup(setup)->ionic[t];
    if (strand_front(ionic) > 0) steep = fmin(steep, ionic_type(ionic->kind)->front_slope(ionic));
  }
  for (int32_t i = 0; i < c->stimuli.n; ++i)
    over = fmin(over, case_stimulus(c, i)->start.value + case_stimulus(c, i)->duration.value);
  return steep < HUGE_VAL && c->time.end.value > over + LATE / steep;
}

Status setup_warn_uncaptured(const Case *c, const Mesh *mesh, const Setup *setup, const double *activation) {
  uint8_t *hit = NULL;
  const int32_t first = setup_first_solved(mesh);
  int64_t beyond = 0, others = 0;
  if (!late_enough(c, setup)) return OK;
  ALLOC(hit, mesh->n_node, "nodes of the stimuli");
  for (int32_t i = 0; i < c->stimuli.n; ++i)
    for (int32_t k = 0; k < heart_setup(setup)->stimulus[i].n; ++k) hit[heart_setup(setup)->stimulus[i].node[k]] = 1;
#pragma omp parallel for schedule(static) num_threads(parts_of(mesh->n_element - first)) reduction(+ : beyond, others)
  for (int32_t e = first; e < mesh->n_element; ++e)
    for (int32_t a = 0; a < element_type(mesh_block_of(mesh, e)->kind)->n_node; ++a) {
      const int32_t i = mesh_nodes_of(mesh, e)[a];
      others += !hit[i];
      beyond += !hit[i] && activation[i] >= 0;
    }
  for (int32_t e = mesh->first_cable; e < mesh->first_cable + mesh->n_cable; ++e)
    for (int a = 0; a < 2; ++a) {
      const int32_t i = mesh_nodes_of(mesh, e)[a];
      beyond += !hit[i] && activation[i] >= 0;
    }
  FREE(hit);
  if (others > 0 && beyond == 0)
    status_warn("no node beyond those of the stimuli was activated in %g ms: no stimulus started a wave\n  remedy: a "
                "larger amplitude, duration "
                "or region; 'depth:' for a stimulus on a surface",
                c->time.end.value);
  return OK;
}
