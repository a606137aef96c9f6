/* Filaments over the times: which one of a time is which of the time before. A track that lasts is a reentry. */
#pragma once
#include "app/monodomain/filaments.h"
#include "output/text.h"

typedef struct Track {
  double begin, end;        /* ms */
  double path;              /* mm, from time to time */
  double first[3], last[3]; /* the middle of its filament */
  int32_t turn;             /* as of its filaments */
} Track;

/* Zero-initialise. */
typedef struct Tracks {
  int32_t n, room;
  Track *item; /* owned, [n], by their beginnings */
} Tracks;

/* The filaments of one more time go on the tracks that were there at the time `before` (not a number: there is none): nearest ones first, with
 * the same turn, as far as TRACK_SPEED lets a filament come. The others begin tracks. ERR_MEMORY. */
Status tracks_step(Tracks *tracks, double before, double time, const Filaments *all);
/* The time for which the longest track lives; 0: there is none. */
double tracks_longest(const Tracks *tracks);
void tracks_table(const Tracks *tracks, Text *out);
void tracks_release(Tracks *tracks);
