-- Messages of one sender to one person that go out as one: on a leg, the first carries the others. `merge` of a history: how long after it others may
-- be due, ms, the channels that join texts, the person; `<leg>:carries`, whom it carries, between blanks; of those `<leg>:carried-by`. Drawn in README.md.
local function read_merge(text)
  local window_ms, channels, person = string.match(text, '^(%d+) (%S+) (%S+)$')
  return tonumber(window_ms), ',' .. channels .. ',', person
end

local function merge_key_of(text, tag, message, type_id)
  local _, _, person = read_merge(text)
  return merge_key(tag, string.match(message, '^[^:]+'), person, type_id or 'general')
end

-- Of a message that is over, or starts: nobody looks for it any more, and who it is for stands in its audience.
local function take_off_merge(history, tag, message)
  local known = redis.call('HMGET', history, 'merge', 'type')
  if not known[1] then return end
  redis.call('ZREM', merge_key_of(known[1], tag, message, known[2]), message)
  redis.call('HDEL', history, 'merge')
end
