-- Gives a message that has not started another due time. Needs announce_head() at the end of the run.
local function move_message(history, due, tag, message, due_ms, plan)
  redis.call('HSET', history, 'due', due_ms)
  if plan ~= '' then redis.call('HSET', history, 'plan', plan) else redis.call('HDEL', history, 'plan') end
  -- whether it must wait for an operator is decided anew when it is due
  redis.call('HDEL', history, 'held')
  redis.call('ZREM', held_key(tag), message)
  put_due(due, tag, message, 0, due_ms)
  local known = redis.call('HMGET', history, 'merge', 'type')
  if known[1] then redis.call('ZADD', merge_key_of(known[1], tag, message, known[2]), 'XX', due_ms, message) end
  announce(tag, message)
end
