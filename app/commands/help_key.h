/* sinew help KEY: what the tables of keys say of a key of the case file. */
#pragma once
#include "core/status.h"

/* Prints it: `asked` is a path, contact.friction or materials.0.young, or its last names. ERR_USAGE: there is none, with the nearest
 * one. */
Status help_key(const char *asked);
/* Is it the path of a key of some physics? */
bool help_key_known(const char *asked);
