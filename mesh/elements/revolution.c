#include "mesh/elements/revolution.h"
#include "mesh/elements/tri10.h"
#include "mesh/elements/tri6.h"

/* r grad N . grad N has the degree 2 p - 1, r N N 2 p + 1. tri3 has the first by its own rule. */
static const ElementType round6 = TRI6_TYPE(3, 5), round10 = TRI10_TYPE(5, 7);

const ElementType *element_of_revolution(const ElementType *type) {
  switch (type->kind) {
  case ELEMENT_TRI6: return &round6;
  case ELEMENT_TRI10: return &round10;
  default: return type;
  }
}
