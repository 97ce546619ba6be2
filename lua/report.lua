--[[ report: updates receipts of one leg of a message by what its provider reports later; needs no claim
KEYS[1] history:{tag}:<m>         hash
KEYS[2] receipts:{tag}:<m>:<leg>  string
KEYS[3] reasons:{tag}:<m>:<leg>   string
KEYS[4] evidence:{tag}:<m>:<leg>  hash
ARGV[1] leg
ARGV[2] <m>, <sender>:<id>
ARGV[3] tag of the shard
ARGV[4..] of each: ordinal; state byte; reason byte, NUL for none; evidence, empty leaves what is there but for the reason of what it replaces
Computed: waiting:{tag} hash
Returns: how many states were taken; not those where a stronger one stands, none when the history is gone
Errors: none
Replay: a state follows itself as nothing

A refusal is what one attempt was told; that the provider has accepted another is proof of more. So whoever failed by a refusal
may still turn out to have it. What a report said failed (reason U) stays so.
]]
--#include clock
--#include keys
--#include change
--#include waiting
--#include receipts
--#include times
local history, receipts, reasons, evidence = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local leg, message, tag = ARGV[1], ARGV[2], ARGV[3]
local undelivered = 'U'

local function byte_at(key, ordinal)
  local byte = redis.call('GETRANGE', key, ordinal, ordinal)
  return byte == '' and '\0' or byte
end

local function may_replace(old, new, reason)
  if may_follow(old, new) then return true end
  return old == 'f' and reason ~= undelivered and string.find('sdrc', new, 1, true) ~= nil
end

local known = redis.call('HMGET', history, 'size', 'started')
if not known[1] then return 0 end
local size, time = tonumber(known[1]), time_bytes(known[2], now_ms())
local deltas, taken = {}, 0
for i = 4, #ARGV, 4 do
  local ordinal, new, why, detail = ARGV[i], ARGV[i + 1], ARGV[i + 2], ARGV[i + 3]
  local old, old_why = byte_at(receipts, ordinal), byte_at(reasons, ordinal)
  if may_replace(old, new, old_why) then
    taken = taken + 1
    count(deltas, old, new, 1)
    redis.call('SETRANGE', receipts, ordinal, new)
    keep_time(receipts, size, ordinal, 1, time)
    if why ~= old_why then redis.call('SETRANGE', reasons, ordinal, why) end
    if detail ~= '' then
      redis.call('HSET', evidence, ordinal, detail)
    elseif old == 'u' or old == 'f' then
      redis.call('HDEL', evidence, ordinal)
    end
  end
end
if move_counters(history, leg, deltas) then announce(tag, message) end
write_waiting(tag)
return taken
