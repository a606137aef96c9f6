/* `sinew bench read`: how many bytes of text a second become a mesh: decks (.inp) and Gmsh's files of generated boxes,
 * 200 MB each, read from a file that the system still holds in memory; the best of a few counts. Beside it: the bytes
 * alone, without looking at them. */
#include "bench/measure.h"
#include "bench/read/read_files.h"
#include "core/text_source.h"
#include "output/json.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const struct {
  const char *name, *what;
  ElementKind kind;
  int32_t cells; /* per direction */
  Status (*write)(const Mesh *mesh, const char *path);
  Status (*read)(const char *path, Mesh **out);
  const char *ending;
} FILES[] = {{"inp-hex8", "deck, C3D8", ELEMENT_HEX8, 117, read_write_deck, mesh_read_inp, "inp"},
             {"inp-tet10", "deck, C3D10", ELEMENT_TET10, 58, read_write_deck, mesh_read_inp, "inp"},
             {"msh-tet4", "Gmsh 4.1, text, tet4", ELEMENT_TET4, 86, read_write_gmsh, mesh_read_msh, "msh"}};
enum { N_FILES = 3, REPEAT = 5, PATH = 1024 };

typedef struct Rates {
  int32_t n_node, n_element;
  int64_t bytes;
  double open, read; /* seconds */
} Rates;

static Status time_open(const char *path, Rates *r) {
  TextSource source;
  const double begin = bench_now();
  TRY(source_open(path, path, &source));
  const double seconds = bench_now() - begin;
  source_close(&source);
  if (r->open == 0 || seconds < r->open) r->open = seconds;
  return OK;
}

/* The mesh that was read must be the one that was written. */
static Status time_read(int i, const char *path, Rates *r) {
  Mesh *mesh = NULL;
  const double begin = bench_now();
  TRY(FILES[i].read(path, &mesh));
  const double seconds = bench_now() - begin;
  const bool same = mesh->n_node == r->n_node && mesh->block[mesh->n_block - 1].n == r->n_element;
  mesh_destroy(&mesh);
  CHECK(same, ERR_BUG, "%s: read other nodes or elements than were written", path);
  if (r->read == 0 || seconds < r->read) r->read = seconds;
  return OK;
}

static Status write_file(int i, int32_t percent, const char *path, Rates *r) {
  struct stat info;
  Mesh *mesh = NULL;
  int32_t n = FILES[i].cells * (percent ? percent : 100) / 100;
  n = n < 2 ? 2 : n;
  const BoxParams box = {.kind = FILES[i].kind, .n = {n, n, n}, .size = {1, 1, 1}, .distort = 0.1};
  TRY(mesh_box(&box, &mesh));
  r->n_node = mesh->n_node;
  r->n_element = mesh->block[mesh->n_block - 1].n;
  const Status status = FILES[i].write(mesh, path);
  mesh_destroy(&mesh);
  TRY(status);
  CHECK(stat(path, &info) == 0, ERR_IO, "cannot find %s again", path);
  r->bytes = info.st_size;
  return OK;
}

static void report(int i, const Rates *r, FILE *out, Json *json) {
  const double mega = 1e-6 * (double)r->bytes;
  fprintf(out, "%-22s %9.1f MB  %8d nodes  %8d elements  %8.3f s  %8.0f MB/s  bytes alone %8.0f MB/s\n", FILES[i].what,
          mega, r->n_node, r->n_element, r->read, mega / r->read, mega / r->open);
  fflush(out);
  json_object(json, NULL);
  json_string(json, "file", FILES[i].name);
  json_integer(json, "bytes", r->bytes);
  json_integer(json, "nodes", r->n_node);
  json_integer(json, "elements", r->n_element);
  json_number(json, "seconds", r->read);
  json_number(json, "seconds_of_bytes", r->open);
  json_end(json);
}

static Status read_file(int i, const BenchParams *params, const char *folder, FILE *out, Json *json) {
  char path[PATH + 32];
  Rates rates = {0};
  const int32_t repeat = params->repeat ? params->repeat : REPEAT;
  snprintf(path, sizeof path, "%s/%s.%s", folder, FILES[i].name, FILES[i].ending);
  Status status = write_file(i, params->percent, path, &rates);
  for (int32_t k = 0; k < repeat && status == OK; ++k) {
    status = time_open(path, &rates);
    if (status == OK) status = time_read(i, path, &rates);
  }
  unlink(path);
  if (status == OK) report(i, &rates, out, json);
  return status;
}

static Status read_files(const BenchParams *params, FILE *out, Json *json) {
  char folder[PATH];
  const char *place = getenv("TMPDIR");
  int n = 0;
  Status status = OK;
  snprintf(folder, sizeof folder, "%s/sinew-read-XXXXXX", place ? place : "/tmp");
  for (int i = 0; i < N_FILES; ++i) n += bench_wants(params, FILES[i].name);
  CHECK(n > 0, ERR_USAGE, "no file of 'read' is called '%s'; there are inp-hex8, inp-tet10, msh-tet4", params->only);
  CHECK(mkdtemp(folder), ERR_IO, "cannot make a folder %s", folder);
  for (int i = 0; i < N_FILES && status == OK; ++i)
    if (bench_wants(params, FILES[i].name)) status = read_file(i, params, folder, out, json);
  rmdir(folder);
  return status;
}

Status bench_read(Exec *exec, const BenchParams *params, FILE *out) {
  Json *json = NULL;
  Status status = json_create(&json);
  if (status != OK) return status;
  fprintf(out, "Sinew %s (%s) on %s\n", params->version, params->commit, exec->device);
  json_string(json, "bench", "read");
  json_string(json, "version", params->version);
  json_string(json, "commit", params->commit);
  json_string(json, "device", exec->device);
  json_array(json, "figures");
  TRY_DONE(read_files(params, out, json));
  json_end(json);
  if (params->json) TRY_DONE(json_save(json, params->json));
done:
  json_destroy(&json);
  return status;
}
