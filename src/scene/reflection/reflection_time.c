#include "scene/reflection/reflection_internal.h"

#include <cairn/sim/time.h>

static const CnReflectedField time_fields[] = {
    {.key = "scale",
     .field = "scale",
     .maximum = CN_TIME_MAX_SCALE,
     .about = "speed of the simulation; 1 is real time, 0 is paused"},
};

static const CnReflectedType reflected_time = {.name = "CnTime",
                                               .type = &cn_type_CnTime,
                                               .fields = time_fields,
                                               .field_count = CN_COUNT_OF(time_fields),
                                               .about = "time of frames and ticks",
                                               .is_resource = true};

bool cni_scene_reflect_time(CnWorld *world, CnError *error)
{
    return cn_reflection_add(world, &reflected_time, error);
}
