-- What was hung up in this run, by member: when it is due.
local hung = {}

-- Puts a delivery on the due set and hangs up its doorbell.
local function ring_at(due_key, member, delivery_key, due_ms)
  redis.call('ZADD', due_key, due_ms, member)
  -- Redis keeps small numbers once for everyone: a bell weighs nothing but its name
  redis.call('SET', delivery_key, '0', 'PXAT', due_ms)
  hung[member] = due_ms
end

-- After the last of them: tells the timekeepers when one of them is the next to ring.
local function tell_head(due_key)
  local next_due_ms = hung[redis.call('ZRANGE', due_key, 0, 0)[1]]
  if next_due_ms then redis.call('PUBLISH', 'due-head', string.match(due_key, '{(%w+)}') .. ' ' .. next_due_ms) end
end
