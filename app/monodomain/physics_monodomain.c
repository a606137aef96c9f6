/* The heart as the program sees it: its table, and what `sinew check` says. */
#include "app/monodomain/layers.h"
#include "app/monodomain/case_monodomain.h"
#include "app/monodomain/intervals.h"
#include "app/monodomain/heart.h"
#include "app/monodomain/purkinje.h"
#include "app/monodomain/setup_heart.h"
#include "output/wording.h"
#include "core/memory.h"
#include "physics/import/imported.h"

#include <math.h>
#include <stdio.h>

/* With warnings, which are there when quiet too. */
static Status stimuli_print(const Inspection *k, const Monodomain *monodomain) {
  double *mass = NULL, *nodal = NULL;
  Text text = {0};
  Diffusion *diffusion = monodomain_diffusion(monodomain);
  const int64_t n = diffusion_dofs(diffusion);
  Status status;
  ALLOC(nodal, k->mesh->n_node, "lumped mass");
  TRY_DONE(exec_alloc(k->exec, n, sizeof *mass, "lumped mass", (void **)&mass));
  TRY_DONE(diffusion_lumped_mass(diffusion, mass));
  TRY_DONE(diffusion_download(diffusion, mass, nodal));
  TRY_DONE(setup_warn_stimuli(k->c, k->mesh, k->setup, nodal));
  TRY_DONE(setup_warn_rest(k->c, k->setup));
  setup_warn_wave(k->c, k->setup);
  purkinje_text(k->c, k->mesh, k->setup, &text);
  layers_text(k->c, k->setup, &text);
  augment_text(k->c, k->setup, &text);
  front_text(k->c, k->setup, &text);
  wave_text(k->c, k->setup, &text);
  stimuli_text(k->c, k->mesh, k->setup, nodal, &text);
  electrodes_text(k->c, k->setup, &text);
  status = text.status == OK ? OK : FAIL(text.status, "not enough memory for the list of stimuli");
  if (status == OK && text.n && !k->quiet) printf("%s", text.data);
done:
  text_release(&text);
  EXEC_RELEASE(k->exec, mass, n);
  FREE(nodal);
  return status;
}

static Status problem_print(const Inspection *k, const Monodomain *monodomain) {
  char n[32];
  const Case *c = k->c;
  const CaseTime *time = &c->time;
  printf("# monodomain\nunknowns: %s\n", count_text(diffusion_unknowns(monodomain_diffusion(monodomain)), n));
  for (int32_t t = 0; t < c->materials.n; ++t) {
    const CaseTissue *tissue = heart_tissue(c, t);
    const IonicConstants constants = monodomain_constants_of(&tissue->ionic);
    double states[IONIC_STATES];
    char model[IONIC_TEXT], text[IMPORTED_TEXT];
    const IonicType *type = ionic_type(constants.kind);
    const char *preset = tissue->ionic.preset.text;
    printf("tissue       %s: %s%s%s, rests at %g mV\n", tissue->on.item[0].text, ionic_text(constants.kind, model),
           preset ? ", preset " : "", preset ? preset : "", type->rest(&constants, states));
    if (type->program) printf("             from a file: %s\n", imported_text(constants.kind, text));
  }
  TRY(stimuli_print(k, monodomain));
  if (heart_may_solve(c))
    printf("scheme       explicit stages; or, where a step would need more than %d of them on this mesh, %s\n",
           HEART_STAGES_MOST, heart_scheme_solves.text);
  printf("step bound   %.4g ms: beyond it %s\n", monodomain_step_bound(c), heart_beyond_bound(c));
  if (!place_given(time->adaptive.place))
    printf("steps in time: %s\n", count_text((int64_t)ceil(time->end.value / time->step.value - 1e-9), n));
  return OK;
}

static Status heart_inspect(Inspection *k) {
  Monodomain *monodomain = NULL;
  TRY(setup_heart_rules(k->c, k->mesh, k->exec, k->setup));
  TRY(setup_warn_steps(k->c, &k->c->time.scheme, k->setup));
  TRY(setup_wave(k->c, k->mesh, k->exec, k->setup));
  const MonodomainParams params = heart_params(k->c, k->setup);
  TRY(monodomain_create(k->exec, &params, &monodomain));
  const Status status = k->quiet ? stimuli_print(k, monodomain) : problem_print(k, monodomain);
  monodomain_destroy(&monodomain);
  return status;
}

static const char *column_unit(const Case *c, const Units *units, int32_t i) {
  if (i >= c->output.probes.n + case_leads(c)) return "mm/ms";
  const bool volt = place_given(c->output.medium.place) || c->torso.n;
  if (i >= c->output.probes.n) return volt ? units_text(units, UNIT_POTENTIAL) : "";
  const int32_t field = case_probe(c, i)->field.value;
  const UnitKind unit = heart_field[field < HEART_PROBE_MAP ? field : field - HEART_PROBE_MAP + HEART_MAP_ROW].unit;
  return unit == UNIT_NONE ? "" : units_text(units, unit);
}

static void heart_save_steps(const RunReport *report, Json *json) {
  report_save_steps(report, json);
  json_integer(json, "newton_iterations", report->heart.newton);
  json_integer(json, "cg_iterations", report->linear.iterations);
  if (report->heart.stages) {
    json_integer(json, "stages", report->heart.stages);
    json_integer(json, "raised_nodes", report->heart.n_raised);
    json_number(json, "added_mass", report->heart.added);
  }
  json_number(json, "real_time_factor", report->heart.real_time);
  if (report->heart.lead_solves) {
    json_integer(json, "lead_solves", report->heart.lead_solves);
    json_integer(json, "lead_iterations", report->heart.lead_iterations);
    json_number(json, "lead_seconds", report->heart.lead_seconds);
  }
  if (!report->heart.outside_solves) return;
  json_integer(json, "extracellular_solves", report->heart.outside_solves);
  json_integer(json, "extracellular_iterations", report->heart.outside_iterations);
  json_number(json, "extracellular_seconds", report->heart.outside_seconds);
}

/* What waves did, where it was asked for. */
static void heart_print_waves(const RunReport *report, const Case *c) {
  if (report->finished_before || !report->converged) return; /* nothing was looked at */
  if (heart_has_filaments(c) && report->heart.reentry > 0)
    printf("reentry      of %.6g ms, the longest; %d filament%s at the end; all in tracks.csv\n", report->heart.reentry,
           (int)report->heart.filaments, report->heart.filaments == 1 ? "" : "s");
  else if (heart_has_filaments(c)) printf("reentry      none\n");
  intervals_print(report);
}

static void heart_print_steps(const RunReport *report, const Case *c) {
  char a[32], b[32], d[32];
  if (report->heart.stages) {
    printf("time         %g ms after %s steps; %.4g steps/s, %.3g times real time\n", report->time,
           count_text(report->steps, a), report_steps_per_second(report), report->heart.real_time);
  } else
    printf("time         %g ms after %s steps (%s rejected), %s Newton steps; %.4g steps/s, %.3g times real time\n",
           report->time, count_text(report->steps, a), count_text(report->rejected, b),
           count_text(report->heart.newton, d), report_steps_per_second(report), report->heart.real_time);
  heart_print_waves(report, c);
}

static const char *heart_instead(const Case *c) {
  if (heart_is_bidomain(c) || heart_is_augmented(c)) return " or 'bath:', or under 'without:' to leave them out";
  return c->torso.n ? " or 'torso:', or under 'without:' to leave them out"
                    : ", under 'torso:' where they are conductors around the heart, or under "
                      "'without:' to leave them out";
}

static const char *const point_keys[] = {"tissue", "stimuli", "initial", NULL};

const Physics monodomain_physics = {.name = "monodomain",
                                    .region = "tissue",
                                    .regions = "tissue",
                                    .instead = heart_instead,
                                    .schema = &monodomain_schema,
                                    .check = monodomain_check,
                                    .release = monodomain_release,
                                    .n_component = 1,
                                    .add_to_mesh = purkinje_add,
                                    .bind = setup_monodomain,
                                    .solve_setup = setup_solves,
                                    .rehearse_whole = rehearse_torso,
                                    .units = "mm ms mV",
                                    .step_unit = UNIT_TIME,
                                    .column_unit = column_unit,
                                    .save_steps = heart_save_steps,
                                    .print_steps = heart_print_steps,
                                    .inspect = heart_inspect,
                                    .cut = heart_cut,
                                    .takes_over = true,
                                    .shares = true,
                                    .own_solver = true,
                                    .cost = {.build = 15e-6, .step = 0.2e-6, .launch = 1e-4},
                                    .steps = run_steps,
                                    .run = run_monodomain,
                                    .run_together = hearts_together,
                                    .point_keys = point_keys};
