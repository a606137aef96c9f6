/* Spaces of scalars on bodies of revolution. */
#pragma once
#include "assembly/space/space.h"

/* Elements get the rules of element_of_revolution; before space_finish. */
void space_of_revolution(Space *space);
