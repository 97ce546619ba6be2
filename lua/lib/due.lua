-- What was put on the due set in this run, by member: when it is due.
local put = {}

-- The key that expires when a delivery is due. Gives its member of the due set, on which it has to be put.
local function arm(tag, message, wave, due_ms)
  -- Redis keeps small numbers once for everyone: the key weighs nothing but its name
  redis.call('SET', delivery_key(tag, message, wave), '0', 'PXAT', due_ms)
  local member = message .. ':' .. wave
  put[member] = due_ms
  return member
end

-- Puts a delivery on the due set, with the key that expires at that time.
local function put_due(due, tag, message, wave, due_ms)
  redis.call('ZADD', due, due_ms, arm(tag, message, wave, due_ms))
end

-- After the last of them: tells the timekeepers when one of them is the next to fall due.
local function announce_head(due, tag)
  if not next(put) then return end
  local next_due_ms = put[redis.call('ZRANGE', due, 0, 0)[1]]
  if next_due_ms then redis.call('SPUBLISH', due_head_channel(tag), next_due_ms) end
end
