-- Messages that hang on an event: the field `event` of a history holds how long after it the message is due, s, and the event's id.
local function take_off_event(history, tag, message)
  local event = string.match(redis.call('HGET', history, 'event') or '', '^%S+ (%S+)$')
  if not event then return end
  local sender, id = string.match(message, '^([^:]+):(.+)$')
  redis.call('HDEL', history, 'event')
  redis.call('ZREM', reminders_key(tag, sender, event), id)
end
