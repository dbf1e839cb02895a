#include "commands.h"
#include "session.h"

#include <stdio.h>

int command_info(int count, char **arguments)
{
    const Option table[] = {{0}};
    const Usage usage = {"info", "",   "Prints information about this build and machine.",
                         table,  NULL, 0};
    ParseResult parsed = parse_options(&usage, count, arguments);
    if (parsed != PARSE_GO_ON)
        return parsed == PARSE_HELPED ? 0 : 2;
    CnError error = {0};
    CnSim *sim = cn_sim_create(NULL, &error);
    if (!sim)
        return report(&error) ? 0 : 1;
    const CnCpuInfo *cpu = cn_cpu_info();
#ifdef __clang__
    const char *compiler = "clang " __clang_version__;
#else
    const char *compiler = "gcc " __VERSION__;
#endif
    printf("cairn %s, compiled by %s\n", cn_version(), compiler);
    printf("%u cores, SIMD path %s\n", cpu->logical_cores, cn_simd_path_name(cn_simd_path()));
#ifdef CN_GUARDS
    printf("guards are enabled\n");
#endif
    printf("plugin interface %u\ncore plugins:", CN_PLUGIN_ABI);
    for (uint32_t i = 0; i < cn_sim_plugin_count(sim); i++)
        printf(" %s", ESCAPED(cn_sim_plugin_name(sim, i)));
    cn_sim_destroy(sim);
    printf("\nmodules:");
    for (const CnPlugin *const *module = cn_module_table; *module; module++)
        printf(" %s", (*module)->name);
    printf("%s\ndemos:", cn_module_table[0] ? "" : " none");
    for (size_t i = 0; session_demo_name(i); i++)
        printf(" %s", session_demo_name(i));
    printf("\n");
    return 0;
}
