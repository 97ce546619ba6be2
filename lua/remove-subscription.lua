--[[ remove-subscription: removes a subscription, and what it was of is free again
KEYS[1] subscription:{subscriptions}:<id>  hash
KEYS[2] subscribed:{subscriptions}  hash
KEYS[3] subscriptions-of:{subscriptions}:<owner>  set
KEYS[4] subscription-lease:{subscriptions}:<id>    string
KEYS[5] subscription-due:{subscriptions}:<id>      zset
KEYS[6] subscription-again:{subscriptions}:<id>    set
KEYS[7] subscription-views:{subscriptions}:<id>    hash
KEYS[8] subscription-sending:{subscriptions}:<id>  hash
KEYS[9] subscriptions-due:{subscriptions}  zset
ARGV[1] its id
ARGV[2] what it is of, as when it was added
Returns: 1 when it was there, else 0
Errors: none
Replay: the second run finds nothing
Flags: allow-oom
]]
local record, subscribed, owned, id, target = KEYS[1], KEYS[2], KEYS[3], ARGV[1], ARGV[2]

local was_there = redis.call('UNLINK', record)
redis.call('UNLINK', KEYS[4], KEYS[5], KEYS[6], KEYS[7], KEYS[8])
redis.call('SREM', owned, id)
redis.call('ZREM', KEYS[9], id)
-- somebody may have added another of the same since
if redis.call('HGET', subscribed, target) == id then redis.call('HDEL', subscribed, target) end
return was_there
