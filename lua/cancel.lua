--[[ cancel: takes a message back before it starts, or stops it after the batches in flight
KEYS[1] history:{tag}:<m>  hash
KEYS[2] due:{tag}          zset
ARGV[1] <m>, <sender>:<id>
ARGV[2] tag of the shard
ARGV[3] what is left of the record where nobody was sent it; empty where there is none
ARGV[4] id of whoever cancels it
ARGV[5] 1 where it is left alone once it has started; else 0
Computed: delivery:{tag}:<m>:<wave>, secret, record, audience:{tag}:<m> string; retention, expiry, held:{tag}, merge:{tag}:<sender>:<person>:<type> zset; stats:{tag}:<hour> hash; watched, dirty:{tag} zset
Returns: cancelled before it started, stopping while it runs or when it was stopped before
Errors: UNKNOWN no such history; SETTLED there is nothing left to stop; STARTED it has started, and is left alone
Replay: the second run finds the state and answers the same
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
local history, due = KEYS[1], KEYS[2]
local message, tag, left, by, unstarted = ARGV[1], ARGV[2], ARGV[3], ARGV[4], ARGV[5] == '1'
local now = now_ms()

if unstarted and redis.call('HGET', history, 'state') == 'running' then
  return redis.error_reply('STARTED the message has started')
end

local outcome = cancel_message(history, due, tag, message, left, by, now)
if outcome == 'unknown' then return redis.error_reply('UNKNOWN there is no such history') end
if outcome == 'settled' then return redis.error_reply('SETTLED the message has settled') end
write_stats(tag, now)
announce_head(due, tag)
return outcome
