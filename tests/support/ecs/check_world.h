/*
 * Checks the consistency of all internal data of a world: slots and rows, chunks, archetypes and
 * their edges, the component index, the matches of each query, pairs, the tree, and free indices.
 * It changes nothing and allocates nothing from the world.
 *
 *     assert_world_sound(world);      // in a test
 *
 * A world must be consistent between any two calls, also after a failed one.
 */
#ifndef CAIRN_TESTS_SUPPORT_ECS_CHECK_WORLD_H
#define CAIRN_TESTS_SUPPORT_ECS_CHECK_WORLD_H

#include <cairn/ecs.h>

/* Returns NULL, or a description of the error that is valid until the next call. */
const char *check_world(const CnWorld *world);

#define assert_world_sound(world)                                                                  \
    do {                                                                                           \
        const char *problem_ = check_world(world);                                                 \
        if (problem_)                                                                              \
            fail_msg("the world is not sound: %s", problem_);                                      \
    } while (0)

#endif
