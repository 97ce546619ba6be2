--[[ add-subscription: adds a subscription, unless there is one like it or its owner has enough
KEYS[1] subscription:{subscriptions}:<id>  hash
KEYS[2] subscribed:{subscriptions}  hash
KEYS[3] subscriptions-of:{subscriptions}:<owner>  set
KEYS[4] subscriptions-due:{subscriptions}  zset
ARGV[1] its id, which is new
ARGV[2] what it is of: resource, id of that or *, and URL
ARGV[3] how many an owner has at most
ARGV[4..] fields and values
Returns: the id of the subscription that is of this, its own when it was added; nil when the owner has enough
Errors: none
Replay: the second run finds itself
]]
local record, subscribed, owned, all = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local id, target, max = ARGV[1], ARGV[2], tonumber(ARGV[3])

local there = redis.call('HGET', subscribed, target)
if there then return there end
if redis.call('SCARD', owned) >= max then return nil end
redis.call('HSET', subscribed, target, id)
redis.call('SADD', owned, id)
for i = 4, #ARGV, 2 do redis.call('HSET', record, ARGV[i], ARGV[i + 1]) end
-- its first replay
redis.call('ZADD', all, 0, id)
return id
