/* Twitches: what a muscle of one of the models of active tension pulls with in a beat, held at each of some stretches. */
#pragma once
#include "app/commands/options.h"
#include "output/chart.h"
#include "physics/ionic.h"
#include "physics/tension.h"

typedef struct Twitch {
  int kind; /* -1: not asked for */
  const TensionPreset *preset;
  double first, by; /* stretches */
  int n;
  int beats;
  Text table, trace; /* owned: twitches.csv, twitch.csv */
  Chart picture;
} Twitch;

/* What drives the muscle of a tissue in a beat that repeats: the drive at i step, 0 <= i < n. */
typedef struct TwitchDrive {
  const char *tissue;
  double step;
  int64_t n;
  const double *value;
} TwitchDrive;

/* --tension, --preset and --stretch; ERR_USAGE. */
Status twitch_read(const Options *options, Twitch *out);
void twitch_release(Twitch *twitch);
/* How a cell's states and potential become the drive: `state` -1: the potential, else that state times the factor. ERR_INPUT: the
 * cell has no calcium, with those that have. */
Status twitch_drive_of(const Twitch *twitch, const char *tissue, int ionic, int *state, double *factor);
/* All stretches, after beats that begin at rest; prints a line of each unless quiet. ERR_MEMORY. */
Status twitch_run(Twitch *twitch, const TwitchDrive *drive, bool quiet);
/* A transient of calcium in uM that is given by its peak, over a beat: 0.14 uM at rest, from 20 ms on the difference of two
 * exponentials with time constants of 110 and 20 ms. */
double twitch_calcium(double peak, double t);
