/* What a run in steps says of itself: flow that is too large for a step, laws that give way, and why it ended where it did. */
#include "app/elasticity/case_elasticity.h"
#include "app/elasticity/finite.h"
#include "assembly/elasticity/augmented.h"
#include "assembly/elasticity/contacts.h"
#include "assembly/elasticity/turning.h"
#include "core/clock.h"
#include "output/wording.h"
#include "physics/material.h"

#include <math.h>
#include <stdio.h>

static FiniteRun *own(const ElasticRun *w) { return w->own; }

/* Residuals are relative to external forces and reactions. */
void finite_tell_iteration(void *context, const NewtonIteration *it) {
  ElasticRun *w = context;
  const Run *run = w->run;
  own(w)->relative = it->relative;
  if (run->params->quiet || run->rehearsed || !run_is_root(run)) return;
  if (!own(w)->headed)
    printf("    step        time  iteration   residual  correction  line search      CG   seconds\n");
  own(w)->headed = true;
  printf("%8lld  %10.5g  %9d  %9.2e", (long long)run->report->steps + 1, it->time, (int)it->step, own(w)->relative);
  if (it->step > 0) printf("  %10.3e  %11.3g  %6lld", it->correction, it->length, (long long)it->iterations);
  else printf("  %10s  %11s  %6s", "", "", "");
  printf("  %8.2f\n", clock_seconds() - own(w)->begin);
  fflush(stdout);
}

/* A step whose direction of flow is that of its end. */
void finite_warn_of_flow(const ElasticRun *w) {
  static const char *const what[FLOW_PARTS] = {"adds an equivalent plastic strain of %.3g",
                                               "turns the direction of flow by 1 - cos = %.3g"};
  static const double MOST = 0.05;
  const RunReport *report = w->run->report;
  for (int part = 0; part < FLOW_PARTS; ++part) {
    const RunLoadStep *most = NULL;
    char text[96];
    for (int32_t k = 0; k < report->n_load_step; ++k)
      if (!most || report->load_step[k].flow[part] > most->flow[part]) most = &report->load_step[k];
    if (!most || !(most->flow[part] > MOST)) continue;
    snprintf(text, sizeof text, part == FLOW_STRAIN ? what[FLOW_STRAIN] : what[FLOW_DIRECTION], most->flow[part]);
    const bool moves = elastic_has(w->run->c, HAS_INERTIA);
    status_warn("the %sstep to time %g %s at a point, above %g: its error, which no residual shows, is of that order\n"
                "  remedy: a shorter 'step', or 'adaptive: {%sstrain: 2e-3}' in '%s'",
                moves ? "" : "load ", most->time, text, MOST, moves ? "tolerance: 1e-3, " : "",
                moves ? "steps:" : "time:");
  }
  warnings_print();
}

/* What the shortest of steps says that meets a tangent which is not positive definite. */
static Status limit_met(const ElasticRun *w, Status why) {
  const Run *run = w->run;
  const bool open = finite_contact_is_open(w);
  char first[512];
  snprintf(first, sizeof first, "%.*s", (int)strcspn(status_message(), "\n"), status_message());
  return FAIL(
      why,
      "%sthe load is at a limit point at time %g, or the body buckles, or a material gives way: beyond, the tangent "
      "is not positive definite\n  allowed: loads up to those of that time\n  remedy: %sto pass the limit prescribe "
      "a displacement, 'fix' with t, in place of the force, or the 'volume' of the cavity in that of the "
      "pressure; 'solver: {method: direct}' goes on with such tangents, on the CPU%s\n  %s",
      open ? "nothing touches, and a part that contact alone holds is free; or " : "", run->report->time,
      open ? "move that part by 'fix' with t until it touches, or hold it by a weak 'spring'; " : "",
      elasticity_is_augmented(w->elasticity)
          ? "; a body that hardly changes its volume is solved by one that is softer there, which can give way some "
            "ten "
            "per cent before it buckles: 'formulation: displacement', where elements do not lock, goes to the point"
          : "",
      first);
}

/* The same of steps that do not become shorter. */
static Status limit_beyond(const Run *run, Status why) {
  return FAIL(
      why,
      "the tangent is not positive definite between the times %g and %g: the load reaches a limit point, or the "
      "body buckles, or a material gives way, or the step is too long\n  allowed: steps that end before\n  remedy: "
      "without 'adaptive: false' a run goes as far as it can and says how far; to pass a limit prescribe a "
      "displacement, 'fix' with t, in place of the force, or the 'volume' of the cavity in that of the pressure; "
      "'solver: {method: direct}' goes on with such tangents, on the CPU",
      run->report->time, fmin(run->report->time + run->c->time.step.value, run->c->time.end.value));
}

static bool is_linear(const Case *c, int32_t m) { return material_type(case_material(c, m)->type.value)->shape.linear; }

/* Saint Venant and Kirchhoff's law bears no more than at a stretch of 1 / sqrt(3), where it gives way. */
static void warn_of_linear(const ElasticRun *w, const ElasticFields *fields) {
  static const double SOFT = 0.75; /* a third of the stiffness of before */
  const Run *run = w->run;
  const int32_t *material = elastic_setup(&w->setup)->params.element_material;
  double least = SOFT;
  const double *x = NULL;
  for (int32_t e = 0; e < run->mesh->n_element; ++e) {
    const ElementType *type = element_type(mesh_block_of(run->mesh, e)->kind);
    const int32_t *nodes = mesh_nodes_of(run->mesh, e);
    if (material[e] < 0 || !is_linear(run->c, material[e])) continue;
    for (int32_t a = 0; a < type->n_node; ++a)
      if (fields->stretches[nodes[a]][2] < least) least = fields->stretches[nodes[a]][2], x = run->mesh->x[nodes[a]];
  }
  if (!x) return;
  status_warn("a linear material is pressed to the stretch %.3g near (%g, %g, %g): at finite strain its law is Saint "
              "Venant-Kirchhoff, which softens below 0.577\n  remedy: 'type: neo-hooke' with the same young and "
              "poisson",
              least, x[0], x[1], x[2]);
  warnings_print();
}

Status finite_check_linear_laws(ElasticRun *w) {
  ElasticFields fields;
  bool any = false;
  for (int32_t m = 0; m < w->run->c->materials.n; ++m) any = any || is_linear(w->run->c, m);
  if (!any || w->run->share || !elastic_has(w->run->c, HAS_LARGE_STRAIN)) return OK; /* or the mesh is in parts */
  TRY(elasticity_recover(w->elasticity, w->u, FIELD_STRETCHES, &fields));
  warn_of_linear(w, &fields);
  elastic_fields_release(&fields);
  return OK;
}

/* Beyond about 60 degrees from its base it may be that the nodes that say the turn of a group say it no more. */
static void far_turned(const ElasticRun *w, Status why) {
  static const double FAR = 45;
  double degrees;
  const char *where;
  const bool stays = elasticity_slides(w->elasticity);
  if (elasticity_turned_most(w->elasticity, &degrees, &where) != OK || degrees < FAR) return;
  status_context(why,
                 "likely: the rigid group at %s has turned by about %.0f degrees %s, and its turn is found from "
                 "displacements up to some 60 only\n  remedy: %s",
                 where, degrees, stays ? "since the start" : "in this step",
                 stays ? "beside 'sliding: finite' 'fix' of its rotation, or of the part of it that is large"
                       : "a shorter 'step'");
}

/* Something prescribed that changes in the shortest step by more than half of what it changes in a whole one. */
static void say_jump(const ElasticRun *w, Status why) {
  static const double SHORTEST = 1e-3, MOST = 0.5; /* of a step: as short as it is cut */
  static const double at[2][3] = {{0, 0, 0}, {0.37, 0.61, 0.83}};
  const Case *c = w->run->c;
  const double t = w->run->report->time,
               step = c->steps.n ? case_step(c, case_step_at(c, nextafter(t, INFINITY) * (1 + 1e-9)))->step.value
                                 : c->time.step.value;
  const MapsValue *acting = case_acting(c);
  char place[512];
  for (int32_t i = 0; i < acting->n; ++i)
    for (int p = 0; p < 2 * CASE_PARTS; ++p) {
      const ExprValue *value = case_part_of(maps_item(acting, sizeof(CaseBoundary), i), p / 2);
      if (!place_given(value->place) || !expr_is_timed(&value->expr)) continue;
      const double was = expr_value(&value->expr, at[p % 2], t),
                   is = expr_value(&value->expr, at[p % 2], t + SHORTEST * step);
      if (!(fabs(is - was) > MOST * fabs(expr_value(&value->expr, at[p % 2], t + step) - was))) continue;
      status_context(
          why,
          "%s: what is prescribed goes from %g to %g at once at t = %g, for which no step is short enough\n  "
          "remedy: an expression or a table that goes there over a step",
          place_text(c->path, value->place, place, sizeof place), was, is, t);
      return;
    }
}

/* What is likely, for the message of a step that failed. */
void finite_say_why(const ElasticRun *w, Status why, bool indefinite) {
  const Run *run = w->run;
  if (why == ERR_NUMERIC && indefinite && !elastic_has(run->c, HAS_INERTIA))
    own(w)->cuts ? limit_met(w, why) : limit_beyond(run, why);
  if (why == ERR_NUMERIC && own(w)->free_rim && !own(w)->eliminates)
    status_context(
        why, "likely: the rim of a surface with follower pressure is free: the tangent is not symmetric, and its "
             "symmetric part does not always converge\n  remedy: 'solver: {method: direct}' (on the CPU), a part of "
             "the body that ends at its planes of symmetry, a rim that is held, or 'follower: false'");
  if (why == ERR_NUMERIC && !elastic_has(run->c, HAS_CELLS)) say_jump(w, why);
  if (why == ERR_NUMERIC) far_turned(w, why);
  if (why == ERR_NUMERIC && !finite_contact_is_open(w)) (void)elasticity_contact_unsettled(w->elasticity, why);
  if (why == ERR_NUMERIC) finite_contact_open(w, why);
  if (why == ERR_NUMERIC) finite_slide_hint(w, why);
  status_context(why, "in the %s from time %g, the last that is solved and stored",
                 elastic_has(run->c, HAS_INERTIA) ? "step" : "load step", run->report->time);
}

void finite_save(const RunReport *report, Json *json) {
  json_number(json, "time", report->time);
  json_integer(json, "steps", report->steps);
  json_integer(json, "failed_steps", report->rejected);
  json_integer(json, "newton_iterations", report->heart.newton);
  json_integer(json, "linear_solves", report->linear.solves);
  json_array(json, "load_steps");
  for (int32_t k = 0; k < report->n_load_step; ++k) {
    const RunLoadStep *row = &report->load_step[k];
    json_object(json, NULL);
    json_number(json, "time", row->time);
    json_integer(json, "newton", row->newton);
    json_integer(json, "iterations", row->iterations);
    json_integer(json, "failed", row->failed);
    json_number(json, "residual", row->residual);
    if (row->flow[0] > 0) json_number(json, "plastic_strain", row->flow[0]);
    if (row->flow[1] > 0) json_number(json, "change_of_direction", row->flow[1]);
    json_end(json);
  }
  json_end(json);
  json_number(json, "external_work", report->energies.external);
  if (report->has_energies) json_number(json, "dissipated_energy", report->energies.dissipated);
  finite_contact_save(report, json);
  finite_bolts_save(report, json);
}

void finite_print(const RunReport *report, const Case *c) {
  char a[32], b[32], d[32];
  printf("time         %g after %s steps, %s Newton steps", report->time, count_text(report->steps, a),
         count_text(report->heart.newton, b));
  if (report->rejected) printf(", %s cut", count_text(report->rejected, d));
  printf("; %.3g iterations each",
         report->heart.newton ? (double)report->linear.iterations / (double)report->heart.newton : 0.0);
  if (report->linear.solves > report->heart.newton)
    printf(", in %s linear solves", count_text(report->linear.solves, d));
  printf("\n");
  if (report->has_energies && !elastic_has(c, HAS_INERTIA))
    printf("energies     dissipated %.6g; loads and supports have done %.6g\n", report->energies.dissipated,
           report->energies.external);
  finite_contact_print(report);
  finite_bolts_print(report);
}
