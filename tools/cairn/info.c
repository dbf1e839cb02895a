#include "commands.h"
#include "session.h"

#include <stdio.h>

int command_info(int count, char **arguments)
{
    const Option table[] = {{0}};
    const Usage usage = {"info", "", "Tells about this build and machine.", table, NULL};
    ParseResult parsed = parse_options(&usage, count, arguments);
    if (parsed != PARSE_GO_ON)
        return parsed == PARSE_HELPED ? 0 : 2;
    const CnCpuInfo *cpu = cn_cpu_info();
    printf("cairn %s, %s\n", cn_version(), __VERSION__);
    printf("%u cores, SIMD path %s\n", cpu->logical_cores, cn_simd_path_name(cn_simd_path()));
#ifdef CN_GUARDS
    printf("guards are on\n");
#endif
    printf("plugin interface %u\ncore plugins:", CN_PLUGIN_ABI);
    for (const char *const *name = cn_core_plugins(); *name; name++)
        printf(" %s", *name);
    printf("\nmodules:");
    for (const CnPlugin *const *module = cn_module_table; *module; module++)
        printf(" %s", (*module)->name);
    printf("%s\ndemos: swarm empty\n", cn_module_table[0] ? "" : " none");
    return 0;
}
