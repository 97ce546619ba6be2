--[[ keep-resource: writes how far a notifier has come with a resource
KEYS[1] subscription-lease:{subscriptions}:<id>    string
KEYS[2] subscription-due:{subscriptions}:<id>      zset
KEYS[3] subscription-again:{subscriptions}:<id>    set
KEYS[4] subscription-views:{subscriptions}:<id>    hash
KEYS[5] subscription-sending:{subscriptions}:<id>  hash
KEYS[6] subscription:{subscriptions}:<id>          hash
KEYS[7] subscriptions-due:{subscriptions}          zset
ARGV[1] notifier
ARGV[2] resource
ARGV[3] when it is due, ms from now; = leaves it due as it is; empty: it is done
ARGV[4] what was delivered last; = leaves it, empty for nothing
ARGV[5] what is on its way; = leaves it, empty for nothing
ARGV[6] id of the subscription
Returns: 1, or 0 when the lease has gone to another notifier, or run out, and nothing was written
Errors: none
Replay: the second run writes the same, and leaves due what was marked between the two, for only take-resources forgets a mark

What was marked since it was taken is neither done nor put off: it is due now. Only a body on its way waits for its next try.
]]
--#include clock
--#include subscription
local lease, due, again, views, sending = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5]
local record, all = KEYS[6], KEYS[7]
local notifier, resource, due_in, id = ARGV[1], ARGV[2], ARGV[3], ARGV[6]

if redis.call('GET', lease) ~= notifier then return 0 end

local function keep(key, value)
  if value == '' then
    redis.call('HDEL', key, resource)
  elseif value ~= '=' then
    redis.call('HSET', key, resource, value)
  end
end
keep(views, ARGV[4])
keep(sending, ARGV[5])
local is_marked = redis.call('SISMEMBER', again, resource) == 1 and redis.call('HEXISTS', sending, resource) == 0
if is_marked and due_in ~= '=' then due_in = '0' end
if due_in == '' then
  redis.call('ZREM', due, resource)
elseif due_in ~= '=' then
  redis.call('ZADD', due, string.format('%.0f', now_ms() + due_in), resource)
end
note_due(all, record, due, id)
return 1
