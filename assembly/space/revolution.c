#include "assembly/space/revolution.h"
#include "mesh/elements/element.h"

void space_of_revolution(Space *space) {
  for (int32_t k = 0; k < space->set.n_solved_block; ++k) {
    const ElementType *round = space->set.block[k].type->of_revolution;
    if (round) space->set.block[k].type = round;
  }
}
