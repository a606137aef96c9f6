/* Between checkpoint.c and checkpoint_read.c. */
#pragma once
#include "core/status.h"

/* Newest, the one before, and two names that are only used while a checkpoint is written. */
enum { CHECKPOINT_VERSION = 2, CHECKPOINT_NAMES = 4, CHECKPOINT_GENERATIONS = 2 };

Status checkpoint_paths(const char *folder, char *path[CHECKPOINT_NAMES]);
void checkpoint_paths_release(char *path[CHECKPOINT_NAMES]);
