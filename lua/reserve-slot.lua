--[[ reserve-slot: reserves a call at a provider that counts what arrives within any span of time, for all processes of one account
KEYS[1] slots:{<channel>:<account>}  zset, expiring: name of a slot by when it is, Unix microseconds
KEYS[2] pause:{<channel>:<account>}  string, expiring
ARGV[1] max slots within a span
ARGV[2] the span, microseconds
ARGV[3] least time between two, microseconds
ARGV[4] how far ahead a slot may be reserved, microseconds
ARGV[5..] name of a slot of the caller's that was used late; by how many microseconds; and so on
Returns: 1, the wait in ms before it, its name; or 0 and the ms after which to ask again, nothing reserved
Errors: none
Replay: the second run reserves once more, and takes what was late for later still, though not than now: a little slower, never faster
]]
local slots, pause = KEYS[1], KEYS[2]
local max, span_us, gap_us, ahead_us = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
-- whoever waited for Redis in between does not know how late it was; but by now it has gone out
for i = 5, #ARGV, 2 do
  local at = redis.call('ZSCORE', slots, ARGV[i])
  if at then redis.call('ZADD', slots, string.format('%.0f', math.min(at + ARGV[i + 1], math.max(at, now))), ARGV[i]) end
end
local paused_ms = redis.call('PTTL', pause)
if paused_ms > 0 then return { 0, paused_ms } end
redis.call('ZREMRANGEBYSCORE', slots, '-inf', string.format('%.0f', now - span_us))

-- after the last one, and a span after the one that would be too many before it
local at = now
local last = redis.call('ZRANGE', slots, -1, -1, 'WITHSCORES')[2]
if last then at = math.max(at, tonumber(last) + gap_us) end
local before = redis.call('ZRANGE', slots, -max, -max, 'WITHSCORES')[2]
if before then at = math.max(at, tonumber(before) + span_us) end

local wait_us = at - now
if wait_us > ahead_us then return { 0, math.ceil((wait_us - ahead_us) / 1000) } end
local name = string.format('%.0f', at)
redis.call('ZADD', slots, name, name)
redis.call('PEXPIRE', slots, math.ceil((wait_us + span_us) / 1000))
return { 1, math.ceil(wait_us / 1000), name }
