--[[ end-growth: from now on new things are laid by all shards
KEYS[1] fleet  hash
ARGV[1] to how many the growth is that every process knows of
Returns: 1 where it has ended; 0 where none to so many is under way
Errors: none
Replay: the second run finds it ended
]]
--#include clock
local fleet, shards = KEYS[1], ARGV[1]
local found = redis.call('HMGET', fleet, 'shards', 'former', 'since')
if found[1] ~= shards or not found[2] or found[3] then return 0 end
redis.call('HSET', fleet, 'since', string.format('%.0f', now_ms()))
return 1
