/* Pressure that follows its facets, as a run sees it. */
#pragma once
#include "assembly/elasticity/elasticity.h"

/* From now on tangents have pressure that pulls too, of surfaces whose rim is free; of all that follows they have the symmetric half. */
void elasticity_follow_all(Elasticity *elasticity);
