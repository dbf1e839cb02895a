-- Ducklings: a complete game. Lead the lost ducklings home to the nest before the evening, and keep
-- them away from the pikes. The more come home at once, the more they count.
--
-- Everything that the next tick depends on is in this.state, so that a game can be saved and
-- continued at any time. `s` is a shorter name for it.

local ROUND = 90              -- seconds
local POND_X, POND_Z = 12, 8.8 -- half axes of the water in which ducks swim
local GAP = 9                 -- ticks between two ducks of the line
local MAX_STRAYS = 7
local HOME = 1.9              -- distance at which ducklings jump into the nest
local CREAM, AMBER, DARK = "#FFF6E0", "#FFC34D", "#10242CD8"
local MELODY = {1, 3, 5, 4, 3, 0, 2, 0, 1, 3, 6, 5, 4, 0, 3, 0, 2, 4, 5, 4, 3, 0, 1, 0, 2, 3, 4, 2, 1, 0, 0, 0}
local BASS = {1, 1, 4, 4, 2, 2, 3, 1}
local SCALE = {1, 9 / 8, 5 / 4, 3 / 2, 5 / 3, 2, 9 / 4}
local s -- this.state, in callbacks

-- Building ----------------------------------------------------------------------------------
local function part(parent, shape, material, position, scale, angles)
    return spawn {
        name = material, parent = parent, position = position, scale = scale,
        eulerAngles = angles or Vec3(0, 0, 0),
        MeshRendererComponent = {mesh = "shapes://" .. shape, material = material},
    }
end

local function duck(name, size, body, wing)
    local root = spawn {name = name, scale = Vec3(size, size, size)}
    part(root, "sphere", body, Vec3(0, 0.22, 0.05), Vec3(0.85, 0.62, 1.15))
    part(root, "cone", body, Vec3(0, 0.42, 0.62), Vec3(0.34, 0.4, 0.3), Vec3(40, 0, 0))
    part(root, "sphere", body, Vec3(0, 0.72, -0.34), Vec3(0.56, 0.54, 0.56))
    part(root, "sphere", "Beak", Vec3(0, 0.66, -0.66), Vec3(0.26, 0.11, 0.32))
    for side = -1, 1, 2 do
        part(root, "sphere", wing, Vec3(0.38 * side, 0.3, 0.12), Vec3(0.2, 0.4, 0.75))
        part(root, "sphere", "Eye", Vec3(0.19 * side, 0.81, -0.53), Vec3(0.1, 0.12, 0.1))
    end
    return root
end

local function pike()
    local root = spawn {name = "Pike"}
    part(root, "sphere", "Pike", Vec3(0, -0.03, 0.1), Vec3(0.5, 0.3, 2))
    part(root, "cone", "Pike", Vec3(0, 0.28, 0.1), Vec3(0.12, 0.6, 0.6), Vec3(-14, 0, 0))
    part(root, "cone", "Pike", Vec3(0, 0.08, 1.15), Vec3(0.1, 0.5, 0.5), Vec3(-70, 0, 0))
    for x = -0.17, 0.17, 0.34 do part(root, "sphere", "Straw", Vec3(x, 0.07, -0.62), Vec3(0.12, 0.12, 0.12)) end
    return root
end

-- A random point of the pond; `share` 1 is the bank.
local function point(share)
    local angle = random() * 2 * math.pi
    return math.cos(angle) * POND_X * share, math.sin(angle) * POND_Z * share
end

local function plant()
    for i = 1, 46 do -- reeds at the bank
        local x, z = point(1.06 + random() * 0.05)
        local height = 0.8 + random()
        part(nil, "capsule", "Reed", Vec3(x, height / 2 - 0.2, z), Vec3(0.07, height, 0.07), Vec3(random(-9, 9), 0, random(-9, 9)))
        if i % 3 == 0 then part(nil, "capsule", "Twigs", Vec3(x, height - 0.1, z), Vec3(0.14, 0.3, 0.14)) end
    end
    for i = 1, 14 do -- lily pads
        local x, z = point(0.72 + random() * 0.24)
        local size = 0.7 + random() * 0.7
        part(nil, "cylinder", "Leaf", Vec3(x, 0, z), Vec3(size, 0.06, size))
        if i % 2 == 0 then part(nil, "sphere", "Petal", Vec3(x + 0.1, 0.12, z), Vec3(0.34, 0.22, 0.34)) end
    end
    for _ = 1, 30 do -- stones and firs around
        local x, z = point(1.14 + random() * 0.05)
        local size = 0.3 + random() * 0.7
        part(nil, "sphere", "Stone", Vec3(x, -0.3, z), Vec3(size * 1.3, size, size), Vec3(0, random(0, 180), 0))
    end
    for _ = 1, 46 do
        local x, z = point(1.4 + random() * 1.3)
        local size = 1 + random()
        if z < 7 then -- not in front of the camera
            part(nil, "cylinder", "Trunk", Vec3(x, 0, z), Vec3(0.3, size, 0.3))
            for k = 1, 3 do
                part(nil, "cone", "Fir", Vec3(x, size * (0.2 + 0.62 * k), z), Vec3(size * (2 - 0.42 * k), size, size * (2 - 0.42 * k)))
            end
        end
    end
    for k = 1, 3 do -- the nest
        part(nil, "torus", k == 2 and "Straw" or "Twigs", Vec3(0, 0.1 * k - 0.05, 0), Vec3(1.9 + 0.15 * k, 1.6, 1.9 + 0.15 * k), Vec3(0, 50 * k, 3))
    end
    part(nil, "cylinder", "Straw", Vec3(0, 0, 0), Vec3(1.9, 0.2, 1.9))
end

-- Motion ------------------------------------------------------------------------------------
local function turn(heading, target, step)
    local difference = (target - heading + 540) % 360 - 180
    return heading + math.max(-step, math.min(step, difference))
end

-- Keeps a swimmer in the pond; returns whether it was outside.
local function keep_in(it, share)
    local distance = math.sqrt((it.x / POND_X) ^ 2 + (it.z / POND_Z) ^ 2)
    if distance > share then it.x, it.z = it.x * share / distance, it.z * share / distance end
    return distance > share
end

local function distance(a, b) return math.sqrt((a.x - b.x) ^ 2 + (a.z - b.z) ^ 2) end

local function float(it, phase)
    local wave = math.sin(time.tick * 0.09 + phase)
    it.hop = math.max(0, (it.hop or 0) - 1)
    it.object.position = Vec3(it.x, 0.02 + 0.04 * wave + math.sin(it.hop / 24 * math.pi) * 0.9, it.z)
    it.object.eulerAngles = Vec3(3 * wave, it.heading, 4 * math.sin(time.tick * 0.07 + phase))
end

local function ripple(x, z, size)
    s.ripple = s.ripple % #s.ripples + 1
    local ring = s.ripples[s.ripple]
    ring.x, ring.z, ring.age, ring.size = x, z, 0, size
    if size > 1 then particles.burst {emitter = "assets://splash.json", position = Vec3(x, 0, z)} end
end

local function move_ripples()
    for _, ring in ipairs(s.ripples) do
        ring.age = ring.age + 1
        local width = ring.size * (0.3 + ring.age * 0.035)
        ring.object.position = Vec3(ring.x, ring.age < 100 and -0.02 - ring.age * 0.0012 or -2, ring.z)
        ring.object.scale = Vec3(width, 0.12, width)
    end
end

-- Sound -------------------------------------------------------------------------------------
local function sound(name, gain, pitch)
    audio.play("assets://" .. name .. ".wav", {gain = gain * s.volume, pitch = pitch or 1})
end

local function music()
    if time.tick % 12 ~= 0 then return end
    local beat = math.floor(time.tick / 12)
    local note, low = MELODY[beat % #MELODY + 1], BASS[math.floor(beat / 4) % #BASS + 1]
    local function pluck(pitch, gain)
        audio.play("assets://pluck.wav", {gain = gain * s.volume, pitch = pitch, bus = "music"})
    end
    if note > 0 then pluck(SCALE[note], 0.22) end
    if beat % 4 == 0 then pluck(SCALE[low] / 2, 0.3) end
end

-- The round ---------------------------------------------------------------------------------
local function add_stray()
    local x, z = point(0.35 + random() * 0.58)
    local object = duck("Duckling", 0.62, "Yellow", "Yellow")
    table.insert(s.strays, {object = object, x = x, z = z, heading = random(0, 359), hop = 24})
    ripple(x, z, 1)
end

-- The duckling at this place of the line, and those behind it, swim away.
local function scatter(from)
    for i = #s.line, from, -1 do
        local duckling = table.remove(s.line, i)
        duckling.heading, duckling.scared, duckling.hop = random(0, 359), 70, 24
        table.insert(s.strays, duckling)
        ripple(duckling.x, duckling.z, 1.4)
    end
end

local function say(text, size)
    s.message, s.message_size, s.message_age = text, size, 0
end

local function hurt()
    s.hearts, s.safe, s.shake = s.hearts - 1, 110, 24
    scatter(1)
    sound("quack", 0.8, 0.8)
    say("Ouch!", 44)
end

local function bring_home()
    local count = #s.line
    if count == 0 or distance(s.duck, {x = 0, z = 0}) > HOME then return end
    for _, duckling in ipairs(s.line) do
        duckling.jump = 0
        table.insert(s.nested, duckling)
    end
    s.line = {}
    s.home, s.score = s.home + count, s.score + count * count
    sound("home", 0.7, 1 + 0.05 * math.min(count, 8))
    say("+" .. count * count .. (count >= 5 and "  Wonderful!" or count >= 3 and "  Well done!" or ""), 34 + 3 * math.min(count, 8))
end

local function move_nested()
    for i = #s.nested, 1, -1 do
        local it = s.nested[i]
        it.jump = it.jump + 1
        local share = math.max(0, math.min(1, (it.jump - i * 3) / 22))
        it.object.position = Vec3(it.x * (1 - share), 0.1 + math.sin(share * math.pi) * 1.4, it.z * (1 - share))
        if share == 1 then
            it.object:destroy()
            table.remove(s.nested, i)
        end
    end
end

-- Where a person wants to go: a direction from keys, a stick, or the mouse.
local function wish()
    local function held(a, b) return (input.key(a) or input.key(b)) and 1 or 0 end
    local x = held("D", "Right") - held("A", "Left") + input.axis("LeftX")
    local z = held("S", "Down") - held("W", "Up") + input.axis("LeftY")
    local ray = input.key("MouseLeft") and input.pointerRay()
    if ray and ray.direction.y < -0.01 then
        local far = -ray.origin.y / ray.direction.y
        local at = ray.origin + ray.direction * far
        local dx, dz = at.x - s.duck.x, at.z - s.duck.z
        if dx * dx + dz * dz > 0.1 then x, z = dx, dz end
    end
    return x, z, math.min(1, math.sqrt(x * x + z * z))
end

local function move_duck(dt)
    local d = s.duck
    local x, z, power = wish()
    if power > 0.2 then d.heading = turn(d.heading, math.atan2(-x, -z) * 180 / math.pi, 300 * dt) end
    d.speed = d.speed + math.max(-14 * dt, math.min(14 * dt, (power > 0.2 and 5.2 * power or 0) - d.speed))
    local angle = d.heading * math.pi / 180
    d.x, d.z = d.x - math.sin(angle) * d.speed * dt, d.z - math.cos(angle) * d.speed * dt
    keep_in(d, 1)
    if d.speed > 1 then -- the line follows where the duck swam
        s.head = s.head % #s.trail + 1
        s.trail[s.head] = {x = d.x, z = d.z, heading = d.heading}
        if time.tick % 14 == 0 then ripple(d.x, d.z, 1) end
    end
    s.safe = math.max(0, s.safe - 1)
    d.object.enabled = s.safe % 12 < 8
    float(d, 0)
    for i, duckling in ipairs(s.line) do
        local at = s.trail[(s.head - i * GAP - 1) % #s.trail + 1]
        duckling.x, duckling.z = duckling.x + (at.x - duckling.x) / 4, duckling.z + (at.z - duckling.z) / 4
        duckling.heading = turn(duckling.heading, at.heading, 9)
        float(duckling, i)
    end
end

local function move_strays(dt)
    for i = #s.strays, 1, -1 do
        local it = s.strays[i]
        it.scared = math.max(0, (it.scared or 0) - 1)
        local speed = it.scared > 0 and 3.2 or 0.45
        local angle = it.heading * math.pi / 180
        it.x, it.z = it.x - math.sin(angle) * speed * dt, it.z - math.cos(angle) * speed * dt
        if keep_in(it, 0.95) or distance(it, {x = 0, z = 0}) < 1.7 then it.heading = it.heading + 150 * dt * 3 end
        if it.scared == 0 and random(90) == 1 then it.heading = it.heading + random(-80, 80) end
        float(it, i * 1.7)
        if it.scared == 0 and distance(it, s.duck) < 1.05 and #s.line * GAP < #s.trail - 2 * GAP then
            table.remove(s.strays, i)
            it.hop = 24
            table.insert(s.line, it)
            sound("peep", 0.5, 0.9 + 0.08 * #s.line)
            ripple(it.x, it.z, 1.2)
        end
    end
end

local function move_pikes(dt)
    local wanted = math.min(6, 2 + math.floor((ROUND - s.left) / 18))
    if #s.pikes < wanted then
        local x, z = point(0.98)
        table.insert(s.pikes, {object = pike(), x = x, z = z, heading = random(0, 359)})
    end
    for i, it in ipairs(s.pikes) do
        local prey = s.line[#s.line] or s.duck
        local near = s.safe == 0 and distance(it, prey) < 4.2
        local speed = (near and 2.9 or 2) + (ROUND - s.left) * 0.011
        local wanted_heading = near and math.atan2(it.x - prey.x, it.z - prey.z) * 180 / math.pi
            or it.heading + 40 * math.sin(time.tick * 0.013 + i * 2)
        it.heading = turn(it.heading, wanted_heading, (near and 75 or 50) * dt)
        local angle = it.heading * math.pi / 180
        it.x, it.z = it.x - math.sin(angle) * speed * dt, it.z - math.cos(angle) * speed * dt
        if keep_in(it, 0.99) then it.heading = turn(it.heading, math.atan2(it.x, it.z) * 180 / math.pi, 200 * dt) end
        if distance(it, {x = 0, z = 0}) < 1.9 then it.heading = turn(it.heading, math.atan2(-it.x, -it.z) * 180 / math.pi, 260 * dt) end
        it.object.position = Vec3(it.x, -0.04 + 0.03 * math.sin(time.tick * 0.11 + i), it.z)
        it.object.eulerAngles = Vec3(0, it.heading + 6 * math.sin(time.tick * 0.3 + i), 0)
        if (time.tick + i * 7) % 26 == 0 then ripple(it.x, it.z, 0.7) end
        if s.safe == 0 and distance(it, s.duck) < 0.85 then hurt() end
        for k = #s.line, 1, -1 do
            if distance(it, s.line[k]) < 0.7 then
                scatter(k)
                sound("splash", 0.6)
                say("Scared away!", 32)
            end
        end
    end
end

local function finish()
    s.mode, s.new_best = "over", s.score > s.best
    s.best = math.max(s.best, s.score)
    store.set("best", s.best)
    store.save()
    sound("over", 0.7)
end

local function play(dt)
    s.left = s.left - dt
    if #s.strays + #s.line < MAX_STRAYS + #s.pikes and time.tick % 80 == 0 or #s.strays == 0 then add_stray() end
    move_duck(dt)
    move_strays(dt)
    move_pikes(dt)
    bring_home()
    if s.left <= 0 or s.hearts <= 0 then finish() end
end

-- Screens -----------------------------------------------------------------------------------
local function title()
    local menu = ui.panel {anchor = "left", x = 48, width = 400, padding = 28, spacing = 14, background = DARK, radius = 18, border = "#FFC34D60", focus = true}
    menu:text("Ducklings", {size = 60, color = AMBER, align = "center"})
    menu:text("Lead the lost ducklings home to the nest.\nThe more come at once, the better.\nBeware of the pikes!", {size = 17, color = CREAM, align = "center"})
    if menu:button("Play", {size = 26, background = "#D9822B", radius = 12, height = 56}) then
        s.mode = "play"
        sound("peep", 0.6)
    end
    if menu:button("Quit", {size = 18, radius = 12, height = 40}) then game.quit() end
    menu:text(s.best > 0 and "Best: " .. s.best or "Swim with W A S D, a stick or the mouse", {size = 15, color = "#FFF6E0B0", align = "center"})
end

local function hud()
    local bar = ui.row {anchor = "top", y = 16, padding = 12, spacing = 22, background = DARK, radius = 16}
    bar:text("Score " .. s.score, {size = 24, color = AMBER, width = 130})
    bar:progress(s.left / ROUND, {width = 260, height = 16, color = s.left < 15 and "#E8583A" or "#7CC4D8"})
    bar:text(string.rep("♥", s.hearts) .. string.rep("♡", 3 - s.hearts), {size = 24, color = "#F2607A"})
    local corner = ui.row {anchor = "topRight", x = -16, y = 16, focus = false}
    if corner:button("Pause", {size = 16, height = 40}) then game.paused = true end
    if #s.line > 1 then
        ui.text("Line of " .. #s.line .. ": worth " .. #s.line * #s.line, {anchor = "bottom", y = -24, size = 22, color = CREAM})
    end
    s.message_age = s.message_age + 1
    if s.message_age < 80 then
        local fade = string.format("%02X", math.min(255, (80 - s.message_age) * 6))
        ui.text(s.message, {anchor = "center", y = -110 - s.message_age, size = s.message_size, color = "#FFE9A8" .. fade})
    end
end

local function over()
    local menu = ui.panel {anchor = "center", width = 400, padding = 28, spacing = 12, background = DARK, radius = 18, border = "#FFC34D60", focus = true}
    menu:text(s.hearts > 0 and "Evening has come" or "Oh no!", {size = 40, color = AMBER, align = "center"})
    menu:text(s.home .. (s.home == 1 and " duckling is" or " ducklings are") .. " safe in the nest.", {size = 18, color = CREAM, align = "center"})
    menu:text("Score " .. s.score, {size = 32, color = CREAM, align = "center"})
    menu:text(s.new_best and "A new best!" or "Best: " .. s.best, {size = 18, color = s.new_best and "#9BE38A" or "#FFF6E0B0", align = "center"})
    if menu:button("Play again", {size = 24, background = "#D9822B", radius = 12, height = 52}) then
        store.set("again", true)
        restartScene()
    end
    if menu:button("Quit", {size = 18, radius = 12, height = 40}) then game.quit() end
end

function on_paused()
    s = this.state
    local menu = ui.panel {anchor = "center", width = 340, padding = 24, spacing = 12, background = DARK, radius = 18, focus = true}
    menu:text("Paused", {size = 36, color = AMBER, align = "center"})
    if menu:button("Resume", {size = 22, background = "#D9822B", radius = 12, height = 48}) or input.pressed("Escape") or input.pressed("GamepadStart") then
        game.paused = false
    end
    s.volume = menu:slider("Volume", s.volume, 0, 1)
    store.set("volume", s.volume)
    if menu:button("Give up", {size = 18, radius = 12, height = 40}) then s.left, game.paused = 0, false end
end

-- Life --------------------------------------------------------------------------------------
function on_init()
    s = this.state
    s.mode = store.get("again") and "play" or "title"
    store.set("again", nil)
    s.best, s.volume = store.get("best") or 0, store.get("volume") or 0.8
    s.score, s.home, s.hearts, s.left = 0, 0, 3, ROUND
    s.safe, s.shake, s.message, s.message_size, s.message_age = 0, 0, "", 30, 1000
    s.duck = {object = duck("Duck", 1, "Mother", "Wing"), x = 0, z = 3.4, heading = 40, speed = 0}
    s.line, s.strays, s.pikes, s.nested, s.trail, s.head = {}, {}, {}, {}, {}, 1
    for i = 1, GAP * 26 do s.trail[i] = {x = 0, z = 3.4, heading = 40} end
    s.ripples, s.ripple = {}, 0
    for i = 1, 40 do
        s.ripples[i] = {object = part(nil, "torus", "Ripple", Vec3(0, -1, 0), Vec3(1, 0.1, 1)), x = 0, z = 0, age = 1000, size = 1}
    end
    plant()
    for _ = 1, 5 do add_stray() end
end

function on_update(dt)
    s = this.state
    music()
    move_ripples()
    move_nested()
    if s.mode == "title" then
        float(s.duck, 0)
        for i, it in ipairs(s.strays) do float(it, i * 1.7) end
        title()
    elseif s.mode == "play" then
        play(dt)
        hud()
        if input.pressed("Escape") or input.pressed("P") or input.pressed("GamepadStart") then game.paused = true end
    else
        over()
    end
    s.shake = math.max(0, s.shake - 1)
    local camera, shake = getObject("Camera"), s.shake / 60
    camera.position = Vec3(s.duck.x * 0.16 + shake * math.sin(time.tick * 1.9), 17 + shake * math.sin(time.tick * 2.3), 14.5 + s.duck.z * 0.16)
end
