--[[ note-marks: has resources looked at by the notifier of a subscription
KEYS[1] subscription:{subscriptions}:<id>          hash
KEYS[2] subscription-due:{subscriptions}:<id>      zset
KEYS[3] subscription-again:{subscriptions}:<id>    set
KEYS[4] subscription-sending:{subscriptions}:<id>  hash
KEYS[5] subscriptions-due:{subscriptions}          zset
ARGV[1] its id
ARGV[2] 1 when what was put off is looked at now, too; else it keeps its time
ARGV[3..] ids of resources
Returns: 1, or 0 when there is no such subscription any more
Errors: none
Replay: who is noted twice is looked at once more than need be

A body on its way keeps the time of its next try in any case: it goes before what has changed since.
]]
--#include clock
--#include subscription
local record, due, again, sending, all = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5]
local id, at_once = ARGV[1], ARGV[2]

if redis.call('EXISTS', record) == 0 then return 0 end
local now = string.format('%.0f', now_ms())
for i = 3, #ARGV do
  local is_called_forward = at_once == '1' and redis.call('HEXISTS', sending, ARGV[i]) == 0
  -- whoever is at it may have read it before: keep-resource leaves it due
  redis.call('ZADD', due, is_called_forward and 'LT' or 'NX', now, ARGV[i])
  redis.call('SADD', again, ARGV[i])
end
note_due(all, record, due, id)
return 1
