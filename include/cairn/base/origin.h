/*
 * Where data comes from, and how much of it a loader accepts.
 *
 *     const CnBudget *budget = cn_budget_of(CN_ORIGIN_FOREIGN);
 *     uint64_t pixels = 8192 * 8192;
 *     if (pixels > budget->image_pixels)
 *         cn_budget_refuse(&error, budget, "a.png", "image_pixels", pixels, budget->image_pixels);
 *
 * Every file has an origin, which its mount in the virtual file system determines (cairn/vfs.h):
 * nothing inside a file can change it. Native files and files of other file systems count as
 * opened by a person. Loaders take the budget from the bytes they read (CnFileBytes.budget).
 *
 *                            trusted        user        foreign
 *     file_bytes             1 GiB          1 GiB       64 MiB
 *     image_pixels           268,435,456    67,108,864  16,777,216
 *     model_bytes            256 MiB        256 MiB     64 MiB
 *     model_vertices         16,777,216     16,777,216  2,097,152
 *     model_indices          67,108,864     67,108,864  8,388,608
 *     model_parts            16,384         16,384      4,096
 *     model_nodes            4,096          4,096       1,024
 *     scene_objects          1,000,000      1,000,000   65,536
 *     scene_bytes            1 GiB          512 MiB     64 MiB
 *     unpacked_bytes         4 GiB          4 GiB       1 GiB
 *     sound_bytes            1 GiB          256 MiB     64 MiB
 *     decode_ms              60,000         10,000      5,000
 *     decode_memory_bytes    2 GiB          1 GiB       512 MiB
 */
#ifndef CAIRN_BASE_ORIGIN_H
#define CAIRN_BASE_ORIGIN_H

#include <cairn/base/error.h>

CN_EXTERN_C_BEGIN

typedef enum CnOrigin {
    CN_ORIGIN_USER,    /* opened by a person; the default */
    CN_ORIGIN_TRUSTED, /* part of the program */
    CN_ORIGIN_FOREIGN, /* mods, downloads, servers */
    CN_ORIGIN_COUNT
} CnOrigin;

/* What loaders accept. A program that needs more gives a mount its own budget: a copy of
 * *cn_budget_of(origin) with larger numbers. */
typedef struct CnBudget {
    CnOrigin origin;
    uint64_t file_bytes;     /* of a file that is read as a whole; at most 1 GiB */
    uint64_t image_pixels;   /* width x height of an image */
    uint64_t model_bytes;    /* of all files of a model together */
    uint32_t model_vertices; /* of all meshes of a model together */
    uint32_t model_indices;
    uint32_t model_parts;    /* meshes that are drawn, counted once per node */
    uint32_t model_nodes;    /* that move joints */
    uint32_t scene_objects;  /* of a scene or prefab with all the prefabs it contains */
    uint64_t scene_bytes;    /* memory of their values while they are read */
    uint64_t unpacked_bytes; /* of all files of an archive */
    uint64_t sound_bytes;    /* of the decoded 16-bit samples of a sound */
    /* For data that is decoded by the helper process (cairn/vfs/decoder.h): */
    uint32_t decode_ms;           /* time for one file */
    uint64_t decode_memory_bytes; /* address space of the process */
} CnBudget;

/* Returns the default budget of an origin; that of a foreign file if `origin` is not valid. */
CN_API const CnBudget *cn_budget_of(CnOrigin origin);
/* Returns the name of an origin, such as "foreign". */
CN_API const char *cn_origin_name(CnOrigin origin);
/* Returns the origin that is trusted less. What is made of two files has this origin. */
CN_API CnOrigin cn_origin_least(CnOrigin a, CnOrigin b);
/* Sets CN_ERROR_LIMIT with a message that names the member of CnBudget that is exceeded, the
 * amount, the limit and how to raise it. Returns false. */
CN_API bool cn_budget_refuse(CnError *error, const CnBudget *budget, const char *file,
                             const char *member, uint64_t amount, uint64_t limit);

CN_EXTERN_C_END

#endif
