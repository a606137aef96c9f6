/* filaments.csv and tracks.csv, from a result. */
#include "app/monodomain/filaments.h"
#include "app/monodomain/tracks.h"
#include "core/memory.h"
#include "output/folder.h"
#include "output/read.h"
#include "output/text.h"

#include <math.h>

static void table_rows(double time, const Filaments *all, Text *out) {
  if (all->n == 0) text_add(out, "%.17g,0,0,0,0,0,0,nan,nan,nan\n", time);
  for (int32_t k = 0; k < all->n; ++k) {
    const Filament *f = &all->filament[k];
    text_add(out, "%.17g,%d,%d,%d,%.9g,%d,%d,%.9g,%.9g,%.9g\n", time, (int)all->n, (int)k + 1, (int)f->turn, f->length,
             (int)f->n_cell, (int)f->n_end, f->at[0], f->at[1], f->at[2]);
  }
}

static Status table_fill(const Mesh *mesh, const Result *result, double *phase, int32_t *last, Tracks *tracks,
                         Text *out) {
  const ResultField *field = result_field(result, "phase", false);
  CHECK(field && result->n_node == mesh->n_node, ERR_IO, "'%s' no longer has phases of this mesh", result->path);
  text_add(out, "time,count,filament,turn,length,cells,ends,x,y,z\n");
  for (int64_t k = 0; k < result->n_step; ++k) {
    Filaments all;
    TRY(result_read(result, field, k, phase));
    TRY(filaments_find(mesh, phase, &all));
    table_rows(result->time[k], &all, out);
    *last = all.n;
    const Status status = tracks_step(tracks, k ? result->time[k - 1] : (double)NAN, result->time[k], &all);
    filaments_release(&all);
    TRY(status);
  }
  return out->status;
}

Status filaments_save(const Mesh *mesh, const char *folder, int32_t *last, double *longest) {
  Text text = {0}, table = {0};
  Tracks tracks = {0};
  Result *result = NULL;
  char *from = NULL, *to = NULL, *tracks_to = NULL;
  double *phase = NULL;
  Status status = OK;
  *last = 0;
  TRY_DONE(output_path(folder, "results.hdf", &from));
  TRY_DONE(output_path(folder, "filaments.csv", &to));
  TRY_DONE(output_path(folder, "tracks.csv", &tracks_to));
  ALLOC_DONE(phase, mesh->n_node, "phases");
  TRY_DONE(result_open(from, &result));
  TRY_DONE(table_fill(mesh, result, phase, last, &tracks, &text));
  tracks_table(&tracks, &table);
  *longest = tracks_longest(&tracks);
  TRY_DONE(table.status);
  TRY_DONE(text_save(&text, to, false));
  status = text_save(&table, tracks_to, false);
done:
  result_close(&result);
  text_release(&text);
  text_release(&table);
  tracks_release(&tracks);
  FREE(phase);
  FREE(from);
  FREE(to);
  FREE(tracks_to);
  return status;
}
