/* The registry of models of active tension: one header of pure functions each (physics/NAME.h) and its lines in tensions.def. */
#pragma once
#include "core/param.h"
#include "core/status.h"
#include "physics/tension_model.h"

typedef struct TensionPreset {
  const char *name, *meaning;
  double value[TENSION_PARAMS];
} TensionPreset;

typedef struct TensionState {
  const char *name, *meaning;
} TensionState;

typedef enum TensionDrive { TENSION_BY_CALCIUM, TENSION_BY_POTENTIAL } TensionDrive;

typedef struct TensionShape {
  TensionDrive drive;
  bool stretches; /* the stretch matters */
} TensionShape;

typedef struct TensionType {
  const char *name, *meaning; /* "land" */
  int n_state, n_param, n_preset;
  const TensionState *state;   /* [n_state] */
  const Param *param;          /* the defaults are those of preset[0] */
  const TensionPreset *preset; /* [n_preset], n_preset > 0 */
  TensionShape shape;
  Status (*check)(const double *value); /* of one parameter against another */
  /* Host entries to the inline functions. */
  void (*step)(const double *value, const TensionIn *in, TensionOut *out);
  void (*begin)(const double *value, double drive, double stretch, double *state);
} TensionType;

int tension_count(void);
const TensionType *tension_type(int kind); /* NULL outside 0 .. tension_count() - 1 */
int tension_by_name(const char *name);     /* -1 when unknown */
int tension_preset(int kind, const char *name);
/* Against the ranges of the table and against each other. ERR_INPUT names parameter, value and range. */
Status tension_check(int kind, const double *value);
