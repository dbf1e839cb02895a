#include "frame_times.h"

#include <cairn/base/clock.h>

#include <inttypes.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

static const char *const phase_names[CRAFTY_PHASE_COUNT] = {
    "camera", "climate", "chunks", "far", "effects", "ticks", "gpu_wait", "record", "submit"};

/* ---- Measuring ---- */

static uint64_t thread_cpu_ns(void)
{
    struct timespec now;
    if (clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now))
        return 0;
    return (uint64_t)now.tv_sec * UINT64_C(1000000000) + (uint64_t)now.tv_nsec;
}

static void read_usage(uint64_t *faults, uint64_t *preemptions)
{
    struct rusage usage = {0};
    getrusage(RUSAGE_THREAD, &usage);
    *faults = (uint64_t)(usage.ru_minflt + usage.ru_majflt);
    *preemptions = (uint64_t)usage.ru_nivcsw;
}

static float milliseconds(uint64_t ns)
{
    return (float)((double)ns * 1e-6);
}

void crafty_frame_times_begin(CraftyFrameTimes *times, uint64_t frame)
{
    *times = (CraftyFrameTimes){.frame = frame, .begin_cpu_ns = thread_cpu_ns()};
    read_usage(&times->begin_faults, &times->begin_preemptions);
    times->begin_ns = times->end_ns = cn_clock_ns();
}

void crafty_phase_end(CraftyFrameTimes *times, CraftyPhase phase)
{
    uint64_t now_ns = cn_clock_ns();
    times->phase_ms[phase] += milliseconds(now_ns - times->end_ns);
    times->end_ns = now_ns;
}

void crafty_frame_times_end(CraftyFrameTimes *times)
{
    uint64_t faults, preemptions;
    times->total_ms = milliseconds(cn_clock_ns() - times->begin_ns);
    times->cpu_ms = milliseconds(thread_cpu_ns() - times->begin_cpu_ns);
    read_usage(&faults, &preemptions);
    times->page_faults = (uint32_t)(faults - times->begin_faults);
    times->preemptions = (uint32_t)(preemptions - times->begin_preemptions);
}

/* ---- Longest frames ---- */

void crafty_longest_frames_add(CraftyLongestFrames *longest, const CraftyFrameTimes *times)
{
    uint32_t at = 0;
    while (at < longest->count && longest->frames[at].total_ms >= times->total_ms)
        at++;
    if (at == CRAFTY_LONGEST_FRAMES)
        return;
    if (longest->count < CRAFTY_LONGEST_FRAMES)
        longest->count++;
    memmove(&longest->frames[at + 1], &longest->frames[at],
            (longest->count - 1 - at) * sizeof longest->frames[0]);
    longest->frames[at] = *times;
}

static bool write_frame(const CraftyFrameTimes *times, CnTextBuilder *text)
{
    cn_text_append_format(
        text, "{\"frame\": %" PRIu64 ", \"ms\": %.2f, \"cpu\": %.2f, \"gpu\": %.2f", times->frame,
        (double)times->total_ms, (double)times->cpu_ms, (double)times->gpu_ms);
    for (uint32_t i = 0; i < CRAFTY_PHASE_COUNT; i++)
        cn_text_append_format(text, ", \"%s\": %.2f", phase_names[i], (double)times->phase_ms[i]);
    return cn_text_append_format(text,
                                 ", \"page_faults\": %" PRIu32 ", \"preemptions\": %" PRIu32
                                 ", \"waiting_bytes\": %" PRIu64 "}",
                                 times->page_faults, times->preemptions, times->waiting_bytes);
}

bool crafty_longest_frames_write(const CraftyLongestFrames *longest, CnTextBuilder *text)
{
    cn_text_append_format(text, "[");
    for (uint32_t i = 0; i < longest->count; i++) {
        cn_text_append_format(text, "%s\n    ", i ? "," : "");
        write_frame(&longest->frames[i], text);
    }
    return cn_text_append_format(text, "]");
}
