#include "mesh/io/med.h"

#include <string.h>

const char med_no_profile[] = "MED_NO_PROFILE_INTERNAL";

static const MedType types[] = {
    {"PO1", 1, ELEMENT_POINT1, NULL},
    {"SE2", 102, ELEMENT_LINE2, NULL},
    {"SE3", 103, ELEMENT_LINE3, NULL},
    {"TR3", 203, ELEMENT_TRI3, NULL},
    {"TR6", 206, ELEMENT_TRI6, NULL},
    {"QU4", 204, ELEMENT_QUAD4, NULL},
    {"QU8", 208, ELEMENT_QUAD8, NULL},
    {"QU9", 209, ELEMENT_QUAD9, NULL},
    {"TE4", 304, ELEMENT_TET4, "acbd"},
    {"T10", 310, ELEMENT_TET10, "acbdgfehij"},
    {"HE8", 308, ELEMENT_HEX8, "adcbehgf"},
    {"H20", 320, ELEMENT_HEX20, "adcbehgfjnlirtsqkpom"},
    {"H27", 327, ELEMENT_HEX27, "adcbehgfjnlirtsqkpomuwyxvz{"},
    {"PE6", 306, ELEMENT_WEDGE6, "acbdfe"},
    {"P15", 315, ELEMENT_WEDGE15, "acbdfehjgnomilk"},
    {"PY5", 305, ELEMENT_PYRAMID5, "adcbe"},
    {"P13", 313, ELEMENT_PYRAMID13, "adcbegkifhmlj"},
};
enum { N_TYPES = sizeof types / sizeof *types };

const MedType *med_type_at(int32_t i) { return i < N_TYPES ? &types[i] : NULL; }

const MedType *med_type_named(const char *name) {
  for (int i = 0; i < N_TYPES; ++i)
    if (!strcmp(types[i].name, name)) return &types[i];
  return NULL;
}

const MedType *med_type_of(ElementKind kind) {
  const ElementType *type = element_type(kind);
  for (int i = 0; i < N_TYPES; ++i) {
    const ElementType *other = element_type(types[i].kind);
    if (other->shape == type->shape && other->n_node == type->n_node) return &types[i];
  }
  return NULL;
}
