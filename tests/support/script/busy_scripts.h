/*
 * Scripts that use a bit of everything, for ScriptWorld with physics: the results are the same with
 * any number of threads, sandboxed or not, in any build.
 */
#ifndef CAIRN_TESTS_SUPPORT_SCRIPT_BUSY_SCRIPTS_H
#define CAIRN_TESTS_SUPPORT_SCRIPT_BUSY_SCRIPTS_H

/* Timers, events, tables with objects as keys, objects that are created and destroyed. */
static const char busy_spawner[] =
    "local made = {}\n"
    "subscribe('grown', function(e)\n"
    "    made[e.object] = (made[e.object] or 0) + e.size\n"
    "    local sum = 0\n"
    "    for object, size in pairs(made) do\n"
    "        if object.alive then sum = sum * 1.01 + size + object.position.x end\n"
    "    end\n"
    "    this.position = Vec3(sum % 100, math.sin(sum), random())\n"
    "end)\n"
    "function on_init()\n"
    "    every(.1, function()\n"
    "        local o = spawn{name = 'Ball', position = Vec3(random(-5, 5), 8 + random(), random(-5, 5)),\n"
    "            RigidbodyComponent = {mass = 1, collisionShape = {type = 'Sphere', radius = 0.5}}}\n"
    "        o.velocity = Vec3(random(-2, 2), 0, 0)\n"
    "        if random(4) == 1 then getObject('Car'):clone(o):getChild('Wheel').enabled = false end\n"
    "        after(.7, function() send('grown', {object = o, size = random(9)}) end)\n"
    "        after(1.3, function() if o.alive then o:destroy() end end)\n"
    "    end)\n"
    "end\n";

/* Rays, forces, columns of queries. */
static const char busy_pusher[] =
    "local bodies, y = query('RigidbodyComponent'), {}\n"
    "function on_fixedupdate(dt)\n"
    "    for object in bodies:each() do\n"
    "        local hit = raycast{origin = object.worldPosition, direction = Vec3(0, -1, 0), except = object}\n"
    "        if hit and hit.distance < 2 and object.name == 'Ball' then\n"
    "            object:addForce(Vec3(random() * 20, 5, 0))\n"
    "        end\n"
    "    end\n"
    "end\n"
    "function on_update(dt)\n"
    "    for batch in query('TransformComponent', {none = 'RigidbodyComponent'}):batches() do\n"
    "        batch:column('TransformComponent', 'position.y', y)\n"
    "        for i = 1, batch.count do y[i] = math.cos(y[i] + dt + i) end\n"
    "        batch:set('TransformComponent', 'position.y', y)\n"
    "    end\n"
    "end\n";

/* Mathematics, numbers as texts and back, sorting; hot enough for the JIT. */
static const char busy_reckoner[] =
    "local names = {'sin', 'cos', 'tan', 'atan', 'exp', 'sqrt', 'floor', 'log'}\n"
    "function on_init() this.state.sum, this.state.text = 0.5, '' end\n"
    "function on_update(dt)\n"
    "    local sum, list = this.state.sum, {}\n"
    "    for i = 1, 60 do\n"
    "        local x = (sum * i) % 7 + 0.01\n"
    "        local y = math[names[i % #names + 1]](x)\n"
    "        sum = (sum * 0.7 + y + math.pow(x, 1.3) + math.atan2(y, x)) % 1000\n"
    "        list[i] = {key = i % 5, value = sum}\n"
    "    end\n"
    "    table.sort(list, function(a, b) return a.value < b.value end)\n"
    "    local text = string.format('%.17g %d %s', sum, list[7].key, list[3].value / 3)\n"
    "    this.state.sum = (sum + tonumber(text:match('^(%S+)')) * 0.25) % 100\n"
    "    this.state.text = text\n"
    "    this.position = Vec3(this.state.sum, list[1].value % 10, #text)\n"
    "    this.eulerAngles = Vec3(sum, list[20].value, dt)\n"
    "end\n";

#endif
