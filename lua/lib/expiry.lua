-- When expire is to look at a message that runs: so long its couriers have to say themselves who has expired, and what they waited for.
local function expiry_of(expires) return string.format('%.0f', expires + 10000) end
