-- Announces that a history has changed, to whoever follows it, and marks it for whoever has subscribed to it.
local function announce(tag, message)
  redis.call('SPUBLISH', change_channel(tag, message), '')
  mark_dirty(tag, 'history', message)
end
