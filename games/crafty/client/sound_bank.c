#include "sound_bank.h"

#include <cairn/base/log.h>
#include <cairn/base/math.h>
#include <cairn/base/text.h>

#include <stdlib.h>
#include <string.h>

/* The contents of sounds.pack; cmake/games.cmake sets its path. */
__asm__(".section .rodata\n"
        ".balign 16\n"
        ".globl crafty_sound_pack\ncrafty_sound_pack:\n"
        ".incbin \"" CRAFTY_SOUND_PACK "\"\n"
        ".globl crafty_sound_pack_end\ncrafty_sound_pack_end:\n"
        ".byte 0\n"
        ".previous\n");
extern const uint8_t crafty_sound_pack[], crafty_sound_pack_end[];

#define HEADER_BYTES 20u
#define NAME_BYTES 48u
#define CAPTION_BYTES 40u
#define SOUND_BYTES (NAME_BYTES + CAPTION_BYTES + 16)
#define TAKE_BYTES 12u

/* One variant. */
typedef struct Take {
    uint32_t offset, size, sound;
    CnSound loaded;
    bool is_tried;
} Take;

struct CraftySoundBank {
    CnAllocator *allocator;
    CnAudio *audio;
    CnFileSystem files; /* for streams: the path is the number of a take */
    uint32_t count, take_count, next;
    CraftySoundInfo *infos; /* ordered by name */
    uint32_t *first_takes;
    Take *takes;
};

static uint32_t word_at(const uint8_t *bytes)
{
    return (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 |
           (uint32_t)bytes[3] << 24;
}

static float float_at(const uint8_t *bytes)
{
    uint32_t bits = word_at(bytes);
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* ---- The pack as a file system, for streams ---- */

static CraftySoundBank *bank_of(CnFileSystem *fs)
{
    return (CraftySoundBank *)(void *)((char *)fs - offsetof(CraftySoundBank, files));
}

static Take *take_of(CnFileSystem *fs, const char *path)
{
    unsigned long number = strtoul(path, NULL, 10);
    return number < bank_of(fs)->take_count ? &bank_of(fs)->takes[number] : NULL;
}

static bool open_take(CnFileSystem *fs, const char *path, CnFileMode mode, CnFile **file,
                      CnError *error)
{
    Take *take = take_of(fs, path);
    if (!take || mode != CN_FILE_READ)
        return cn_file_set_error(error, CN_ERROR_NOT_FOUND, "open", path, "no such sound");
    *file = (CnFile *)(void *)take;
    return true;
}

static void close_take(CnFileSystem *fs, CnFile *file)
{
    (void)fs;
    (void)file;
}

static bool read_take(CnFileSystem *fs, CnFile *file, uint64_t offset, void *bytes, size_t size,
                      size_t *done, CnError *error)
{
    const Take *take = (const Take *)(const void *)file;
    (void)fs;
    (void)error;
    uint64_t left = offset < take->size ? take->size - offset : 0;
    *done = size < left ? size : (size_t)left;
    memcpy(bytes, crafty_sound_pack + take->offset + offset, *done);
    return true;
}

static bool take_info(CnFileSystem *fs, const char *path, CnFileInfo *info, CnError *error)
{
    const Take *take = take_of(fs, path);
    if (!take)
        return cn_file_set_error(error, CN_ERROR_NOT_FOUND, "find", path, "no such sound");
    *info = (CnFileInfo){.size_bytes = take->size};
    return true;
}

static const CnBudget *take_budget(CnFileSystem *fs, CnFile *file)
{
    (void)fs;
    (void)file;
    return cn_budget_of(CN_ORIGIN_TRUSTED);
}

/* ---- Reading the tables ---- */

static int order(const void *a, const void *b)
{
    const uint8_t *const *left = a, *const *right = b;
    return strncmp((const char *)*left, (const char *)*right, NAME_BYTES);
}

static CraftySoundInfo read_info(const uint8_t *row)
{
    static const CnAudioBus buses[] = {CN_AUDIO_BUS_EFFECTS, CN_AUDIO_BUS_MUSIC,
                                       CN_AUDIO_BUS_AMBIENCE, CN_AUDIO_BUS_INTERFACE};
    const uint8_t *values = row + NAME_BYTES + CAPTION_BYTES;
    return (CraftySoundInfo){.name = (const char *)row,
                             .caption = (const char *)row + NAME_BYTES,
                             .variants = word_at(values + 4),
                             .gain = cn_powf(10, float_at(values + 8) / 20),
                             .bus = buses[values[12] & 3],
                             .loops = values[13] != 0,
                             .streams = values[14] == 2,
                             .priority = (int8_t)((int)(values[15] / 2) - 50)};
}

/* The pack was made by the build, so it is valid. */
static void read_tables(CraftySoundBank *bank, const uint8_t **rows)
{
    const uint8_t *takes = crafty_sound_pack + HEADER_BYTES + (size_t)bank->count * SOUND_BYTES;
    for (uint32_t i = 0; i < bank->count; i++)
        rows[i] = crafty_sound_pack + HEADER_BYTES + (size_t)i * SOUND_BYTES;
    qsort(rows, bank->count, sizeof *rows, order);
    for (uint32_t i = 0; i < bank->count; i++) {
        bank->infos[i] = read_info(rows[i]);
        bank->first_takes[i] = word_at(rows[i] + NAME_BYTES + CAPTION_BYTES);
        for (uint32_t v = 0; v < bank->infos[i].variants; v++)
            bank->takes[bank->first_takes[i] + v].sound = i;
    }
    for (uint32_t i = 0; i < bank->take_count; i++) {
        bank->takes[i].offset = word_at(takes + (size_t)i * TAKE_BYTES);
        bank->takes[i].size = word_at(takes + (size_t)i * TAKE_BYTES + 4);
    }
}

CraftySoundBank *crafty_sound_bank_create(CnAllocator *allocator, CnAudio *audio, CnError *error)
{
    allocator = allocator ? allocator : cn_system_allocator();
    CraftySoundBank *bank = cn_alloc_zeroed(allocator, sizeof *bank);
    if (!bank) {
        cn_error_memory(error, "sounds");
        return NULL;
    }
    bank->allocator = allocator;
    bank->audio = audio;
    bank->files = (CnFileSystem){.open = open_take,
                                 .close = close_take,
                                 .read = read_take,
                                 .info = take_info,
                                 .budget = take_budget};
    bank->count = word_at(crafty_sound_pack + 12);
    bank->take_count = word_at(crafty_sound_pack + 16);
    const uint8_t **rows = cn_alloc(allocator, bank->count * sizeof *rows);
    bank->infos = cn_alloc_zeroed(allocator, bank->count * sizeof *bank->infos);
    bank->first_takes = cn_alloc_zeroed(allocator, bank->count * sizeof *bank->first_takes);
    bank->takes = cn_alloc_zeroed(allocator, bank->take_count * sizeof *bank->takes);
    bool ok = rows && bank->infos && bank->first_takes && bank->takes;
    if (ok)
        read_tables(bank, rows);
    cn_free(allocator, rows, bank->count * sizeof *rows);
    if (!ok) {
        crafty_sound_bank_destroy(bank);
        cn_error_memory(error, "sounds");
        return NULL;
    }
    return bank;
}

void crafty_sound_bank_destroy(CraftySoundBank *bank)
{
    if (!bank)
        return;
    for (uint32_t i = 0; bank->takes && i < bank->take_count; i++)
        cn_sound_destroy(bank->audio, bank->takes[i].loaded);
    cn_free(bank->allocator, bank->infos, bank->count * sizeof *bank->infos);
    cn_free(bank->allocator, bank->first_takes, bank->count * sizeof *bank->first_takes);
    cn_free(bank->allocator, bank->takes, bank->take_count * sizeof *bank->takes);
    cn_free(bank->allocator, bank, sizeof *bank);
}

uint32_t crafty_sound_bank_count(const CraftySoundBank *bank)
{
    return bank->count;
}

uint32_t crafty_sound_bank_find(const CraftySoundBank *bank, const char *name)
{
    uint32_t low = 0, high = bank->count;
    while (low < high) {
        uint32_t middle = (low + high) / 2;
        int side = strcmp(name, bank->infos[middle].name);
        if (side == 0)
            return middle;
        if (side < 0)
            high = middle;
        else
            low = middle + 1;
    }
    return CRAFTY_NO_SOUND;
}

const CraftySoundInfo *crafty_sound_bank_info(const CraftySoundBank *bank, uint32_t sound)
{
    return sound < bank->count ? &bank->infos[sound] : NULL;
}

static Take *variant_of(const CraftySoundBank *bank, uint32_t sound, uint32_t variant)
{
    if (sound >= bank->count || variant >= bank->infos[sound].variants)
        return NULL;
    return &bank->takes[bank->first_takes[sound] + variant];
}

static CnSound load(CraftySoundBank *bank, Take *take)
{
    if (take->is_tried)
        return take->loaded;
    CnError error = {0};
    const CraftySoundInfo *info = &bank->infos[take->sound];
    take->is_tried = true;
    if (info->streams) {
        char path[16];
        cn_format(path, sizeof path, "%u", (uint32_t)(take - bank->takes));
        take->loaded = cn_sound_load_stream(bank->audio, &bank->files, path, &error);
    } else
        take->loaded =
            cn_sound_read_background(bank->audio, crafty_sound_pack + take->offset, take->size,
                                     info->name, cn_budget_of(CN_ORIGIN_TRUSTED), &error);
    if (!take->loaded.id)
        CN_LOG_WARNING("crafty", "the sound %s is silent: %s", info->name, error.message);
    return take->loaded;
}

CnSound crafty_sound_bank_get(CraftySoundBank *bank, uint32_t sound, uint32_t variant)
{
    Take *take = variant_of(bank, sound, variant);
    return take ? load(bank, take) : (CnSound){0};
}

bool crafty_sound_bank_load(CraftySoundBank *bank, uint32_t most)
{
    while (most > 0 && bank->next < bank->take_count) {
        Take *take = &bank->takes[bank->next++];
        if (take->is_tried)
            continue;
        load(bank, take);
        most--;
    }
    return bank->next < bank->take_count;
}

const void *crafty_sound_bank_bytes(const CraftySoundBank *bank, uint32_t sound, uint32_t variant,
                                    size_t *size)
{
    const Take *take = variant_of(bank, sound, variant);
    *size = take ? take->size : 0;
    return take ? crafty_sound_pack + take->offset : NULL;
}
