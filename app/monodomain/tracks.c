/* See tracks.h. */
#include "app/monodomain/tracks.h"
#include "core/memory.h"

#include <math.h>
#include <string.h>

static const double TRACK_SPEED = 0.5; /* mm/ms: tips of waves move more slowly than the waves */

static double distance(const double a[3], const double b[3]) {
  return sqrt((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) + (a[2] - b[2]) * (a[2] - b[2]));
}

/* The nearest pair of a track that waits and a filament that no track has; false: none is near enough. */
static bool nearest_pair(const Tracks *tracks, double before, const Filaments *all, const uint8_t *taken, double reach,
                         int32_t *track, int32_t *filament) {
  double least = reach;
  bool found = false;
  for (int32_t i = 0; i < tracks->n; ++i) {
    const Track *t = &tracks->item[i];
    if (t->end < before || t->end > before) continue;
    for (int32_t k = 0; k < all->n; ++k) {
      if (taken[k] || all->filament[k].turn != t->turn) continue;
      const double d = distance(t->last, all->filament[k].at);
      if (d > least || (found && !(d < least))) continue;
      least = d, found = true;
      *track = i, *filament = k;
    }
  }
  return found;
}

static Status begin_track(Tracks *tracks, double time, const Filament *f) {
  if (tracks->n == tracks->room) {
    const int32_t room = tracks->room ? 2 * tracks->room : 16;
    TRY(mem_resize(room, sizeof *tracks->item, "tracks of filaments", (void **)&tracks->item));
    tracks->room = room;
  }
  Track *t = &tracks->item[tracks->n++];
  *t = (Track){.begin = time, .end = time, .turn = f->turn};
  memcpy(t->first, f->at, sizeof t->first);
  memcpy(t->last, f->at, sizeof t->last);
  return OK;
}

Status tracks_step(Tracks *tracks, double before, double time, const Filaments *all) {
  uint8_t *taken = NULL;
  int32_t i, k;
  Status status = OK;
  ALLOC(taken, all->n, "filaments that go on");
  while (before < time && nearest_pair(tracks, before, all, taken, TRACK_SPEED * (time - before), &i, &k)) {
    Track *t = &tracks->item[i];
    t->path += distance(t->last, all->filament[k].at);
    t->end = time;
    memcpy(t->last, all->filament[k].at, sizeof t->last);
    taken[k] = 1;
  }
  for (k = 0; k < all->n && status == OK; ++k)
    if (!taken[k]) status = begin_track(tracks, time, &all->filament[k]);
  FREE(taken);
  return status;
}

double tracks_longest(const Tracks *tracks) {
  double longest = 0;
  for (int32_t i = 0; i < tracks->n; ++i) longest = fmax(longest, tracks->item[i].end - tracks->item[i].begin);
  return longest;
}

void tracks_table(const Tracks *tracks, Text *out) {
  text_add(out, "track,turn,begin,end,life,path,x,y,z,x-end,y-end,z-end\n");
  for (int32_t i = 0; i < tracks->n; ++i) {
    const Track *t = &tracks->item[i];
    text_add(out, "%d,%d,%.17g,%.17g,%.9g,%.9g", (int)i + 1, (int)t->turn, t->begin, t->end, t->end - t->begin,
             t->path);
    text_add(out, ",%.9g,%.9g,%.9g,%.9g,%.9g,%.9g\n", t->first[0], t->first[1], t->first[2], t->last[0], t->last[1],
             t->last[2]);
  }
}

void tracks_release(Tracks *tracks) {
  FREE(tracks->item);
  tracks->n = tracks->room = 0;
}
