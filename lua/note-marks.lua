--[[ note-marks: has resources looked at by the notifier of a subscription
KEYS[1] subscription:{subscriptions}:<id>        hash
KEYS[2] subscription-due:{subscriptions}:<id>    zset
KEYS[3] subscription-again:{subscriptions}:<id>  set
KEYS[4] subscriptions-due:{subscriptions}        zset
ARGV[1] its id
ARGV[2..] ids of resources
Returns: 1, or 0 when there is no such subscription any more
Errors: none
Replay: who is noted twice is looked at once more than need be
]]
--#include clock
--#include subscription
local record, due, again, all, id = KEYS[1], KEYS[2], KEYS[3], KEYS[4], ARGV[1]

if redis.call('EXISTS', record) == 0 then return 0 end
local now = string.format('%.0f', now_ms())
for i = 2, #ARGV do
  -- whoever is at it may have read it before: keep-resource leaves it due
  redis.call('ZADD', due, 'NX', now, ARGV[i])
  redis.call('SADD', again, ARGV[i])
end
note_due(all, record, due, id)
return 1
