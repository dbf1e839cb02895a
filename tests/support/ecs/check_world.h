/*
 * Looks at everything inside a world and says whether it fits together: slots and rows, chunks,
 * archetypes and their edges, the component index, what each query matches, pairs, the tree, the
 * numbers that are free. It changes nothing and takes no memory from the world.
 *
 *     assert_world_sound(world);      // in a test
 *
 * A world must be sound between any two calls, also after one that failed.
 */
#ifndef CAIRN_TESTS_SUPPORT_ECS_CHECK_WORLD_H
#define CAIRN_TESTS_SUPPORT_ECS_CHECK_WORLD_H

#include <cairn/ecs.h>

/* NULL, or what is wrong; valid until the next call. */
const char *check_world(const CnWorld *world);

#define assert_world_sound(world)                                                                  \
    do {                                                                                           \
        const char *complaint_ = check_world(world);                                               \
        if (complaint_)                                                                            \
            fail_msg("the world is not sound: %s", complaint_);                                    \
    } while (0)

#endif
