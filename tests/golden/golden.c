/* What a program answers, as hashes that two programs can be compared by: the schema, the echo of every case, and each dataset
 * of its results on 1 and 3 threads and 2 ranks. A change of the structure must leave every line as it was:
 *   golden OLD/sinew CASES > old.txt; golden NEW/sinew CASES > new.txt; diff old.txt new.txt
 * Fails where 3 threads answer other bits than 1.
 *   golden PROGRAM CASES [--only NAME[,NAME...]] [--without-ranks] */
#include <ctype.h>
#include <dirent.h>
#include <hdf5.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { N_CASE = 256, LINE = 4096 };

/* FNV-1a, 64 bits. */
static uint64_t hash_of(uint64_t h, const void *bytes, size_t n) {
  for (size_t i = 0; i < n; ++i) h = (h ^ ((const unsigned char *)bytes)[i]) * UINT64_C(1099511628211);
  return h;
}
static const uint64_t EMPTY = UINT64_C(14695981039346656037);

/* What differs from run to run and program to program, and says nothing of the answer. */
static bool passed_over(const char *name) {
  static const char *const names[] = {"/Sinew/case", "/Sinew/commit", "/Sinew/device", "/Sinew/timing",
                                      "/Sinew/version"};
  for (size_t k = 0; k < sizeof names / sizeof *names; ++k)
    if (!strncmp(name, names[k], strlen(names[k]))) return true;
  return false;
}

typedef struct Listing {
  FILE *to;
  const char *name;
} Listing;

static uint64_t hash_of_values(hid_t type, hid_t space, hid_t id, herr_t (*read)(hid_t, hid_t, void *)) {
  const hssize_t n = H5Sget_simple_extent_npoints(space);
  const size_t size = H5Tget_size(type);
  uint64_t h = EMPTY;
  if (n <= 0) return h;
  void *values = calloc((size_t)n, size);
  if (!values || read(id, type, values) < 0) exit(3);
  if (H5Tis_variable_str(type) > 0) {
    for (hssize_t i = 0; i < n; ++i) h = hash_of(h, ((char **)values)[i], strlen(((char **)values)[i]) + 1);
    H5Dvlen_reclaim(type, space, H5P_DEFAULT, values);
  } else h = hash_of(h, values, (size_t)n * size);
  free(values);
  return h;
}

static herr_t read_dataset(hid_t id, hid_t type, void *to) {
  return H5Dread(id, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, to);
}
static herr_t read_attribute(hid_t id, hid_t type, void *to) { return H5Aread(id, type, to); }

static herr_t list_attribute(hid_t object, const char *name, const H5A_info_t *info, void *context) {
  const Listing *in = context;
  (void)info;
  if (!strcmp(in->name, "/Sinew")) return 0;
  const hid_t id = H5Aopen(object, name, H5P_DEFAULT), type = H5Aget_type(id), space = H5Aget_space(id);
  fprintf(in->to, "%s@%s %016" PRIx64 "\n", in->name, name, hash_of_values(type, space, id, read_attribute));
  H5Sclose(space), H5Tclose(type), H5Aclose(id);
  return 0;
}

static herr_t list_object(hid_t file, const char *path, const H5O_info_t *info, void *to) {
  char name[LINE];
  Listing in = {to, name};
  snprintf(name, sizeof name, "/%s", strcmp(path, ".") ? path : "");
  if (passed_over(name)) return 0;
  const hid_t object = H5Oopen(file, path, H5P_DEFAULT);
  if (info->type == H5O_TYPE_DATASET) {
    const hid_t type = H5Dget_type(object), space = H5Dget_space(object);
    fprintf(to, "%s %016" PRIx64 "\n", name, hash_of_values(type, space, object, read_dataset));
    H5Sclose(space), H5Tclose(type);
  }
  H5Aiterate2(object, H5_INDEX_NAME, H5_ITER_INC, NULL, list_attribute, &in);
  H5Oclose(object);
  return 0;
}

static uint64_t hash_of_file(const char *path) {
  FILE *f = fopen(path, "rb");
  char bytes[65536];
  uint64_t h = EMPTY;
  for (size_t n; f && (n = fread(bytes, 1, sizeof bytes, f)) > 0;) h = hash_of(h, bytes, n);
  if (f) fclose(f);
  return f ? h : 0;
}

/* All of a results folder, a line each. */
static char *listing_of(const char *folder) {
  char path[5 * LINE], *text = NULL;
  size_t n = 0;
  FILE *to = open_memstream(&text, &n);
  snprintf(path, sizeof path, "%s/results.hdf", folder);
  const hid_t file = access(path, R_OK) ? -1 : H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
  if (file >= 0) {
    H5Ovisit(file, H5_INDEX_NAME, H5_ITER_INC, list_object, to);
    H5Fclose(file);
  }
  snprintf(path, sizeof path, "%s/probes.csv", folder);
  fprintf(to, "probes.csv %016" PRIx64 "\n", hash_of_file(path));
  fclose(to);
  return text;
}

/* The standard output of a command up to a line that begins with `until`. */
static uint64_t hash_of_output(const char *command, const char *until) {
  FILE *f = popen(command, "r");
  char *line = NULL;
  size_t room = 0;
  uint64_t h = EMPTY;
  bool on = true;
  while (f && getline(&line, &room, f) >= 0) {
    on = on && !(until && !strncmp(line, until, strlen(until)));
    if (on) h = hash_of(h, line, strlen(line));
  }
  free(line);
  if (f) pclose(f);
  return h;
}

static int by_name(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }

static int find_cases(const char *folder, char *found[N_CASE]) {
  DIR *d = opendir(folder);
  int n = 0;
  char path[LINE];
  for (struct dirent *e; d && (e = readdir(d)) && n < N_CASE;) {
    snprintf(path, sizeof path, "%s/%s/case.yaml", folder, e->d_name);
    if (e->d_name[0] != '.' && !access(path, R_OK)) found[n++] = strdup(e->d_name);
  }
  if (d) closedir(d);
  qsort(found, (size_t)n, sizeof *found, by_name);
  return n;
}

static void print_lines(const char *before, const char *text) {
  for (const char *end; (end = strchr(text, '\n')); text = end + 1)
    printf("%s %.*s\n", before, (int)(end - text), text);
}

/* One run into a new folder; its lines, owned. */
static char *answer(const char *start, const char *program, const char *path, const char *options, int *code) {
  char folder[] = "/tmp/golden-XXXXXX", command[4 * LINE];
  if (!mkdtemp(folder)) exit(3);
  snprintf(command, sizeof command, "%s '%s' run '%s' -q --overwrite %s -o '%s/r' >/dev/null 2>&1 </dev/null", start,
           program, path, options, folder);
  const int status = system(command);
  *code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  snprintf(command, sizeof command, "%s/r", folder);
  char *text = listing_of(command);
  snprintf(command, sizeof command, "rm -rf '%s'", folder);
  if (system(command)) exit(3);
  return text;
}

static bool look_at(const char *program, const char *cases, const char *name, bool ranks) {
  static const char MPI[] = "OMP_NUM_THREADS=1 OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 "
                            "OMPI_MCA_rmaps_base_oversubscribe=1 mpirun --bind-to none -n 2";
  char path[LINE], command[3 * LINE];
  int one, three, two = 0;
  snprintf(path, sizeof path, "%s/%s/case.yaml", cases, name);
  snprintf(command, sizeof command, "'%s' check '%s' 2>&1", program, path);
  printf("%s check %016" PRIx64 "\n", name, hash_of_output(command, "# memory"));
  char *mine = answer("", program, path, "-j 1", &one), *threads = answer("", program, path, "-j 3", &three);
  printf("%s ends with %d\n", name, one);
  print_lines(name, mine);
  const bool same = one == three && !strcmp(mine, threads);
  if (!same) fprintf(stderr, "%s: 3 threads answer other bits than 1 (exit codes %d and %d)\n", name, three, one);
  free(mine), free(threads);
  if (ranks) {
    char *shared = answer(MPI, program, path, "", &two);
    printf("%s ranks end with %d\n", name, two);
    snprintf(path, sizeof path, "%s ranks", name);
    print_lines(path, shared);
    free(shared);
  }
  fflush(stdout);
  return same;
}

static bool wanted(const char *only, const char *name) {
  const size_t n = strlen(name);
  for (const char *at = only; at && (at = strstr(at, name)); ++at)
    if ((at == only || at[-1] == ',') && (at[n] == ',' || !at[n])) return true;
  return !only;
}

int main(int argc, char **argv) {
  const char *only = NULL;
  bool ranks = true, same = true;
  char *found[N_CASE], command[LINE];
  if (argc < 3) return fprintf(stderr, "usage: golden PROGRAM CASES [--only NAME,NAME] [--without-ranks]\n"), 2;
  for (int a = 3; a < argc; ++a) {
    if (!strcmp(argv[a], "--without-ranks")) ranks = false;
    else if (!strcmp(argv[a], "--only") && a + 1 < argc) only = argv[++a];
    else return fprintf(stderr, "unknown option '%s'\n", argv[a]), 2;
  }
  snprintf(command, sizeof command, "'%s' schema", argv[1]);
  printf("schema %016" PRIx64 "\n", hash_of_output(command, NULL));
  const int n = find_cases(argv[2], found);
  if (n == 0) return fprintf(stderr, "no cases in %s\n", argv[2]), 2;
  for (int k = 0; k < n; ++k) {
    if (wanted(only, found[k])) same &= look_at(argv[1], argv[2], found[k], ranks);
    free(found[k]);
  }
  return same ? 0 : 1;
}
