--[[ release: lets a message go out whose sender may send less than when it was accepted, because an operator has decided so
KEYS[1] history:{tag}:<m>  hash
KEYS[2] due:{tag}          zset
ARGV[1] <m>, <sender>:<id>
ARGV[2] tag of the shard
ARGV[3] id of the operator
Computed: delivery:{tag}:<m>:0 string; held:{tag} zset; watched, dirty:{tag} zset
Returns: 1 when it waited and goes out now, 0 when it is not due yet, or was released before
Errors: UNKNOWN nothing was put under this key; STARTED it has started, settled or been cancelled
Replay: what was released does not wait any more
]]
--#include clock
--#include keys
--#include due
--#include dirty
--#include change
local history, due = KEYS[1], KEYS[2]
local message, tag, by = ARGV[1], ARGV[2], ARGV[3]

local before = redis.call('HMGET', history, 'state', 'held')
if not before[1] or before[1] == 'issued' then return redis.error_reply('UNKNOWN nothing was put under this key') end
if before[1] ~= 'scheduled' then return redis.error_reply('STARTED ' .. before[1]) end
redis.call('HSET', history, 'released', by)
if not before[2] then return 0 end
redis.call('HDEL', history, 'held')
redis.call('ZREM', held_key(tag), message)
put_due(due, tag, message, 0, string.format('%.0f', now_ms() + 1))
announce_head(due, tag)
announce(tag, message)
return 1
