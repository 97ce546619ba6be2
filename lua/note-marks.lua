--[[ note-marks: has resources looked at by the notifier of a subscription
KEYS[1] subscription:{subscriptions}:<id>          hash
KEYS[2] subscription-due:{subscriptions}:<id>      zset
KEYS[3] subscription-again:{subscriptions}:<id>    set
KEYS[4] subscription-sending:{subscriptions}:<id>  hash
KEYS[5] subscriptions-due:{subscriptions}          zset
ARGV[1] its id
ARGV[2] for how long what was put off may wait at most, ms: longer than anything is put off it keeps its time; 0: it is looked at now
ARGV[3..] ids of resources
Returns: 1, or 0 when there is no such subscription any more
Errors: none
Replay: who is noted twice is looked at once more than need be

A body on its way keeps the time of its next try in any case: it goes before what has changed since. What was put off before the clock of Redis was
set back is due as much too late, and waits no longer than it was meant to from its next mark on.
]]
--#include clock
--#include subscription
local record, due, again, sending, all = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5]
local id, longest_ms = ARGV[1], tonumber(ARGV[2])

if redis.call('EXISTS', record) == 0 then return 0 end
local now = now_ms()
local at, latest = string.format('%.0f', now), string.format('%.0f', now + longest_ms)
for i = 3, #ARGV do
  -- whoever is at it may have read it before: keep-resource leaves it due
  redis.call('ZADD', due, 'NX', at, ARGV[i])
  if redis.call('HEXISTS', sending, ARGV[i]) == 0 then redis.call('ZADD', due, 'LT', latest, ARGV[i]) end
  redis.call('SADD', again, ARGV[i])
end
note_due(all, record, due, id)
return 1
