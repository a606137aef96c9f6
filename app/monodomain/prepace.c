#include "app/monodomain/prepace.h"
#include "core/fnv.h"
#include "core/memory.h"
#include "physics/import/imported.h"
#include "output/text.h"

#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

Prepace prepace_of(const Case *c) {
  const CasePrepace *p = &c->prepace;
  return (Prepace){.pacing = {p->amplitude.value, p->duration.value, PREPACE_STEP},
                   .cycle = p->cycle.value,
                   .beats = p->beats.value};
}

/* A number by its bits, and for who reads it. */
static void number_add(Text *text, const char *name, double value) {
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  text_add(text, "%016" PRIx64 " %s %.17g\n", bits, name, value);
}

static void cell_add(Text *text, const SingleCell *cell) {
  const IonicType *type = ionic_type(cell->constants->kind);
  number_add(text, "potential", cell->V);
  for (int j = 0; j < type->n_state; ++j) number_add(text, type->state[j].name, cell->s[j]);
}

/* All that the result depends on; `cell` is that after the first beat. */
static void key_add(Text *text, const Prepace *p, const SingleCell *cell) {
  const IonicType *type = ionic_type(cell->constants->kind);
  text_add(text, "sinew: a cell after pacing\nmodel %s\n", type->name);
  for (int k = 0; k < type->n_param; ++k) number_add(text, type->param[k].name, cell->constants->value[k]);
  number_add(text, "cycle", p->cycle);
  number_add(text, "amplitude", p->pacing.amplitude);
  number_add(text, "duration", p->pacing.duration);
  number_add(text, "step", p->pacing.step);
  text_add(text, "beats %" PRId64 "\nafter the first beat\n", p->beats);
  cell_add(text, cell);
  text_add(text, "after the last beat\n");
}

/* Where the store is; empty: nowhere. */
static void store_folder(Text *out) {
  const char *own = getenv("SINEW_CACHE"), *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
  if (own && *own) text_add(out, "%s", own);
  else if (cache && *cache) text_add(out, "%s/sinew", cache);
  else if (home && *home) text_add(out, "%s/.cache/sinew", home);
}

/* The folder with those above it; whether there is one shows when a file is written. */
static void make_folders(char *path) {
  for (char *at = path + 1; *at; ++at) {
    if (*at != '/') continue;
    *at = 0;
    (void)mkdir(path, 0777);
    *at = '/';
  }
}

static bool file_read(const char *path, char *text, size_t n) {
  const int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  size_t got = 0;
  if (file < 0) return false;
  for (ssize_t part = 1; part > 0 && got<n; got += part> 0 ? (size_t)part : 0) part = read(file, text + got, n - got);
  char more;
  const bool whole = got == n && read(file, &more, 1) == 0;
  close(file);
  return whole;
}

/* The bits that begin a line, and the line behind it; NULL: there are none. */
static const char *bits_read(const char *line, uint64_t *bits) {
  char *end;
  *bits = strtoull(line, &end, 16);
  const char *next = strchr(line, '\n');
  return end == line + 16 && *end == ' ' && next ? next + 1 : NULL;
}

/* A file holds the key and behind it the cell as cell_add writes it: what is read must be written so again. */
static Status store_read(const char *path, const Text *key, SingleCell *cell, bool *found) {
  struct stat what;
  Text again = {0};
  char *text = NULL;
  *found = false;
  if (stat(path, &what) != 0 || !S_ISREG(what.st_mode) || what.st_size <= key->n || what.st_size > 4 * key->n + 65536)
    return OK;
  const size_t n = (size_t)what.st_size;
  ALLOC(text, n + 1, "a cell that was paced before");
  const bool whole = file_read(path, text, n) && strlen(text) == n && !strncmp(text, key->data, (size_t)key->n);
  SingleCell read = *cell;
  const char *line = whole ? text + key->n : NULL;
  for (int j = -1; line && j < ionic_type(cell->constants->kind)->n_state; ++j) {
    uint64_t bits;
    line = bits_read(line, &bits);
    memcpy(j < 0 ? &read.V : &read.s[j], &bits, sizeof bits);
  }
  if (line) cell_add(&again, &read);
  *found = again.n > 0 && again.status == OK && !strcmp(text + key->n, again.data);
  const Status status = again.status;
  if (*found) *cell = read;
  text_release(&again);
  FREE(text);
  return status;
}

/* The store is there to save time: who cannot write it goes on. */
static void store_write(Text *path, const Text *key, const SingleCell *cell) {
  Text text = {0};
  text_add_bytes(&text, key->data, key->n);
  cell_add(&text, cell);
  make_folders(path->data);
  if (text_save(&text, path->data, false) != OK) status_clear();
  text_release(&text);
}

static Status beat_pace(const Prepace *p, const char *tissue, int64_t number, SingleCell *cell, CellBeat *beat) {
  const Status status = single_cell_beat(cell, &p->pacing, p->cycle, NULL, beat);
  if (status == OK) return OK;
  return status_context(status, "in beat %lld of the cells of '%s' before the run ('prepace:')%s", (long long)number,
                        tissue,
                        status == ERR_NUMERIC ? "\n  remedy: a smaller 'amplitude' there, or other parameters" : "");
}

static Status paced(const Prepace *p, const char *tissue, const Text *key, Text *path, SingleCell *cell, bool *stored) {
  CellBeat beat;
  if (path->n) text_add(path, "/cell-%016" PRIx64 ".txt", fnv_words(FNV_BASIS, key->data, (size_t)key->n));
  CHECK(key->status == OK && path->status == OK, ERR_MEMORY, "not enough memory for the name of a paced cell");
  if (path->n) TRY(store_read(path->data, key, cell, stored));
  if (*stored) return OK;
  for (int64_t b = 2; b <= p->beats; ++b) TRY(beat_pace(p, tissue, b, cell, &beat));
  if (path->n) store_write(path, key, cell);
  return OK;
}

Status prepace_check_step(const IonicConstants *cells, double step) { return imported_check_step(cells->kind, step); }

Status prepace_cell(const Prepace *p, const char *tissue, SingleCell *cell, bool *stored) {
  CellBeat beat;
  Text key = {0}, path = {0};
  *stored = false;
  TRY(prepace_check_step(cell->constants, p->pacing.step));
  TRY(beat_pace(p, tissue, 1, cell, &beat));
  if (isnan(beat.upstroke))
    status_warn("prepace: %g mV/ms for %g ms starts no beat in the cells of '%s'; raise its 'amplitude'",
                p->pacing.amplitude, p->pacing.duration, tissue);
  key_add(&key, p, cell);
  store_folder(&path);
  const Status status = paced(p, tissue, &key, &path, cell, stored);
  text_release(&key);
  text_release(&path);
  return status;
}
