/* Programs of cell models from files, on the Exec that runs them. */
#pragma once
#include "core/exec.h"
#include "physics/ionic_program.h"

/* With the list of steps that runs there; the lists are owned. ERR_MEMORY, ERR_GPU. */
Status imported_program_create(Exec *exec, const IonicProgram *from, IonicProgram *out);
/* Also of one that was never created. */
void imported_program_release(Exec *exec, IonicProgram *program);
