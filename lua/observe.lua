--[[ observe: writes a provider's later words on recipients of one message; needs no claim
KEYS[1] history:{tag}:<sender>:<id>             hash
KEYS[2] receipts:{tag}:<sender>:<id>:<channel>  string
KEYS[3] evidence:{tag}:<sender>:<id>:<channel>  hash
ARGV[1] channel
ARGV[2..] of each: ordinal; state byte; evidence, empty leaves what is there but for the reason why it was unknown
Returns: how many states were taken; not those where a stronger one stands, none when the history is gone
Errors: none
Replay: a state follows itself as nothing
]]
--#include change
--#include receipts
local history, receipts, evidence = KEYS[1], KEYS[2], KEYS[3]
local channel = ARGV[1]

if redis.call('EXISTS', history) == 0 then return 0 end
local deltas, taken = {}, 0
for i = 2, #ARGV, 3 do
  local ordinal, new, reason = ARGV[i], ARGV[i + 1], ARGV[i + 2]
  local old = redis.call('GETRANGE', receipts, ordinal, ordinal)
  if old == '' then old = '\0' end
  if may_follow(old, new) then
    taken = taken + 1
    count(deltas, old, new, 1)
    redis.call('SETRANGE', receipts, ordinal, new)
    if reason ~= '' then
      redis.call('HSET', evidence, ordinal, reason)
    elseif old == 'u' then
      redis.call('HDEL', evidence, ordinal)
    end
  end
end
if move_counters(history, channel, deltas) then announce(history) end
return taken
