/* A body of muscle around cavities, in steps, and the circulation that its chambers belong to: load steps of app/elasticity
 * (finite.h) with volumes that the circuit gives. docs/theory/electromechanics.md. */
#pragma once
#include "app/elasticity/case_elasticity.h"
#include "app/elasticity/finite.h"
#include "app/electromechanics/case_electromechanics.h"
#include "app/electromechanics/unloaded.h"

/* Cavities of the case, then chambers of the circuit that have no body. */
enum { PUMP_LOOPS = 2 * ELASTIC_CAVITIES };

/* What checkpoints keep beside what finite strain does; all numbers. */
typedef struct PumpState {
  CircuitState circuit;
  int64_t begun, n_beat; /* cavities are filled; whole beats so far */
  double beat_begin;     /* of the one that goes on */
  Beat beat[PUMP_LOOPS], last[PUMP_LOOPS];
  double held[PUMP_LOOPS + CIRCUIT_NODES]; /* volumes of loops and vessels when the beat began */
  double change;                           /* of them over the last whole beat, relative to the chambers */
  double least[PUMP_LOOPS];                /* volumes of loops over the run, mL */
  int64_t repeats;                         /* that is as little as the case asks for: the run ends */
} PumpState;

/* What no muscle does, over the stored times: stretches and tensions of a muscle with a model. */
typedef struct PumpWatch {
  int64_t n, n_whole;          /* elements here, and of the whole, which rank 0 has; 0: there is no such muscle */
  double *volume, (*whole)[2]; /* owned, [n_whole]: stretch and tension */
  double *value, *room;        /* owned, [2][n], and [n] on the Exec */
  double total;                /* volume of elements with a tension */
  double outside, outside_at, least, most; /* share of the volume, when that was largest, and the stretches then */
  double tension, tension_at;              /* the largest mean */
} PumpWatch;

/* Walls of cavities: thickness from facets inside to the nearest place outside, and how directions along the facets are stretched. */
enum { WALL_THICKNESS, WALL_RADIAL, WALL_CIRCUMFERENTIAL, WALL_LONGITUDINAL, WALL_NUMBERS };
typedef struct PumpWall {
  int32_t cavity;             /* of the case */
  int32_t n;                  /* facets */
  struct WallFacet *facet;    /* owned */
  double value[WALL_NUMBERS]; /* now */
} PumpWall;

/* What nodes have had in the beat that goes on, and in the last whole one (elasticity_beat_peak), for maps. */
typedef struct PumpPeaks {
  int64_t n, n_whole;                     /* nodes here, and of the whole; 0: nobody asks for them */
  ElasticFields fields;                   /* the states of now */
  double *stretch, *tension, *now, *last; /* owned, on the Exec, [n] and [ELASTIC_PEAKS][n] */
} PumpPeaks;

/* A cavity of the run that is filled at t = 0, and to what. */
typedef struct PumpPress {
  int32_t cavity;
  double pressure;
} PumpPress;

/* ElasticRun.own, of which analysis_finite.c knows the first. */
typedef struct PumpRun {
  FiniteRun finite;
  Problem base; /* without the circuit */
  Circuit circuit;
  int32_t n_flow, flow[ELASTIC_CAVITIES],
      node[ELASTIC_CAVITIES];       /* cavities with a volume of the circuit, and their nodes */
  int32_t n_loop, loop[PUMP_LOOPS]; /* cavity of the run; or -1 - node of the circuit */
  Mat *C;                           /* of dashpots; NULL: there are none */
  double *before,
      *velocity; /* with them, owned, on the Exec: u before the step, and of the last step or the one under way */
  double *force; /* as those: of dashpots */
  PumpState state;
  int32_t n_press;
  PumpPress press[ELASTIC_CAVITIES];
  Unloaded unloaded;
  PumpWatch watch;
  int32_t n_wall;
  PumpWall wall[ELASTIC_CAVITIES];
  double *direction[3],
      *strain; /* owned, on the Exec, [n_node][3] each and [n_node][6]; NULL: nobody asks for strains of walls */
  PumpPeaks peaks;
  ElasticFields moved; /* the displacement of nodes, for who looks at the body after a step, */
  double *room, (*here)[3],
      (*u)[3]; /* owned, [n_node][3]: on the Exec; for walls, on the host, of this rank and, on rank 0, of all */
} PumpRun;
static inline PumpRun *pump_own(const ElasticRun *w) { return w->own; }

/* ---- pump_fill.c: from no pressure to that of t = 0, with loads and supports of then, and the circuit begins ---- */
Status pump_fill(ElasticRun *run);
/* Load steps at t = 0 from where w->u is until o->press, [n_press], are there. `when`: for messages. */
Status pump_press(ElasticRun *run, const char *when);
/* ---- unload.c ---- */
/* The mesh of the run, which is that of a body under load, becomes that of the body without, and the setup that on it. */
Status pump_unload(ElasticRun *run);
/* unloaded.h5, where there is such a body. */
Status pump_unloaded_write(const ElasticRun *run);
/* ---- pump_dashpots.c: C v with v = (u - u before)/dt, in each step and in reactions ---- */
Status pump_dashpots_begin(ElasticRun *run);
void pump_dashpots_release(ElasticRun *run);
/* Replaces what the step has. */
void pump_dashpots_problem(ElasticRun *run, Problem *problem);
/* u is where the next step begins. */
Status pump_dashpots_start(ElasticRun *run, const double *u);
Status pump_dashpots_store(ElasticRun *run);
/* ---- pump_loops.c: columns of loops.csv, and numbers of beats ---- */
void pump_loops_more(const ElasticRun *run, bool head);
void pump_beats_begin(ElasticRun *run);
/* A step has ended. */
void pump_beats_add(ElasticRun *run, double time);
/* A step has failed: adds to why that a cavity is empty. */
Status pump_failed(const ElasticRun *run, Status why);
/* Of cavity or chamber m now: mL. */
double pump_volume(const ElasticRun *run, int32_t m);
/* Numbers of the last whole beat, or of what there is of the first, behind the columns of the report. */
Status pump_beats_report(const ElasticRun *run);
/* Warns of beats that do not repeat, and says how far they do. */
void pump_beats_tell(const ElasticRun *run);
const char *pump_column_unit(const Case *c, const Units *units, int32_t i);
/* ---- pump_picture.c: once loops.csv is closed ---- */
Status pump_picture(const ElasticRun *run);
/* ---- pump_wall.c ---- */
/* Collective. ERR_INPUT: a wall of no thickness. */
Status pump_walls_create(ElasticRun *run);
void pump_walls_release(ElasticRun *run);
/* Of u, now; on rank 0. Collective. */
Status pump_walls_see(ElasticRun *run, const double *u);
/* ---- pump_strain.c: fields of strains in directions of walls ---- */
void pump_strain_check(const Case *c, Diagnostics *diagnostics);
Status pump_strain_create(ElasticRun *run);
void pump_strain_release(ElasticRun *run);
Status pump_take(void *run, CellField field, double *room); /* ElasticCells.take of these */
/* The displacement of nodes at u, [n_node][3] in the mesh's order on the Exec, a view until the next call. */
Status pump_moved(ElasticRun *run, const double *u, const double **moved);
/* Columns of loops.csv: ",lv-thickness" and so on, or their numbers. */
void pump_walls_write(const ElasticRun *run, bool head);
/* ---- pump_peaks.c: maps of what nodes have had in a beat ---- */
void pump_peaks_check(const Case *c, Diagnostics *diagnostics);
Status pump_peaks_create(ElasticRun *run);
void pump_peaks_release(ElasticRun *run);
/* The body is at u, at the end of a step before the numbers of the beat see it; and a beat begins with what was seen last, u NULL. Collective. */
Status pump_peaks_see(ElasticRun *run, const double *u, double time);
Status pump_peaks_begin(ElasticRun *run, const double *u);
Status pump_peaks_take(ElasticRun *run, CellField field, double *room);
/* For checkpoints, as StatePart has them. */
int64_t pump_peaks_bytes(const ElasticRun *run);
Status pump_peaks_save(ElasticRun *run, void *host);
Status pump_peaks_restore(ElasticRun *run, const void *host);
/* ---- pump_watch.c ---- */
Status watch_create(ElasticRun *run, PumpWatch *out);
void watch_destroy(Exec *exec, PumpWatch *watch);
/* After a time was stored. */
Status watch_see(const ElasticRun *run, PumpWatch *watch);
/* The warnings. */
void watch_tell(const PumpWatch *watch);
/* ---- run_pump.c ---- */
Status pump_prepare(ElasticRun *run);
Status pump_begin(ElasticRun *run);
Status pump_problem(ElasticRun *run, Problem *problem, StepperParams *params);
Status pump_open(ElasticRun *run);
/* As finite_next and finite_end; the first ends the run with a beat that repeats. */
Status pump_next(ElasticRun *run, bool *more);
Status pump_store(ElasticRun *run);
Status pump_end(ElasticRun *run);
Status pump_release(ElasticRun *run, Status status);
