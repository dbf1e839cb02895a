/*
 * Random numbers computed from a key and a counter. Two integers are enough to save, skip and
 * replay them, and they are the same on every machine.
 *
 *     CnRandom random = cn_random_make(1234, "loot");
 *     uint64_t die = 1 + cn_random_below(&random, 6);
 *     float angle = cn_random_f32_range(&random, 0, 360);
 *
 * In parallel loops, derive numbers from what they are used for, so that the threads do not matter:
 *
 *     uint64_t key = 99, entity_id = 5, tick = 1000;
 *     uint64_t bits = cn_random_at(key, entity_id, tick);
 *     CnRandom generator = cn_random_fork(key, entity_id, tick);      // if one is not enough
 *
 * The streams of a world are resources, so saving, loading and the state hash cover them:
 *
 *     CnError error = {0};
 *     CnWorld *world = cn_world_create(NULL, NULL);
 *     cn_random_seed(world, 1234, &error);
 *     CnComponent weather = cn_random_stream(world, "weather", &error);
 *     bool storm = cn_random_bool(cn_random_of(world, weather), 0.01);
 *
 * A system that draws from a stream declares it: .access = {cn_writes_id(weather)}.
 *
 * The generator is Philox 2x64 with 10 rounds (Salmon, Moraes, Dror, Shaw: "Parallel random
 * numbers: as easy as 1, 2, 3", 2011). It is suitable for games and statistics, but not for
 * cryptography.
 */
#ifndef CAIRN_SIM_RANDOM_H
#define CAIRN_SIM_RANDOM_H

#include <cairn/ecs/world.h>

CN_EXTERN_C_BEGIN

/* A generator with a period of 2^64. A plain value: a copy continues with the same numbers. */
CN_COMPONENT(CnRandom, (u64, key), (u64, counter));

/* Returns a generator whose key is the XXH3 hash of the name with this seed. Generators with
 * different seeds or names are unrelated. */
CN_API CnRandom cn_random_make(uint64_t seed, const char *name);
/* Skips `numbers` draws. Wraps around, so (uint64_t)-n goes back by n. */
CN_API void cn_random_skip(CnRandom *random, uint64_t numbers);

/* ---- Draws: each consumes one number unless noted otherwise ---- */

CN_API uint64_t cn_random_u64(CnRandom *random);
CN_API uint32_t cn_random_u32(CnRandom *random);
/* Returns 0 to n - 1 with exactly equal probability; occasionally consumes more than one number.
 * n must not be 0; without guards, 0 yields 0. */
CN_API uint64_t cn_random_below(CnRandom *random, uint64_t n);
/* Returns lo to hi, inclusive; see cn_random_below. */
CN_API int64_t cn_random_range(CnRandom *random, int64_t lo, int64_t hi);
/* Return 0 (inclusive) to 1 (exclusive): multiples of 2^-24 and of 2^-53, respectively. */
CN_API float cn_random_f32(CnRandom *random);
CN_API double cn_random_f64(CnRandom *random);
/* Returns lo (inclusive) to hi (exclusive); lo when they are equal. Consumes another number when
 * rounding would yield hi. */
CN_API float cn_random_f32_range(CnRandom *random, float lo, float hi);
/* Returns true with this probability: never for 0, negative values and NaN, always for 1 and
 * more. */
CN_API bool cn_random_bool(CnRandom *random, double probability);
/* Return a point on the unit circle or the unit sphere, uniformly distributed. Consume 1.3
 * numbers on average. */
CN_API CnVec2 cn_random_unit2(CnRandom *random);
CN_API CnVec3 cn_random_unit3(CnRandom *random);
/* Shuffles the items; every order is equally likely. Consumes at least count - 1
 * numbers. */
CN_API void cn_random_shuffle(CnRandom *random, uint32_t *items, uint32_t count);
/* Returns one of the items; count must not be 0. */
CN_API uint32_t cn_random_pick(CnRandom *random, const uint32_t *items, uint32_t count);

/* ---- Stateless ---- */

/* Returns a number for a pair of indices, unrelated to the draws of a CnRandom with this key. */
CN_API uint64_t cn_random_at(uint64_t key, uint64_t index_a, uint64_t index_b);
/* Returns a generator for a pair of indices. */
CN_API CnRandom cn_random_fork(uint64_t key, uint64_t index_a, uint64_t index_b);

/* ---- Streams of a world. Create and seed them on the owner's thread, outside of systems. ---- */

/* The resource from which streams are created; 0 until cn_random_seed sets it. */
CN_COMPONENT(CnRandomSeed, (u64, seed));

/* The name of a stream's component is this prefix and the name of the stream. No other component
 * may use the prefix. */
#define CN_RANDOM_STREAM_PREFIX "random."

/* Restarts all streams of the world from this seed. Returns false, and changes nothing, when out
 * of memory. */
CN_API bool cn_random_seed(CnWorld *world, uint64_t seed, CnError *error);
/* Creates the stream, or returns the existing one unchanged. Returns the null component and an
 * error if the name is empty, does not fit CN_MAX_NAME_BYTES together with the prefix, or when
 * out of memory. */
CN_API CnComponent cn_random_stream(CnWorld *world, const char *name, CnError *error);
/* Creates the streams that are missing after loading data that did not contain them, from the
 * loaded seed. */
CN_API bool cn_random_restore(CnWorld *world, CnError *error);

/* Returns the generator of a stream, for a system that declares that it writes the stream; valid
 * as long as the world. NULL only after loading without cn_random_restore. */
CN_API CnRandom *cn_random_of(CnWorld *world, CnComponent stream);
/* Returns the key of a stream for cn_random_at, in a system that declares that it reads the
 * stream. It changes only with the seed. 0 when there is no such stream. */
CN_API uint64_t cn_random_key(const CnWorld *world, CnComponent stream);

CN_EXTERN_C_END

#endif
