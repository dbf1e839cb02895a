/*
 * Access to ODE: opening and closing the library, one thread at a time, without ending the process.
 *
 * ODE keeps its random numbers and the caches of its mesh colliders in static variables. All calls
 * therefore go through cni_physics_ode_run, which admits one thread at a time and returns false
 * when ODE reports an error for which it would abort.
 */
#ifndef CAIRN_SRC_PHYSICS_ODE_LIBRARY_H
#define CAIRN_SRC_PHYSICS_ODE_LIBRARY_H

#include <cairn/base/api.h>

/* Reference-counted. */
void cni_physics_ode_open(void);
void cni_physics_ode_close(void);

/* `work` must not leave anything half done: it may end inside any call of ODE. Not nestable. */
bool cni_physics_ode_run(void (*work)(void *data), void *data);

#endif
