/* Runs the built program under a fault, and handles the folders that it works on. */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { PATH_ROOM = 512, SAID_ROOM = 4096, WORDS_MOST = 24, CPU_SECONDS = 20, WALL_SECONDS = 180 };

typedef struct Ended {
  int code;             /* -1: by a signal */
  int signal;           /* 0: by itself */
  bool hung;            /* used up CPU_SECONDS or WALL_SECONDS */
  char said[SAID_ROOM]; /* the beginning of its stderr */
} Ended;

/* `words` after the program's name and `settings` ("NAME=value") added to the environment, both ended by NULL. One
 * thread, quiet libraries, no core files. Standard input is empty, standard output thrown away. */
Ended program_run(const char *program, const char *folder, const char *const *words, const char *const *settings);

/* "folder/name" in one of a few rotating rooms of this process. */
const char *path_in(const char *folder, const char *name);
void folder_make(const char *path);
void folder_drop(const char *path);
/* Copies the files (not folders) of one folder into another, which is emptied first. */
void folder_copy(const char *from, const char *to);
bool file_there(const char *path);
/* The whole file, with a NUL behind it; NULL when it is not there. Owned by the caller. */
unsigned char *file_read(const char *path, size_t *n);
void file_write(const char *path, const void *bytes, size_t n);
bool files_equal(const char *a, const char *b);

/* Ends the campaign: its own machinery has failed. */
void give_up(const char *format, ...) __attribute__((noreturn, format(printf, 1, 2)));
