-- Puts a delivery on the due set and hangs up its doorbell; tells the timekeepers when it is the next one to ring.
local function ring_at(due_key, member, delivery_key, due_ms)
  redis.call('ZADD', due_key, due_ms, member)
  redis.call('SET', delivery_key, '', 'PXAT', due_ms)
  if redis.call('ZRANGE', due_key, 0, 0)[1] == member then
    redis.call('PUBLISH', 'due-head', due_ms)
  end
end
