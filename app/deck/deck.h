/* A deck of Abaqus or CalculiX (.inp) as a case: its keywords become the text
 * of a case file, of which each line knows where it comes from in the deck, and
 * a mesh with the groups that this text names. Whatever a deck can say, a case
 * file can: 'sinew convert' writes the two. */
#pragma once
#include "app/input/case.h"

/* By its name. */
bool deck_is(const char *path);
/* The case of a deck, with its mesh (Case.made). mesh_file: how its text calls
 * the mesh; NULL: the deck itself. ERR_INPUT and ERR_MESH with file, line and
 * keyword. */
Status deck_load(const char *path, const char *mesh_file, int n_set, const char *const *set, Case **out);
