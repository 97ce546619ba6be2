--[[ reserve-slot: reserves calls at a provider that counts what arrives within any span of time, for all processes of one account; the classes share them by weight
KEYS[1] slots:{<channel>:<account>}  zset, expiring: name of a slot by when it is, Unix microseconds
KEYS[2] pause:{<channel>:<account>}  string, expiring
KEYS[3] turns:{<channel>:<account>}   hash, expiring: whose turn it is, see lib/turns.lua
ARGV[1] max slots within a span
ARGV[2] the span, microseconds
ARGV[3] least time between two, microseconds
ARGV[4] how far ahead a slot may be reserved, microseconds
ARGV[5] weights of urgent, normal and bulk, separated by blanks
ARGV[6] who asks: a class and 1, for a slot each, and so on, separated by blanks
ARGV[7..] name of a slot of the caller's that was used late; by how many microseconds; and so on
Returns: the ms after which the others may ask again, 0 when there are none; then of each who got a slot which of ARGV[6] it is, from 1, the wait in ms before it, its name
Errors: none
Replay: the second run reserves once more, and takes what was late for later still, though not than now: a little slower, never faster
]]
--#include pauses
--#include turns
local slots, pause = KEYS[1], KEYS[2]
local max, span_us, gap_us, ahead_us = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
-- whoever waited for Redis in between does not know how late it was; but by now it has gone out
for i = 7, #ARGV, 2 do
  local at = redis.call('ZSCORE', slots, ARGV[i])
  if at then redis.call('ZADD', slots, string.format('%.0f', math.min(at + ARGV[i + 1], math.max(at, now))), ARGV[i]) end
end
local paused_ms = paused_for(pause)
if paused_ms > 0 then return { paused_ms } end
redis.call('ZREMRANGEBYSCORE', slots, '-inf', string.format('%.0f', now - span_us))

-- none is reserved further ahead than this: where one is, Redis's clock was set back
local last = redis.call('ZRANGE', slots, -1, -1, 'WITHSCORES')[2]
local set_back = last and tonumber(last) - now - ahead_us or 0
if set_back > 0 then
  for _, name in ipairs(redis.call('ZRANGE', slots, 0, -1)) do redis.call('ZINCRBY', slots, string.format('%.0f', -set_back), name) end
end

-- after the last one, and a span after the one that would be too many before it
local function wait_us()
  local at = now
  local last = redis.call('ZRANGE', slots, -1, -1, 'WITHSCORES')[2]
  if last then at = math.max(at, tonumber(last) + gap_us) end
  local before = redis.call('ZRANGE', slots, -max, -max, 'WITHSCORES')[2]
  if before then at = math.max(at, tonumber(before) + span_us) end
  return at - now
end

return give_turns(read_turns(KEYS[3], ARGV[5], ARGV[6], now), ahead_us, now, wait_us, function()
  local wait = wait_us()
  local name = string.format('%.0f', now + wait)
  redis.call('ZADD', slots, name, name)
  redis.call('PEXPIRE', slots, math.ceil((wait + span_us) / 1000))
  return name
end)
