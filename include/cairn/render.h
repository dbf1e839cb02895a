/* cairn/render: what is drawn, and in which passes. It stands on cairn/gpu. */
#ifndef CAIRN_RENDER_H
#define CAIRN_RENDER_H

#include <cairn/render/graph.h>

#endif
