/* Memory of a run as it is forecast against what it takes. */
#pragma once
#include "app/run/forecast.h"
#include "tests/testing.h"

extern const char PLANNED_2D[], PLANNED_3D[], PLANNED_HEAT[], PLANNED_HARMONIC[], PLANNED_HEART[];

typedef struct Planned {
  const char *text; /* of the case, on the box */
  const BoxParams *box;
  int64_t sample; /* as in ForecastRequest */
  int n_set;
  const char *const *set;
} Planned;
/* Fails where they are more than 10 % apart on the CPU. */
void planned_hold(const Planned *planned);
/* Fails where on a GPU the forecast from samples and that from the whole are. */
void planned_hold_gpu(const Planned *planned);
