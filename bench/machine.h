/*
 * The machine that a benchmark runs on, printed with its results, because figures of different
 * CPUs, caches and page policies are not comparable.
 */
#ifndef CAIRN_BENCH_MACHINE_H
#define CAIRN_BENCH_MACHINE_H

#include <cairn/base/cpu.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Machine {
    uint32_t l1d_kib, l2_kib, l3_kib; /* available to one core; 0 if unknown */
    char huge_pages[16];              /* the kernel's policy: always, madvise or never; "unknown" */
} Machine;

/* Returns the first line of a kernel file, or "" if it does not exist. */
static inline void machine_read_line(const char *path, char *line, size_t line_bytes)
{
    line[0] = '\0';
    FILE *file = fopen(path, "r");
    if (!file)
        return;
    if (!fgets(line, (int)line_bytes, file))
        line[0] = '\0';
    fclose(file);
    line[strcspn(line, "\n")] = '\0';
}

/* Does not use the C library, which reports the values of the whole host on some virtual
 * machines. */
static inline void machine_read_caches(Machine *machine)
{
    for (int i = 0; i < 8; i++) {
        static const char folder[] = "/sys/devices/system/cpu/cpu0/cache/index";
        char path[96], level[16], type[16], size[16];
        snprintf(path, sizeof path, "%s%d/level", folder, i);
        machine_read_line(path, level, sizeof level);
        snprintf(path, sizeof path, "%s%d/type", folder, i);
        machine_read_line(path, type, sizeof type);
        snprintf(path, sizeof path, "%s%d/size", folder, i);
        machine_read_line(path, size, sizeof size);
        uint32_t kib = (uint32_t)strtoul(size, NULL, 10);
        if (strcmp(level, "1") == 0 && strcmp(type, "Data") == 0)
            machine->l1d_kib = kib;
        else if (strcmp(level, "2") == 0)
            machine->l2_kib = kib;
        else if (strcmp(level, "3") == 0)
            machine->l3_kib = kib;
    }
}

static inline Machine machine_describe(void)
{
    Machine machine = {.huge_pages = "unknown"};
    machine_read_caches(&machine);
    char line[64];
    machine_read_line("/sys/kernel/mm/transparent_hugepage/enabled", line, sizeof line);
    const char *chosen = strchr(line, '['); /* always [madvise] never */
    if (chosen)
        snprintf(machine.huge_pages, sizeof machine.huge_pages, "%.*s",
                 (int)strcspn(chosen + 1, "]"), chosen + 1);
    return machine;
}

/* Prints one line, before the results. */
static inline void machine_print(bool json)
{
    Machine machine = machine_describe();
    const CnCpuInfo *cpu = cn_cpu_info();
    printf(json
               ? "{\"machine\":\"%s\",\"cores\":%u,\"simd\":\"%s\",\"l1d_kib\":%u,\"l2_kib\":%u,"
                 "\"l3_kib\":%u,\"huge_pages\":\"%s\"}\n"
               : "%s, %u cores, %s path, caches L1d %u KiB, L2 %u KiB, L3 %u KiB, huge pages: %s\n",
           cpu->name[0] ? cpu->name : "unknown CPU", cpu->logical_cores,
           cn_simd_path_name(cn_simd_path()), machine.l1d_kib, machine.l2_kib, machine.l3_kib,
           machine.huge_pages);
    fflush(stdout);
}

#endif
