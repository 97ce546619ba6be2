--[[ recall: cancels a message, and begins to take it from whoever has or may have it
KEYS[1] history:{tag}:<m>  hash
KEYS[2] record:{tag}:<m>   string
KEYS[3] due:{tag}          zset
ARGV[1] <m>, <sender>:<id>
ARGV[2] tag of the shard
ARGV[3] what is left of the record where nobody was sent it; empty where there is none
ARGV[4] id of whoever withdraws it
ARGV[5] version, the number of the legs that take it back
ARGV[6] the record as it was read
ARGV[7] the record of a message that is withdrawn
ARGV[8] so long it is taken back, ms
ARGV[9] so long after it has settled it may be, ms
Computed: delivery, pieces:{tag}:<m>:<wave>, secret, audience:{tag}:<m> string; receipts, reasons:{tag}:<m>:<leg> string; retention, expiry, held:{tag}, merge:{tag}:<sender>:<person>:<type> zset; stats:{tag}:<hour> hash; watched, dirty:{tag} zset
Returns: cancelled before it started; withdrawing, also by a first run; changed where the record is another by now, and nothing was written
Errors: UNKNOWN no such history; EXPIRED it settled too long ago
Replay: the second run finds that it was withdrawn, and answers the same

Whoever is pending is cancelled, as by cancel. A recall has a leg of its own for each channel on which anybody has the message or may have it, as a correction
has; it goes on though the message is cancelled.
]]
--#include clock
--#include keys
--#include expiry
--#include due
--#include dirty
--#include change
--#include merge
--#include waves
--#include forward
--#include stats
--#include cancel
--#include again
--#include begin-corrections
local history, record, due = KEYS[1], KEYS[2], KEYS[3]
local message, tag, left, by, version, before, after = ARGV[1], ARGV[2], ARGV[3], ARGV[4], ARGV[5], ARGV[6], ARGV[7]
local lasts_ms, max_age_ms = tonumber(ARGV[8]), tonumber(ARGV[9])
local now = now_ms()

local known = redis.call('HMGET', history, 'state', 'expires', 'due', 'settled', 'size', 'expected', 'corrections', 'recalled')
local state = known[1]
if not state then return redis.error_reply('UNKNOWN there is no such history') end
if known[8] then return 'withdrawing' end
if state ~= 'running' and state ~= 'settled' then
  cancel_message(history, due, tag, message, left, by, now)
  write_stats(tag, now)
  announce_head(due, tag)
  return 'cancelled'
end
if state == 'settled' and now - tonumber(known[4]) > max_age_ms then
  return redis.error_reply('EXPIRED the message settled too long ago')
end
if redis.call('GET', record) ~= before then return 'changed' end

if state == 'running' then
  cancel_message(history, due, tag, message, left, by, now)
elseif redis.call('HSETNX', history, 'cancelled', now) == 1 then
  redis.call('HSET', history, 'cancelled-by', by)
end
redis.call('SET', record, after)
local expires = math.max(tonumber(known[2]) or tonumber(known[3]) + 86400000, now + lasts_ms)
redis.call('HSET', history, 'version', version, 'recalled', version, 'recalled-at', string.format('%.0f', now), 'expires', string.format('%.0f', expires))
local of = { channels = known[6], earlier = known[7], version = version, cause = 'withdrawn' }
if begin_corrections(history, due, tag, message, tonumber(known[5]), of, expires, now) > 0 then
  -- whoever is pending and waits for a courier that does not come is settled by expire
  redis.call('ZADD', expiry_key(tag), now, message)
end
write_stats(tag, now)
announce_head(due, tag)
announce(tag, message)
return 'withdrawing'
