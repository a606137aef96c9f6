/* The case that a user names: a file, or a folder with one in it. */
#include "app/commands/commands.h"
#include "app/deck/deck.h"
#include "core/memory.h"
#include "core/text_source.h"
#include "mesh/mesh.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

static bool is_case_name(const char *name) {
  return name[0] != '.' && (path_ends(name, ".yaml") || path_ends(name, ".yml"));
}

/* The case of a folder: case.yaml, case.yml, or the only file that ends so. n: how many there are. */
static int case_operand_choose(const char *folder, char *name, size_t size, char *list, size_t list_size) {
  DIR *listing = opendir(folder);
  int n = 0, best = 0;
  *name = *list = 0;
  if (!listing) return 0;
  for (struct dirent *entry = readdir(listing); entry; entry = readdir(listing)) {
    if (!is_case_name(entry->d_name) || strlen(entry->d_name) >= size) continue;
    const int rank = strcmp(entry->d_name, "case.yaml") == 0 ? 3 : strcmp(entry->d_name, "case.yml") == 0 ? 2 : 1;
    if (rank > best) {
      best = rank;
      snprintf(name, size, "%s", entry->d_name);
    }
    if (strlen(list) + strlen(entry->d_name) + 3 < list_size)
      snprintf(list + strlen(list), list_size - strlen(list), "%s%s", n ? ", " : "", entry->d_name);
    ++n;
  }
  closedir(listing);
  return best > 1 ? 1 : n;
}

static Status case_in_folder(const char *folder, char **out) {
  char name[256], list[512];
  const int n = case_operand_choose(folder, name, sizeof name, list, sizeof list);
  const size_t length = strlen(folder);
  CHECK(n > 0, ERR_INPUT, "%s: is a folder without a case.yaml\n  'sinew init %s' writes one to start from", folder,
        folder);
  CHECK(n == 1, ERR_INPUT, "%s: is a folder with several cases and no case.yaml\n  name one of: %s", folder, list);
  Text path = {0};
  const bool here = strcmp(folder, ".") == 0 || strcmp(folder, "./") == 0;
  text_add(&path, "%s%s%s", here ? "" : folder, here || folder[length - 1] == '/' ? "" : "/", name);
  return folder_path(&path, out);
}

Status file_is_free(const char *path, bool overwrite) {
  struct stat info;
  const bool there = stat(path, &info) == 0;
  CHECK(!there || S_ISREG(info.st_mode), ERR_IO, "cannot write '%s': it exists and is not a regular file", path);
  CHECK(!there || overwrite, ERR_IO, "'%s' exists already; --overwrite replaces it", path);
  return OK;
}

static Status no_such_case(const char *given) {
  static const char *const endings[] = {".yaml", ".yml"};
  struct stat info;
  char path[4096];
  const char *slash = strrchr(given, '/'), *dot = strrchr(slash ? slash : given, '.');
  FAIL(ERR_INPUT, "%s: cannot open the case file: %s", given, strerror(errno));
  for (int i = 0; i < 2; ++i)
    for (int cut = 0; cut < 2; ++cut) { /* with the ending added, or in place of the one given */
      const int n = cut && dot ? (int)(dot - given) : (int)strlen(given);
      snprintf(path, sizeof path, "%.*s%s", n, given, endings[i]);
      if (stat(path, &info) == 0 && S_ISREG(info.st_mode)) return status_context(ERR_INPUT, "did you mean '%s'?", path);
    }
  return ERR_INPUT;
}

Status case_open(const char *path, int n_set, const char *const *set, Case **out) {
  return deck_is(path) ? deck_load(path, NULL, n_set, set, out) : case_load(path, n_set, set, out);
}

/* A mesh or a geometry where the case should be, known by its name. */
static Status refuse_mesh(const char *given) {
  const char *slash = strrchr(given, '/');
  CHECK(deck_is(given) || !mesh_ending(given), ERR_INPUT,
        "%s: is a mesh or a geometry; a case file (YAML) is expected, which names it:  mesh: %s\n"
        "  'sinew init FOLDER' writes one to start from",
        given, slash ? slash + 1 : given);
  return OK;
}

Status case_operand(const char *given, char **out) {
  struct stat info;
  Text path = {0};
  *out = NULL;
  CHECK(*given, ERR_INPUT, "the name of the case file is empty");
  const bool piped = strcmp(given, "-") == 0; /* the standard input (case_load) */
  if (!piped && stat(given, &info) != 0) return no_such_case(given);
  if (!piped && S_ISDIR(info.st_mode)) return case_in_folder(given, out);
  TRY(refuse_mesh(given));
  text_add(&path, "%s", given);
  return folder_path(&path, out);
}
