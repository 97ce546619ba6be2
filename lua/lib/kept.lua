-- Notes when a message is over, or will be at the latest: retire counts its age from then.
local function keep_from(history_key, over_ms)
  local tag, message = string.match(history_key, '^history:({%d+}):(.+)$')
  redis.call('ZADD', 'kept:' .. tag, over_ms, message)
end
