#include "sound_captions.h"

#include <cairn/base/math.h>
#include <cairn/base/text.h>

#define FROM_EDGE 8.0f
#define ABOVE_SLOTS 96.0f
#define SIDE 0.35f /* sine of the angle from which on a sound is beside the player */

void crafty_caption_text(const CraftyCaption *caption, CnVec3 eye, CnQuat rotation, char *text,
                         size_t text_bytes)
{
    CnVec3 right = cn_quat_rotate(rotation, cn_vec3(1, 0, 0));
    CnVec3 to = cn_vec3_sub(caption->position, eye);
    float length = cn_sqrtf(to.x * to.x + to.z * to.z);
    float side = length > 1 ? (to.x * right.x + to.z * right.z) / length : 0;
    if (!caption->is_spatial)
        side = 0;
    cn_format(text, text_bytes, "%s[%s]%s", side < -SIDE ? "< " : "", caption->text,
              side > SIDE ? " >" : "");
}

void crafty_captions_draw(const CraftySound *sound, CnCanvas *canvas, CnVec3 eye, CnQuat rotation,
                          float text_size)
{
    CraftyCaption captions[CRAFTY_CAPTIONS];
    uint32_t count = crafty_sound_captions(sound, captions);
    CnRect area = cn_canvas_area(canvas);
    CnTextStyle style = {.size = 14 * (text_size > 0 ? text_size : 1)};
    float height = 1.6f * style.size, y = area.y + area.height - ABOVE_SLOTS - height;
    for (uint32_t i = 0; i < count; i++, y -= height + 2) {
        char text[96];
        crafty_caption_text(&captions[i], eye, rotation, text, sizeof text);
        float alpha = captions[i].seconds < 1 ? captions[i].seconds : 1;
        float width = cn_canvas_text_size(canvas, &style, cn_text(text), 0).x + 12;
        CnRect box = {area.x + area.width - width - FROM_EDGE, y, width, height};
        cn_canvas_box(
            canvas, box,
            &(CnBoxStyle){.fill = cn_color_fade(cn_rgb(0x000000), 0.65f * alpha), .radius = 3});
        style.color = cn_color_fade(cn_rgb(0xFFFFFF), alpha);
        cn_canvas_text_in(canvas, box, &style,
                          &(CnTextLayout){.align_x = CN_ALIGN_CENTER, .align_y = CN_ALIGN_CENTER},
                          cn_text(text));
    }
}
