--[[ cancel: takes a message back before it starts, or stops it after the batches in flight
KEYS[1] history:{tag}:<m>  hash
KEYS[2] due:{tag}          zset
ARGV[1] <m>, <sender>:<id>
ARGV[2] tag of the shard
ARGV[3] what is left of the record where nobody was sent it; empty where there is none
ARGV[4] id of whoever cancels it
Computed: delivery:{tag}:<m>:<wave>, secret, record, audience:{tag}:<m> string; retention, expiry, held:{tag} zset; stats:{tag}:<hour> hash; watched, dirty:{tag} zset
Returns: cancelled before it started, stopping while it runs or when it was stopped before
Errors: UNKNOWN no such history; SETTLED there is nothing left to stop
Replay: the second run finds the state and answers the same
]]
--#include clock
--#include keys
--#include due
--#include dirty
--#include change
--#include waves
--#include forward
--#include stats
local history, due = KEYS[1], KEYS[2]
local message, tag, left, by = ARGV[1], ARGV[2], ARGV[3], ARGV[4]

local fields = redis.call('HMGET', history, 'state', 'cancelled', 'type', 'size')
local state = fields[1]
if not state then return redis.error_reply('UNKNOWN there is no such history') end
if state == 'cancelled' then return state end
if state == 'settled' and fields[2] then return 'stopping' end
if state == 'settled' then return redis.error_reply('SETTLED the message has settled') end
local now = now_ms()
if redis.call('HSETNX', history, 'cancelled', now) == 1 then redis.call('HSET', history, 'cancelled-by', by) end
redis.call('UNLINK', secret_key(tag, message))
if state == 'issued' or state == 'scheduled' then
  redis.call('ZREM', due, message .. ':0')
  redis.call('ZREM', held_key(tag), message)
  redis.call('UNLINK', delivery_key(tag, message, 0))
  redis.call('HSET', history, 'state', 'cancelled')
  -- an issued key lapses by itself
  if state == 'scheduled' then
    redis.call('ZADD', retention_key(tag), now, message)
    add_messages(type_of(fields[3]), 'cancelled', fields[4])
    write_stats(tag, now)
    -- empty where it was put only after the caller had looked: then it goes with its retention
    if left ~= '' then
      redis.call('SET', record_key(tag, message), left)
      redis.call('UNLINK', audience_key(tag, message))
    end
  end
  announce(tag, message)
  return 'cancelled'
end
-- whoever waits for a courier that does not come is settled by expire
redis.call('ZADD', expiry_key(tag), 'XX', now, message)
-- what waits for a later wave is called forward, so that it is marked cancelled now and not then
call_forward(history, due, tag, message, now)
announce_head(due, tag)
announce(tag, message)
return 'stopping'
