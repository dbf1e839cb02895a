#include "guards.h"

#include "ecs/world/world_internal.h"

#include <cairn/base/assert.h>
#include <cairn/base/text.h>

static jmp_buf place;
static char last_message[1024];

static void leave(const char *file, int line, const char *message, void *user)
{
    (void)file, (void)line, (void)user;
    cn_copy_text(last_message, sizeof last_message, cn_text(message));
    longjmp(place, 1);
}

const char *guard_message(void)
{
    return last_message;
}

jmp_buf *guard_begin(void)
{
    last_message[0] = '\0';
    cn_assert_set_handler(leave, NULL);
    return &place;
}

void guard_end(void)
{
    cn_assert_set_handler(NULL, NULL);
    cni_ecs_set_running_system(NULL, false); /* the jump left the system */
}
