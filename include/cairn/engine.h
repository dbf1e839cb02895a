/* cairn/engine: combines scenes, renderer and window, and runs the frame loop of a program. */
#ifndef CAIRN_ENGINE_H
#define CAIRN_ENGINE_H

#include <cairn/engine/engine.h>
#include <cairn/engine/hot_reload.h>
#include <cairn/engine/options.h>

#endif
