--[[ cancel-event: cancels an event and every message that hangs on it, in one step; what runs stops after the batches in flight
KEYS[1] event:{tag}:<sender>:<event>      hash
KEYS[2] reminders:{tag}:<sender>:<event>  zset
KEYS[3] due:{tag}                         zset
ARGV[1] tag of the shard
ARGV[2] id of the sender
ARGV[3] id of whoever cancels it
ARGV[4] how long it is kept afterwards, ms
ARGV[5..] of each reminder that is known its id, and what is left of its record, as cancel has it
Computed: history, delivery:{tag}:<m>:<wave>, secret, record, audience:{tag}:<m> string; retention, expiry, held:{tag}, merge:{tag}:<sender>:<person>:<type> zset; stats:{tag}:<hour> hash; watched, dirty:{tag} zset
Returns: of each reminder, one behind the other, its id and cancelled, stopping or already-over
Errors: UNKNOWN there is no such event
Replay: what was cancelled answers the same; nothing can be hung on it any more
]]
--#include clock
--#include keys
--#include due
--#include dirty
--#include change
--#include merge
--#include waves
--#include forward
--#include stats
--#include cancel
local event, reminders, due = KEYS[1], KEYS[2], KEYS[3]
local tag, sender, by, kept_ms = ARGV[1], ARGV[2], ARGV[3], ARGV[4]

if redis.call('EXISTS', event) == 0 then return redis.error_reply('UNKNOWN there is no such event') end
local now = now_ms()
if redis.call('HSETNX', event, 'cancelled', string.format('%.0f', now)) == 1 then
  redis.call('PEXPIRE', event, kept_ms)
  redis.call('PEXPIRE', reminders, kept_ms)
end
local left = {}
for i = 5, #ARGV, 2 do left[ARGV[i]] = ARGV[i + 1] end

local told = {}
for _, id in ipairs(redis.call('ZRANGE', reminders, 0, -1)) do
  local message = sender .. ':' .. id
  local outcome = cancel_message(history_key(tag, message), due, tag, message, left[id] or '', by, now)
  told[#told + 1] = id
  told[#told + 1] = (outcome == 'cancelled' or outcome == 'stopping') and outcome or 'already-over'
end
write_stats(tag, now)
announce_head(due, tag)
return told
