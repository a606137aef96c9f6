#include "assembly/space/revolution.h"
#include "mesh/elements/revolution.h"

void space_of_revolution(Space *space) {
  for (int32_t k = 0; k < space->set.n_solved_block; ++k)
    space->set.block[k].type = element_of_revolution(space->set.block[k].type);
}
