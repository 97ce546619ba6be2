--[[ observe: writes a provider's later word on one recipient; needs no claim
KEYS[1] history:{NN}:<sender>:<id>             hash
KEYS[2] receipts:{NN}:<sender>:<id>:<channel>  string
KEYS[3] evidence:{NN}:<sender>:<id>:<channel>  hash
ARGV[1] channel
ARGV[2] ordinal
ARGV[3] state byte
ARGV[4] evidence; empty leaves what is there, but for the reason why it was unknown
Returns: 1 when the state was taken, 0 when a stronger one stands or the history is gone
Errors: none
Replay: a state follows itself as nothing
]]
--#include change
--#include receipts
local history, receipts, evidence = KEYS[1], KEYS[2], KEYS[3]
local channel, ordinal, new, reason = ARGV[1], ARGV[2], ARGV[3], ARGV[4]

if redis.call('EXISTS', history) == 0 then return 0 end
local old = redis.call('GETRANGE', receipts, ordinal, ordinal)
if old == '' then old = '\0' end
if not may_follow(old, new) then return 0 end
redis.call('SETRANGE', receipts, ordinal, new)
if reason ~= '' then
  redis.call('HSET', evidence, ordinal, reason)
elseif old == 'u' then
  redis.call('HDEL', evidence, ordinal)
end
local deltas = {}
count(deltas, old, new, 1)
if move_counters(history, channel, deltas) then announce(history) end
return 1
