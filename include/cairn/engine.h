/* cairn/engine: scenes, renderer and window put together: the loop of a program. */
#ifndef CAIRN_ENGINE_H
#define CAIRN_ENGINE_H

#include <cairn/engine/engine.h>
#include <cairn/engine/options.h>

#endif
