/* `springs:`: between two nodes, or one and the ground. */
#include "app/elasticity/acts.h"
#include "app/elasticity/analysis.h"
#include "app/elasticity/case_elasticity.h"
#include "app/elasticity/elastic.h"
#include "app/input/case_tables.h"

static const Key spring_keys[] = {
    {"nodes", VALUE_NAMES, false, AT(CaseSpring, nodes), .meaning = "numbers of the mesh file; one: to the ground"},
    {"between", VALUE_NAMES, false, AT(CaseSpring, between), .meaning = "groups of one node each; one: to the ground"},
    {"at", VALUE_VECTOR, false, AT(CaseSpring, at), .meaning = "or the place of a node"},
    {"to", VALUE_VECTOR, false, AT(CaseSpring, to), .meaning = "and of the other; without it: to the ground"},
    {"direction", VALUE_VECTOR, false, AT(CaseSpring, direction),
     .meaning = "the line that a single number acts along, without it that through the two nodes"},
    {"stiffness", VALUE_NUMBER_OR_VECTOR, false, AT(CaseSpring, stiffness),
     .meaning = "force per length: along the line, or [x, y, z] for each component"},
    {"dashpot", VALUE_NUMBER_OR_VECTOR, false, AT(CaseSpring, dashpot),
     .only = ANALYSIS_HARMONIC | ANALYSIS_TRANSIENT | ANALYSIS_NEWTON_MOTION,
     .meaning = "force per velocity, likewise"}};
const Schema case_spring_schema = {SCHEMA("a spring", spring_keys, CaseSpring)};

static void check_numbers(const Case *c, const CaseSpring *s, const char *key, const VectorValue *v, Diagnostics *out) {
  const int32_t dim = case_dim(c);
  const bool line = s->nodes.n == 2 || s->between.n == 2 || s->to.n || s->direction.n;
  if (!v->n) return;
  if (v->n != 1 && v->n != dim)
    report_error(out, v->place, "%s has %d numbers; allowed: one along the line, or %d", key, v->n, dim);
  for (int32_t k = 0; k < v->n; ++k)
    if (v->value[k] < 0) report_error(out, v->place, "%s is %g, must be >= 0", key, v->value[k]);
  if (v->n == 1 && !line)
    report_error(
        out, v->place,
        "%s is one number, and the spring goes to the ground along no line\n  remedy: 'direction', or a number "
        "for each component",
        key);
  if (v->n == 1 && elastic_has(c, HAS_LARGE_STRAIN))
    report_error(
        out, v->place,
        "%s along a line: at finite strain the line turns, which a spring here does not\n  remedy: a number for "
        "each component, which stays as it is",
        key);
}

bool case_has_dashpots(const Case *c) {
  for (int32_t i = 0; i < c->springs.n; ++i)
    if (case_spring(c, i)->dashpot.n) return true;
  return acts_given(&c->boundary, ACT_VISCOUS);
}

void case_check_springs(const Case *c, Diagnostics *out) {
  for (int32_t i = 0; i < c->springs.n; ++i) {
    const CaseSpring *s = case_spring(c, i);
    case_check_node_numbers(c, &s->nodes, "'between' with groups of one point, or 'at', a point of the geometry", out);
    if ((s->nodes.n > 0) + (s->between.n > 0) + (s->at.n > 0) != 1)
      report_error(out, s->place,
                   "a spring has its ends by one of 'nodes: [12, 40]', 'between: [hook, base]', or 'at: [0, 0, 0]' and "
                   "'to: [0, 0, 1]'");
    if (s->nodes.n > 2 || s->between.n > 2)
      report_error(out, s->nodes.n ? s->nodes.place : s->between.place, "a spring has two ends; here are %d",
                   s->nodes.n ? s->nodes.n : s->between.n);
    if (s->to.n && !s->at.n) report_error(out, s->to.place, "'to' is the other end of 'at', which is not there");
    case_check_directions(c, "at", s->at.n, s->at.place, out);
    case_check_directions(c, "to", s->to.n, s->to.place, out);
    if (s->direction.n) case_check_direction(c, "direction", &s->direction, out);
    check_numbers(c, s, "stiffness", &s->stiffness, out);
    check_numbers(c, s, "dashpot", &s->dashpot, out);
    if (s->direction.n && s->stiffness.n != 1 && s->dashpot.n != 1 && (s->stiffness.n || s->dashpot.n))
      report_error(
          out, s->direction.place,
          "'direction' is the line of a single number; stiffness and dashpot here have one for each component\n  "
          "remedy: leave it out, or give one number");
    if (!place_given(s->stiffness.place) && !place_given(s->dashpot.place))
      report_error(out, s->place, "a spring needs the key 'stiffness'");
    if (case_axisymmetric(c))
      report_error(out, s->place, "springs between nodes are not for an axisymmetric model; use 'spring' on a group");
  }
}
