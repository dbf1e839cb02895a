#include "headless.h"

#include "frame.h"

#include <cairn/base/clock.h>
#include <cairn/base/log.h>
#include <cairn/base/math.h>

/* Size in pixels of frames that are not displayed. Not a power of two, because drivers may use
 * other shaders for those. */
#define SMALL 40u

/* Disables everything except the blocks, or restores what was enabled. */
static void leave_only_blocks(CnRenderer *renderer, uint64_t *was_on, bool only)
{
    CnFeature *feature;
    for (uint32_t i = 0; (feature = cn_renderer_feature_at(renderer, i)) != NULL; i++) {
        bool is_blocks = feature == cn_renderer_feature(renderer, cn_feature_blocks.name) ||
                         feature == cn_renderer_feature(renderer, cn_feature_lit_blocks.name);
        if (only && cn_feature_is_enabled(feature))
            *was_on |= UINT64_C(1) << i;
        if (*was_on >> i & 1 && !is_blocks)
            cn_feature_set_enabled(feature, !only);
    }
}

/* Uploads pending meshes by drawing small empty frames, without affecting the temporal state of
 * other features. */
static bool upload_all(Crafty *crafty, CnError *error)
{
    CnRenderer *renderer = cn_engine_renderer(crafty->engine);
    /* Long enough ago for the blocks to have faded in. */
    CnFrameDesc frame_desc = {
        .time = cn_engine_time(crafty->engine)->elapsed - 60, .width = SMALL, .height = SMALL};
    uint64_t waiting = crafty_terrain_stats(crafty->play->terrain).view.waiting_bytes,
             before = UINT64_MAX;
    uint64_t was_on = 0;
    bool is_fine = true;
    leave_only_blocks(renderer, &was_on, true);
    while (is_fine && waiting && waiting < before) {
        is_fine = cn_renderer_draw(renderer, &frame_desc, error);
        before = waiting;
        waiting = crafty_terrain_stats(crafty->play->terrain).view.waiting_bytes;
    }
    leave_only_blocks(renderer, &was_on, false);
    return is_fine;
}

bool crafty_headless_warm_up(Crafty *crafty, CnError *error)
{
    const CraftyPose *pose = &crafty->play->pose;
    CnRenderSnapshot snapshot = {.camera = {.valid = true,
                                            .position = pose->position,
                                            .rotation = crafty_pose_rotation(pose),
                                            .fov = CRAFTY_FOV * CN_PIF / 180,
                                            .near_plane = CRAFTY_NEAR_PLANE,
                                            .far_plane = crafty->settings.far_edge},
                                 .atmosphere = {.valid = true,
                                                .to_sun = {0, 1, 0},
                                                .to_moon = {0, -1, 0},
                                                .cloud_cover = 0.5f,
                                                .cloud_bottom = pose->position.y + 100,
                                                .cloud_top = pose->position.y + 140}};
    CnFrameDesc frame_desc = {.current = &snapshot,
                              .time = cn_engine_time(crafty->engine)->elapsed - 60,
                              .width = SMALL,
                              .height = SMALL};
    CraftyStreamView eye = crafty_frame_view_of_pose(crafty, pose);
    crafty_terrain_load(crafty->play->terrain, &eye);
    return !crafty_uses_baked_lighting(&crafty->settings) ||
           cn_renderer_draw(cn_engine_renderer(crafty->engine), &frame_desc, error);
}

bool crafty_headless_wait(Crafty *crafty, const CraftyStreamView *eye, CnError *error)
{
    crafty_terrain_wait(crafty->play->terrain, eye);
    return upload_all(crafty, error);
}

bool crafty_headless_load(Crafty *crafty, const CraftyPose *pose, CnError *error)
{
    CraftyStreamView eye = crafty_frame_view_of_pose(crafty, pose);
    crafty_terrain_wait(crafty->play->terrain, &eye);
    CN_LOG_DEBUG("crafty", "chunks after %.0f ms",
                 cn_seconds(cn_clock_ns() - crafty->begin_ns) * 1e3);
    return upload_all(crafty, error);
}
