--[[ erase-told: puts what is left of what a subscriber was told of a resource in its place, and drops what is on its way, where nobody has written either since
KEYS[1] subscription-views:{subscriptions}:<id>    hash
KEYS[2] subscription-sending:{subscriptions}:<id>  hash
KEYS[3] subscription:{subscriptions}:<id>          hash
ARGV[1] resource
ARGV[2] what was delivered last as it was read, empty where there was none
ARGV[3] what was on its way as it was read, empty where there was none
ARGV[4] what is kept as delivered last; empty for nothing
ARGV[5] the sequence it had come to
Returns: 1, or 0 when a notifier has written meanwhile, and nothing was changed
Errors: none
Replay: the second run finds what the first has written, and changes nothing
Flags: allow-oom

Where nothing is kept its id may be given again, and receivers pass over what is not above the sequence they have handled: whatever this subscription was
told nothing of yet goes on from the highest that is forgotten here. That number names nobody. The key of a history is not given again.
]]
local views, sending, record = KEYS[1], KEYS[2], KEYS[3]
local resource, view, body, left, sequence = ARGV[1], ARGV[2], ARGV[3], ARGV[4], ARGV[5]

if (redis.call('HGET', views, resource) or '') ~= view or (redis.call('HGET', sending, resource) or '') ~= body then return 0 end
redis.call('HDEL', sending, resource)
if left == '' then
  redis.call('HDEL', views, resource)
  local known = redis.call('HMGET', record, 'resource', 'sequence')
  local is_higher = tonumber(known[2] or '0') < tonumber(sequence)
  if known[1] ~= 'history' and is_higher then redis.call('HSET', record, 'sequence', sequence) end
else
  redis.call('HSET', views, resource, left)
end
return 1
