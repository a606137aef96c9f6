/* Elements of bodies of revolution, whose integrals have the radius as one more factor. */
#pragma once
#include "mesh/elements/element.h"

/* The same element with rules for the stiffness of a scalar and the mass that are exact with that factor on straight sides; `type` itself
 * where its own rule for the stiffness is, as in quadrilaterals and tri3. */
const ElementType *element_of_revolution(const ElementType *type);
