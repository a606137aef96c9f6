/* What tests/gpu/launchers.c looks row kernels up in: the registry of a build with CUDA (launcher_registry.c), or else
 * the names in the sources of the launchers (launcher_sources.c), so that one that is missing is seen without nvcc
 * too. */
#pragma once
#include "core/exec.h"

typedef enum LauncherFound { LAUNCHER_MISSING, LAUNCHER_DIFFERS, LAUNCHER_THERE } LauncherFound;

/* Fails the test when two launchers have one name; returns how many there are. */
int launchers_open(void);
void launchers_close(void);
/* LAUNCHER_DIFFERS: its arguments have another size (known with CUDA only). */
LauncherFound launchers_find(const char *name, size_t args_size);
