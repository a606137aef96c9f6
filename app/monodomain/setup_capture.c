/* Will a stimulus start a wave? What is stimulated is seen as a layer, as deep as its volume over the area by which it
 * touches tissue that is not (elements with stimulated and other nodes), and tried on a strand
 * (app/monodomain/strand.h). Small spots have more tissue around them than a layer and need more, so there is no false
 * alarm, but nor is every failure foreseen: after the run the map tells. */
#include "app/monodomain/case_monodomain.h"
#include "app/monodomain/setup_heart.h"
#include "app/monodomain/strand.h"
#include "output/wording.h"
#include "core/memory.h"
#include "core/parts.h"
#include "core/percent.h"

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
/* Potentials, in mV, that no membrane bears: pores open in those of heart cells at 300 to 500 mV (Neunlist and Tung 1997),
 * and the models are fitted between -100 and 60. What a pulse adds, amplitude times duration, of one that starts a wave in any
 * layer. And a duration, ms, in which cells should have begun to recover. */
static const double MOST_POTENTIAL = 200, ANY_WAVE = 400, LONG = 50;
static const double TIME_ROUNDING = 1e-12, ROUNDING = 1e-6, MOST_SHARED = 0.5;
enum { WHOLE = 16, PLACE = 1024 }; /* nodes of a strand that stands for all of a tissue; bytes of a place */

/* A stimulus as a layer. */
typedef struct Layer {
  double volume, charge;    /* sums over its nodes of mass, and of mass times mV/ms */
  double border;            /* volume of the elements that it ends in */
  double square, square_mm; /* mean of the squares of edges across its end, by D^-1 and as they are */
  int32_t n_edge, tissue;   /* of one of those elements; -1: none */
  int32_t region;           /* the cells there: of the tissue, or of a tree that ends there; else of the first element
                               that is hit; -1: none */
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

enum { BORDER = 1, INSIDE = 2 };
/* Which of the elements from the solved ones on have nodes that are hit and others, and which have no others; they are few. */
static void find_border(const Mesh *mesh, const uint8_t *hit, uint8_t *border) {
  const int32_t first = setup_first_solved(mesh);
#pragma omp parallel for schedule(static) num_threads(parts_of(mesh->n_element - first))
  for (int32_t e = first; e < mesh->n_element; ++e) {
    const int32_t *nodes = mesh_nodes_of(mesh, e), n = element_type(mesh_block_of(mesh, e)->kind)->n_node;
    int32_t n_hit = 0;
    for (int32_t a = 0; a < n; ++a) n_hit += hit[nodes[a]];
    border[e - first] = n_hit == 0 ? 0 : n_hit < n ? BORDER : INSIDE;
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
  int32_t inside = -1;
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
    if (border[e - first] && inside < 0) inside = setup->element_material[e];
    if (border[e - first] != BORDER) continue;
    out->border += element_volume(mesh, e, &status) * heart_thickness(heart_setup(setup), e);
    add_edges(mesh, e, heart_setup(setup)->tensor[e - first], hit, out);
    if (out->tissue < 0) out->tissue = out->region = setup->element_material[e];
  }
  if (out->tissue < 0) add_lines(heart_setup(setup), hit, out);
  if (out->region < 0) out->region = inside;
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

/* The smallest power of MORE, from those of low (too little) to high, by which a stimulus must be stronger to start a wave, by
 * bisection; 0: the highest does not, which is asked first: on meshes without waves every strand takes its whole
 * patience. */
static Status strength_needed(const StrandParams *p, int32_t n, double amplitude, double duration, int32_t low,
                              int32_t high, double *times) {
  StrandPulse pulse;
  *times = 0;
  TRY(strand_pulse(p, n, pow(MORE, high) * amplitude, duration, &pulse));
  if (!pulse.captures && !pulse.lost) return OK;
  bool starts = pulse.captures;
  while (high - low > 1) {
    const int32_t middle = (low + high) / 2;
    TRY(strand_pulse(p, n, pow(MORE, middle) * amplitude, duration, &pulse));
    if (pulse.captures || pulse.lost) high = middle, starts = pulse.captures;
    else low = middle;
  }
  if (starts) *times = pow(MORE, high);
  return OK;
}

/* A stimulus as it is tried. */
typedef struct Trial {
  const CaseStimulus *of;
  const char *name, *path;
  StrandParams strand;
  int32_t n;
  double amplitude; /* mV/ms in the n nodes of the strand */
  StrandPulse pulse;
} Trial;

static int32_t powers(double times) { return (int32_t)ceil(log(times) / log(MORE)); }

static bool too_strong(const Trial *t) {
  if (t->pulse.lost) return fabs(t->amplitude) * t->of->duration.value > ANY_WAVE;
  return t->pulse.highest > MOST_POTENTIAL || t->pulse.lowest < -MOST_POTENTIAL;
}

static Status warn_strong(const Trial *t) {
  const CaseStimulus *s = t->of;
  const bool current = place_given(s->current.place);
  const double given = current ? s->current.value : s->amplitude.value, duration = s->duration.value;
  const double enough = fmin(ANY_WAVE / (duration * t->amplitude), 1);
  const double reached = t->amplitude < 0 ? t->pulse.lowest : t->pulse.highest;
  char place[PLACE], where[64] = "beyond what their model can follow", less[128] = "a smaller one";
  double times = 0;
  if (!t->pulse.lost && fabs(reached) > MOST_POTENTIAL) snprintf(where, sizeof where, "to %.4g mV", reached);
  if (t->amplitude > 0)
    TRY(strength_needed(&t->strand, t->n, t->amplitude * enough, duration, -2 * powers(MOST_TIMES), 0, &times));
  if (times > 0)
    snprintf(less, sizeof less, "'%s: %.3g', twice what starts a wave here", current ? "current" : "amplitude",
             2 * times * enough * given);
  status_warn("%s: stimulus '%s' is too strong: %g %s for %g ms take its cells %s; cell models are valid from about "
              "-100 to 60 mV\n  remedy: %s",
              place_text(t->path, current ? s->current.place : s->amplitude.place, place, sizeof place), t->name, given,
              current ? "mV mm/ms" : "mV/ms", duration, where, less);
  return OK;
}

static Status warn_weak(const Trial *t, const Layer *layer, double l) {
  const double h = sqrt(layer->square_mm), deep = layer->volume / layer->border;
  char more[96] = "";
  double times;
  TRY(strength_needed(&t->strand, t->n, t->amplitude, t->of->duration.value, 0, powers(MOST_TIMES), &times));
  const bool feeble = MOST_TIMES * t->amplitude * fmin(t->of->duration.value, LONG) < ANY_WAVE;
  if (!(times > 0) && !feeble && sqrt(layer->square) * deep > DEEP * l)
    return OK; /* it is deep enough, and no strength would do: elements are too long, which is another warning */
  if (!(times > 0) && feeble) snprintf(more, sizeof more, "more than %g times as much, ", MOST_TIMES);
  if (times > 0) snprintf(more, sizeof more, "some %.2g times as much would, and so would ", times);
  status_warn("stimulus '%s' is too weak to start a wave on this mesh: it stands for %s %.2g mm %s, %.2g times "
              "the length of a front, "
              "with %.3g mV/ms for %g ms\n  remedy: %sa larger depth or region, or a longer duration",
              t->name, layer->tissue < 0 ? "a piece of fibre" : "a layer",
              place_given(t->of->depth.place) ? t->of->depth.value : h * deep, layer->tissue < 0 ? "long" : "deep",
              sqrt(layer->square) * deep / l, layer->charge / layer->volume, t->of->duration.value, more);
  return OK;
}

/* What is seen without trying. */
static void warn_plain(const char *name, uint8_t bare, bool current, const Layer *layer) {
  const double h = sqrt(layer->square_mm);
  if (bare && layer->tissue >= 0 && layer->n_edge > 0)
    status_warn("stimulus '%s' acts on the nodes of a group of surfaces, curves or points: they stand for a layer %.2g "
                "mm deep, which gets thinner "
                "with every refinement\n  remedy: %s",
                name, h * layer->volume / layer->border,
                bare > 1 ? "a sphere or a box, whose size stays, or a group of surfaces with 'depth:'"
                         : "'depth:' in mm, or 'current:' per area in place of 'amplitude:'");
  if (layer->charge < 0)
    status_warn("stimulus '%s' is negative: it hyperpolarises cells and starts no wave\n  remedy: a positive "
                "value, which depolarises, if a wave is meant",
                name);
  if (!(fabs(layer->charge) > 0))
    status_warn("stimulus '%s' has a strength of 0: it does nothing\n  remedy: %s, or leave it out", name,
                current ? "'current: 40' (mV mm/ms)" : "'amplitude: 40' (mV/ms)");
}

/* So much of the tissue is excited at once that no wave runs there. */
static void warn_much(const Case *c, int32_t index, double part, const char *of) {
  const CaseStimulus *s = case_stimulus(c, index);
  char name[32], place[PLACE], share[32];
  if (part > 0.5 * (1 + ROUNDING))
    status_warn("%s: stimulus '%s' acts on %s of %s, where no wave runs: all of it is excited at once\n  remedy: a "
                "smaller region; boxes and spheres are in mm, after 'scale:' of the mesh",
                place_text(c->path, s->on.place, place, sizeof place), stimulus_name(s, index, name),
                percent_text(part, share), of);
}

void setup_warn_starts(const Case *c, const Mesh *mesh, const Setup *setup) {
  for (int32_t i = 0; i < c->stimuli.n; ++i)
    warn_much(c, i, (double)heart_setup(setup)->stimulus[i].n / mesh->n_node, "the nodes");
}

static Status warn_one(const Case *c, int32_t index, const Layer *layer, const Setup *setup) {
  const CaseStimulus *s = case_stimulus(c, index);
  const IonicConstants *ionic = layer->region < 0 ? NULL : &heart_setup(setup)->ionic[layer->region];
  const double l = ionic ? strand_front(ionic) : 0;
  const bool ends = layer->n_edge > 0; /* within the tissue */
  char name[32];
  Trial t = {.of = s, .name = stimulus_name(s, index, name), .path = c->path, .strand = {.ionic = ionic, .h = l}};
  warn_plain(t.name, heart_setup(setup)->bare[index], place_given(s->current.place), layer);
  if (!(l > 0) || !(fabs(layer->charge) > 0) || !(layer->volume > 0) || (ends && !(layer->square > 0))) return OK;
  t.n = WHOLE, t.amplitude = layer->charge / layer->volume;
  if (ends) strand_of(layer, l, &t.strand, &t.n, &t.amplitude);
  TRY(strand_pulse(&t.strand, t.n, t.amplitude, s->duration.value, &t.pulse));
  if (too_strong(&t)) return warn_strong(&t);
  if (t.amplitude < 0 || t.pulse.lost) return OK;
  if (!t.pulse.captures && ends) /* on elements that carry no wave, which is another warning, no strength would do */
    return t.strand.h > STRAND_LONGEST * l ? OK : warn_weak(&t, layer, l);
  if (t.pulse.captures && s->duration.value > LONG)
    status_warn("stimulus '%s' flows for %g ms: its cells are excited once and do not recover while it "
                "lasts\n  remedy: 'duration: 2' (ms), and 'period:' for more beats",
                t.name, s->duration.value);
  return OK;
}

/* When a pulse of both flows, first; -1: never. */
static double both_flow(const Case *c, const CaseStimulus *a, const CaseStimulus *b) {
  const CaseStimulus *s[2] = {a, b};
  int64_t k[2] = {0, 0};
  while (k[0] < stimulus_pulses(c, a) && k[1] < stimulus_pulses(c, b)) {
    double begin[2], end[2];
    for (int i = 0; i < 2; ++i) {
      begin[i] = s[i]->start.value + (double)k[i] * s[i]->period.value;
      end[i] = begin[i] + s[i]->duration.value;
    }
    const double from = fmax(begin[0], begin[1]);
    if (fmin(end[0], end[1]) > from * (1 + TIME_ROUNDING)) return from;
    ++k[end[0] < end[1] ? 0 : 1];
  }
  return -1;
}

/* The first pair of stimuli of which most nodes of the smaller one are in both while both flow: rims of layers meet often; hit[n_node] is zero before and after. */
static void warn_both(const Case *c, const MonodomainStimulus *stimulus, uint8_t *hit) {
  bool said = false;
  for (int32_t i = 0; i < c->stimuli.n && !said; ++i) {
    for (int32_t k = 0; k < stimulus[i].n; ++k) hit[stimulus[i].node[k]] = 1;
    for (int32_t j = i + 1; j < c->stimuli.n && !said; ++j) {
      const double from = both_flow(c, case_stimulus(c, i), case_stimulus(c, j));
      int32_t n = 0;
      for (int32_t k = 0; from >= 0 && k < stimulus[j].n; ++k) n += hit[stimulus[j].node[k]];
      char name[2][32], count[32], place[PLACE];
      said = (double)n > MOST_SHARED * fmin(stimulus[i].n, stimulus[j].n);
      if (said)
        status_warn(
            "%s: stimulus '%s' and stimulus '%s' both flow from %g ms on in %s node%s, where their strengths add "
            "up\n  remedy: another 'start', or places that are apart, if that is not meant",
            place_text(c->path, case_stimulus(c, j)->place, place, sizeof place),
            stimulus_name(case_stimulus(c, i), i, name[0]), stimulus_name(case_stimulus(c, j), j, name[1]), from,
            count_text(n, count), n == 1 ? "" : "s");
    }
    for (int32_t k = 0; k < stimulus[i].n; ++k) hit[stimulus[i].node[k]] = 0;
  }
}

Status setup_warn_stimuli(const Case *c, const Mesh *mesh, const Setup *setup, const double *mass) {
  Status status = OK;
  uint8_t *hit = NULL, *border = NULL;
  double all = 0;
  for (int32_t i = 0; i < mesh->n_node; ++i) all += mass[i];
  ALLOC_DONE(hit, mesh->n_node, "nodes of the stimuli");
  ALLOC_DONE(border, mesh->n_element - setup_first_solved(mesh), "elements where stimuli end");
  for (int32_t i = 0; i < c->stimuli.n; ++i) {
    Layer layer;
    TRY_DONE(layer_of(mesh, setup, &heart_setup(setup)->stimulus[i], mass, hit, border, &layer));
    /* half of the elements that it ends in are its own: a half of a grid is a half */
    if (!heart_setup(setup)->stimulus[i].per_area)
      warn_much(c, i, (layer.volume - 0.5 * layer.border) / all, "the tissue");
    if (!place_given(c->eikonal.place)) TRY_DONE(warn_one(c, i, &layer, setup)); /* else fronts take every node */
  }
  if (!place_given(c->eikonal.place)) warn_both(c, heart_setup(setup)->stimulus, hit);
done:
  FREE(hit);
  FREE(border);
  return status;
}

/* When the first pulse ends; INFINITY: there is none. */
static double first_end(const Case *c) {
  double over = INFINITY;
  for (int32_t i = 0; i < c->stimuli.n; ++i)
    over = fmin(over, case_stimulus(c, i)->start.value + case_stimulus(c, i)->duration.value);
  return over;
}

/* Long enough after that for a wave to have left its nodes. */
static bool late_enough(const Case *c, const Setup *setup) {
  double steep = HUGE_VAL;
  for (int32_t t = 0; t < c->materials.n; ++t) {
    const IonicConstants *ionic = &heart_setup(setup)->ionic[t];
    if (strand_front(ionic) > 0) steep = fmin(steep, ionic_type(ionic->kind)->front_slope(ionic));
  }
  return steep < HUGE_VAL && c->time.end.value > first_end(c) + LATE / steep;
}

/* Nodes that a wave came to: corners of elements and lines that no stimulus hits, those of them that were activated, and all that
 * were. */
typedef struct Activated {
  int64_t others, beyond, any;
} Activated;

static Status count_activated(const Case *c, const Mesh *mesh, const Setup *setup, const double *activation,
                              Activated *out) {
  uint8_t *hit = NULL;
  const int32_t first = setup_first_solved(mesh);
  int64_t beyond = 0, others = 0, any = 0;
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
  for (int32_t i = 0; i < mesh->n_node; ++i) any += activation[i] >= 0;
  FREE(hit);
  *out = (Activated){others, beyond, any};
  return OK;
}

/* A level that the case gives and nothing has come to. */
static void warn_threshold(const Case *c, bool any) {
  const NumberValue *threshold = &c->output.threshold;
  char place[PLACE];
  status_warn("%s: no node%s rose through the threshold of %g mV in %g ms: activation, repolarization and apd are -1 "
              "there\n  remedy: 'threshold: -30', which excited cells pass; a larger stimulus where they do not",
              place_text(c->path, threshold->place, place, sizeof place), any ? " beyond those of the stimuli" : "",
              threshold->value, c->time.end.value);
}

Status setup_warn_uncaptured(const Case *c, const Mesh *mesh, const Setup *setup, const double *activation,
                             bool by_threshold, bool *told) {
  Activated n;
  const bool late = late_enough(c, setup), asked = place_given(c->output.threshold.place);
  const bool over = c->stimuli.n == 0 || c->time.end.value >= first_end(c);
  TRY(count_activated(c, mesh, setup, activation, &n));
  const bool stuck = n.others > 0 && n.beyond == 0 && late;
  const bool before = setup_told_none(c, setup, -1);
  *told = by_threshold ? asked && (stuck || (n.any == 0 && over)) : stuck;
  if (by_threshold && *told) warn_threshold(c, n.any > 0);
  else if (*told && !before)
    status_warn("no node beyond those of the stimuli was activated in %g ms: no stimulus started a wave\n  remedy: a "
                "larger amplitude, duration "
                "or region; 'depth:' for a stimulus on a surface",
                c->time.end.value);
  return OK;
}
