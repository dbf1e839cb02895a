/* Wavefront OBJ files, with a material library. */
#include "fuzz_surface.h"
#include "memory_files.h"

#include "render/decode/decoder.h"

static const char *const words[] = {"v ",
                                    "vn ",
                                    "vt ",
                                    "f ",
                                    "o ",
                                    "g ",
                                    "s 1",
                                    "mtllib a.mtl\n",
                                    "usemtl Wood\n",
                                    "usemtl ",
                                    "l 1 2",
                                    "p 1",
                                    "1/1/1",
                                    "-1",
                                    "1//1",
                                    "4294967296",
                                    "1e39",
                                    "nan",
                                    "-0",
                                    "\r\n",
                                    "\\\n",
                                    "#",
                                    "0.5 ",
                                    " 2",
                                    " 3",
                                    " 1/2",
                                    "-3//-1",
                                    "\t",
                                    "1e-40",
                                    "9007199254740993",
                                    NULL};

static void add_seeds(FuzzSeeds *seeds)
{
    fuzz_add_text(seeds, "mtllib a.mtl\no A\nv 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\nvt 0 0\nvt 1 0\n"
                         "vt 0 1\nvn 0 0 1\ng b\nusemtl Wood\nf 1/1/1 2/2/1 4/3/1 3/3/1\n"
                         "usemtl Iron\ns 1\nf -1//-1 -2//1 -3//1\n");
    fuzz_add_text(seeds, "v 0 0 0 1 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\nf 3 2 1 # back\nl 1 2\n");
}

static bool run(const uint8_t *bytes, size_t size)
{
    MemoryFiles memory;
    CniRenderModelData data;
    CnError error = {0};
    memory_files_init(&memory);
    memory_files_set(&memory, "a.mtl", "newmtl Wood\nKd 1 1 1\nnorm a.png\nnewmtl Iron\nd 0.5\n");
    cni_render_model_data_init(&data, NULL);
    CnFileBytes main = {.data = (uint8_t *)(uintptr_t)bytes, .size = size};
    bool accepted = cni_render_model_decode(&memory.files, "a.obj", NULL, main, &data, &error);
    FUZZ_CHECK(accepted == (error.code == CN_OK));
    cni_render_model_data_fini(&data);
    return accepted;
}

const FuzzSurface fuzz_surface = {
    .max_bytes = 1024, .words = words, .add_seeds = add_seeds, .run = run};
