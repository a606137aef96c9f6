/* A cell model as the equations of physics/ionic_model.h: V in mV, time in ms, stimulus in mV/ms. */
#pragma once
#include "physics/cell_setting.h"
#include "physics/import/cell_model.h"
#include "physics/import/graph.h"

typedef struct CellGraph {
  Graph graph;
  int32_t n_state, n_gate;                  /* without the potential; gates first */
  int32_t variable[IONIC_IMPORTED_STATES];  /* of the cell model */
  int32_t leaf[IONIC_IMPORTED_STATES];      /* of the graph; its a is the number of the state in the file */
  int32_t rate[IONIC_IMPORTED_STATES];      /* ds/dt, per ms */
  int32_t decay[IONIC_IMPORTED_STATES];     /* -d(ds/dt)/ds; of gates the rate towards target */
  int32_t target[IONIC_IMPORTED_STATES];    /* of gates */
  uint8_t block[IONIC_IMPORTED_STATES];     /* states of one number, no gates, step together (cell_block.h); 0: alone */
  double initial[IONIC_IMPORTED_STATES], V; /* V in mV */
  bool limited[IONIC_IMPORTED_STATES];      /* after each step a state is from lower to upper */
  double lower[IONIC_IMPORTED_STATES], upper[IONIC_IMPORTED_STATES];
  int32_t n_parameter, parameter[IONIC_PARAMS]; /* variables that stayed parameters */
  int32_t force, slope;                         /* f, mV/ms, without the stimulus; df/dV, 1/ms */
} CellGraph;

/* What a model of tension is told, in the place of a potential and a stimulus: the stretch as IONIC_OP_V, the drive as IONIC_OP_STIMULUS, and as
 * states CELL_TOLD + k what stands behind its own ones (physics/tension_program.h). */
typedef enum CellInput { CELL_DRIVE, CELL_STRETCH, CELL_STRETCH_RATE, N_CELL_INPUTS } CellInput;
enum { CELL_TOLD = IONIC_IMPORTED_STATES };
typedef struct CellTension {
  int32_t input[N_CELL_INPUTS]; /* variables of the cell model, of ROLE_INPUT; NONE: it does not need it */
  const char *unit[N_CELL_INPUTS];
  int32_t tension; /* and what it answers, kPa */
} CellTension;

typedef struct CellGraphParams {
  int n_setting;
  const CellSetting *setting;
  bool
      parameters; /* constants that are plain numbers become parameters, of a graph that is written out; else numbers */
  const CellTension *tension; /* NULL: it is a cell, not a muscle; else force is the tension, and slope nothing */
} CellGraphParams;

/* ERR_INPUT: no potential, a unit of it or of the time that cannot be, an unknown or unsuitable name in a setting, an
 * initial value that is not a number, a model that depends on the time itself. */
Status cell_graph_create(const CellModel *model, const CellGraphParams *params, CellGraph **out);
void cell_graph_destroy(CellGraph **graph);
/* These alone are gates from now on: they go to the front, all else as it stood. */
void cell_graph_gates_first(CellGraph *cell, const bool *is_gate);
/* What a case file calls a state: its own name in small letters with - for _, such as "ca-i", with its component in front where
 * two would have it. */
const char *cell_state_word(const CellModel *model, const CellGraph *graph, int state, char text[NAME_TEXT]);
