/* A setup of one or two copies of a sector from that of the sector: all that it has once more, and the equations of its cuts with a phase. */
#include "app/elasticity/sector.h"
#include "app/elasticity/modal.h"
#include "app/elasticity/setup_pairs.h"
#include "core/memory.h"
#include "core/vec3.h"
#include "mesh/make/copies.h"

#include <math.h>
#include <string.h>

static const double PI = 3.14159265358979323846;
static const char *const WHAT = "a sector with nodal diameters";

int32_t sector_whole(const SectorCut *cut) {
  const double n = 2 * PI / fabs(cut->angle);
  return fabs(n - round(n)) <= 1e-4 ? (int32_t)round(n) : 0;
}

int32_t sector_count(const ElasticSetup *own) {
  const int32_t n = own->n_cut ? sector_whole(own->cut) : 0;
  for (int32_t k = 1; k < own->n_cut; ++k)
    if (sector_whole(&own->cut[k]) != n) return 0;
  return n;
}

int32_t sector_copies(int32_t n_sector, int32_t diameter) { return diameter == 0 || 2 * diameter == n_sector ? 1 : 2; }

void sector_check(const Case *c, const ElasticSetup *own, Diagnostics *out) {
  const NamesValue *list = &c->analysis.diameters;
  const int32_t n = sector_count(own);
  if (!list->n || out->n) return;
  if (!n) {
    report_error(out, list->place,
                 "diameters: the cuts are at no one angle that goes into a whole turn\n  allowed: one of N sectors\n  "
                 "remedy: other cuts, or a mesh of the whole body");
    return;
  }
  for (int32_t i = 0; i < list->n; ++i)
    if (modal_diameter(c, i) > n / 2)
      report_error(
          out, list->item[i].place,
          "diameters: %s, and %d sectors have %d at most\n  allowed: 0 to %d; what has more is one of these motions",
          list->item[i].text, (int)n, (int)(n / 2), (int)(n / 2));
}

/* ---- equations ---- */

typedef struct PhaseList {
  const ElasticSetup *from;
  ElasticSetup *to;
  int32_t n_node, copies, diameter, dim;
  uint8_t *turned; /* owned, [n_node]: of the cut, nodes that `to` has */
  int32_t *number; /* owned, [n of from]: what an equation becomes in the first copy; -1: nothing */
  int32_t n;
  int64_t n_term;
} PhaseList;

static void term_add(PhaseList *l, int32_t copy, int32_t node, int32_t component, double factor) {
  if (fabs(factor) < 1e-15) return;
  l->to->term[l->n_term++] = (EquationTerm){copy * l->n_node + node, component, factor};
  ++l->to->equation[l->n].n;
}

static void equation_open(PhaseList *l, const Equation *like) {
  l->to->equation[l->n] =
      (Equation){.first = l->n_term, .value = like->value, .where = like->where, .held = like->held};
}

/* An equation of the sector for each copy; cos + i sin: of terms of the other cut. */
static void equation_copy(PhaseList *l, int32_t i, const SectorCut *cut, int32_t copy) {
  const Equation *e = &l->from->equation[i];
  const double phase = cut ? l->diameter * cut->angle : 0, other = copy ? sin(phase) : -sin(phase);
  equation_open(l, e);
  for (int64_t k = e->first; k < e->first + e->n; ++k) {
    const EquationTerm *t = &l->from->term[k];
    const bool turned = cut && l->turned[t->node];
    term_add(l, copy, t->node, t->component, turned ? cos(phase) * t->factor : t->factor);
    if (turned && l->copies == 2) term_add(l, 1 - copy, t->node, t->component, other * t->factor);
  }
  ++l->n;
}

/* The parts along `a` of a node on the axis in copy `one`, plus sign times those along `b` in the other, are 0. */
static void axis_equation(PhaseList *l, const Equation *like, int32_t node, int32_t one, const double a[3], double sign,
                          const double b[3]) {
  equation_open(l, like);
  for (int c = 0; c < l->dim; ++c) term_add(l, one, node, c, a[c]);
  for (int c = 0; c < l->dim && sign != 0; ++c) term_add(l, 1 - one, node, c, sign * b[c]);
  ++l->n;
}

/* What one turn of a sector and the phase leave as it is: with no diameter the axis, with one a plane that goes around, else nothing. */
static void axis_node(PhaseList *l, const Equation *like, int32_t node, const double along[3]) {
  double a[3] = {0}, b[3];
  int least = 0;
  for (int k = 1; k < 3; ++k)
    if (fabs(along[k]) < fabs(along[least])) least = k;
  a[least] = 1;
  for (int k = 0; k < 3; ++k) a[k] -= along[least] * along[k];
  vec3_normalize(a);
  vec3_cross(along, a, b);
  for (int32_t copy = 0; copy < l->copies; ++copy) {
    if (l->diameter != 0 && l->dim == 3) axis_equation(l, like, node, copy, along, 0, a);
    if (l->diameter == 1 && l->copies == 1) continue; /* half a turn */
    const double sign = l->diameter != 1 ? 0 : copy ? 1 : -1;
    axis_equation(l, like, node, copy, a, sign, b);
    if (l->diameter != 1) axis_equation(l, like, node, copy, b, 0, a);
  }
}

static const SectorCut *cut_of(const ElasticSetup *own, int32_t equation, bool *on_axis) {
  for (int32_t k = 0; k < own->n_cut; ++k) {
    const SectorCut *cut = &own->cut[k];
    *on_axis = equation >= cut->axis && equation < cut->first;
    if (*on_axis || (equation >= cut->first && equation < cut->end)) return cut;
  }
  *on_axis = false;
  return NULL;
}

static Status mark_turned(PhaseList *l, const Mesh *mesh, const SectorCut *cut) {
  Side side = {0};
  TRY(side_create(mesh, cut->to, &side));
  memset(l->turned, 0, (size_t)l->n_node);
  for (int32_t i = 0; i < side.n; ++i) l->turned[side.node[i]] = 1;
  FREE(side.node);
  return OK;
}

/* Those of each copy have the order of the sector's, as ties say where theirs begin. */
static Status equations_copy(PhaseList *l, const Mesh *mesh) {
  for (int32_t copy = 0; copy < l->copies; ++copy) {
    const SectorCut *last = NULL;
    for (int32_t i = 0; i < l->from->equations.n; ++i) {
      bool on_axis;
      const SectorCut *cut = cut_of(l->from, i, &on_axis);
      if (cut && cut != last) TRY(mark_turned(l, mesh, cut));
      last = cut ? cut : last;
      if (copy == 0) l->number[i] = on_axis ? -1 : l->n;
      if (!on_axis) equation_copy(l, i, cut, copy);
    }
  }
  return OK;
}

static void axis_copy(PhaseList *l) {
  for (int32_t k = 0; k < l->from->n_cut; ++k) {
    const SectorCut *cut = &l->from->cut[k];
    for (int32_t i = cut->axis, before = -1; i < cut->first; ++i) {
      const Equation *e = &l->from->equation[i];
      const int32_t node = l->from->term[e->first].node;
      if (node != before) axis_node(l, e, node, cut->direction);
      before = node;
    }
  }
}

static Status ties_copy(PhaseList *l, int32_t each) {
  const EquationList *list = &l->from->equations;
  ALLOC(l->to->tie, (int64_t)l->copies * list->n_tie, WHAT);
  for (int32_t copy = 0; copy < l->copies; ++copy)
    for (int32_t i = 0; i < list->n_tie; ++i) {
      EquationTie *tie = &l->to->tie[copy * list->n_tie + i];
      *tie = list->tie[i];
      if (tie->n) tie->first = copy * each + l->number[tie->first];
    }
  return OK;
}

static Status images_copy(PhaseList *l) {
  const EquationList *list = &l->from->equations;
  ALLOC(l->to->image, (int64_t)l->copies * list->n_image, WHAT);
  for (int32_t copy = 0; copy < l->copies; ++copy)
    for (int32_t i = 0; i < list->n_image; ++i) {
      SupportImage *image = &l->to->image[l->to->n_image++];
      *image = list->image[i];
      for (int k = 0; k < 2; ++k) image->node[k] += copy * l->n_node;
    }
  return OK;
}

/* An equation has at most twice its terms, and one on the axis becomes four of six at most for two of the sector. */
static Status list_make(PhaseList *l, const Mesh *mesh) {
  const EquationList *list = &l->from->equations;
  int64_t n_term = 0;
  for (int32_t i = 0; i < list->n; ++i) n_term += list->item[i].n;
  ALLOC(l->turned, l->n_node, WHAT);
  ALLOC(l->number, list->n, WHAT);
  ALLOC(l->to->equation, 8 * (int64_t)list->n, WHAT);
  ALLOC(l->to->term, 4 * n_term + 48 * (int64_t)list->n, WHAT);
  TRY(equations_copy(l, mesh));
  const int32_t each = l->n / l->copies;
  axis_copy(l);
  TRY(images_copy(l));
  TRY(ties_copy(l, each));
  ElasticSetup *to = l->to;
  to->equations = (EquationList){.n = l->n,
                                 .item = to->equation,
                                 .term = to->term,
                                 .n_image = to->n_image,
                                 .image = to->image,
                                 .n_tie = l->copies * list->n_tie,
                                 .tie = to->tie};
  to->params.equations = &to->equations;
  return OK;
}

/* ---- what else joins nodes ---- */

static Status joints_copy(const ElasticSetup *from, int32_t copies, int32_t n_node, ElasticSetup *to) {
  const ElasticityParams *p = &from->params;
  ALLOC(to->joint, (int64_t)copies * p->n_joint, WHAT);
  ALLOC(to->body, (int64_t)copies * p->n_body, WHAT);
  for (int32_t copy = 0; copy < copies; ++copy) {
    for (int32_t i = 0; i < p->n_joint; ++i) {
      Joint *joint = &to->joint[copy * p->n_joint + i];
      *joint = p->joint[i];
      for (int k = 0; k < 2; ++k)
        if (joint->node[k] >= 0) joint->node[k] += copy * n_node;
    }
    for (int32_t i = 0; i < p->n_body; ++i) {
      MassBody *body = &to->body[copy * p->n_body + i];
      *body = p->body[i];
      for (int32_t k = 0; k < body->n_node; ++k) body->node[k] += copy * n_node;
    }
  }
  to->params.joint = to->joint, to->params.n_joint = copies * p->n_joint;
  to->params.body = to->body, to->params.n_body = copies * p->n_body;
  return OK;
}

/* ---- the setup ---- */

static Status sample_create(const Mesh *mesh, const Setup *setup, int32_t copies, MeshSample *out) {
  int32_t *number = NULL;
  TRY(mesh_copies(mesh, copies, &out->mesh));
  ALLOC(out->element, out->mesh->n_element, WHAT);
  ALLOC(out->node, out->mesh->n_node, WHAT);
  ALLOC(number, out->mesh->n_node, WHAT);
  out->number = number;
  for (int32_t k = 0; k < copies; ++k) {
    for (int32_t e = 0; e < mesh->n_element; ++e) out->element[mesh_copy_element(mesh, copies, k, e)] = e;
    for (int32_t i = 0; i < mesh->n_node; ++i) {
      out->node[k * mesh->n_node + i] = i;
      number[k * mesh->n_node + i] = k * mesh->n_node + (setup->node_rank ? setup->node_rank[i] : i);
    }
  }
  return OK;
}

Status sector_phase_create(const Case *c, const Setup *setup, int32_t diameter, SectorPhase *out) {
  const ElasticSetup *from = elastic_setup(setup);
  const Mesh *mesh = from->params.mesh;
  const int32_t n_sector = sector_count(from);
  *out = (SectorPhase){.copies = sector_copies(n_sector, diameter)};
  TRY(sample_create(mesh, setup, out->copies, &out->sample));
  ElasticSetup bare = *from; /* its equations would be those of a share; copies get theirs below */
  Setup whole = *setup;
  bare.params.equations = NULL;
  whole.own = &bare;
  TRY(setup_cut(c, &whole, &out->sample, &out->setup));
  ElasticSetup *to = elastic_setup(&out->setup);
  PhaseList list = {
      .from = from, .to = to, .n_node = mesh->n_node, .copies = out->copies, .diameter = diameter, .dim = case_dim(c)};
  const Status status = list_make(&list, mesh);
  FREE(list.turned);
  FREE(list.number);
  TRY(status);
  return joints_copy(from, out->copies, mesh->n_node, to);
}

void sector_phase_release(SectorPhase *phase) {
  int32_t *number = (int32_t *)(uintptr_t)phase->sample.number;
  setup_release(&phase->setup);
  FREE(number);
  mesh_sample_release(&phase->sample);
  *phase = (SectorPhase){0};
}

Status sector_point_stress(const SectorPhase *phase, const ElasticFields *from, const Mesh *mesh, ElasticFields *out) {
  const int32_t first = setup_first_solved(mesh), n = mesh->n_element - first;
  const int32_t begin = setup_first_solved(phase->sample.mesh), all = phase->copies * n;
  ALLOC(out->point_start, (int64_t)all + 1, WHAT);
  TRY(mem_alloc(phase->copies * from->point_start[n], sizeof *out->point_stress, WHAT,
                (void **)(void *)&out->point_stress));
  for (int32_t e = 0; e < all; ++e) {
    const int32_t of = phase->sample.element[begin + e] - first;
    const int64_t points = from->point_start[of + 1] - from->point_start[of];
    out->point_start[e + 1] = out->point_start[e] + points;
    memcpy(out->point_stress[out->point_start[e]], from->point_stress[from->point_start[of]],
           (size_t)points * sizeof *out->point_stress);
  }
  return OK;
}

void sector_translations(int32_t n_sector, int32_t diameter, const double along[3], double part[2][3][3]) {
  memset(part, 0, 18 * sizeof(double));
  for (int d = 0; d < 3; ++d)
    for (int k = 0; k < 3; ++k)
      if (diameter == 0) part[0][d][k] = along[d] * along[k];
      else if (diameter == 1) part[0][d][k] = (k == d) - along[d] * along[k];
  for (int d = 0; d < 3 && sector_copies(n_sector, diameter) == 2; ++d) vec3_cross(along, part[0][d], part[1][d]);
}
