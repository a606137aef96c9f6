/* Time per phase of a step: some more steps of a heart under a Profile. */
#include "bench/heart/heart_run.h"
#include "bench/heart/profile.h"

#include <string.h>

enum { FIRST = 5, COUNTED = 8 }; /* steps until extrapolations have their history again; steps that count */

const char *heart_phase_name(HeartPhase phase) {
  static const char *const names[HEART_PHASES] = {"cells", "assembly", "products", "solver", "update", "copies"};
  return names[phase];
}

/* What kernels begin with; products are named after their format. */
static const struct {
  const char *begins;
  HeartPhase phase;
} KERNELS[] = {
    {"monodomain_simple", HEART_ASSEMBLY},  {"monodomain_gather", HEART_ASSEMBLY},
    {"monodomain_tangent", HEART_ASSEMBLY}, {"monodomain_support", HEART_ASSEMBLY},
    {"monodomain_current", HEART_UPDATE},   {"monodomain_", HEART_CELLS},
    {"evolution_correct", HEART_SOLVER},    {"evolution_", HEART_UPDATE},
    {"low_bit_", HEART_PRODUCTS},           {PROFILE_COPIES, HEART_COPIES},
#define FORMAT(id, name, meaning) {#id "_", HEART_PRODUCTS},
#include "algebra/formats.def"
#undef FORMAT
};

static HeartPhase phase_of(const char *kernel) {
  for (size_t k = 0; k < sizeof KERNELS / sizeof *KERNELS; ++k)
    if (!strncmp(kernel, KERNELS[k].begins, strlen(KERNELS[k].begins))) return KERNELS[k].phase;
  return HEART_SOLVER;
}

static Status walk(HeartRun *h, Profile *profile) {
  const ProfileRow *row;
  StepReport step;
  int64_t steps = 0;
  int n;
  for (int64_t done = 0; done < FIRST; done += step.steps) TRY(stepper_step(h->stepper, 1, &step));
  TRY(profile_reset(profile));
  for (; !stepper_done(h->stepper); steps += step.steps) TRY(stepper_step(h->stepper, COUNTED, &step));
  TRY(profile_rows(profile, &row, &n));
  for (int k = 0; k < n; ++k) h->phase[phase_of(row[k].name)] += row[k].seconds / (double)steps;
  return OK;
}

Status heart_run_profile(HeartRun *h) {
  static const double NEVER = 1e6; /* ms */
  const int32_t steps = FIRST + (h->counted < COUNTED ? h->counted : COUNTED);
  Profile *profile = NULL;
  stepper_destroy(&h->stepper);
  linear_destroy(&h->solver);
  TRY(profile_begin(h->exec, &profile));
  Status status = heart_run_linear(h);
  if (status == OK) status = heart_run_stepper(h, NEVER, steps);
  if (status == OK) status = walk(h, profile);
  stepper_destroy(&h->stepper);
  linear_destroy(&h->solver);
  profile_end(&profile);
  return status;
}
