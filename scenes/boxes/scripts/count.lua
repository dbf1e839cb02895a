-- Counts what its object hits.

function on_init()
    this.state.hits = 0
end

function on_collisionenter(other)
    this.state.hits = this.state.hits + 1
    if this.state.hits == 1 then
        log("the " .. this.name .. " hits the " .. other.name)
    end
end
