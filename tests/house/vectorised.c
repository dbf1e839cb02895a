/* Looked at by test_vectorised.sh: do the loops of systems become vector code? */
#include <cairn/ecs.h>

CN_COMPONENT(Position, (f32, x), (f32, y), (f32, z));
CN_COMPONENT(Velocity, (f32, x), (f32, y), (f32, z));

/* Whole structs. */
CN_SYSTEM(move_packed, (write, Position, p), (read, Velocity, v))
{
    for (uint32_t i = 0; i < count; i++) {
        p[i].x += v[i].x * context->dt;
        p[i].y += v[i].y * context->dt;
        p[i].z += v[i].z * context->dt;
    }
}

/* Six columns: more than a compiler checks for overlap at run time. Restrict parameters make it
 * vectorise all the same. */
CN_SYSTEM(move_fields, (write, Position, x, px), (write, Position, y, py), (write, Position, z, pz),
          (read, Velocity, x, vx), (read, Velocity, y, vy), (read, Velocity, z, vz))
{
    for (uint32_t i = 0; i < count; i++) {
        px[i] += vx[i] * context->dt;
        py[i] += vy[i] * context->dt;
        pz[i] += vz[i] * context->dt;
    }
}

void add_systems(CnWorld *world);
void add_systems(CnWorld *world)
{
    cn_system(world, move_packed, .stage = CN_STAGE_UPDATE);
    cn_system(world, move_fields, .stage = CN_STAGE_UPDATE);
}
