#include "commands.h"
#include "session.h"

#include <cairn/base/console.h>

#include <stdio.h>

static void print_list(const char *title, CnTextBuilder *names)
{
    cn_print("%s:%s", title, names->count ? names->items : " none");
    cn_array_fini(names);
}

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
    cn_print("cairn %s, compiled by %s", cn_version(), compiler);
    cn_print("%u cores, SIMD path %s", cpu->logical_cores, cn_simd_path_name(cn_simd_path()));
#ifdef CN_GUARDS
    printf("guards are enabled\n");
#endif
    cn_print("plugin interface %u", CN_PLUGIN_ABI);
    CnTextBuilder plugins, modules, demos;
    cn_array_init(&plugins, NULL);
    cn_array_init(&modules, NULL);
    cn_array_init(&demos, NULL);
    for (uint32_t i = 0; i < cn_sim_plugin_count(sim); i++)
        cn_text_append_format(&plugins, " %s", cn_sim_plugin_name(sim, i));
    cn_sim_destroy(sim);
    for (const CnPlugin *const *module = cn_module_table; *module; module++)
        cn_text_append_format(&modules, " %s", (*module)->name);
    for (size_t i = 0; session_demo_name(i); i++)
        cn_text_append_format(&demos, " %s", session_demo_name(i));
    print_list("core plugins", &plugins);
    print_list("modules", &modules);
    print_list("demos", &demos);
    return 0;
}
