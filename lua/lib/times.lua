-- When each receipt came to its state stands behind the state bytes of its leg, four bytes an ordinal: 0 for never; else the
-- milliseconds since the message has started, and one; from 2^31 on whole seconds, for what is told after 24 days.
local function time_bytes(started, now)
  local elapsed = math.max(0, now - (tonumber(started) or now))
  if elapsed < 2147483647 then return struct.pack('>I4', elapsed + 1) end
  return struct.pack('>I4', 2147483648 + math.floor(elapsed / 1000))
end

-- Who is pending or attempted has not come to any state.
local function has_come(state) return not string.find('abw\0', state, 1, true) end

local function keep_time(receipts, size, first, people, time)
  redis.call('SETRANGE', receipts, size + 4 * first, string.rep(time, people))
end

-- Of a leg nobody has written to: room for all of it at once, for a string that grows is given twice what it needs.
local function make_room(receipts, size)
  redis.call('SETRANGE', receipts, 5 * size - 1, '\0')
end
