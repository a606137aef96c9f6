/* Repeated inclusion: the row kernel of each kind of solved element. With PICK defined as `what`, gives
 *   static const RowKernel *what_kernel(ElementKind kind)
 * which is &what_<element>_kernel for elements of dimension 2 and 3, with PICK_SURFACES of dimension 2, and NULL for
 * others, and undefines both. */
#define PICK_JOIN(a, b, c) a##b##c
#define PICK_NAME(a, b, c) PICK_JOIN(a, b, c)
#define PICK_0(KIND, name)
#define PICK_1(KIND, name)
#define PICK_2(KIND, name)                                                                                             \
  case ELEMENT_##KIND:                                                                                                 \
    return &PICK_NAME(PICK, _##name, _kernel);
#ifdef PICK_SURFACES
#define PICK_3(KIND, name)
#else
#define PICK_3(KIND, name) PICK_2(KIND, name)
#endif

static const RowKernel *PICK_NAME(PICK, _, kernel)(ElementKind kind) {
  switch (kind) {
#define ELEMENT(KIND, name, dim, n_node) PICK_##dim(KIND, name)
#include "mesh/elements/elements.def"
#undef ELEMENT
  default: return NULL;
  }
}

#undef PICK_JOIN
#undef PICK_NAME
#undef PICK_0
#undef PICK_1
#undef PICK_2
#undef PICK_3
#undef PICK
#undef PICK_SURFACES
