--[[ breaker-off: switches an endpoint off by hand, until somebody puts it on again
KEYS[1] breaker:{<channel>:<endpoint>}  hash
ARGV[1] 1 when it is done by whoever it concerns, who need not be told; else 0
ARGV[2] where it is
Returns: since when it is, Unix ms; empty when it was off already
Errors: none
Replay: the second run finds it off

Since when it has failed is forgotten: that is what tells it from one that was switched off for its failures.
]]
--#include clock
local breaker, is_own, host = KEYS[1], ARGV[1] == '1', ARGV[2]

if redis.call('HEXISTS', breaker, 'off') == 1 then return '' end
local now = string.format('%.0f', now_ms())
redis.call('HDEL', breaker, 'until', 'step', 'probe', 'row', 'since')
redis.call('HSET', breaker, 'off', now, 'opened', now, 'host', host)
if is_own then redis.call('HSET', breaker, 'told', '1') end
redis.call('PERSIST', breaker)
return now
