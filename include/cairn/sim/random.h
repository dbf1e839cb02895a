/*
 * Random numbers that are a function of a key and a counter: saved, skipped and replayed by two
 * integers, and the same on every machine.
 *
 *     CnRandom random = cn_random_make(seed, "loot");
 *     uint64_t die = 1 + cn_random_below(&random, 6);
 *     float angle = cn_random_f32_range(&random, 0, 360);
 *
 * In parallel loops, number by what the number is for, and the threads do not matter:
 *
 *     uint64_t bits = cn_random_at(key, entity.id, tick);
 *     CnRandom own = cn_random_fork(key, entity.id, tick);      // when one is not enough
 *
 * Streams of a world are resources of it, so that saving, loading and the state hash cover them:
 *
 *     cn_random_seed(world, 1234, &error);
 *     CnComponent weather = cn_random_stream(world, "weather", &error);
 *     cn_system(world, rain, .access = {cn_writes_id(weather)});
 *     ...
 *     if (cn_random_bool(cn_random_of(world, weather), 0.01))
 *
 * The numbers come from Philox 2x64 with 10 rounds (Salmon, Moraes, Dror, Shaw: "Parallel random
 * numbers: as easy as 1, 2, 3", 2011). They are good for games and statistics, not for secrets.
 */
#ifndef CAIRN_SIM_RANDOM_H
#define CAIRN_SIM_RANDOM_H

#include <cairn/ecs/world.h>

CN_EXTERN_C_BEGIN

/* 2^64 numbers, then they repeat. A plain value: a copy goes on with the same numbers. */
CN_COMPONENT(CnRandom, (u64, key), (u64, counter));

/* The key is XXH3 of the name, seeded; generators with different seeds or names are unrelated. */
CN_API CnRandom cn_random_make(uint64_t seed, const char *name);
/* As if so many numbers had been drawn; around the end, so that -n goes back. */
CN_API void cn_random_skip(CnRandom *random, uint64_t numbers);

/* ---- Draws: each takes one number, unless it says otherwise ---- */

CN_API uint64_t cn_random_u64(CnRandom *random);
CN_API uint32_t cn_random_u32(CnRandom *random);
/* 0 to n - 1, all exactly equally likely; takes more numbers now and then. n must not be 0; where
 * guards are off, that gives 0. */
CN_API uint64_t cn_random_below(CnRandom *random, uint64_t n);
/* lo to hi, both included; like cn_random_below. */
CN_API int64_t cn_random_range(CnRandom *random, int64_t lo, int64_t hi);
/* From 0 up to, but not including, 1: multiples of 2^-24 and of 2^-53. */
CN_API float cn_random_f32(CnRandom *random);
CN_API double cn_random_f64(CnRandom *random);
/* From lo up to, but not including, hi; lo when they are equal. Takes another number when rounding
 * would give hi. */
CN_API float cn_random_f32_range(CnRandom *random, float lo, float hi);
/* Never for 0, less and NaN, always for 1 and more. */
CN_API bool cn_random_bool(CnRandom *random, double probability);
/* On the unit circle and on the unit sphere, all directions equally likely. Takes 1.3 numbers on
 * average. */
CN_API CnVec2 cn_random_unit2(CnRandom *random);
CN_API CnVec3 cn_random_unit3(CnRandom *random);
/* Every order equally likely; takes a number for each item but one. */
CN_API void cn_random_shuffle(CnRandom *random, uint32_t *items, uint32_t count);
/* One of the items; count must not be 0. */
CN_API uint32_t cn_random_pick(CnRandom *random, const uint32_t *items, uint32_t count);

/* ---- Without state ---- */

/* A number for each pair of indices, unrelated to what a CnRandom with this key draws. */
CN_API uint64_t cn_random_at(uint64_t key, uint64_t index_a, uint64_t index_b);
/* A generator for each pair of indices. */
CN_API CnRandom cn_random_fork(uint64_t key, uint64_t index_a, uint64_t index_b);

/* ---- Streams of a world. Making and seeding belongs to its owner, outside of systems. ---- */

/* The resource that streams are made from; 0 until it is set. Set it with cn_random_seed. */
CN_COMPONENT(CnRandomSeed, (u64, seed));

/* A stream is the component of this and its name; no other components may begin so. */
#define CN_RANDOM_STREAM_PREFIX "random."

/* All streams of the world begin anew with this seed. False when out of memory: no change. */
CN_API bool cn_random_seed(CnWorld *world, uint64_t seed, CnError *error);
/* Makes the stream, or finds it as it stands. Null and an error for a name that is empty or, with
 * the prefix, does not fit CN_MAX_NAME_BYTES, or when out of memory. */
CN_API CnComponent cn_random_stream(CnWorld *world, const char *name, CnError *error);
/* After loading: the streams of this world that the data did not know are gone; this makes them
 * from the seed that was loaded. */
CN_API bool cn_random_restore(CnWorld *world, CnError *error);

/* To draw from, in a system that declares to write the stream; valid until the world ends. NULL
 * only after loading without cn_random_restore. */
CN_API CnRandom *cn_random_of(CnWorld *world, CnComponent stream);
/* For cn_random_at, in a system that declares to read it. It changes only with the seed. 0 when
 * there is no such stream. */
CN_API uint64_t cn_random_key(const CnWorld *world, CnComponent stream);

CN_EXTERN_C_END

#endif
