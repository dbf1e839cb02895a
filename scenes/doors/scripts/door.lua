-- Leads to the level after half a second.

function on_init()
    this.state.time = 0
end

function on_update(dt)
    this.state.time = this.state.time + dt
    if this.state.time > 0.5 then
        gotoScene("Level")
    end
end
