/* A harmonic case: elasticity with `analysis: {type: harmonic}`. */
#pragma once
#include "app/input/case_tables.h"

typedef enum FrequencySpacing { SPACING_LINEAR, SPACING_LOGARITHMIC } FrequencySpacing;
typedef enum HarmonicPart { PART_AMPLITUDE, PART_PHASE, PART_REAL, PART_IMAGINARY } HarmonicPart;

extern const CaseKind harmonic_case;

bool case_is_harmonic(const Case *c);
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
