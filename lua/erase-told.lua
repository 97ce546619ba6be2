--[[ erase-told: puts what is left of what a subscriber was told of a resource in its place, and drops what is on its way, where nobody has written either since
KEYS[1] subscription-views:{subscriptions}:<id>    hash
KEYS[2] subscription-sending:{subscriptions}:<id>  hash
ARGV[1] resource
ARGV[2] what was delivered last as it was read, empty where there was none
ARGV[3] what was on its way as it was read, empty where there was none
ARGV[4] what is kept as delivered last; empty for nothing
Returns: 1, or 0 when a notifier has written meanwhile, and nothing was changed
Errors: none
Replay: the second run finds what the first has written, and changes nothing
Flags: allow-oom
]]
local views, sending = KEYS[1], KEYS[2]
local resource, view, body, left = ARGV[1], ARGV[2], ARGV[3], ARGV[4]

if (redis.call('HGET', views, resource) or '') ~= view or (redis.call('HGET', sending, resource) or '') ~= body then return 0 end
redis.call('HDEL', sending, resource)
if left == '' then
  redis.call('HDEL', views, resource)
else
  redis.call('HSET', views, resource, left)
end
return 1
