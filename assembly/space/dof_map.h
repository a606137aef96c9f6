/* The block pattern of the DOF graph: two nodes couple when an element holds both. */
#pragma once
#include "assembly/space/element_set.h"
#include "algebra/pattern.h"
#include "core/exec.h"

/* Block rows are the nodes of the mesh; a node without elements keeps its diagonal. ERR_MEMORY, ERR_GPU. */
Status pattern_create(Exec *exec, const ElementSet *set, const Incidence *incidence, int32_t block, Pattern **out);
/* With rows of the nodes of other ranks too, as far as elements at them are here; columns of all ascend in the order of the whole. */
Status pattern_create_all(Exec *exec, const ElementSet *set, const Incidence *incidence, int32_t block, Pattern **out);
