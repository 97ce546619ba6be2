--[[ breaker-told: notes that whoever an endpoint concerns has been told that nobody calls it any more
KEYS[1] breaker:{<channel>:<endpoint>}  hash
ARGV[1] since when it is off, Unix ms
Returns: 1; 0 when it is not off since then: somebody has put it on again meanwhile
Errors: none
Replay: the second run changes nothing
]]
local breaker, off = KEYS[1], ARGV[1]

if redis.call('HGET', breaker, 'off') ~= off then return 0 end
redis.call('HSET', breaker, 'told', '1')
return 1
