/* Where the raw data of a result file lie. */
#pragma once
#include "core/status.h"
#include "output/h5.h"

enum { AREA_NAME = 192 };

typedef struct Area {
  int64_t place, bytes;
  char name[AREA_NAME]; /* "/VTKHDF/Points" */
} Area;

typedef struct Areas {
  int32_t n, room;
  Area *area; /* owned, by place; they do not overlap */
} Areas;

/* Every dataset whose data lie in one piece. ERR_IO: one has a place that no other may have; ERR_MEMORY. */
Status areas_find(hid_t file, const char *path, Areas *out);
void areas_sort(Areas *areas); /* by place */
/* NULL where there is none. */
const Area *areas_of(const Areas *areas, const char *name);
void areas_release(Areas *areas);
