-- Announces that a history has changed, to whoever follows it, and marks it for whoever has subscribed to it.
local function announce(tag, message)
  redis.call('SPUBLISH', change_channel(tag, message), '')
  mark_dirty(tag, 'history', message)
end

-- The same of many. Most are followed by nobody, which one question says of all of them: whoever follows listens where the shard is.
local function announce_all(tag, messages)
  if #messages == 0 then return end
  local channels = {}
  for at, message in ipairs(messages) do
    channels[at] = change_channel(tag, message)
    mark_dirty(tag, 'history', message)
  end
  local followers = redis.call('PUBSUB', 'SHARDNUMSUB', unpack(channels))
  for at = 2, #followers, 2 do
    if followers[at] > 0 then redis.call('SPUBLISH', followers[at - 1], '') end
  end
end
