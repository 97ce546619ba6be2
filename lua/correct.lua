--[[ correct: gives a message another text, from now on, and begins to correct whoever has or may have an older one
KEYS[1] history:{tag}:<m>   hash
KEYS[2] record:{tag}:<m>    string
KEYS[3] versions:{tag}:<m>  hash
KEYS[4] due:{tag}           zset
ARGV[1] <m>, <sender>:<id>
ARGV[2] tag of the shard
ARGV[3] version, the number of the new text
ARGV[4] the record as it was read
ARGV[5] the record with the new text
ARGV[6] JSON of the text before, as versions has it
ARGV[7] JSON of the new text
ARGV[8] so long it is corrected where the message has settled, ms
ARGV[9] so long after it has settled it may be, ms
ARGV[10] channels whose edits are told of by a message of its own besides, between commas, or empty
Computed: confirmed:{tag}:<m> string; receipts, reasons:{tag}:<m>:<leg> string; delivery, pieces:{tag}:<m>:<wave> string; retention, expiry:{tag} zset; watched, dirty:{tag} zset
Returns: 1 when it was corrected, also by a first run; 0 where the record is another by now, and nothing was written
Errors: UNKNOWN nothing was put under this key; STOPPED it was cancelled; RUNNING another correction is under way; EXPIRED it is not sent any more, and has not settled yet, or settled too long ago
Replay: the text is there already, and the second run answers the same

Whoever is pending is sent the new text by the leg they wait in: record refuses marks of an older version from now on. A correction has a leg of its own
for each channel on which anybody has or may have an older text, and where edits are told of besides another one for that; everyone else is settled there at once. What was confirmed of an older text is counted
and confirms nothing of the new one: its people are asked anew.
]]
--#include clock
--#include keys
--#include expiry
--#include due
--#include dirty
--#include change
--#include waves
--#include again
--#include begin-corrections
local history, record, versions, due = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local message, tag, version, before, after = ARGV[1], ARGV[2], tonumber(ARGV[3]), ARGV[4], ARGV[5]
local lasts_ms, max_age_ms = tonumber(ARGV[8]), tonumber(ARGV[9])
local now = now_ms()

local known = redis.call('HMGET', history, 'state', 'cancelled', 'expires', 'due', 'settled', 'size', 'expected', 'corrections', 'confirm', 'confirmed')
local state = known[1]
if not state or state == 'issued' then return redis.error_reply('UNKNOWN nothing was put under this key') end
if redis.call('HGET', versions, version) == ARGV[7] then return 1 end
if known[2] then return redis.error_reply('STOPPED the message was cancelled') end
local expires, size = tonumber(known[3]) or tonumber(known[4]) + 86400000, tonumber(known[6])
if state == 'settled' then
  if now - tonumber(known[5]) > max_age_ms then return redis.error_reply('EXPIRED the message settled too long ago') end
elseif now >= expires then
  return redis.error_reply('EXPIRED the message is not sent any more')
end
for leg in string.gmatch(known[8] or '', '[^,]+') do
  if redis.call('HEXISTS', history, leg .. ':settled') == 0 then return redis.error_reply('RUNNING another correction is under way') end
end
if redis.call('GET', record) ~= before then return 0 end

redis.call('SET', record, after)
redis.call('HSETNX', versions, version - 1, ARGV[6])
redis.call('HSET', versions, version, ARGV[7])
redis.call('HSET', history, 'version', version)
if known[9] then
  redis.call('HSET', history, 'confirmed~' .. (version - 1), known[10] or 0, 'confirmed', 0)
  redis.call('UNLINK', confirmed_key(tag, message))
end
if state == 'settled' and now + lasts_ms > expires then
  expires = now + lasts_ms
  redis.call('HSET', history, 'expires', string.format('%.0f', expires))
end

begin_corrections(history, due, tag, message, size, { channels = known[7], earlier = known[8], told = ARGV[10], version = version, cause = 'corrected' }, expires, now)
announce_head(due, tag)
announce(tag, message)
return 1
