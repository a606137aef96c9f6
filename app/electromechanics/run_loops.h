/* Between the files of a run of the circulation alone: beats, and the tables that are made of them. */
#pragma once
#include "app/electromechanics/case_electromechanics.h"
#include "output/chart.h"
#include "output/text.h"

typedef struct Loops {
  const Case *c;
  Circuit circuit;
  CircuitState state;
  int32_t n_chamber, chamber[CIRCUIT_NODES]; /* nodes */
  double step;
  int64_t per_beat, sample; /* steps of a cycle, and between rows of loops.csv */
  int64_t n_beat;           /* begun */
  Beat beat[CIRCUIT_NODES]; /* of the chambers */
  double change;            /* of the volumes over the last whole beat, relative */
  Text loops, beats;        /* owned: loops.csv, beats.csv */
  Chart picture;            /* of the first beat and of the last whole one */
} Loops;

void loops_start(const Case *c, Loops *out);
void loops_release(Loops *loops);
/* A beat, of so many steps; ERR_NUMERIC. */
Status loops_beat(Loops *loops, int64_t steps);
/* loops.csv, beats.csv, state.csv and loops.svg. */
Status loops_save(const Loops *loops, const char *folder);
/* Points of the last curve: a column of volumes, and the pressures behind it, of the rows of a loops.csv within a span of time. */
void loops_curve(Chart *chart, const char *rows, int column, const double span[2]);
