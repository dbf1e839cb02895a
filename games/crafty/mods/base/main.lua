-- The standard content of Crafty, registered with the same functions that every mod has. The blocks
-- themselves are part of the program: their pictures are painted when it is built.

local items = read_json("items.json")
for _, row in ipairs(items.items) do item(row) end
for _, row in ipairs(items.blocks) do block_items(row) end

local recipes = read_json("recipes.json")
for name, words in pairs(recipes.words) do recipe_words(name, words) end
for name, list in pairs(recipes.groups) do recipe_group(name, list) end
for _, row in ipairs(recipes.recipes) do recipe(row) end

for _, row in ipairs(read_json("block_rules.json").rules) do block_rule(row) end

local creatures = read_json("creatures.json")
for _, name in ipairs(creatures.flowers) do flower(name) end
for _, row in ipairs(creatures.creatures) do creature(row) end

for _, trader in ipairs(read_json("trades.json").traders) do
    for _, offer in ipairs(trader.offers) do trade(trader.profession, offer) end
end
