-- Announces that a history has changed; its own key names the pub/sub channel.
local function announce(history_key)
  redis.call('PUBLISH', 'change' .. string.sub(history_key, 8), '')
end
