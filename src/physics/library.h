/*
 * ODE as a library of the process: opened and closed, one thread inside at a time, and nothing in it
 * ends the process.
 *
 * ODE keeps its random numbers and the caches of its mesh colliders in static variables. So whatever
 * calls into it goes through cni_ode_run, which lets in one thread at a time and comes back with false
 * when ODE finds something that it would abort for.
 */
#ifndef CAIRN_SRC_PHYSICS_LIBRARY_H
#define CAIRN_SRC_PHYSICS_LIBRARY_H

#include <cairn/base/api.h>

/* Counted. */
void cni_ode_open(void);
void cni_ode_close(void);

/* `work` must leave nothing half done: it may end inside any call of ODE. Not nested. */
bool cni_ode_run(void (*work)(void *data), void *data);

#endif
