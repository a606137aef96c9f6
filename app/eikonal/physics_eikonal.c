/* The eikonal equation as the program sees it: its table, a case against its mesh, and what `sinew check` says. */
#include "app/eikonal/case_eikonal.h"
#include "app/monodomain/case_monodomain.h"
#include "app/monodomain/intervals.h"
#include "app/monodomain/purkinje.h"
#include "app/run/run.h"
#include "output/wording.h"

#include <stdio.h>

Status setup_eikonal(const Case *c, const Mesh *mesh, Setup *setup, Diagnostics *diagnostics) {
  TRY(setup_take_own(setup, sizeof(HeartSetup), heart_setup_release));
  heart_setup(setup)->diffusion.mesh = mesh;
  const int32_t before = diagnostics->n;
  TRY(setup_tissue(c, mesh, setup, diagnostics));
  TRY(setup_purkinje(c, mesh, setup, diagnostics));
  TRY(setup_stimuli(c, mesh, setup, diagnostics));
  if (case_leads(c)) TRY(setup_torso(c, mesh, setup, diagnostics));
  if (diagnostics->n > before) return OK;
  setup_warn_fibres(c, mesh, "velocity");
  setup_warn_swapped(c, setup, "velocity");
  setup_warn_velocities(c, mesh, setup, true);
  setup_warn_starts(c, mesh, setup);
  return OK;
}

static void print_velocity(const char *of, const NumberValue *v, const VaryingValue *varying, double mean) {
  if (place_given(v->place)) printf("%s %g mm/ms%s", of, mean, place_given(varying->place) ? " in the mean" : "");
}

static Status print_trees(const Case *c, const Mesh *mesh, const Setup *setup) {
  Text text = {0};
  purkinje_text(c, mesh, setup, &text);
  if (text.n) printf("%s", text.data);
  const Status status = text.status;
  text_release(&text);
  return status == OK ? OK : FAIL(status, "not enough memory for the list of trees");
}

static Status eikonal_inspect(Inspection *k) {
  char n[32], name[32];
  const Case *c = k->c;
  TRY(setup_rules(c, k->mesh, k->exec, k->setup));
  if (k->quiet) return OK;
  printf("# eikonal\nunknowns: %s\n", count_text(k->mesh->n_node, n));
  for (int32_t t = 0; t < c->materials.n; ++t) {
    const CaseDiffusivity *v = &heart_tissue(c, t)->diffusivity;
    printf("tissue       %s:", heart_tissue(c, t)->on.item[0].text);
    const double *mean = heart_setup(k->setup)->mean[t].D;
    print_velocity(place_given(v->across.place) ? " along" : "", &v->along, &v->varying[0], mean[0]);
    print_velocity(", across", &v->across, &v->varying[1], mean[1]);
    print_velocity(", normal", &v->normal, &v->varying[2], mean[2]);
    printf("\n");
  }
  TRY(print_trees(c, k->mesh, k->setup));
  for (int32_t i = 0; i < c->stimuli.n; ++i) {
    const CaseStimulus *s = case_stimulus(c, i);
    const int32_t hit = heart_setup(k->setup)->stimulus[i].n;
    printf("start        %s: %s node%s at %g ms\n", stimulus_name(s, i, name), count_text(hit, n), hit == 1 ? "" : "s",
           s->start.value);
  }
  printf("\n");
  return OK;
}

static const char *column_unit(const Case *c, const Units *units, int32_t i) {
  if (i >= c->output.probes.n + case_leads(c)) return "mm/ms";
  if (i >= c->output.probes.n) return place_given(c->output.medium.place) ? units_text(units, UNIT_POTENTIAL) : "";
  return units_text(units,
                    eikonal_field[field_part(eikonal_field, N_EIKONAL_FIELDS, case_probe(c, i)->field.text).row].unit);
}

static void eikonal_print_intervals(const RunReport *report, const Case *c) {
  (void)c;
  if (report->converged && !report->finished_before) intervals_print(report);
}

static const char *eikonal_instead(const Case *c) {
  (void)c;
  return ", or under 'without:' to leave them out";
}

static const char *const point_keys[] = {"tissue", "stimuli", NULL};

const Physics eikonal_physics = {.name = "eikonal",
                                 .region = "tissue",
                                 .regions = "tissue",
                                 .instead = eikonal_instead,
                                 .by_velocity = true,
                                 .schema = &eikonal_schema,
                                 .check = eikonal_check,
                                 .release = monodomain_release,
                                 .n_component = 1,
                                 .add_to_mesh = purkinje_add,
                                 .bind = setup_eikonal,
                                 .solve_setup = setup_rules,
                                 .units = "mm ms mV",
                                 .step_unit = UNIT_TIME,
                                 .column_unit = column_unit,
                                 .inspect = eikonal_inspect,
                                 .cost = {.build = 20e-6, .launch = 1e-3},
                                 .print_steps = eikonal_print_intervals,
                                 .cut = front_cut,
                                 .shares = true,
                                 .run = run_eikonal,
                                 .run_together = eikonal_together,
                                 .point_keys = point_keys};
