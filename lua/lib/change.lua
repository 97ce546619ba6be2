-- Announces that a history has changed, to whoever follows it.
local function announce(tag, message)
  redis.call('PUBLISH', change_channel(tag, message), '')
end
