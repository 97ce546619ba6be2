--[[ cancel: takes a message back before it starts, or stops it after the batches in flight
KEYS[1] history:{tag}:<sender>:<id>     hash
KEYS[2] delivery:{tag}:<sender>:<id>:0  string, expiring
KEYS[3] due:{tag}                       zset
ARGV[1] <sender>:<id>
Computed: delivery:{tag}:<sender>:<id>:<wave> string, expiring; kept:{tag} zset
Returns: cancelled before it started, stopping while it runs
Errors: UNKNOWN no such history; SETTLED there is nothing left to stop
Replay: the second run finds the state and answers the same
]]
--#include clock
--#include ring
--#include change
local history, delivery, due = KEYS[1], KEYS[2], KEYS[3]
local member = ARGV[1]

local state = redis.call('HGET', history, 'state')
if not state then return redis.error_reply('UNKNOWN there is no such history') end
if state == 'cancelled' then return state end
if state == 'settled' then return redis.error_reply('SETTLED the message has settled') end
local now = now_ms()
redis.call('HSETNX', history, 'cancelled', now)
if state == 'issued' or state == 'scheduled' then
  redis.call('ZREM', due, member .. ':0')
  redis.call('UNLINK', delivery)
  redis.call('HSET', history, 'state', 'cancelled')
  -- an issued key lapses by itself
  if state == 'scheduled' then redis.call('ZADD', 'kept' .. string.sub(due, 4), now, member) end
  announce(history)
  return 'cancelled'
end
-- what waits for a later wave is called forward, so that it is marked cancelled now and not then
local last_wave = tonumber(redis.call('HGET', history, 'waves') or '0')
for wave = 1, last_wave do
  local later = member .. ':' .. wave
  local at = redis.call('ZSCORE', due, later)
  if at and tonumber(at) > now + 1 then
    ring_at(due, later, string.sub(delivery, 1, -2) .. wave, now + 1)
  end
end
tell_head(due)
announce(history)
return 'stopping'
