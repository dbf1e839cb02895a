#include "opening.h"

#include <pthread.h>
#include <stdatomic.h>

struct CraftyOpening {
    const Crafty *crafty;
    CraftyPlayDesc desc;
    pthread_t thread;
    bool is_joined;
    atomic_bool is_done;
    CraftyPlay *play; /* until it is taken */
    CnError error;
};

static void *open_world(void *data)
{
    CraftyOpening *opening = data;
    opening->play = crafty_play_create(opening->crafty, &opening->desc, &opening->error);
    atomic_store(&opening->is_done, true);
    return NULL;
}

CraftyOpening *crafty_opening_create(const Crafty *crafty, const CraftyPlayDesc *desc,
                                     CnError *error)
{
    CraftyOpening *opening = cn_alloc_zeroed(cn_system_allocator(), sizeof *opening);
    if (!opening) {
        cn_error_memory(error, "opening a world");
        return NULL;
    }
    opening->crafty = crafty;
    opening->desc = *desc;
    if (!pthread_create(&opening->thread, NULL, open_world, opening)) {
        pthread_setname_np(opening->thread, "open world");
        return opening;
    }
    cn_free(cn_system_allocator(), opening, sizeof *opening);
    cn_error_set(error, CN_ERROR_LIMIT, "cannot create a thread that opens the world");
    return NULL;
}

static void join(CraftyOpening *opening)
{
    if (!opening->is_joined)
        pthread_join(opening->thread, NULL);
    opening->is_joined = true;
}

void crafty_opening_destroy(CraftyOpening *opening)
{
    if (!opening)
        return;
    join(opening);
    crafty_play_destroy(opening->play);
    cn_free(cn_system_allocator(), opening, sizeof *opening);
}

bool crafty_opening_is_done(const CraftyOpening *opening)
{
    return atomic_load(&opening->is_done);
}

CraftyPlay *crafty_opening_take(CraftyOpening *opening, CnError *error)
{
    join(opening);
    CraftyPlay *play = opening->play;
    opening->play = NULL;
    if (!play)
        *error = opening->error;
    return play;
}
