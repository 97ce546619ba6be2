--[[ reschedule: moves the due time of a message that has not started
KEYS[1] history:{tag}:<sender>:<id>     hash
KEYS[2] delivery:{tag}:<sender>:<id>:0  string, expiring
KEYS[3] due:{tag}                       zset
ARGV[1] member of the due set, <sender>:<id>:0
ARGV[2] due, Unix ms; 0 for now
Returns: the due time set, Unix ms
Errors: UNKNOWN nothing was put under this key; STARTED it has started, settled or been cancelled; EXPIRES it would expire first
Replay: the second run sets the same time again
]]
--#include clock
--#include ring
--#include change
local history, delivery, due = KEYS[1], KEYS[2], KEYS[3]
local member, due_ms = ARGV[1], tonumber(ARGV[2])

local before = redis.call('HMGET', history, 'state', 'expires')
if not before[1] or before[1] == 'issued' then return redis.error_reply('UNKNOWN nothing was put under this key') end
if before[1] ~= 'scheduled' then return redis.error_reply('STARTED ' .. before[1]) end
local now = now_ms()
if due_ms <= now then due_ms = now + 1 end
if before[2] and tonumber(before[2]) <= due_ms then
  return redis.error_reply('EXPIRES the message expires before the new time')
end
redis.call('HSET', history, 'due', due_ms)
ring_at(due, member, delivery, due_ms)
tell_head(due)
announce(history)
return due_ms
