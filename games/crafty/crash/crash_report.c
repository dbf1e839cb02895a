#include "crash_report.h"

#include <cairn/base/memory.h>

#include <stdlib.h>

#define FIRST_LINE "Crafty crash report 1"

/* ---- Reading ---- */

static bool is_plain(CnText text)
{
    bool plain = cn_text_is_utf8(text);
    for (size_t i = 0; plain && i < text.size; i++)
        plain = (unsigned char)text.data[i] >= 0x20 && text.data[i] != 0x7f;
    return plain;
}

static bool too_long(CnError *error)
{
    return cn_error_set(error, CN_ERROR_LIMIT, "the crash report has more than %u lines of a kind",
                        CRAFTY_REPORT_LINES);
}

/* "  NUMBER ADDRESS [MODULE OFFSET BUILD]" */
static bool read_frame(CraftyReport *report, CnText line, CnError *error)
{
    CnText words[5] = {{0}}, rest = cn_text_trim(line);
    uint32_t count = 0;
    while (count < CN_COUNT_OF(words) && rest.size > 0 && cn_text_split(&rest, ' ', &words[count]))
        count++;
    if (count != 2 && count != 5)
        return cn_error_set(error, CN_ERROR_FORMAT, "a line of the stack is malformed");
    if (report->frames.count == CRAFTY_REPORT_LINES)
        return too_long(error);
    CraftyReportFrame frame = {words[1], words[2], words[3], words[4]};
    return cn_array_push(&report->frames, frame) || cn_error_memory(error, "a crash report");
}

static bool read_field(CraftyReport *report, CnText line, CnError *error)
{
    CraftyReportField field = {0};
    size_t size = line.size;
    if (!cn_text_split(&line, ':', &field.key) || field.key.size == 0 || field.key.size == size)
        return cn_error_set(error, CN_ERROR_FORMAT, "a line of the crash report has no name");
    field.value = cn_text_trim(line);
    if (report->fields.count == CRAFTY_REPORT_LINES)
        return too_long(error);
    return cn_array_push(&report->fields, field) || cn_error_memory(error, "a crash report");
}

static bool read_log(CraftyReport *report, CnText line, CnError *error)
{
    if (report->log.count == CRAFTY_REPORT_LINES)
        return too_long(error);
    return cn_array_push(&report->log, cn_text_trim(line)) ||
           cn_error_memory(error, "a crash report");
}

static bool read_lines(CraftyReport *report, CnText rest, CnError *error)
{
    bool (*read_item)(CraftyReport *, CnText, CnError *) = NULL;
    CnText line = {0};
    while (rest.size > 0 && cn_text_split(&rest, '\n', &line)) {
        if (report->is_complete || !is_plain(line))
            return cn_error_set(error, CN_ERROR_FORMAT,
                                "the crash report has control characters, or lines after its end");
        bool is_item = cn_text_starts_with(line, cn_text("  "));
        if (line.size == 0)
            continue;
        if (cn_text_equal(line, cn_text("end")))
            report->is_complete = true;
        else if (cn_text_equal(line, cn_text("stack:")))
            read_item = read_frame;
        else if (cn_text_equal(line, cn_text("log:")))
            read_item = read_log;
        else if (is_item && !read_item)
            return cn_error_set(error, CN_ERROR_FORMAT, "a line of the crash report is indented");
        else if (!(is_item ? read_item : read_field)(report, line, error))
            return false;
    }
    return true;
}

bool crafty_report_read(CraftyReport *report, CnText text, CnError *error)
{
    CnText first = {0};
    *report = (CraftyReport){0};
    cn_array_init(&report->fields, cn_system_allocator());
    cn_array_init(&report->frames, cn_system_allocator());
    cn_array_init(&report->log, cn_system_allocator());
    while (text.size > 0 && text.data[text.size - 1] != '\n') /* a line that was cut off */
        text.size--;
    if (text.size == 0 || !cn_text_split(&text, '\n', &first) ||
        !cn_text_equal(first, cn_text(FIRST_LINE)))
        cn_error_set(error, CN_ERROR_FORMAT, "this is not a crash report of Crafty");
    else if (read_lines(report, text, error))
        return true;
    crafty_report_fini(report);
    return false;
}

void crafty_report_fini(CraftyReport *report)
{
    cn_array_fini(&report->fields);
    cn_array_fini(&report->frames);
    cn_array_fini(&report->log);
}

/* ---- For people ---- */

static bool append_padded(CnTextBuilder *text, CnText value, size_t width)
{
    bool done = cn_text_append(text, value);
    for (size_t i = value.size; done && i < width; i++)
        done = cn_text_append(text, cn_text(" "));
    return done;
}

/* The function of a frame; the address of an outer frame is that after the call. */
static CnText function_of(const CraftySymbols *symbols, uint32_t number,
                          const CraftyReportFrame *frame)
{
    char digits[20];
    if (!symbols || !cn_copy_text(digits, sizeof digits, frame->offset))
        return cn_text("");
    uint64_t offset = strtoull(digits, NULL, 16);
    return crafty_symbols_find(symbols, frame->build_id, offset - (number > 0));
}

static bool append_frame(CnTextBuilder *text, uint32_t number, const CraftyReportFrame *frame,
                         const CraftySymbols *symbols)
{
    bool has_module = frame->module.size > 0;
    CnText function = function_of(symbols, number, frame);
    return cn_text_append_format(text, "  %2u  ", number) &&
           append_padded(text, has_module ? frame->module : cn_text("unknown"), 24) &&
           cn_text_append(text, cn_text("  ")) &&
           append_padded(text, has_module ? frame->offset : frame->address,
                         function.size > 0 ? 10 : 0) &&
           (function.size == 0 ||
            (cn_text_append(text, cn_text("  ")) && cn_text_append(text, function))) &&
           cn_text_append(text, cn_text("\n"));
}

static CnText value_of(const CraftyReport *report, const char *key)
{
    for (uint32_t i = 0; i < report->fields.count; i++)
        if (cn_text_equal(report->fields.items[i].key, cn_text(key)))
            return report->fields.items[i].value;
    return cn_text("");
}

static bool append_hint(const CraftyReport *report, CnTextBuilder *text)
{
    CnText program = value_of(report, "program"), build = value_of(report, "build");
    return cn_text_append(text,
                          cn_text("\nThe numbers are offsets in the files: addr2line -Cfe ")) &&
           cn_text_append(text, program) &&
           cn_text_append(
               text, cn_text(" OFFSET names the function,\nin the program with the build id ")) &&
           cn_text_append(text, build) && cn_text_append(text, cn_text(".\n"));
}

bool crafty_report_write_text(const CraftyReport *report, const CraftySymbols *symbols,
                              CnTextBuilder *text)
{
    bool done = true;
    for (uint32_t i = 0; done && i < report->fields.count; i++) {
        const CraftyReportField *field = &report->fields.items[i];
        done = append_padded(text, field->key, 10) && cn_text_append(text, cn_text("  ")) &&
               cn_text_append(text, field->value) && cn_text_append(text, cn_text("\n"));
    }
    done = done && (report->frames.count == 0 || cn_text_append(text, cn_text("\nStack\n")));
    for (uint32_t i = 0; done && i < report->frames.count; i++)
        done = append_frame(text, i, &report->frames.items[i], symbols);
    done = done && (report->frames.count == 0 || append_hint(report, text));
    done = done && (report->log.count == 0 || cn_text_append(text, cn_text("\nLast log lines\n")));
    for (uint32_t i = 0; done && i < report->log.count; i++)
        done = cn_text_append(text, cn_text("  ")) && cn_text_append(text, report->log.items[i]) &&
               cn_text_append(text, cn_text("\n"));
    return done &&
           (report->is_complete || cn_text_append(text, cn_text("\nThe report was cut off.\n")));
}

/* ---- JSON ---- */

/* The text is UTF-8 without control characters. */
static bool append_string(CnTextBuilder *text, CnText value)
{
    bool done = cn_text_append(text, cn_text("\""));
    for (size_t i = 0; done && i < value.size; i++) {
        if (value.data[i] == '"' || value.data[i] == '\\')
            done = cn_text_append(text, cn_text("\\"));
        done = done && cn_text_append(text, (CnText){value.data + i, 1});
    }
    return done && cn_text_append(text, cn_text("\""));
}

static bool append_member(CnTextBuilder *text, const char *name, CnText value, const char *end)
{
    return cn_text_append_format(text, "\"%s\": ", name) && append_string(text, value) &&
           cn_text_append(text, cn_text(end));
}

static bool append_json_frame(CnTextBuilder *text, const CraftyReportFrame *frame, bool is_last)
{
    bool has_module = frame->module.size > 0;
    bool done = cn_text_append(text, cn_text("    {")) &&
                append_member(text, "address", frame->address, has_module ? ", " : "");
    if (done && has_module)
        done = append_member(text, "module", frame->module, ", ") &&
               append_member(text, "offset", frame->offset, ", ") &&
               append_member(text, "build", frame->build_id, "");
    return done && cn_text_append(text, cn_text(is_last ? "}\n" : "},\n"));
}

bool crafty_report_write_json(const CraftyReport *report, CnTextBuilder *text)
{
    bool done = cn_text_append(text, cn_text("{\n"));
    for (uint32_t i = 0; done && i < report->fields.count; i++) {
        const CraftyReportField *field = &report->fields.items[i];
        done = cn_text_append(text, cn_text("  ")) && append_string(text, field->key) &&
               cn_text_append(text, cn_text(": ")) && append_string(text, field->value) &&
               cn_text_append(text, cn_text(",\n"));
    }
    done = done && cn_text_append(text, cn_text("  \"stack\": [\n"));
    for (uint32_t i = 0; done && i < report->frames.count; i++)
        done = append_json_frame(text, &report->frames.items[i], i + 1 == report->frames.count);
    done = done && cn_text_append(text, cn_text("  ],\n  \"log\": [\n"));
    for (uint32_t i = 0; done && i < report->log.count; i++)
        done = cn_text_append(text, cn_text("    ")) && append_string(text, report->log.items[i]) &&
               cn_text_append(text, cn_text(i + 1 == report->log.count ? "\n" : ",\n"));
    return done && cn_text_append_format(text, "  ],\n  \"complete\": %s\n}\n",
                                         report->is_complete ? "true" : "false");
}
