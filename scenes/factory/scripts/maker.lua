-- Makes a part every ten ticks, and puts it onto the belt where chance wants it.

function on_init()
    this.state.ticks = 0
    this.state.made = 0
end

function on_update()
    this.state.ticks = this.state.ticks + 1
    if this.state.ticks % 10 == 0 then
        this.state.made = this.state.made + 1
        local part = loadPrefab("assets://part.json")
        part.name = "Part " .. this.state.made
        part.position = this.position + Vec3(0, 0, random() - 0.5)
    end
end
