/* Between the files of a case of the heart. */
#pragma once
#include "app/input/physics.h"
#include "physics/ionic.h"

extern const Schema monodomain_schema;
/* One value against another; fills in the presets' parameters. */
void monodomain_check(Case *c, Diagnostics *diagnostics);
/* Parameters of a tissue as the kernels take them. */
IonicConstants monodomain_constants_of(const CaseTissue *tissue);
/* The longest step with a positive definite matrix, of all tissues, ms. */
double monodomain_step_bound(const Case *c);
/* Pulses of a stimulus that begin before the end of the run. */
int64_t stimulus_pulses(const Case *c, const CaseStimulus *stimulus);
