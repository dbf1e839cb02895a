#include "sign.h"

#include "container.h"
#include "identity.h"
#include "inventory.h"
#include "player.h"

#include <string.h>

bool crafty_sign_is(const CnBlockTable *blocks, CnBlock block)
{
    const char *word = cn_block_info(blocks, block)->name;
    for (; word; word = strchr(word, '_')) {
        word += *word == '_';
        if (strncmp(word, "sign", 4) == 0 && (word[4] == '_' || word[4] == 0))
            return true;
    }
    return false;
}

static bool is_control(uint32_t character)
{
    return character < 0x20 || (character >= 0x7F && character < 0xA0) ||
           (character >= 0x200E && character <= 0x200F) || /* marks of the writing direction */
           (character >= 0x2028 && character <= 0x202E) ||
           (character >= 0x2066 && character <= 0x2069);
}

bool crafty_sign_text_valid(CnText text)
{
    uint32_t lines = 1, length = 0, character;
    if (text.size >= CRAFTY_SIGN_BYTES || !cn_text_is_utf8(text))
        return false;
    for (size_t at = 0; at < text.size;) {
        at = cn_utf8_next(text, at, &character);
        bool is_end = character == '\n';
        length = is_end ? 0 : length + 1;
        lines += is_end;
        if ((!is_end && is_control(character)) || length > CRAFTY_SIGN_LINE_CHARACTERS ||
            lines > CRAFTY_SIGN_LINES)
            return false;
    }
    return true;
}

bool crafty_sign_read(CnVoxels *voxels, CnCell cell, char text[CRAFTY_SIGN_BYTES])
{
    CnBlockData data;
    text[0] = 0;
    if (!crafty_sign_is(cn_voxels_blocks(voxels), cn_voxels_get(voxels, cell)))
        return false;
    if (!cn_block_data_get(voxels, cell, &data))
        return true;
    CnText stored = {(const char *)data.bytes, data.size};
    if (strcmp(cn_block_data_kind_name(voxels, data.kind), CRAFTY_SIGN_KIND) != 0 ||
        !crafty_sign_text_valid(stored))
        return false;
    memcpy(text, stored.data, stored.size);
    text[stored.size] = 0;
    return true;
}

bool crafty_sign_write(CnVoxels *voxels, CnCell cell, CnText text, CnError *error)
{
    CnBlockData data = {.bytes = (const uint8_t *)text.data, .size = (uint16_t)text.size};
    if (!crafty_sign_text_valid(text))
        return cn_error_set(error, CN_ERROR_MISMATCH,
                            "a sign shows at most %u lines of %u characters without control "
                            "characters",
                            CRAFTY_SIGN_LINES, CRAFTY_SIGN_LINE_CHARACTERS);
    if (!crafty_sign_is(cn_voxels_blocks(voxels), cn_voxels_get(voxels, cell)))
        return cn_error_set(error, CN_ERROR_NOT_FOUND, "there is no sign at %d, %d, %d", cell.x,
                            cell.y, cell.z);
    if (text.size == 0)
        return cn_block_data_remove(voxels, cell, error);
    return cn_block_data_kind(voxels, CRAFTY_SIGN_KIND, &data.kind, error) &&
           cn_block_data_set(voxels, cell, &data, error);
}

/* Somebody on a server has to look at what it opens, which walls prevent. */
static bool has_open(const CraftyPlayer *player, CraftyOpen what, CnCell cell)
{
    return player->open == what && player->open_cell[0] == cell.x &&
           player->open_cell[1] == cell.y && player->open_cell[2] == cell.z;
}

bool crafty_sign_write_as(CnWorld *world, CnEntity player, CnCell cell, CnText text, CnError *error)
{
    const CnTransform *eye = cn_get(world, player, CnTransform);
    const CraftyPlayer *own = cn_get(world, player, CraftyPlayer);
    bool may_write =
        own && own->mode != CRAFTY_MODE_SPECTATOR &&
        (!cn_get(world, player, CraftyIdentity) || has_open(own, CRAFTY_OPEN_SIGN, cell));
    if (!eye || !may_write || !cn_cell_is_in_world(cell) ||
        !crafty_container_is_near(eye->position, cell))
        return cn_error_set(error, CN_ERROR_MISMATCH, "the sign at %d, %d, %d is out of reach",
                            cell.x, cell.y, cell.z);
    return crafty_sign_write(cn_resource(world, CraftyBlocks)->voxels, cell, text, error);
}
