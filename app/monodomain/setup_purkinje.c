/* See purkinje.h: trees of the mesh become links and cells. */
#include "app/monodomain/case_monodomain.h"
#include "app/monodomain/purkinje.h"
#include "core/memory.h"
#include "core/vec3.h"
#include "core/parts.h"
#include "output/wording.h"

#include <math.h>
#include <stdio.h>

static const char *const WHAT = "links of a tree";

typedef struct TreeWork {
  const Mesh *mesh;
  const CasePurkinje *tree;
  HeartSetup *own;
  int32_t region;
  int32_t room;         /* of links */
  const uint8_t *bits;  /* [n_node], NODE_TISSUE and NODE_TREE */
  const double *volume; /* [n_node], of tissue */
} TreeWork;

static Status add_link(TreeWork *w, DiffusionLink link) {
  HeartSetup *own = w->own;
  if (own->n_link == w->room) {
    w->room = 2 * w->room + 256;
    RESIZE(own->link, w->room, WHAT);
    RESIZE(own->link_region, w->room, WHAT);
  }
  own->link_region[own->n_link] = w->region;
  own->link[own->n_link++] = link;
  return OK;
}

static Status add_lines(TreeWork *w) {
  const Group *lines = mesh_group_dim(w->mesh, w->tree->name.text, 1);
  const double area = acos(-1) * w->tree->radius.value * w->tree->radius.value;
  for (int32_t i = 0; i < lines->n; ++i) {
    const int32_t *node = mesh_nodes_of(w->mesh, lines->element[i]);
    const double length = sqrt(vec3_square(w->mesh->x[node[0]], w->mesh->x[node[1]]));
    const DiffusionLink link = {{node[0], node[1]}, w->tree->diffusivity.value * area / length, area * length / 2};
    TRY(add_link(w, link));
  }
  return OK;
}

/* The tissue's node nearest to a point. */
static int32_t nearest_tissue(const TreeWork *w, const double x[3]) {
  int32_t best = -1;
  for (int32_t i = 0; i < w->mesh->n_node; ++i)
    if (w->bits[i] & NODE_TISSUE && (best < 0 || vec3_square(w->mesh->x[i], x) < vec3_square(w->mesh->x[best], x)))
      best = i;
  return best;
}

/* Links of one end, which are the pairs from `from` on; their number. */
static Status add_junction(TreeWork *w, const Group *pairs, int32_t from, int32_t *n) {
  const CasePurkinje *t = w->tree;
  const double all = 1 / (t->junction.resistance.value * t->surface.value * t->capacitance.value);
  const int32_t first = w->own->n_link, end = mesh_nodes_of(w->mesh, pairs->element[from])[0];
  double volume = 0;
  for (*n = 0; from + *n < pairs->n; ++*n) {
    const int32_t *node = mesh_nodes_of(w->mesh, pairs->element[from + *n]);
    if (node[0] != end) break;
    TRY(add_link(w, (DiffusionLink){{end, node[1]}, w->volume[node[1]], 0}));
    volume += w->volume[node[1]];
  }
  for (int32_t k = first; k < w->own->n_link; ++k) w->own->link[k].conductance *= all / volume;
  return OK;
}

static const Group *part_of_tree(const TreeWork *w, const char *part, int32_t dim) {
  char name[256];
  snprintf(name, sizeof name, "%s%s", w->tree->name.text, part);
  return mesh_group_dim(w->mesh, name, dim);
}

static void report_far(const TreeWork *w, int32_t far, int32_t worst, double most, Diagnostics *out) {
  const Group *ends = part_of_tree(w, "-ends", 0);
  const int32_t nearest = nearest_tissue(w, w->mesh->x[worst]);
  const double *x = w->mesh->x[worst], *to = w->mesh->x[nearest < 0 ? worst : nearest];
  report_error(
      out, w->tree->junction.radius.place,
      "%d of %d ends of the tree '%s' %s no tissue within the radius of %g mm: (%.6g, %.6g, %.6g) is %.4g mm "
      "away from the nearest node, (%.6g, %.6g, %.6g)\n  remedy: a larger radius, or a tree that fits the mesh",
      (int)far, (int)ends->n, w->tree->name.text, far == 1 ? "has" : "have", w->tree->junction.radius.value, x[0], x[1],
      x[2], sqrt(most), to[0], to[1], to[2]);
}

static Status add_junctions(TreeWork *w, Diagnostics *out) {
  static const Group none = {0};
  const Group *ends = part_of_tree(w, "-ends", 0), *pairs = part_of_tree(w, "-junctions", 1);
  int32_t far = 0, worst = -1;
  double most = 0;
  if (!pairs) pairs = &none;
  for (int32_t i = 0, k = 0, n; i < ends->n; ++i) {
    const int32_t end = mesh_nodes_of(w->mesh, ends->element[i])[0];
    if (k < pairs->n && mesh_nodes_of(w->mesh, pairs->element[k])[0] == end) {
      TRY(add_junction(w, pairs, k, &n));
      k += n;
      continue;
    }
    const int32_t near = nearest_tissue(w, w->mesh->x[end]);
    const double square = near < 0 ? HUGE_VAL : vec3_square(w->mesh->x[near], w->mesh->x[end]);
    ++far;
    if (worst < 0 || square > most) most = square, worst = end;
  }
  if (far) report_far(w, far, worst, most, out);
  if (ends->n == 0)
    report_error(out, w->tree->place,
                 "the tree '%s' has no end but its root, so that no front comes out of it\n  remedy: lines that end in "
                 "the tissue, or another 'root:'",
                 w->tree->name.text);
  return OK;
}

static double element_volume(const Mesh *mesh, const ElementType *type, const Quadrature *rule, const int32_t *nodes) {
  double x[ELEMENT_MAX_NODES][3], J[3][3], sum = 0;
  for (int32_t a = 0; a < type->n_node; ++a)
    for (int k = 0; k < 3; ++k) x[a][k] = mesh->x[nodes[a]][k];
  for (int32_t q = 0; q < rule->n; ++q)
    sum += rule->weight[q] * fabs(element_jacobian(type, (const double(*)[3])x, rule->xi[q], J, false));
  return sum;
}

/* Of each node its share of the elements around, equal for all nodes of one. */
static Status node_volumes(const Mesh *mesh, const HeartSetup *own, double *volume) {
  for (int32_t b = 0; b < mesh->n_block; ++b) {
    const ElementBlock *block = &mesh->block[b];
    const ElementType *type = element_type(block->kind);
    Quadrature rule;
    if (type->dim != mesh->dim) continue;
    TRY(element_mass_quadrature(type, &rule));
    for (int32_t e = 0; e < block->n; ++e) {
      const int32_t *nodes = block->nodes + (int64_t)e * type->n_node;
      const double share =
          element_volume(mesh, type, &rule, nodes) * heart_thickness(own, block->first + e) / type->n_node;
      for (int32_t a = 0; a < type->n_node; ++a) volume[nodes[a]] += share;
    }
  }
  return OK;
}

static Status bind_trees(const Case *c, TreeWork *w, Diagnostics *out) {
  HeartSetup *own = w->own;
  const int32_t first = own->n_region;
  const bool cells = own->ionic != NULL; /* fronts alone need none */
  if (cells) RESIZE(own->ionic, first + c->purkinje.n, "ionic models of the tissue");
  own->n_region += c->purkinje.n;
  for (int32_t i = 0; i < c->purkinje.n; ++i) {
    w->tree = case_tree(c, i);
    w->region = first + i;
    if (cells) own->ionic[w->region] = monodomain_constants_of(&w->tree->ionic);
    TRY(add_lines(w));
    TRY(add_junctions(w, out));
  }
  own->monodomain.n_region = own->n_region;
  own->monodomain.region = own->ionic;
  own->monodomain.link_region = own->link_region;
  own->diffusion.link = own->link;
  own->diffusion.n_link = own->n_link;
  return OK;
}

Status setup_purkinje(const Case *c, const Mesh *mesh, Setup *setup, Diagnostics *out) {
  Status status = OK;
  uint8_t *bits = NULL;
  double *volume = NULL;
  if (c->purkinje.n == 0) return OK;
  ALLOC_DONE(bits, mesh->n_node, WHAT);
  ALLOC_DONE(volume, mesh->n_node, WHAT);
  purkinje_nodes(mesh, bits);
  TRY_DONE(node_volumes(mesh, heart_setup(setup), volume));
  TreeWork work = {.mesh = mesh, .own = heart_setup(setup), .bits = bits, .volume = volume};
  status = bind_trees(c, &work, out);
done:
  FREE(bits);
  FREE(volume);
  return status;
}

/* Regions of trees are the last ones. */
static int32_t region_of(const Case *c, const HeartSetup *own, int32_t tree) {
  return own->n_region - c->purkinje.n + tree;
}

void purkinje_text(const Case *c, const Mesh *mesh, const Setup *setup, Text *out) {
  const HeartSetup *own = heart_setup(setup);
  for (int32_t i = 0; i < c->purkinje.n && own->n_link > 0; ++i) { /* a part of the mesh has none */
    const CasePurkinje *tree = case_tree(c, i);
    char name[256], lines[32], ends[32], nodes[32];
    double length = 0;
    int64_t reached = 0;
    snprintf(name, sizeof name, "%s-ends", tree->name.text);
    for (int32_t k = 0; k < own->n_link; ++k) {
      const DiffusionLink *link = &own->link[k];
      if (own->link_region[k] != region_of(c, own, i)) continue;
      if (link->mass > 0) length += sqrt(vec3_square(mesh->x[link->node[0]], mesh->x[link->node[1]]));
      reached += link->mass == 0;
    }
    text_add(out, "tree         %s: %s lines, %.6g mm; %s ends, joined to %s nodes of tissue", tree->name.text,
             count_text(mesh_group_dim(mesh, tree->name.text, 1)->n, lines), length,
             count_text(mesh_group_dim(mesh, name, 0)->n, ends), count_text(reached, nodes));
    if (own->ionic) text_add(out, " by %g kOhm each\n", tree->junction.resistance.value);
    else text_add(out, "; fronts at %g mm/ms\n", tree->velocity.value);
  }
}

/* Ends that are active, and those of them with no active tissue. */
static void count_silent(const HeartSetup *own, int32_t region, const double *activation, int32_t *active,
                         int32_t *silent) {
  *active = *silent = 0;
  for (int32_t k = 0; k < own->n_link;) {
    const int32_t end = own->link[k].node[0];
    bool any = false;
    int32_t next = k;
    if (own->link[k].mass > 0 || own->link_region[k] != region) {
      ++k;
      continue;
    }
    for (; next < own->n_link && own->link[next].mass == 0 && own->link[next].node[0] == end; ++next)
      any |= activation[own->link[next].node[1]] >= 0;
    *active += activation[end] >= 0;
    *silent += activation[end] >= 0 && !any;
    k = next;
  }
}

/* How far a front has come in a tree. */
typedef struct TreeFront {
  int32_t n, active;    /* nodes */
  int32_t ends, at_end; /* ends of the tree, and those that were activated */
  bool stimulated;
  double last, longest; /* when the last node was activated, ms; mm, of its lines */
} TreeFront;

/* seen[n_node]: 1 of nodes that a stimulus acts on; 2 is added for those that were counted. */
static TreeFront front_in(const Mesh *mesh, const char *name, const double *activation, uint8_t *seen) {
  TreeFront f = {.last = -1};
  const Group *lines = mesh_group_dim(mesh, name, 1);
  char text[256];
  snprintf(text, sizeof text, "%s-ends", name);
  const Group *ends = mesh_group_dim(mesh, text, 0);
  for (int32_t i = 0; lines && i < lines->n; ++i) {
    const int32_t *node = mesh_nodes_of(mesh, lines->element[i]);
    f.longest = fmax(f.longest, sqrt(vec3_square(mesh->x[node[0]], mesh->x[node[1]])));
    for (int a = 0; a < 2; ++a) {
      if (seen[node[a]] & 2) continue;
      f.stimulated |= seen[node[a]] & 1;
      seen[node[a]] |= 2;
      ++f.n;
      f.active += activation[node[a]] >= 0;
      f.last = fmax(f.last, activation[node[a]]);
    }
  }
  for (int32_t i = 0; ends && i < ends->n; ++i, ++f.ends)
    f.at_end += activation[mesh_nodes_of(mesh, ends->element[i])[0]] >= 0;
  return f;
}

/* It would have come to the next node long ago. told: before the run, so that nothing is said again. */
static bool warn_died(const Case *c, const CasePurkinje *tree, const TreeFront *f, bool told) {
  static const double SLOWEST = 0.1, WAIT = 10; /* mm/ms of fronts; ms */
  double began = INFINITY;
  char n[32], active[32];
  for (int32_t i = 0; i < c->stimuli.n; ++i)
    began = fmin(began, case_stimulus(c, i)->start.value + case_stimulus(c, i)->duration.value);
  const double since = f->active > 0 ? f->last : began;
  if (f->active == f->n || (f->active == 0 && !f->stimulated)) return false;
  if (!(c->time.end.value - since > WAIT + f->longest / SLOWEST)) return false;
  if (told) return true;
  count_text(f->n, n), count_text(f->active, active);
  if (f->active == 0)
    status_warn(
        "no front runs in the tree '%s': none of its %s nodes was activated in %g ms\n  remedy: a larger stimulus, "
        "on more of its nodes",
        tree->name.text, n, c->time.end.value);
  else
    status_warn(
        "the front in the tree '%s' died out: it came to %s of its %s nodes, the last at %.4g ms, and to %d of its "
        "%d ends\n  remedy: shorter lines, by 'size:' of that tree, a larger diffusivity than %g mm2/ms, or more "
        "excitable cells; a larger stimulus where it acts",
        tree->name.text, active, n, f->last, (int)f->at_end, (int)f->ends, tree->diffusivity.value);
  return true;
}

static Status warn_fronts(const Case *c, const Mesh *mesh, const Setup *setup, const double *activation, bool *died) {
  uint8_t *seen = NULL;
  ALLOC(seen, mesh->n_node, "nodes of trees");
  for (int32_t i = 0; i < c->stimuli.n; ++i)
    for (int32_t k = 0; k < heart_setup(setup)->stimulus[i].n; ++k) seen[heart_setup(setup)->stimulus[i].node[k]] = 1;
  for (int32_t i = 0; i < c->purkinje.n; ++i) {
    const TreeFront front = front_in(mesh, case_tree(c, i)->name.text, activation, seen);
    *died |= warn_died(c, case_tree(c, i), &front, setup_told_none(c, setup, c->materials.n + i));
  }
  FREE(seen);
  return OK;
}

Status purkinje_warn(const Case *c, const Mesh *mesh, const Setup *setup, const double *activation, bool *told) {
  *told = false;
  if (c->purkinje.n) TRY(warn_fronts(c, mesh, setup, activation, told));
  for (int32_t i = 0; i < c->purkinje.n; ++i) {
    const CasePurkinje *tree = case_tree(c, i);
    int32_t active, silent;
    count_silent(heart_setup(setup), region_of(c, heart_setup(setup), i), activation, &active, &silent);
    if (silent)
      status_warn(
          "%d of the %d ends of the tree '%s' that were activated did not activate the tissue at them\n  remedy: a "
          "lower resistance than %g kOhm, thicker fibres, or a radius with less tissue than %g mm",
          (int)silent, (int)active, tree->name.text, tree->junction.resistance.value, tree->junction.radius.value);
  }
  return OK;
}
