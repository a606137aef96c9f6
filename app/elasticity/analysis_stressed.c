/* Natural modes about the state in which load steps at finite strain leave a body: these steps, and then the lowest modes of their tangent,
 * with the stress, the shape and what materials remember (analysis_modal.c has both halves of it). docs/theory/modal.md. */
#include "app/elasticity/case_elasticity.h"
#include "app/elasticity/finite.h"
#include "app/elasticity/modal.h"
#include "app/run/run.h"
#include "assembly/elasticity/augmented.h"

static void refuse(const char *what, Place place, Diagnostics *out) {
  if (place_given(place))
    report_error(
        out, place,
        "%s beside modes about a state of finite strain is not understood\n  remedy: leave it or 'analysis' out", what);
}

static void stressed_check(Case *c, Diagnostics *out) {
  finite_check(c, out);
  case_check_density(c, "modal", out);
  modal_check_expected(c, out);
  if (place_given(c->analysis.place) && !c->analysis.prestress.value)
    report_error(
        out, c->analysis.place,
        "modes at finite strain are those of a body under its load\n  remedy: 'prestress: true', or 'strain: small'");
  if (c->model.text && case_axisymmetric(c))
    report_error(out, c->model.place,
                 "model 'axisymmetric' has no modes under stress, as they need not be the same all around; use '3d'");
  for (int32_t k = 0; k <= c->steps.n; ++k) {
    const MapsValue *boundary = case_list(c, k, false), *body = case_list(c, k, true);
    for (int32_t i = 0; i < boundary->n; ++i) {
      const CaseBoundary *b = maps_item(boundary, sizeof(CaseBoundary), i);
      refuse("rigid", b->rigid.place, out);
    }
    for (int32_t i = 0; i < body->n; ++i)
      refuse("centrifugal", ((const CaseBody *)maps_item(body, sizeof(CaseBody), i))->centrifugal.place, out);
  }
}

/* The matrix is all of the tangent where no pressures are unknowns beside it. */
Status stressed_begin(const ElasticRun *w) {
  const Case *c = w->run->c;
  char place[512];
  CHECK(!elasticity_is_augmented(w->elasticity), ERR_INPUT,
        "%s: modes about a state of finite strain need elements without a mean dilatation\n  remedy: 'formulation: "
        "displacement', with 'mesh: {order: 2}'",
        place_text(c->path, c->analysis.place, place, sizeof place));
  if (((const FiniteRun *)w->own)->free_rim)
    status_warn(
        "%s: pressure follows a surface whose rim is free, so that its tangent is not symmetric: modes are those of "
        "the "
        "symmetric half, and frequencies can be off by some per cent\n  remedy: 'follower: false' where the pressure "
        "keeps its direction, or a surface whose rim is held",
        place_text(c->path, c->analysis.place, place, sizeof place));
  return OK;
}

static Status stressed_end(ElasticRun *w) {
  finite_contact_modes(w);
  return modal_of_state(w);
}

static void stressed_save(const RunReport *report, Json *json) {
  finite_save(report, json);
  modal_save_modes(report, json);
}
static void stressed_print(const RunReport *report, const Case *c) {
  finite_print(report, c);
  modal_print_modes(report, c);
}

const Analysis stressed_analysis = {.fields = FIELDS_FINITE,
                                    .like = &finite_analysis,
                                    .end = stressed_end,
                                    .physics = {LOAD_STEPS_OF_ONE_RANK(ANALYSIS_STRESSED | ANALYSIS_LARGE_STEPS),
                                                .analysis = "modal", .strain = "finite", .check = stressed_check,
                                                .step_unit = UNIT_NONE, .save_steps = stressed_save,
                                                .print_steps = stressed_print}};
