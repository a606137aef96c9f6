/* What a GPU runs in place of a list of operations (physics/ionic_fused.def). */
#pragma once
#include "core/status.h"
#include "physics/ionic_program.h"

/* program.fused and stream from step and constant; owned by the caller. ERR_MEMORY. */
Status cell_program_fuse(IonicProgram *program);
