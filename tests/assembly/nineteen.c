/* What monodomain_evolution.c says of states that go first, with a model of 19 states (tests/physics/nineteen.h). */
#define SINEW_NINETEEN
#include "tests/assembly/monodomain_evolution.c"
