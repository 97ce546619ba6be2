-- What people have decided of receipts that were unknown: the field `<decision>:<leg>:<person>` of a history holds of how many, and when
-- for the last time, separated by a blank.
local function keep_decision(history, decision, leg, by, people, now)
  local field = decision .. ':' .. leg .. ':' .. by
  local before = tonumber(string.match(redis.call('HGET', history, field) or '0', '^%d+'))
  redis.call('HSET', history, field, string.format('%d %.0f', before + people, now))
end
