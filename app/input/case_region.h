/* What a case says of regions that it makes itself: parts of case.h. */
#pragma once
#include "app/input/schema.h"

/* Elements of `within` (all, unless given) that become a group of their own, by data of the mesh, at random, or both. */
typedef struct CaseMeshRegion {
  Place place;
  TextValue name;
  NamesValue within;
  TextValue field;          /* data of the mesh, 1 component; text NULL: at random alone */
  NumberValue above, below; /* from above on, less than below */
  ExprValue share;          /* of the elements, 0 to 1, at the middle of each */
  NumberValue size;         /* cells of that length are in it or not; place zero: each element */
  IntegerValue seed;
} CaseMeshRegion;

static inline CaseMeshRegion *mesh_region(const MapsValue *regions, int32_t i) {
  return (CaseMeshRegion *)regions->item + i;
}
