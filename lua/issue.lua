--[[ issue: reserves a history key for its sender, before anything is queued
KEYS[1] history:{tag}:<m>  hash
ARGV[1] time the key may stay unused, ms
Returns: 1 when reserved, 0 when it was there already
Errors: none
Replay: the second run finds the key and changes nothing
]]
local history, unused_ms = KEYS[1], ARGV[1]
if redis.call('EXISTS', history) == 1 then return 0 end
redis.call('HSET', history, 'state', 'issued')
redis.call('PEXPIRE', history, unused_ms)
return 1
