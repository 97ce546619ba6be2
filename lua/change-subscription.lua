--[[ change-subscription: changes a field of a subscription that is still there, and as it was read
KEYS[1] subscription:{subscriptions}:<id>      hash
KEYS[2] subscription-due:{subscriptions}:<id>  zset
KEYS[3] subscriptions-due:{subscriptions}      zset
ARGV[1] field
ARGV[2] its value as it was read, empty where it had none
ARGV[3] its value from now on, empty for none
ARGV[4] id of the subscription
Returns: 1 when it is so now, 0 when somebody else has changed it; nil when there is no such subscription
Errors: none
Replay: the second run finds what it was to store
Flags: allow-oom
]]
--#include subscription
local record, due, all = KEYS[1], KEYS[2], KEYS[3]
local field, before, wanted, id = ARGV[1], ARGV[2], ARGV[3], ARGV[4]

if redis.call('EXISTS', record) == 0 then return nil end
local stored = redis.call('HGET', record, field) or ''
if stored ~= before and stored ~= wanted then return 0 end
if wanted == '' then
  redis.call('HDEL', record, field)
else
  redis.call('HSET', record, field, wanted)
end
note_due(all, record, due, id)
return 1
