/*
 * boxes: crates that fall into a tray and settle; demo, test and benchmark at once.
 *
 * They hang in layers of a hundred, each of another size and turned a little, and fall together.
 * The tray has a floor and four walls.
 */
#ifndef SCENES_BOXES_H
#define SCENES_BOXES_H

#include <cairn/sim.h>

#define BOXES_MAX 100000u

typedef struct BoxesDesc {
    uint32_t boxes; /* 0 means 1,000 */
} BoxesDesc;

/* Adds the plugin Physics too when it is not there. Before the first tick. */
bool boxes_add(CnSim *sim, const BoxesDesc *desc, CnError *error);

typedef struct BoxesState {
    uint32_t boxes, asleep;
    uint32_t lost;  /* not in the tray */
    double fastest; /* meters a second */
} BoxesState;
BoxesState boxes_state(const CnSim *sim);

/* What has become of them, for people. */
void boxes_report(const CnSim *sim, char *text, size_t text_bytes);

#endif
