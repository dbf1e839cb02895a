#ifndef MODULES_CENSUS_H
#define MODULES_CENSUS_H

#include <cairn/ecs.h>

CN_COMPONENT(Census, (u32, entities), (u32, most));

#endif
