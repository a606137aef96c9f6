/* Between the setup files of the heart, and what its driver and `sinew check` ask of them. */
#pragma once
#include "app/setup.h"
#include "core/exec.h"

/* Fibres by rule need solves: tensors of those tissues, after setup_create and before diffusion.tensor is used. Nothing
 * where there is no rule. */
Status setup_rules(const Case *c, const Mesh *mesh, Exec *exec, Setup *setup);
/* setup_stimuli.c: node sets of the stimuli. */
Status setup_stimuli(const Case *c, const Mesh *mesh, Setup *setup, Complaints *complaints);
/* A line per stimulus: pulses, nodes, and volume from the lumped mass of the nodes, mass[n_node]. */
void stimuli_text(const Case *c, const Mesh *mesh, const Setup *setup, const double *mass, Text *out);
/* setup_front.c: warnings where elements or steps are too long for the wave front. */
Status setup_warn_front(const Case *c, const Mesh *mesh, const Setup *setup);
