/* Between the files of elasticity: its keys, and a harmonic case, which is one with `analysis: {type: harmonic}`. */
#pragma once
#include "app/input/physics.h"

extern const Physics harmonic_physics;
extern const Word case_model_words[];
extern const Schema elasticity_schema, harmonic_schema;
extern const Schema case_elastic_material_schema, case_elastic_boundary_schema, case_elastic_body_schema;
/* Words of a probe, in the order that static (PROBE_...) and harmonic elasticity share. */
/* clang-format off */
#define ELASTIC_PROBE_WORDS                                                                                            \
  {"displacement-x", false}, {"displacement-y", false}, {"displacement-z", false}, {"stress-xx", false},               \
      {"stress-yy", false}, {"stress-zz", false}, {"stress-xy", false}, {"stress-yz", false}, {"stress-xz", false},    \
      {"von-mises", false}
/* clang-format on */

/* ---- case_body.c ---- */
extern const Schema case_thermal_schema;
void case_check_body(const Case *c, Diagnostics *out);
void case_check_thermal(const Case *c, Diagnostics *out);
/* ---- case_elasticity.c ---- */
/* A list has as many entries as the model has directions; a direction has a length too. */
void case_check_exprs(const Case *c, const char *key, const ExprsValue *value, Diagnostics *out);
void case_check_direction(const Case *c, const char *name, const VectorValue *v, Diagnostics *out);
/* Materials, boundary and body, then all of a static case, then of a harmonic one. */
void case_check_elastic(Case *c, Diagnostics *out);
void elasticity_check(Case *c, Diagnostics *out);
void harmonic_check(Case *c, Diagnostics *out);
const char *elasticity_sum_letters(const Case *c, const CaseSum *sum);

typedef enum FrequencySpacing { SPACING_LINEAR, SPACING_LOGARITHMIC } FrequencySpacing;
typedef enum HarmonicPart { PART_AMPLITUDE, PART_PHASE, PART_REAL, PART_IMAGINARY } HarmonicPart;

/* Number of frequencies of a checked case, and number k of them in Hz: as given, or from, to and between. */
int64_t harmonic_count(const Case *c);
double harmonic_frequency(const Case *c, int64_t k);
/* Which one is meant by f (within 1e-9 of it); -1: none. */
int64_t harmonic_find(const Case *c, double f);

/* K (1 + i loss) - omega^2 M + i omega viscous M: the loss with Rayleigh's beta, and alpha. */
typedef struct HarmonicFactors {
  double omega, loss, viscous;
} HarmonicFactors;
HarmonicFactors harmonic_factors(const Case *c, double frequency);
bool harmonic_is_damped(const Case *c);
/* rho of each material of the case, owned by the caller. */
Status harmonic_densities(const Case *c, double **out);
