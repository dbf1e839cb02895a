#include "start.h"

#include "command.h"
#include "player.h"

#include "crafty/world/torches.h"

#include <cairn/base/text.h>

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const char *const viewers[CRAFTY_VIEWER_COUNT] = {[CRAFTY_VIEWER_NONE] = "none",
                                                         [CRAFTY_VIEWER_TOUR] = "tour",
                                                         [CRAFTY_VIEWER_FLIES] = "flies",
                                                         [CRAFTY_VIEWER_WALKS] = "walks"};

CraftyViewer crafty_start_viewer(CraftyPlayerMode mode)
{
    return mode == CRAFTY_MODE_SPECTATOR ? CRAFTY_VIEWER_FLIES : CRAFTY_VIEWER_WALKS;
}

CraftyPlayerMode crafty_start_mode(const CraftyStart *start)
{
    if (start->viewer != CRAFTY_VIEWER_WALKS && start->viewer != CRAFTY_VIEWER_NONE)
        return start->viewer == CRAFTY_VIEWER_FLIES ? CRAFTY_MODE_SPECTATOR : CRAFTY_MODE_CREATIVE;
    return start->mode == CRAFTY_MODE_SURVIVAL ? CRAFTY_MODE_SURVIVAL : CRAFTY_MODE_CREATIVE;
}

/* Nine digits represent every float exactly. */
bool crafty_start_write(const CraftyStart *start, char *text, size_t text_bytes)
{
    const CraftyPose *pose = &start->pose;
    return cn_format(
        text, text_bytes,
        "crafty seed=%" PRIu64 " viewer=%s x=%.9g y=%.9g z=%.9g yaw=%.9g pitch=%.9g hours=%.9g "
        "weather=%s frozen=%d torches=%u players=%u mode=%s commands=%d keep_inventory=%d creatures=%s",
        start->seed, viewers[start->viewer], (double)pose->position.x, (double)pose->position.y,
        (double)pose->position.z, (double)pose->yaw, (double)pose->pitch, (double)start->hours,
        start->has_weather ? crafty_weather_name(start->weather) : "any", start->freeze_blocks,
        start->torches, start->players ? start->players : 1,
        crafty_mode_name(crafty_start_mode(start)), start->commands, start->keep_inventory,
        crafty_difficulty_name(start->difficulty));
}

/* ---- Reading ---- */

static bool read_number(const char *text, uint64_t most, uint64_t *number)
{
    char *end;
    errno = 0;
    uint64_t value = strtoull(text, &end, 10);
    if (*text < '0' || *text > '9' || *end || errno || value > most)
        return false;
    *number = value;
    return true;
}

static bool read_flag(const char *text, bool *flag)
{
    uint64_t number = 0;
    bool is_valid = read_number(text, 1, &number);
    *flag = number == 1;
    return is_valid;
}

/* Returns false for NaN. */
static bool read_float(const char *text, float low, float high, float *number)
{
    char *end;
    float value = strtof(text, &end);
    if (end == text || *end || !(value >= low && value <= high))
        return false;
    *number = value;
    return true;
}

static bool read_viewer(const char *text, CraftyViewer *viewer)
{
    for (uint32_t i = 0; i < CRAFTY_VIEWER_COUNT; i++)
        if (!strcmp(text, viewers[i])) {
            *viewer = (CraftyViewer)i;
            return true;
        }
    return false;
}

static bool read_field(CraftyStart *start, const char *name, const char *value)
{
    const float far = CRAFTY_MAX_COORDINATE;
    CraftyPose *pose = &start->pose;
    uint64_t number = 0;
    if (!strcmp(name, "seed"))
        return read_number(value, UINT64_MAX, &start->seed);
    if (!strcmp(name, "viewer"))
        return read_viewer(value, &start->viewer);
    if (!strcmp(name, "x"))
        return read_float(value, -far, far, &pose->position.x);
    if (!strcmp(name, "y"))
        return read_float(value, -far, far, &pose->position.y);
    if (!strcmp(name, "z"))
        return read_float(value, -far, far, &pose->position.z);
    if (!strcmp(name, "yaw"))
        return read_float(value, -36000, 36000, &pose->yaw);
    if (!strcmp(name, "pitch"))
        return read_float(value, -90, 90, &pose->pitch);
    if (!strcmp(name, "hours"))
        return read_float(value, 0, 24, &start->hours);
    if (!strcmp(name, "weather")) {
        start->has_weather = strcmp(value, "any") != 0;
        return !start->has_weather || crafty_weather_parse(value, &start->weather);
    }
    if (!strcmp(name, "players")) {
        bool is_valid = read_number(value, CRAFTY_MAX_PLAYERS, &number) && number > 0;
        start->players = (uint32_t)number;
        return is_valid;
    }
    if (!strcmp(name, "mode"))
        return crafty_mode_parse(value, &start->mode);
    if (!strcmp(name, "commands"))
        return read_flag(value, &start->commands);
    if (!strcmp(name, "keep_inventory"))
        return read_flag(value, &start->keep_inventory);
    if (!strcmp(name, "creatures"))
        return crafty_difficulty_parse(value, &start->difficulty);
    bool is_frozen = !strcmp(name, "frozen");
    if (!is_frozen && strcmp(name, "torches") != 0)
        return false;
    if (!read_number(value, is_frozen ? 1 : CRAFTY_MAX_TORCHES, &number))
        return false;
    if (is_frozen)
        start->freeze_blocks = number == 1;
    else
        start->torches = (uint32_t)number;
    return true;
}

static bool refuse(const char *what, CnError *error)
{
    char escaped[128];
    return cn_error_set(error, CN_ERROR_FORMAT,
                        "not the settings of a Crafty session: \"%s\"; record it with this version",
                        cn_text_escape(cn_text(what), escaped, sizeof escaped));
}

bool crafty_start_read(CraftyStart *start, const char *text, CnError *error)
{
    char copy[512], *rest = NULL;
    *start = (CraftyStart){0};
    if (strlen(text) >= sizeof copy)
        return refuse(text, error);
    memcpy(copy, text, strlen(text) + 1);
    char *word = strtok_r(copy, " ", &rest);
    if (!word || strcmp(word, "crafty") != 0)
        return refuse(text, error);
    while ((word = strtok_r(NULL, " ", &rest))) {
        char *value = strchr(word, '=');
        if (!value)
            return refuse(word, error);
        *value++ = '\0';
        if (!read_field(start, word, value))
            return refuse(word, error);
    }
    return true;
}
