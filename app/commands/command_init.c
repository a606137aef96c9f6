/* sinew init: a case to start from. The files are those of app/init/, taken into the program when it is built. */
#include "app/commands/commands.h"
#include "app/input/json_schema.h"
#include "core/memory.h"
#include "core/nearest.h"
#include "init_files.h"
#include "output/folder.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char SCHEMA_NAME[] = "case.schema.json";

static Status check_free(const char *folder, const char *name) {
  struct stat info;
  char *path = NULL;
  TRY(output_path(folder, name, &path));
  const bool there = lstat(path, &info) == 0;
  FREE(path);
  CHECK(!there, ERR_IO, "'%s/%s' exists already, and 'sinew init' overwrites nothing\n  name another folder", folder,
        name);
  return OK;
}

static Status write_whole(int file, const char *path, const unsigned char *bytes, size_t n) {
  for (size_t done = 0; done < n;) {
    const ssize_t got = write(file, bytes + done, n - done);
    if (got < 0 && errno == EINTR) continue;
    CHECK(got >= 0, ERR_IO, "cannot write '%s': %s", path, strerror(errno));
    done += (size_t)got;
  }
  return OK;
}

static Status put_file(const char *folder, const InitFile *f) {
  char *path = NULL;
  TRY(output_path(folder, f->name, &path));
  const int file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  Status status = file >= 0 ? OK : FAIL(ERR_IO, "cannot write '%s': %s", path, strerror(errno));
  if (status == OK) status = write_whole(file, path, f->bytes, f->n);
  if (file >= 0 && close(file) != 0 && status == OK)
    status = FAIL(ERR_IO, "cannot write '%s': %s", path, strerror(errno));
  if (file >= 0 && status != OK) unlink(path); /* nothing half-written */
  FREE(path);
  return status;
}

static Status put_schema(const char *folder) {
  Json *json = NULL;
  char *path = NULL;
  TRY(output_path(folder, SCHEMA_NAME, &path));
  Status status = json_create(&json);
  if (status == OK) json_schema_write(json);
  if (status == OK) status = json_save(json, path);
  json_destroy(&json);
  FREE(path);
  return status;
}

static Status put_all(const char *kind, const char *folder) {
  CHECK(*folder, ERR_USAGE, "sinew: the name of the folder is empty");
  TRY(check_free(folder, SCHEMA_NAME));
  for (size_t i = 0; i < N_INIT_FILES; ++i)
    if (strcmp(init_files[i].kind, kind) == 0) TRY(check_free(folder, init_files[i].name));
  CHECK(mkdir(folder, 0777) == 0 || errno == EEXIST, ERR_IO, "cannot make the folder '%s': %s", folder,
        strerror(errno));
  for (size_t i = 0; i < N_INIT_FILES; ++i)
    if (strcmp(init_files[i].kind, kind) == 0) TRY(put_file(folder, &init_files[i]));
  return put_schema(folder);
}

/* A kind that is one letter away; NULL: none is. */
static const char *near_kind(const char *word) {
  for (size_t i = 0; i < N_INIT_FILES; ++i)
    if (nearest_distance(word, init_files[i].kind) == 1) return init_files[i].kind;
  return NULL;
}

/* Of one word that is a kind both, of two in either order. */
static Status command_init_choose(const Options *o, const char **kind, const char **folder) {
  const bool two = o->n_operand > 1, first = options_topic(COMMAND_INIT, o->operand[0]) == OK;
  const bool last = two && options_topic(COMMAND_INIT, o->operand[1]) == OK;
  status_clear();
  *kind = first ? o->operand[0] : last ? o->operand[1] : "elasticity";
  *folder = first && two ? o->operand[1] : o->operand[0];
  if (!two || first || last) return OK;
  return options_topic(COMMAND_INIT, o->operand[!near_kind(o->operand[0]) && near_kind(o->operand[1])]);
}

Status command_init(const Options *options) {
  const char *kind, *folder;
  TRY(command_init_choose(options, &kind, &folder));
  TRY(put_all(kind, folder));
  if (options->quiet) return OK;
  Text word = {0};
  shell_word(folder, &word);
  printf("%s: a case of %s to start from", folder, kind);
  if (options->n_operand == 1 && near_kind(folder))
    printf("; did you mean '%s'? 'sinew init %s FOLDER'", near_kind(folder), near_kind(folder));
  printf("\n");
  for (size_t i = 0; i < N_INIT_FILES; ++i)
    if (strcmp(init_files[i].kind, kind) == 0) printf("  %-17s %s\n", init_files[i].name, init_files[i].meaning);
  printf("  %-17s with which editors complete and check the case\n\n"
         "  look at it   sinew check %s\n  solve it     sinew run %s\n",
         SCHEMA_NAME, word.data ? word.data : folder, word.data ? word.data : folder);
  text_release(&word);
  return OK;
}
