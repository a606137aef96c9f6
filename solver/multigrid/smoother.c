#include "solver/multigrid/smoother.h"

#include <stddef.h>

#define SMOOTHER(id, name, meaning) extern const Smoother smoother_##id;
#include "solver/multigrid/smoothers.def"
#undef SMOOTHER
static const struct {
  const char *name;
  const Smoother *type;
} TYPES[] = {
#define SMOOTHER(id, name, meaning) {name, &smoother_##id},
#include "solver/multigrid/smoothers.def"
#undef SMOOTHER
};
const char SMOOTHER_WORDS[] =
#define SMOOTHER(id, name, meaning) name "|"
#include "solver/multigrid/smoothers.def"
#undef SMOOTHER
    ;
enum { N_TYPE = (int)(sizeof TYPES / sizeof *TYPES) };

int32_t smoother_count(void) { return N_TYPE; }
const char *smoother_name(int32_t i) { return i >= 0 && i < N_TYPE ? TYPES[i].name : ""; }
const Smoother *smoother_type(int32_t i) { return i >= 0 && i < N_TYPE ? TYPES[i].type : NULL; }
