/*
 * cairn/ecs: entities, components stored in columns, queries, deferred commands, events, relations
 * and systems.
 *
 *     #include <cairn/ecs.h>
 *
 *     CN_COMPONENT(Position, (f32, x), (f32, y));
 *     CN_COMPONENT(Velocity, (f32, x), (f32, y));
 *
 *     CN_SYSTEM(move, (write, Position, p), (read, Velocity, v))
 *     {
 *         for (uint32_t i = 0; i < count; i++) {
 *             p[i].x += v[i].x * context->dt;
 *             p[i].y += v[i].y * context->dt;
 *         }
 *     }
 *
 *     int main(void)
 *     {
 *         CnWorld *world = cn_world_create(NULL, NULL);
 *         cn_system(world, move, .stage = CN_STAGE_UPDATE);
 *         cn_spawn(world, cn_with(Position, {0, 0}), cn_with(Velocity, {1, 2}));
 *         cn_world_update(world, 1.0f / 60, NULL);
 *         cn_world_destroy(world);
 *     }
 */
#ifndef CAIRN_ECS_H
#define CAIRN_ECS_H

#include <cairn/ecs/clone.h>
#include <cairn/ecs/command.h>
#include <cairn/ecs/component.h>
#include <cairn/ecs/event.h>
#include <cairn/ecs/limits.h>
#include <cairn/ecs/observer.h>
#include <cairn/ecs/producer.h>
#include <cairn/ecs/query.h>
#include <cairn/ecs/relation.h>
#include <cairn/ecs/row_changes.h>
#include <cairn/ecs/snapshot.h>
#include <cairn/ecs/sorted_query.h>
#include <cairn/ecs/storage.h>
#include <cairn/ecs/system.h>
#include <cairn/ecs/world.h>

#endif
