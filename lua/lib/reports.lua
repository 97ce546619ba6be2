-- What is known of somebody who was reported online: online:… holds `<ms> <report> <member>`. Without a member nobody has been called by
-- it yet, and ms is when it came; else it called that one of waiting-online:…, at that time. A member is
-- `<accepted> <expires> <tag of the shard> <m> <ordinal>`, so that of two that were due at once the one that was accepted first goes first.
local counts_ms = 60000

local function read_report(ptag, person)
  local text = redis.call('GET', online_key(ptag, person))
  if not text then return nil end
  local at, id, member = string.match(text, '^(%d+) (%S+) (.*)$')
  return { at = tonumber(at), id = id, member = member }
end

-- Kept for as long as it may still call somebody, and nobody else is called after it.
local function write_report(ptag, person, now, id, member, interval_ms)
  local text = string.format('%.0f %s %s', now, id, member)
  redis.call('SET', online_key(ptag, person), text, 'PX', math.max(counts_ms, interval_ms))
end
