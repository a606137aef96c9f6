/* What a run will take, array by array, shown before anything large is taken: assembly plans its own part, the matrix
 * and the solver are counted here from the pattern. */
#pragma once
#include "app/input/case.h"
#include "assembly/space/memory_plan.h"
#include "algebra/pattern.h"
#include "output/text.h"

/* The part that every physics has, the matrix and the solver, exactly as the format will take them; `copies` more
 * arrays of values belong to a run in time. *slots: how the entries will lie, without the places, which is all that the
 * memory of assembly asks. */
Status memory_table_system(const Case *c, const char *preconditioner, const Pattern *pattern, bool on_gpu, int copies,
                           SlotMap *slots, MemoryPlan *plan); /* preconditioner: never `auto` */
/* The preconditioner's part of that by itself. */
Status memory_table_preconditioner(const Case *c, const char *preconditioner, const Pattern *pattern, bool on_gpu,
                                   MemoryPlan *plan);
/* Stored times on their way to the files (output/recorder.h), `bytes` each: on the Exec, where that is a GPU on the
 * host too, and once in the mesh's order. */
Status memory_table_output(int64_t bytes, bool on_gpu, MemoryPlan *plan);
/* Whether the preconditioner of this name may ask for a bound of the spectrum, which takes memory for a while. */
bool memory_table_bound(const char *preconditioner);
/* Lines of the table, largest first, and the totals. On the CPU everything is host memory. */
Status memory_table_text(const MemoryPlan *plan, bool on_gpu, Text *out);
/* ERR_GPU with the table where the plan needs more than `free_bytes` of the GPU. */
Status memory_table_check(const MemoryPlan *plan, double free_bytes, const char *device);
