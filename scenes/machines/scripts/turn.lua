-- Turns its object about z, a full turn in four seconds.

local DEGREES_PER_SECOND = 90

function on_init()
    this.state.angle = 0
end

function on_update(dt)
    this.state.angle = this.state.angle + DEGREES_PER_SECOND * dt
    this.eulerAngles = Vec3(0, 0, this.state.angle)
end
