#include "app/monodomain/layers.h"
#include "app/monodomain/case_monodomain.h"
#include "app/monodomain/surface_distance.h"
#include "core/disjoint.h"
#include "core/memory.h"
#include "core/vec3.h"
#include "output/wording.h"

#include <math.h>
#include <string.h>

static const char WHAT[] = "links between layers";

/* The areas of an element's nodes, in proportion to the integrals of the squares of their functions, added to area[n_node]. */
static Status add_areas(const Mesh *mesh, int32_t e, double *area) {
  const ElementType *type = element_type(mesh_block_of(mesh, e)->kind);
  const int32_t *nodes = mesh_nodes_of(mesh, e);
  double x[ELEMENT_MAX_NODES][3], N[ELEMENT_MAX_NODES], share[ELEMENT_MAX_NODES] = {0}, whole = 0, all = 0;
  Quadrature rule;
  for (int32_t a = 0; a < type->n_node; ++a) memcpy(x[a], mesh->x[nodes[a]], sizeof x[a]);
  TRY(element_mass_quadrature(type, &rule));
  for (int32_t q = 0; q < rule.n; ++q) {
    double J[3][3];
    const double part = rule.weight[q] * fabs(element_jacobian(type, (const double(*)[3])x, rule.xi[q], J, false));
    type->values(rule.xi[q], N);
    whole += part;
    for (int32_t a = 0; a < type->n_node; ++a) share[a] += part * N[a] * N[a];
  }
  for (int32_t a = 0; a < type->n_node; ++a) all += share[a];
  for (int32_t a = 0; a < type->n_node; ++a) area[nodes[a]] += whole * share[a] / all;
  return OK;
}

/* Shares of a triangle's corners in the point of it that is nearest to p; returns the square of the distance. */
static double nearest_shares(const double *const corner[3], const double p[3], double share[3]) {
  double u[3], v[3], w[3], best = INFINITY;
  vec3_minus(corner[1], corner[0], u), vec3_minus(corner[2], corner[0], v), vec3_minus(p, corner[0], w);
  const double uu = vec3_dot(u, u), uv = vec3_dot(u, v), vv = vec3_dot(v, v), uw = vec3_dot(u, w), vw = vec3_dot(v, w),
               det = uu * vv - uv * uv;
  const double s = (vv * uw - uv * vw) / det, t = (uu * vw - uv * uw) / det;
  double tried[4][3] = {{1 - s - t, s, t}};
  for (int k = 0; k < 3; ++k) { /* along each edge */
    double edge[3], from[3];
    vec3_minus(corner[(k + 1) % 3], corner[k], edge), vec3_minus(p, corner[k], from);
    const double along = fmin(fmax(vec3_dot(edge, from) / vec3_dot(edge, edge), 0), 1);
    tried[k + 1][k] = 1 - along, tried[k + 1][(k + 1) % 3] = along;
  }
  for (int k = 0; k < 4; ++k) {
    double x[3];
    if (k == 0 && !(det > 0 && s >= 0 && t >= 0 && s + t <= 1)) continue;
    for (int d = 0; d < 3; ++d)
      x[d] = tried[k][0] * corner[0][d] + tried[k][1] * corner[1][d] + tried[k][2] * corner[2][d];
    if (!(vec3_square(x, p) < best)) continue;
    best = vec3_square(x, p);
    memcpy(share, tried[k], sizeof tried[k]);
  }
  return best;
}

/* Triangles that an element of n_node nodes is made of, so that each node is a corner of some. */
typedef struct Pieces {
  int n_node, n;
  int8_t node[8][3];
} Pieces;
static const Pieces PIECES[] = {
    {3, 1, {{0, 1, 2}}},
    {4, 2, {{0, 1, 2}, {0, 2, 3}}},
    {6, 4, {{0, 3, 5}, {3, 1, 4}, {5, 4, 2}, {3, 4, 5}}},
    {8, 6, {{0, 4, 7}, {4, 1, 5}, {5, 2, 6}, {6, 3, 7}, {4, 5, 6}, {4, 6, 7}}},
    {9, 8, {{0, 4, 8}, {0, 8, 7}, {4, 1, 5}, {4, 5, 8}, {8, 5, 2}, {8, 2, 6}, {7, 8, 6}, {7, 6, 3}}}};

/* Nodes of element e and their shares in the point of it that is nearest to p, on its pieces. */
static void shares_of(const Mesh *mesh, int32_t e, const double p[3], int32_t node[3], double share[3]) {
  const int32_t *nodes = mesh_nodes_of(mesh, e);
  const int n_node = element_type(mesh_block_of(mesh, e)->kind)->n_node;
  const Pieces *of = PIECES; /* of what is not listed the corners alone */
  double best = INFINITY;
  for (size_t k = 0; k < sizeof PIECES / sizeof *PIECES; ++k)
    if (PIECES[k].n_node == n_node) of = &PIECES[k];
  for (int k = 0; k < of->n; ++k) {
    const int32_t corner[3] = {nodes[of->node[k][0]], nodes[of->node[k][1]], nodes[of->node[k][2]]};
    const double *const x[3] = {mesh->x[corner[0]], mesh->x[corner[1]], mesh->x[corner[2]]};
    double here[3] = {1, 0, 0};
    const double square = nearest_shares(x, p, here);
    if (!(square < best)) continue;
    best = square;
    memcpy(node, corner, sizeof corner);
    memcpy(share, here, sizeof here);
  }
}

typedef struct LayerWork {
  const CaseLayers *given;
  const Mesh *mesh;
  const Group *from, *to;
  FacetTree *tree; /* owned, of `to` */
  double *area;    /* owned, [n_node], of the nodes of `from` */
  HeartSetup *own;
  LayerPair *pair;
} LayerWork;

/* In a bidomain what joins V is both conductances in series, as of tissue. */
static void add_link(HeartSetup *own, const CaseLayers *given, int32_t from, int32_t to, double area) {
  const double cells = given->conductance.value * area, outside = given->outside.value * area;
  const int32_t n = own->n_link++;
  own->link_region[n] = own->n_region - 1; /* without mass: cells of no link */
  own->link[n] = (DiffusionLink){{from, to}, own->link_cells ? cells / (cells + outside) * outside : cells, 0};
  if (own->link_cells) own->link_cells[n] = cells, own->link_outside[n] = outside;
}

static Status join_nodes(LayerWork *w) {
  static const double NOTHING = 1e-12; /* of a share */
  const double reach = place_given(w->given->within.place) ? w->given->within.value : HUGE_VAL;
  HeartSetup *own = w->own;
  for (int32_t i = 0; i < w->mesh->n_node; ++i) {
    int32_t node[3] = {0};
    double share[3] = {0}, distance;
    if (w->area[i] == 0) continue;
    const int32_t e = facet_nearest(w->mesh, w->tree, reach, w->mesh->x[i], &distance);
    ++w->pair->n_node;
    if (e < 0) continue;
    ++w->pair->n_joined;
    w->pair->area += w->area[i];
    w->pair->nearest = fmin(w->pair->nearest, distance), w->pair->farthest = fmax(w->pair->farthest, distance);
    shares_of(w->mesh, e, w->mesh->x[i], node, share);
    for (int k = 0; k < 3; ++k) {
      if (share[k] <= NOTHING || w->given->conductance.value == 0) continue;
      add_link(own, w->given, i, node[k], w->area[i] * share[k]);
    }
  }
  return OK;
}

static Status bind_work(LayerWork *w, Diagnostics *out) {
  ALLOC(w->area, w->mesh->n_node, WHAT);
  for (int32_t i = 0; i < w->from->n; ++i) TRY(add_areas(w->mesh, w->from->element[i], w->area));
  for (int32_t i = 0; i < w->to->n; ++i) {
    const int32_t e = w->to->element[i], *nodes = mesh_nodes_of(w->mesh, e);
    for (int32_t a = 0; a < element_type(mesh_block_of(w->mesh, e)->kind)->n_node; ++a)
      if (w->area[nodes[a]] > 0) {
        report_error(out, w->given->to.place,
                     "layers 'from' and 'to' share node %lld\n  allowed: two surfaces, each with nodes of its own",
                     (long long)w->mesh->node_tag[nodes[a]]);
        return OK;
      }
  }
  TRY(facet_tree_create(w->mesh, w->to, &w->tree));
  TRY(join_nodes(w));
  if (w->pair->n_joined == 0)
    report_error(out, w->given->within.place, "no node of 'from' is within %g mm of 'to'", w->given->within.value);
  return OK;
}

static Status bind_pair(const Case *c, const Mesh *mesh, int32_t i, Setup *setup, Diagnostics *out) {
  LayerWork w = {.given = case_layers(c, i), .mesh = mesh, .own = heart_setup(setup)};
  w.pair = &w.own->layer[i];
  *w.pair = (LayerPair){.nearest = INFINITY};
  w.from = setup_group(setup, mesh, &w.given->from, ON_CELLS, "from", out);
  w.to = setup_group(setup, mesh, &w.given->to, ON_CELLS, "to", out);
  if (!w.from || !w.to) return OK;
  const Status status = bind_work(&w, out);
  facet_tree_destroy(&w.tree);
  FREE(w.area);
  return status;
}

Status heart_layers(const Case *c, const Mesh *mesh, Setup *setup, Diagnostics *out) {
  HeartSetup *own = heart_setup(setup);
  const int32_t before = out->n;
  if (c->layers.n == 0) return OK;
  if (mesh->dim != 2 || !mesh->in_space) {
    report_error(out, c->layers.place,
                 "layers are of surfaces in space, triangles and quadrilaterals with three coordinates; this mesh is "
                 "%s\n  remedy: leave 'layers' out",
                 mesh->dim == 3 ? "a volume" : "flat");
    return OK;
  }
  ALLOC(own->layer, c->layers.n, WHAT);
  ALLOC(own->link, 3 * (int64_t)c->layers.n * mesh->n_node, WHAT);
  ALLOC(own->link_region, 3 * (int64_t)c->layers.n * mesh->n_node, WHAT);
  if (heart_is_bidomain(c)) {
    ALLOC(own->link_cells, 3 * (int64_t)c->layers.n * mesh->n_node, WHAT);
    ALLOC(own->link_outside, 3 * (int64_t)c->layers.n * mesh->n_node, WHAT);
  }
  for (int32_t i = 0; i < c->layers.n && out->n == before; ++i) TRY(bind_pair(c, mesh, i, setup, out));
  ALLOC(setup->pair, own->n_link, WHAT);
  for (; setup->n_pair < own->n_link; ++setup->n_pair)
    memcpy(setup->pair[setup->n_pair], own->link[setup->n_pair].node, sizeof *setup->pair);
  own->monodomain.link_region = own->link_region;
  own->diffusion.link = own->link;
  own->diffusion.n_link = own->n_link;
  return OK;
}

Status layers_links(const HeartSetup *own, bool inside, bool outside, double factor, DiffusionLink **out) {
  ALLOC(*out, own->n_link, WHAT);
  for (int32_t i = 0; i < own->n_link; ++i) {
    (*out)[i] = own->link[i];
    (*out)[i].conductance = factor * ((inside ? own->link_cells[i] : 0) + (outside ? own->link_outside[i] : 0));
  }
  return OK;
}

Status layers_one_piece(const Mesh *mesh, const HeartSetup *own, bool *one) {
  int32_t *part = NULL, n = 0;
  *one = false;
  if (!own->link_cells) return OK;
  ALLOC(part, mesh->n_node, WHAT);
  (void)mesh_parts(mesh, part);
  for (int32_t k = 0; k < own->n_link; ++k) disjoint_join(part, own->link[k].node[0], own->link[k].node[1]);
  for (int32_t i = 0; i < mesh->n_node; ++i) n += part[i] == i;
  FREE(part);
  *one = n == 1;
  return OK;
}

double layers_lag(const Case *c, const Mesh *mesh, const HeartSetup *own) {
  const int32_t n = mesh->n_element - setup_first_solved(mesh);
  double thinnest = own->thickness ? INFINITY : 1, most = 0;
  for (int32_t e = 0; e < n && own->thickness; ++e) thinnest = fmin(thinnest, own->thickness[e]);
  for (int32_t i = 0; i < c->layers.n && own->link_cells; ++i) {
    const double cells = case_layers(c, i)->conductance.value, outside = case_layers(c, i)->outside.value;
    most = fmax(most, 2 * cells / (cells + outside) * cells / thinnest);
  }
  return most;
}

void layers_text(const Case *c, const Setup *setup, Text *out) {
  const HeartSetup *own = heart_setup(setup);
  for (int32_t i = 0; i < c->layers.n && own->layer; ++i) {
    const LayerPair *p = &own->layer[i];
    char joined[32], all[32];
    text_add(out, "layers       %s - %s: %s of %s nodes joined over %.6g mm2, %.4g to %.4g mm apart, by %g mm/ms\n",
             case_layers(c, i)->from.item[0].text, case_layers(c, i)->to.item[0].text, count_text(p->n_joined, joined),
             count_text(p->n_node, all), p->area, p->nearest, p->farthest, case_layers(c, i)->conductance.value);
  }
}
