-- Rings when the clock strikes: the big bell the hours, the small one a single time.
-- Strike and Ring are types of the program; "tired" is a name that only scripts know.

subscribe("Strike", function(strike)
    local times = this.name == "Big" and strike.hour or 1
    send("Ring", {bell = this, times = times})
    if times >= 3 then
        send("tired", {who = this.name})
    end
end)
