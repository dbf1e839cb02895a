/* Serialised edit: tick 8 bytes, player 4, kind 1, face 1, x, y and z 4 each, old and new block 2
 * each. */
#include <cairn/base/bytes.h>
#include <cairn/voxel/edit.h>
#include <cairn/voxel/mesh.h>

static uint8_t *store(uint8_t *bytes, const void *value, size_t size)
{
    memcpy(bytes, value, size);
    return bytes + size;
}

void cn_edit_write(const CnEdit *edit, uint8_t bytes[CN_EDIT_BYTES])
{
    bytes = store(bytes, &edit->tick, sizeof edit->tick);
    bytes = store(bytes, &edit->player, sizeof edit->player);
    bytes = store(bytes, &edit->kind, sizeof edit->kind);
    bytes = store(bytes, &edit->face, sizeof edit->face);
    bytes = store(bytes, &edit->cell.x, sizeof edit->cell.x);
    bytes = store(bytes, &edit->cell.y, sizeof edit->cell.y);
    bytes = store(bytes, &edit->cell.z, sizeof edit->cell.z);
    bytes = store(bytes, &edit->old_block, sizeof edit->old_block);
    store(bytes, &edit->new_block, sizeof edit->new_block);
}

bool cn_edit_read(CnEdit *edit, const uint8_t bytes[CN_EDIT_BYTES], CnError *error)
{
    CnEdit read = {.tick = cn_load_u64(bytes),
                   .player = cn_load_u32(bytes + 8),
                   .kind = bytes[12],
                   .face = bytes[13],
                   .cell = {(int32_t)cn_load_u32(bytes + 14), (int32_t)cn_load_u32(bytes + 18),
                            (int32_t)cn_load_u32(bytes + 22)},
                   .old_block = cn_load_u16(bytes + 26),
                   .new_block = cn_load_u16(bytes + 28)};
    if (read.kind >= CN_EDIT_KIND_COUNT)
        return cn_error_set(error, CN_ERROR_FORMAT, "unknown edit kind %u", read.kind);
    if (read.face >= CN_FACE_COUNT && read.face != CN_EDIT_NO_FACE)
        return cn_error_set(error, CN_ERROR_FORMAT, "invalid face %u", read.face);
    if (!cn_cell_is_in_world(read.cell))
        return cn_error_set(error, CN_ERROR_FORMAT, "the cell %d %d %d lies outside the world",
                            read.cell.x, read.cell.y, read.cell.z);
    if (read.old_block >= CN_BLOCK_COUNT || read.new_block >= CN_BLOCK_COUNT)
        return cn_error_set(error, CN_ERROR_FORMAT, "unknown block %u",
                            read.old_block >= CN_BLOCK_COUNT ? read.old_block : read.new_block);
    *edit = read;
    return true;
}
