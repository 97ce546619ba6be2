--[[ take-resources: takes or renews the lease of a subscription, and says which of its resources are to be looked at or sent now
KEYS[1] subscription:{subscriptions}:<id>          hash
KEYS[2] subscription-lease:{subscriptions}:<id>    string
KEYS[3] subscription-due:{subscriptions}:<id>      zset
KEYS[4] subscription-again:{subscriptions}:<id>    set
KEYS[5] subscription-views:{subscriptions}:<id>    hash
KEYS[6] subscription-sending:{subscriptions}:<id>  hash
ARGV[1] notifier
ARGV[2] how long the lease holds, ms
ARGV[3] how many to take at most; 0 only renews the lease
ARGV[4..] resources that this notifier is at already
Returns: what time it is; when the next is due that was not taken, or nil; the sequence that whatever was told nothing yet goes on from, or nil for none; then of each that was taken: resource, what was delivered last, what is on its way. nil when another notifier is at work, the lease has run out under this one, or the subscription is gone or disabled
Errors: none
Replay: the second run takes the same again

What is taken stays due until keep-resource says otherwise: of a notifier that dies its successor takes it. That it was marked is forgotten here,
before it is read what it is now; of what is on its way already it is kept, for it may have been marked since that was read.

A lease that has run out is taken anew only by whoever has nothing in hand: another may have had it meanwhile, and gone on from there. With it,
what comes of the old would be written over that.
]]
--#include clock
local record, lease, due, again, views, sending = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5], KEYS[6]
local notifier, lease_ms, max = ARGV[1], ARGV[2], tonumber(ARGV[3])

if redis.call('EXISTS', record) == 0 or redis.call('HEXISTS', record, 'disabled') == 1 then return nil end
local holder = redis.call('GET', lease)
if holder and holder ~= notifier then return nil end
if not holder and (max == 0 or #ARGV > 3) then return nil end
redis.call('SET', lease, notifier, 'PX', lease_ms)
local now = now_ms()
local busy = {}
for i = 4, #ARGV do busy[ARGV[i]] = true end

local taken, next_due = {}, false
local found = redis.call('ZRANGE', due, 0, max + #ARGV - 3, 'WITHSCORES')
for i = 1, #found, 2 do
  local resource, at = found[i], tonumber(found[i + 1])
  if not busy[resource] then
    if at > now or #taken == 3 * max then
      next_due = string.format('%.0f', at)
      break
    end
    local body = redis.call('HGET', sending, resource)
    -- of what is on its way nothing is read now
    if not body then redis.call('SREM', again, resource) end
    taken[#taken + 1] = resource
    taken[#taken + 1] = redis.call('HGET', views, resource)
    taken[#taken + 1] = body
  end
end
return { string.format('%.0f', now), next_due, redis.call('HGET', record, 'sequence'), unpack(taken) }
