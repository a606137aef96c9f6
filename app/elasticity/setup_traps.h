/* Warnings of valid cases of elasticity that probably mean something else. */
#pragma once
#include "app/setup/setup.h"

/* Loads that do nothing or pull, and a thickness that was left out. ERR_MEMORY. */
Status setup_traps(const Case *c, const Mesh *mesh, const Setup *setup);
/* Do the elements that touch the group, part of a cylinder about this axis, lie outside of it? ERR_MEMORY. */
Status traps_is_bore(const Mesh *mesh, const Group *on, const double center[3], const double axis[3], bool *bore);
/* setup_sizes.c: sizes, moduli and densities that contradict the label `units:`. */
void setup_sizes(const Case *c, const Mesh *mesh);
/* setup_flow.c: curves of metals in other units than meant. */
void setup_flow(const Case *c, const Setup *setup);
/* setup_layers.c: bodies one element thick, which the formulation would bend wrongly. ERR_MEMORY. */
Status setup_layers(const Mesh *mesh, const Setup *setup);
