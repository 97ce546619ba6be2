--[[ breaker-off: switches an endpoint off by hand, until somebody puts it on again
KEYS[1] breaker:{<channel>:<endpoint>}  hash
ARGV[1] 1 when it is done by whoever it concerns, who need not be told; else 0
Returns: 1; 0 when it was off already
Errors: none
Replay: the second run finds it off

Since when it has failed is forgotten: that is what tells it from one that was switched off for its failures.
]]
--#include clock
local breaker, is_own = KEYS[1], ARGV[1] == '1'

if redis.call('HEXISTS', breaker, 'off') == 1 then return 0 end
redis.call('HDEL', breaker, 'until', 'step', 'probe', 'row', 'since')
redis.call('HSET', breaker, 'off', string.format('%.0f', now_ms()))
if is_own then redis.call('HSET', breaker, 'told', '1') end
redis.call('PERSIST', breaker)
return 1
