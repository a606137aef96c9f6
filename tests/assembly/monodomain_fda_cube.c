/* The problem of monodomain_fda.c in three dimensions on meshes that are fine enough for its orders; half a minute. */
#define FDA_CUBE
#include "tests/assembly/monodomain_fda.c"
