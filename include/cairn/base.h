/*
 * cairn/base: memory, containers, text, logging, errors, files, jobs, SIMD dispatch and
 * mathematics with bit-identical results on every platform. All other modules of Cairn build on
 * base; base depends only on the C library.
 *
 * Each header begins with a short manual. This header includes them all.
 */
#ifndef CAIRN_BASE_H
#define CAIRN_BASE_H

#include <cairn/base/api.h>
#include <cairn/base/array.h>
#include <cairn/base/assert.h>
#include <cairn/base/bitset.h>
#include <cairn/base/bytes.h>
#include <cairn/base/cache.h>
#include <cairn/base/clock.h>
#include <cairn/base/console.h>
#include <cairn/base/cpu.h>
#include <cairn/base/error.h>
#include <cairn/base/file.h>
#include <cairn/base/hash_map.h>
#include <cairn/base/job.h>
#include <cairn/base/json_location.h>
#include <cairn/base/json_size.h>
#include <cairn/base/linear.h>
#include <cairn/base/log.h>
#include <cairn/base/math.h>
#include <cairn/base/memory.h>
#include <cairn/base/origin.h>
#include <cairn/base/slot_table.h>
#include <cairn/base/sparse.h>
#include <cairn/base/text.h>
#include <cairn/base/vector.h>
#include <cairn/base/version.h>

#endif
