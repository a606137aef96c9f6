/* The registry of models of active tension: one header of pure functions each (physics/NAME.h) and its lines in tensions.def. */
#pragma once
#include "core/param.h"
#include "core/status.h"
#include "physics/ionic_program.h"
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
  const IonicProgram *
      program; /* of a step, of a model that was read from a file, whose preset is what its states begin with; NULL: it is
                                  compiled in, and has the rest */
  Status (*check)(const double *value); /* of one parameter against another */
  /* Host entries to the inline functions. */
  void (*step)(const double *value, const TensionIn *in, TensionOut *out);
  void (*begin)(const double *value, double drive, double stretch, double *state);
} TensionType;

int tension_count(void);
const TensionType *tension_type(int kind); /* NULL outside 0 .. tension_count() - 1, but for those that were added */
/* One more model, from tension_count() on; borrowed until tension_remove. ERR_INPUT: there are TENSION_ADDED already. */
enum { TENSION_ADDED = 64 };
Status tension_add(const TensionType *type, int *kind);
void tension_remove(int kind);
/* A step, and the states of a muscle at rest, of any model; value: its parameters, or its preset. */
void tension_type_step(const TensionType *type, const double *value, const TensionIn *in, TensionOut *out);
void tension_type_begin(const TensionType *type, const double *value, double drive, double stretch, double *state);
int tension_by_name(const char *name); /* -1 when unknown */
int tension_preset(int kind, const char *name);
/* Against the ranges of the table and against each other. ERR_INPUT names parameter, value and range. */
Status tension_check(int kind, const double *value);
