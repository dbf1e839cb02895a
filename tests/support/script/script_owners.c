#include "script_owners.h"

const char script_victim[] =
    "subscribe('victim.tick', function() this.position = this.position + Vec3(0, 1, 0) end)\n"
    "every(0, function() this.position = this.position + Vec3(0, 0, 1) end)\n"
    "function on_update()\n"
    "    this.position = this.position + Vec3(1, 0, 0)\n"
    "    send('victim.tick', {1, 2, 'x'})\n"
    "end\n";

bool script_owners_init(ScriptOwners *w, const CnScriptDesc *limits)
{
    w->count = 0;
    if (!script_world_init(&w->world, &(ScriptWorldDesc){.sandboxed = true, .seed = 5}))
        return false;
    if (!limits)
        return true;
    w->world.scripts.memory_bytes = limits->memory_bytes;
    w->world.scripts.instructions_per_call = limits->instructions_per_call;
    w->world.scripts.instructions_per_tick = limits->instructions_per_tick;
    w->world.scripts.watchdog_ms = limits->watchdog_ms;
    return true;
}

void script_owners_fini(ScriptOwners *w)
{
    script_world_fini(&w->world);
}

CnEntity script_owners_add(ScriptOwners *w, const char *path, const char *code)
{
    CnScript script = {.script_name = "Script"};
    char name[32];
    cn_format(name, sizeof name, "Owner%u", w->count);
    cn_copy_text(script.script_path, sizeof script.script_path, cn_text(path));
    memory_files_set(&w->world.files, path, code);
    CnEntity object = cn_object(w->world.world, name);
    cn_set_component(w->world.world, object, cn_id(w->world.world, CnScript), &script);
    w->objects[w->count++] = object;
    return object;
}

bool script_owners_tick(ScriptOwners *w, uint64_t ticks)
{
    return script_tick(&w->world, ticks);
}

const char *script_owners_victim(ScriptOwners *w)
{
    const CnTransform *transform = cn_get(w->world.world, w->objects[0], CnTransform);
    cn_format(w->text, sizeof w->text, "%d %d %d", (int)transform->position.x,
              (int)transform->position.y, (int)transform->position.z);
    return w->text;
}
