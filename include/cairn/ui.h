/* cairn/ui: immediate-mode user interfaces, drawn on a canvas of cairn/render. */
#ifndef CAIRN_UI_H
#define CAIRN_UI_H

#include <cairn/ui/demo.h>
#include <cairn/ui/error_overlay.h>
#include <cairn/ui/input.h>
#include <cairn/ui/overlay.h>
#include <cairn/ui/ui.h>
#include <cairn/ui/widgets.h>

#endif
