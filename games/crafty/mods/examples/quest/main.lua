-- The Elder's Roof: an elder appears near the first player. Who talks to him gets a task, brings
-- what he needs, and is rewarded. How far each player is, is kept in storage.

local tasks = require("lib.tasks")

creature {
    name = "elder", title = "Elder", model = "villager", sound = "villager",
    size = { 0.6, 1.9 }, health = 1000, speed = 1.6,
    behaviours = {
        { ["do"] = "look", distance = 8, seconds = 4, chance = 0.5 },
        { ["do"] = "wander", distance = 4, chance = 0.03 },
    },
}

-- ---- Progress: { task = 1, accepted = true? }; the task after the last: everything is done ----

local function load(player)
    return storage.get("progress/" .. players.get(player).name) or { task = 1 }
end

local function save(player, progress)
    storage.set("progress/" .. players.get(player).name, progress)
end

local function show(player)
    local progress = load(player)
    local task = tasks[progress.task]
    if not task or not progress.accepted then
        hud.remove(player, "goal")
        return
    end
    local has = math.min(players.count(player, task.item), task.count)
    hud.set(player, "goal", {
        kind = "panel", anchor = "topLeft", x = 8, y = 8, width = 230, height = 44,
        background = "#00000080",
        children = {
            { kind = "image", x = 6, y = 6, width = 24, height = 24, tile = task.item },
            { kind = "text", x = 36, y = 6, text = task.goal .. "  " .. has .. "/" .. task.count,
              color = "#ffe070" },
            { kind = "bar", x = 36, y = 28, width = 186, height = 8, value = has / task.count,
              color = "#70c050", background = "#00000080" },
        },
    })
end

on("tick", function()
    for _, player in ipairs(players.list()) do show(player) end
end, 30)

-- ---- The elder ----

local function elder()
    local id = storage.get("elder")
    if id and creatures.get(id) then return id end
end

local function call_elder(player)
    local at = players.get(player).position
    local id = elder()
    if id then creatures.remove(id) end
    id = creatures.spawn("quest:elder", at.x + 2, at.y, at.z, { name = "Elder", yaw = 90 })
    if id then storage.set("elder", id) end
    return id
end

on("join", function(e)
    show(e.player)
    if not storage.get("elder") and call_elder(e.player) then
        chat.send(e.player, "An elder waves at you. Talk to him: use him with your hand.")
    end
end)

command {
    name = "elder",
    help = "Calls the elder, if you cannot find him.",
    run = function(e)
        return call_elder(e.player) and "The elder comes." or "There is no room for him here."
    end,
}

-- ---- Talking ----

local function ask(player, text, choices, name)
    hud.ask(player, { title = "Elder", text = text, choices = choices }, name)
end

local function talk(player)
    local progress = load(player)
    local task = tasks[progress.task]
    if not task then
        ask(player, tasks.thanks, { "Farewell" }, "done")
    elseif not progress.accepted then
        ask(player, task.ask, { "I will help", "Not now" }, "offer")
    elseif players.count(player, task.item) >= task.count then
        ask(player, task.ready, { "Here you are", "I keep it" }, "give")
    else
        ask(player, task.wait, { "I am on my way" }, "wait")
    end
end

on("talk", function(e)
    if e.creature == elder() then talk(e.player) end
end)

local function finish(player, progress, task)
    if players.take(player, task.item, task.count) < task.count then return end
    local rest = players.give(player, task.reward, task.reward_count)
    local at = players.get(player).position
    if rest > 0 then world.drop(task.reward, rest, at.x, at.y + 1, at.z) end
    world.particles("hearts", at.x, at.y + 2, at.z, 8)
    chat.send(player, "The elder gives you " .. task.reward_count .. " " ..
        task.reward:gsub("_", " ") .. ".")
    save(player, { task = progress.task + 1 })
    show(player)
    talk(player)
end

on("choice", function(e)
    local progress = load(e.player)
    local task = tasks[progress.task]
    if not task or e.choice ~= 1 then return end
    if e.dialog == "offer" and not progress.accepted then
        progress.accepted = true
        save(e.player, progress)
        show(e.player)
    elseif e.dialog == "give" and progress.accepted and
        players.count(e.player, task.item) >= task.count then
        finish(e.player, progress, task)
    end
end)
