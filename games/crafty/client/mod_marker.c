/* Where markers of mods are on the screen. */
#include "mod_hud.h"

#include <cairn/base/math.h>

#define NEAR 0.05f

/* The point of the edge of the inner rectangle in a direction from the middle. */
static CnVec2 at_edge(CnVec2 half, CnVec2 direction)
{
    float x = direction.x < 0 ? -direction.x : direction.x;
    float y = direction.y < 0 ? -direction.y : direction.y;
    float along = x * half.y > y * half.x ? half.x / x : half.y / (y > 0 ? y : 1);
    return (CnVec2){direction.x * along, direction.y * along};
}

CraftyMarkerPlace crafty_marker_place(const CnRenderCamera *camera, CnVec3 position, CnVec2 size,
                                      CnVec2 margin)
{
    const CnQuat *r = &camera->rotation;
    CnVec3 to = cn_quat_rotate((CnQuat){-r->x, -r->y, -r->z, r->w},
                               cn_vec3_sub(position, camera->position));
    CnVec2 half = {size.x / 2 - margin.x, size.y / 2 - margin.y};
    half = (CnVec2){half.x > 1 ? half.x : 1, half.y > 1 ? half.y : 1};
    float length = cn_sqrtf(to.x * to.x + to.y * to.y);
    CraftyMarkerPlace place = {.direction = {0, 1}, .is_outside = true};
    if (length > 1e-6f)
        place.direction = (CnVec2){to.x / length, -to.y / length};
    CnVec2 offset = at_edge(half, place.direction);
    if (-to.z > NEAR) {
        float points = size.y / 2 / (cn_tanf(camera->fov / 2) * -to.z);
        CnVec2 seen = {to.x * points, -to.y * points};
        place.is_outside =
            seen.x < -half.x || seen.x > half.x || seen.y < -half.y || seen.y > half.y;
        offset = place.is_outside ? offset : seen;
    }
    place.at = (CnVec2){size.x / 2 + offset.x, size.y / 2 + offset.y};
    return place;
}
