/* Contact in load steps: between Newton's method and the equation, and what is said of it in the end. */
#include "app/elasticity/case_elasticity.h"
#include "app/elasticity/finite.h"
#include "assembly/elasticity/contacts.h"
#include "core/ascending.h"
#include "core/memory.h"
#include "core/vec3.h"
#include "output/json.h"
#include "output/wording.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Newton steps of a load step at most, where sets change. */
enum { MOST = 100 };

static Status contact_choose(void *context, const Stage *stage, double residual, double *u, bool *changed) {
  (void)stage;
  return elasticity_contact_update(((const ElasticRun *)context)->elasticity, residual, u, changed);
}

void finite_contact_doubt(const Case *c, const Elasticity *elasticity) {
  char place[512];
  for (int32_t i = 0; i < elasticity_contacts(elasticity); ++i) {
    const CaseContact *contact = case_contact_at(c, i, NULL);
    const double d = contact->interference.value, size = elasticity_contact(elasticity, i).size;
    if (fabs(d) > size)
      status_warn("%s: interference is %.4g, %.3g times the size of the facets of '%s', and nodes keep what they have "
                  "opposite at the start\n  remedy: look at the unit of length, unless that is meant",
                  place_text(c->path, contact->interference.place, place, sizeof place), d, d / size,
                  contact->on.item[0].text);
  }
}

static void mark_nodes(const Mesh *mesh, const Group *group, uint8_t bit, uint8_t *is) {
  for (int32_t k = 0; k < group->n; ++k) {
    const int32_t *nodes = mesh_nodes_of(mesh, group->element[k]);
    const int32_t n = element_type(mesh_block_of(mesh, group->element[k])->kind)->n_node;
    for (int32_t a = 0; a < n; ++a) is[nodes[a]] |= bit;
  }
}

/* Marks of nodes: of `on` of some contact, of the other body of one. */
enum { OF_ON = 1, OF_BODY = 2 };

/* Solved elements with a face, or in the plane an edge, in what is marked as of `on`. */
static int32_t elements_at(const Mesh *mesh, const uint8_t *mark, int32_t *out) {
  int32_t n = 0;
  for (int32_t e = setup_first_solved(mesh); e < mesh->n_element; ++e) {
    const int32_t *nodes = mesh_nodes_of(mesh, e);
    int32_t marked = 0;
    for (int32_t a = 0; a < element_type(mesh_block_of(mesh, e)->kind)->n_vertex; ++a) marked += mark[nodes[a]] & OF_ON;
    if (marked >= mesh->dim) out[n++] = e;
  }
  return n;
}

/* Off the surface there is no pressure, and in the elements beside it only what is left of it on the way to their other nodes. */
static Status check_off(const Case *c, const CaseProbe *probe, const Mesh *mesh, const Location *at,
                        const uint8_t *mark, uint8_t bits) {
  static const double LITTLE = 0.02, HALF = 0.5;
  int32_t nodes[ELEMENT_MAX_NODES];
  double weight[ELEMENT_MAX_NODES], off = 1;
  char place[512];
  const int32_t n = mesh_location_nodes(mesh, at, nodes, weight);
  for (int32_t a = 0; a < n; ++a) off -= mark[nodes[a]] & bits ? weight[a] : 0;
  place_text(c->path, probe->at.place, place, sizeof place);
  CHECK(off <= HALF, ERR_INPUT,
        "%s: probe '%s' of %s lies on no surface of contact\n  allowed: places on the groups 'on'%s of 'contact'\n  "
        "remedy: the place of a node of such a group, or 'sums' over the group",
        place, probe->name.text, probe->field.text, bits & OF_BODY ? " and 'against'" : "");
  if (off > LITTLE)
    status_warn("%s: probe '%s' lies beside the surface of contact, and shows %.3g of its %s\n  remedy: a place on the "
                "facets, or that of a node",
                place, probe->name.text, 1 - off, probe->field.text);
  return OK;
}

/* What a contact knows its surface `on` knows: where a probe lies on both bodies, it is taken there. */
static Status probes_on_surfaces(ElasticRun *w) {
  static const double NEAR = 0.01; /* of the facets: chords of two meshes of one curve are so far apart */
  const Mesh *mesh = w->run->mesh;
  const ElasticSetup *own = elastic_setup(&w->setup);
  uint8_t *mark = NULL;
  int32_t *element = NULL;
  Status status = OK;
  ALLOC_DONE(mark, mesh->n_node, "nodes of contact");
  ALLOC_DONE(element, mesh->n_element, "elements of contact");
  double size = 0;
  for (int32_t o = 0; o < own->params.n_obstacle; ++o) {
    mark_nodes(mesh, own->obstacle[o].on, OF_ON, mark);
    if (own->obstacle[o].body) mark_nodes(mesh, own->obstacle[o].body, OF_BODY, mark);
    size = fmax(size, elasticity_contact(w->elasticity, o).size);
  }
  const int32_t n = elements_at(mesh, mark, element);
  for (int32_t i = 0; i < w->run->c->output.probes.n && n; ++i) {
    const CaseProbe *probe = case_probe(w->run->c, i);
    const int32_t row = own->probe[i].row;
    Location *at = &w->setup.probe[i], there;
    double x[3] = {probe->at.value[0], probe->at.value[1], mesh->x[mesh_nodes_of(mesh, element[0])[0]][2]};
    const uint8_t bits = row == ELASTIC_CONTACT_FORCE ? OF_ON | OF_BODY : OF_ON;
    if (row < ELASTIC_CONTACT_PRESSURE || row > ELASTIC_CONTACT_FORCE || probe->to.n) continue;
    const bool on = at->node >= 0 ? mark[at->node] & OF_ON : ascending_find(n, element, at->element) >= 0;
    if (!(bits & OF_BODY) && !on) {
      if (mesh->dim == 3) x[2] = probe->at.value[2];
      mesh_locate_among(mesh, x, n, element, &there);
      if (there.element < 0 && there.distance <= NEAR * size) {
        there.element = there.nearest;
        memcpy(there.xi, there.nearest_xi, sizeof there.xi);
      }
      if (there.element >= 0) *at = there;
    }
    TRY_DONE(check_off(w->run->c, probe, mesh, at, mark, bits));
  }
done:
  FREE(mark);
  FREE(element);
  return status;
}

/* Some facet of contact is in the group, or where it is of no facets, some node. */
static bool group_touches(const Mesh *mesh, const Group *on, const uint8_t *facet, const uint8_t *node) {
  bool any = false;
  for (int32_t k = 0; k < on->n && !any; ++k) {
    const int32_t e = on->element[k], *nodes = mesh_nodes_of(mesh, e);
    any = facet[e];
    for (int32_t a = 0; on->dim != mesh->dim - 1 && a < element_type(mesh_block_of(mesh, e)->kind)->n_node; ++a)
      any |= node[nodes[a]];
  }
  return any;
}

static bool is_of_contact(const CaseTable *t) {
  return t->field.value == TABLE_CONTACT_PRESSURE || t->field.value == TABLE_CONTACT_GAP ||
         t->field.value == TABLE_CONTACT_FORCE;
}

/* Sums and tables of groups that are in no contact would be 0. */
static Status groups_on_surfaces(const ElasticRun *w) {
  const Case *c = w->run->c;
  const Mesh *mesh = w->run->mesh;
  const ElasticSetup *own = elastic_setup(&w->setup);
  uint8_t *facet = NULL, *node = NULL;
  char place[512];
  Status status = OK;
  ALLOC_DONE(facet, mesh->n_element, "facets of contact");
  ALLOC_DONE(node, mesh->n_node, "nodes of contact");
  for (int32_t o = 0; o < 2 * own->params.n_obstacle; ++o) {
    const Group *group = o % 2 ? own->obstacle[o / 2].body : own->obstacle[o / 2].on;
    for (int32_t k = 0; group && k < group->n; ++k) facet[group->element[k]] = 1;
    if (group) mark_nodes(mesh, group, 1, node);
  }
  for (int32_t i = 0; i < c->output.sums.n && status == OK; ++i) {
    const CaseSum *sum = case_sum(c, i);
    if (sum->field.value != SUM_CONTACT_FORCE && sum->field.value != SUM_CONTACT_MOMENT) continue;
    if (!group_touches(mesh, w->setup.sum[i], facet, node))
      status = FAIL(ERR_INPUT,
                    "%s: sum '%s' of %s is over '%s', which is in no contact\n  allowed: groups with facets of 'on' or "
                    "'against' of 'contact'",
                    place_text(c->path, sum->place, place, sizeof place), sum->name.text, sum->field.text,
                    w->setup.sum[i]->name);
  }
  for (int32_t i = 0; i < c->output.tables.n && status == OK; ++i) {
    const CaseTable *table = case_table(c, i);
    if (is_of_contact(table) && !group_touches(mesh, w->setup.table[i], facet, node))
      status_warn("%s: the table of %s is over '%s', which is in no contact: it lists zeros\n  remedy: a group of 'on' "
                  "or 'against' of 'contact'",
                  place_text(c->path, table->place, place, sizeof place), table->field.text, w->setup.table[i]->name);
  }
done:
  FREE(facet);
  FREE(node);
  return status;
}

Status finite_contact_problem(ElasticRun *w, Problem *problem, StepperParams *params) {
  if (!elasticity_touches(w->elasticity)) return OK;
  finite_contact_doubt(w->run->c, w->elasticity);
  warnings_print();
  problem->statics.choose = contact_choose;
  params->max_newton = MOST;
  TRY(probes_on_surfaces(w));
  return groups_on_surfaces(w);
}

bool finite_contact_is_open(const ElasticRun *w) {
  const int32_t n = elasticity_contacts(w->elasticity);
  int32_t closed = 0;
  for (int32_t i = 0; i < n; ++i) closed += elasticity_contact(w->elasticity, i).n_closed;
  return n && !closed;
}

void finite_contact_open(const ElasticRun *w, Status why) {
  const int32_t n = elasticity_contacts(w->elasticity);
  const bool open = finite_contact_is_open(w);
  int32_t stick = 0;
  bool rubs = false;
  for (int32_t i = 0; i < n; ++i) {
    const ContactState s = elasticity_contact(w->elasticity, i);
    stick += s.n_stick, rubs |= s.rubs;
  }
  if (!open && !stick && rubs)
    (void)status_context(why,
                         "all closed nodes of contact slide: friction may not hold what pushes along the surface\n  "
                         "remedy: a displacement that is prescribed in place of the force");
  if (open)
    (void)status_context(
        why, "no node of contact is closed: what contact alone holds has to touch at the start\n  remedy: a "
             "displacement that is prescribed in place of the force, 'interference: 0', which closes the gaps "
             "of the mesh between two bodies, or a weak 'spring'");
}

/* Nodes keep their normals of the start, and what they touch there. */
static void warn_of_sliding(const RunContact *row, double turned, double size) {
  static const double MOST_ANGLE = 0.05, MOST_WAY = 0.5;
  if (row->slid > MOST_WAY * size)
    status_warn(
        "contact of '%s' with '%s': nodes have slid by up to %.4g, %.3g times the size of the facets, and press "
        "on the places that they had opposite at the start\n  remedy: bodies that start nearer to where they "
        "touch, or a smaller motion",
        row->name, row->against, row->slid, row->slid / size);
  if (turned > MOST_ANGLE)
    status_warn(
        "contact of '%s': normals of nodes are those of the start, and differ by up to %.3g degrees from those "
        "of the obstacle where nodes are now\n  remedy: an obstacle that starts nearer to where it touches, or a "
        "smaller motion",
        row->name, turned * 180 / acos(-1));
}

/* Has node i come closer to the one of the other body [n] that was nearest, and out of reach, than it was away? */
static bool has_passed(const Mesh *mesh, const double (*u)[3], int32_t n, const int32_t *other, double reach,
                       int32_t i) {
  double way[3], apart[3], least = INFINITY;
  int32_t nearest = -1;
  for (int32_t k = 0; k < n; ++k) {
    vec3_minus(mesh->x[other[k]], mesh->x[i], apart);
    if (vec3_dot(apart, apart) < least) least = vec3_dot(apart, apart), nearest = other[k];
  }
  if (nearest < 0 || !(least > reach * reach)) return false;
  vec3_minus(mesh->x[nearest], mesh->x[i], apart);
  vec3_minus(u[i], u[nearest], way);
  return vec3_dot(way, apart) > least;
}

/* Nodes that were out of reach at the start are not looked at, and would pass through the other body without a word. */
static Status warn_of_passing(const Mesh *mesh, const Obstacle *o, double reach, const double (*u)[3],
                              const char *when) {
  uint8_t *is = NULL;
  int32_t *other = NULL, n_other = 0, n = 0, first = -1;
  double most = 0;
  Status status = OK;
  ALLOC_DONE(is, mesh->n_node, "nodes of contact");
  ALLOC_DONE(other, mesh->n_node, "nodes of contact");
  mark_nodes(mesh, o->body, 1, is);
  mark_nodes(mesh, o->on, 2, is);
  for (int32_t k = 0; k < mesh->n_node; ++k) {
    if (!(is[k] & 1)) continue;
    other[n_other++] = k;
    most = fmax(most, sqrt(vec3_dot(u[k], u[k])));
  }
  for (int32_t i = 0; i < mesh->n_node; ++i) {
    const bool far = is[i] & 2 && sqrt(vec3_dot(u[i], u[i])) + most > reach;
    if (far && has_passed(mesh, u, n_other, other, reach, i) && n++ == 0) first = i;
  }
  if (n)
    status_warn("contact of '%s' with '%s': %d nodes were farther away than 'reach' at the start%s and have come "
                "closer by more "
                "than their distance, the first at (%g, %g, %g): nothing kept them from passing through\n  remedy: a "
                "larger 'reach' than %.4g, or %s",
                o->on->name, o->body->name, (int)n, when, mesh->x[first][0], mesh->x[first][1], mesh->x[first][2],
                reach, *when ? "shorter steps" : "bodies that start nearer to where they touch");
done:
  FREE(is);
  FREE(other);
  return status;
}

/* The same of a step of surfaces that slide, between two displacements of all nodes. */
Status finite_contact_passed(ElasticRun *w, const double (*from)[3], const double (*to)[3]) {
  const ElasticSetup *setup = elastic_setup(run_setup(w->run, &w->setup));
  Mesh then = *w->run->mesh;
  double(*way)[3] = NULL;
  Status status = OK;
  then.x = NULL;
  TRY_DONE(mem_alloc(then.n_node, sizeof *way, "motion of a step", (void **)(void *)&way));
  TRY_DONE(mem_alloc(then.n_node, sizeof *way, "motion of a step", (void **)(void *)&then.x));
  for (int32_t i = 0; i < then.n_node; ++i)
    for (int d = 0; d < 3; ++d) {
      then.x[i][d] = w->run->mesh->x[i][d] + from[i][d];
      way[i][d] = to[i][d] - from[i][d];
    }
  for (int32_t i = 0; i < setup->params.n_obstacle; ++i) {
    const Obstacle *o = &setup->obstacle[i];
    if (o->kind == OBSTACLE_BODY && o->slides)
      TRY_DONE(
          warn_of_passing(&then, o, elasticity_contact(w->elasticity, i).reach, (const double(*)[3])way, " of a step"));
  }
done:
  mem_free((void **)(void *)&way);
  mem_free((void **)(void *)&then.x);
  return status;
}

/* Of surfaces that slide, whose normals stay for a step. */
static void warn_of_turning(const ElasticRun *w) {
  static const double MOST_ANGLE = 0.05, MOST_LAG = 0.01;
  const FiniteRun *own = w->own;
  const double lag = own->lag[1] > 0 ? own->lag[0] / own->lag[1] : 0;
  if (own->turned > MOST_ANGLE)
    status_warn(
        "contact: in a step up to time %g pressures on surfaces that slide were along normals that differ by up "
        "to %.3g degrees from those of where it ended: forces along the surface may be wrong by %.2g of those "
        "across\n  remedy: shorter steps",
        own->turned_at, own->turned * 180 / acos(-1), own->turned);
  if (lag > MOST_LAG)
    status_warn(
        "contact: bodies that slide around bends and edges were dragged by up to %.2g of the forces across their "
        "surfaces, on the mean of %.0f steps, beside friction: pressures are along the normals of where a step "
        "was to end\n  remedy: shorter steps: half of it in steps half as long",
        lag, own->lag[1]);
}

static Status warn_of_passings(ElasticRun *w) {
  const ElasticSetup *setup = elastic_setup(run_setup(w->run, &w->setup));
  ElasticFields fields = {0};
  bool any = false;
  Status status = OK;
  for (int32_t i = 0; i < setup->params.n_obstacle; ++i) any |= setup->obstacle[i].kind == OBSTACLE_BODY;
  if (!any) return OK;
  TRY(elasticity_recover(w->elasticity, w->u, FIELD_DISPLACEMENT, &fields));
  for (int32_t i = 0; i < setup->params.n_obstacle && status == OK; ++i) {
    const Obstacle *o = &setup->obstacle[i];
    if (o->kind == OBSTACLE_BODY && !o->slides)
      status = warn_of_passing(w->run->mesh, o, elasticity_contact(w->elasticity, i).reach,
                               (const double(*)[3])fields.displacement, "");
  }
  elastic_fields_release(&fields);
  return status;
}

Status finite_contact_end(ElasticRun *w) {
  RunReport *report = w->run->report;
  const int32_t n = elasticity_contacts(w->elasticity);
  if (!n) return OK;
  FREE(report->contact);
  ALLOC(report->contact, n, "contact");
  report->n_contact = n;
  report->contact_updates = elasticity_contact_updates(w->elasticity, &report->contact_changes);
  for (int32_t i = 0; i < n; ++i) {
    const ContactState s = elasticity_contact(w->elasticity, i);
    RunContact *row = &report->contact[i];
    const CaseContact *contact = case_contact_at(w->run->c, i, NULL);
    *row = (RunContact){.name = contact->on.item[0].text,
                        .against = contact->against.group.n ? contact->against.group.item[0].text : NULL,
                        .n = s.n,
                        .n_closed = s.n_closed,
                        .n_stick = s.n_stick,
                        .force = {s.force[0], s.force[1], s.force[2]},
                        .penetration = s.penetration,
                        .slid = s.slid};
    if (!case_contact_slides(contact)) warn_of_sliding(row, s.turned, s.size);
    if (!s.n_closed && s.active && !isfinite(s.gap))
      status_warn("contact of '%s' is open in the end, and none of its nodes has anything opposite along its normal\n  "
                  "remedy: look at %s",
                  row->name, row->against ? "the groups, and 'reach'" : "'at', 'normal' or 'axis', and 'move'");
    if (!s.n_closed && s.active && isfinite(s.gap))
      status_warn("contact of '%s' is open in the end: the least gap is %.4g\n  remedy: look at %s the "
                  "loads, unless that is meant",
                  row->name, s.gap, row->against ? "the groups and" : "'at', 'move' and");
  }
  TRY(warn_of_passings(w));
  warn_of_turning(w);
  warnings_print();
  return OK;
}

void finite_contact_modes(ElasticRun *w) {
  const ElasticSetup *setup = elastic_setup(run_setup(w->run, &w->setup));
  char place[512];
  for (int32_t i = 0; i < elasticity_contacts(w->elasticity); ++i) {
    const ContactState s = elasticity_contact(w->elasticity, i);
    const CaseContact *contact = case_contact_at(w->run->c, i, NULL);
    if (s.n_closed == s.n_stick || obstacle_is_flat(&setup->obstacle[i])) continue;
    status_warn(
        "%s: modes: %d closed nodes of '%s' that do not stick keep their normals, while pressures turn with the "
        "surface: frequencies can be off by about the pressure over the elastic modulus",
        place_text(w->run->c->path, contact->against.place, place, sizeof place), s.n_closed - s.n_stick,
        contact->on.item[0].text);
  }
  warnings_print();
}

void finite_contact_save(const RunReport *report, Json *json) {
  if (!report->n_contact) return;
  json_integer(json, "contact_updates", report->contact_updates);
  json_integer(json, "contact_changes", report->contact_changes);
  json_array(json, "contact");
  for (int32_t i = 0; i < report->n_contact; ++i) {
    const RunContact *row = &report->contact[i];
    json_object(json, NULL);
    json_string(json, "on", row->name);
    if (row->against) json_string(json, "against", row->against);
    json_integer(json, "nodes", row->n);
    json_integer(json, "closed", row->n_closed);
    json_integer(json, "stick", row->n_stick);
    json_number(json, "force_x", row->force[0]);
    json_number(json, "force_y", row->force[1]);
    json_number(json, "force_z", row->force[2]);
    json_number(json, "penetration", row->penetration);
    if (row->against) json_number(json, "slid", row->slid);
    json_end(json);
  }
  json_end(json);
}

void finite_contact_print(const RunReport *report) {
  char a[32], b[32];
  for (int32_t i = 0; i < report->n_contact; ++i) {
    const RunContact *row = &report->contact[i];
    printf("contact      %s%s%s: %s of %s nodes closed, force on the body (%.6g, %.6g, %.6g), penetration %.2g\n",
           row->name, row->against ? " against " : "", row->against ? row->against : "", count_text(row->n_closed, a),
           count_text(row->n, b), row->force[0], row->force[1], row->force[2], row->penetration);
  }
  if (report->n_contact)
    printf("sets         changed %s times, %s nodes in all\n", count_text(report->contact_updates, a),
           count_text(report->contact_changes, b));
}
