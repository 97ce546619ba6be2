--[[ due-subscriptions: which subscriptions have something to do now
KEYS[1] subscriptions-due:{subscriptions}  zset
ARGV[1] how many at most
Returns: their ids, the first due first
Errors: none
Replay: reads only
]]
--#include clock
return redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', string.format('%.0f', now_ms()), 'LIMIT', 0, ARGV[1])
