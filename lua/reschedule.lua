--[[ reschedule: moves the due time of a message that has not started
KEYS[1] history:{tag}:<m>  hash
KEYS[2] due:{tag}          zset
ARGV[1] <m>, <sender>:<id>
ARGV[2] tag of the shard
ARGV[3] due, Unix ms; 0 for now
ARGV[4] JSON: who is sent it when, as the rules said for that time; empty where none holds for it
Computed: delivery:{tag}:<m>:0 string; held:{tag} zset; watched, dirty:{tag} zset
Returns: the due time set, Unix ms
Errors: UNKNOWN nothing was put under this key; STARTED it has started, settled or been cancelled; EXPIRES it would expire first
Replay: the second run sets the same time again
]]
--#include clock
--#include keys
--#include due
--#include dirty
--#include change
local history, due = KEYS[1], KEYS[2]
local message, tag, due_ms, plan = ARGV[1], ARGV[2], tonumber(ARGV[3]), ARGV[4]

local before = redis.call('HMGET', history, 'state', 'expires')
if not before[1] or before[1] == 'issued' then return redis.error_reply('UNKNOWN nothing was put under this key') end
if before[1] ~= 'scheduled' then return redis.error_reply('STARTED ' .. before[1]) end
local now = now_ms()
if due_ms <= now then due_ms = now + 1 end
if before[2] and tonumber(before[2]) <= due_ms then
  return redis.error_reply('EXPIRES the message expires before the new time')
end
redis.call('HSET', history, 'due', due_ms)
if plan ~= '' then redis.call('HSET', history, 'plan', plan) else redis.call('HDEL', history, 'plan') end
-- whether it must wait for an operator is decided anew when it is due
redis.call('HDEL', history, 'held')
redis.call('ZREM', held_key(tag), message)
put_due(due, tag, message, 0, due_ms)
announce_head(due, tag)
announce(tag, message)
return due_ms
