/* Contact in load steps: between Newton's method and the equation, and what is said of it in the end. */
#include "app/elasticity/case_elasticity.h"
#include "app/elasticity/finite.h"
#include "assembly/elasticity/contacts.h"
#include "core/memory.h"
#include "output/json.h"
#include "output/wording.h"

#include <math.h>
#include <stdio.h>

/* Newton steps of a load step at most, where sets change. */
enum { MOST = 100 };

static Status contact_choose(void *context, const Stage *stage, double *u, bool *changed) {
  (void)stage;
  return elasticity_contact_update(((const ElasticRun *)context)->elasticity, u, changed);
}

void finite_contact_problem(ElasticRun *w, Problem *problem, StepperParams *params) {
  if (!elasticity_touches(w->elasticity)) return;
  problem->statics.choose = contact_choose;
  params->max_newton = MOST;
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
    const CaseContact *contact = case_contact(w->run->c, i);
    *row = (RunContact){.name = contact->on.item[0].text,
                        .against = contact->against.group.n ? contact->against.group.item[0].text : NULL,
                        .n = s.n,
                        .n_closed = s.n_closed,
                        .force = {s.force[0], s.force[1], s.force[2]},
                        .penetration = s.penetration,
                        .slid = s.slid};
    warn_of_sliding(row, s.turned, s.size);
    if (!s.n_closed)
      status_warn("contact of '%s' is open in the end: the least gap is %.4g\n  remedy: look at %s the "
                  "loads, unless that is meant",
                  row->name, s.gap, row->against ? "the groups and" : "'at', 'move' and");
  }
  warnings_print();
  return OK;
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
