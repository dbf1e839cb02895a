/* Material libraries (.mtl) of an OBJ file. */
#include "fuzz_surface.h"
#include "memory_files.h"

#include "render/decode/decoder.h"

static const char *const words[] = {
    "newmtl ",   "Wood",     "Iron", "Kd ",    "Ke ",     "Ks ",   "Ns ",    "Pr ",
    "Pm ",       "d ",       "Tr ",  "map_Kd", "map_Ke ", "norm ", "map_Kn", "-bm 0.5",
    "-clamp on", "-o 1 2 3", "-s ",  "1e39",   "nan",     "inf",   "-1",     "1e-46",
    "0x1p9",     "\r\n",     "\\\n", "#",      "../",     "%2e",   "a.png",  "C:\\a",
    "//",        "\t",       "1.5",  "xyz ",   NULL};

static void add_seeds(FuzzSeeds *seeds)
{
    fuzz_add_file(seeds, "scenes/models/crate.mtl");
    fuzz_add_text(seeds, "newmtl Iron\nKe 1 0.5 0\nPr 0.5\nPm 1\nd 0.5\nTr 0.25\nNs 10\n"
                         "map_Ke -bm 2 -clamp on a.png\nnorm a%20b.png\nnewmtl Wood\nKd 0.5\n");
}

static bool run(const uint8_t *bytes, size_t size)
{
    static const char obj[] = "mtllib a.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0 1\nusemtl Wood\n"
                              "f 1/1 2/1 3/1\nusemtl Iron\nf 1 3 2\nusemtl x\nf 1 3 2\n";
    MemoryFiles memory;
    CniRenderModelData data;
    CnError error = {0};
    memory_files_init(&memory);
    memory_files_set_bytes(&memory, "a.mtl", bytes, size);
    cni_render_model_data_init(&data, NULL);
    CnFileBytes main = {.data = (uint8_t *)(uintptr_t)obj, .size = sizeof obj - 1};
    bool accepted = cni_render_model_decode(&memory.files, "a.obj", NULL, main, &data, &error);
    FUZZ_CHECK(accepted == (error.code == CN_OK));
    /* A library of which nothing is used cannot be told from one that is refused. */
    bool has_material = data.materials.count > 0;
    cni_render_model_data_fini(&data);
    return accepted && has_material;
}

const FuzzSurface fuzz_surface = {
    .max_bytes = 512, .words = words, .add_seeds = add_seeds, .run = run};
