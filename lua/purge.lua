--[[ purge: removes messages of one shard that have been over for longer than they are kept
KEYS[1] retention:{tag}  zset
KEYS[2] due:{tag}        zset
ARGV[1] tag of the shard
ARGV[2] how long a message is kept once it is over, ms
ARGV[3] max messages to remove
Computed: history, record, audience, by-voice, confirmed, in-time, steps, versions:{tag}:<m>; confirm-of:{tag}:<digest> string; receipts, reasons, evidence, presence, tried:{tag}:<m>:<leg>; delivery, pieces:{tag}:<m>:<wave>; sent:{tag}:<sender> stream; waiting:{tag} hash; expiry, senders:{tag}, reminders:{tag}:<sender>:<event> zset; about:{tag}:<sender>:<about> string; watched, dirty:{tag} zset
Returns: how many were removed; as many as ARGV[3] means there may be more
Errors: none
Replay: what was removed has left the retention set; the second run removes only what has become old enough since
Flags: allow-oom

Its entries of work streams, where a channel never took them, are left to purge-entries.
]]
--#include clock
--#include keys
--#include dirty
--#include waves
--#include waiting
--#include waiting-of
--#include reminders
local retention, due = KEYS[1], KEYS[2]
local tag, kept_ms, max = ARGV[1], tonumber(ARGV[2]), ARGV[3]

local function purge(message)
  local history = history_key(tag, message)
  local gone = { history, record_key(tag, message), audience_key(tag, message), by_voice_key(tag, message), confirmed_key(tag, message), in_time_key(tag, message), steps_key(tag, message), versions_key(tag, message) }
  local fields = redis.call('HMGET', history, 'expected', 'accepted', 'state', 'about', 'confirm', 'corrections')
  -- whoever was never told anything of a message that has run into its expiry waits for its channels no longer
  if fields[3] == 'running' then change_waiting_of(history, -1) end
  for leg in string.gmatch((fields[1] or '') .. ',' .. (fields[6] or ''), '[^,]+') do
    gone[#gone + 1] = receipts_key(tag, message, leg)
    gone[#gone + 1] = reasons_key(tag, message, leg)
    gone[#gone + 1] = evidence_key(tag, message, leg)
    gone[#gone + 1] = presence_key(tag, message, leg)
    gone[#gone + 1] = tried_key(tag, message, leg)
  end
  -- a wave still waits where nobody was there to wake it
  for _, number in ipairs(waiting_waves(history)) do
    redis.call('ZREM', due, message .. ':' .. number)
    gone[#gone + 1] = delivery_key(tag, message, number)
    gone[#gone + 1] = pieces_key(tag, message, number)
  end
  local sender, id = string.match(message, '^([^:]+):(.+)$')
  local about = fields[4] and about_key(tag, sender, fields[4])
  if about and redis.call('GET', about) == id then gone[#gone + 1] = about end
  if fields[5] then gone[#gone + 1] = confirm_of_key(tag, message) end
  local sent = sent_key(tag, sender)
  if fields[2] then redis.call('XDEL', sent, fields[2]) end
  -- an empty stream does not go by itself
  if redis.call('XLEN', sent) == 0 then
    redis.call('UNLINK', sent)
    redis.call('ZREM', senders_key(tag), sender)
  end
  take_off_event(history, tag, message)
  redis.call('UNLINK', unpack(gone))
  redis.call('ZREM', retention, message)
  redis.call('ZREM', expiry_key(tag), message)
  mark_dirty(tag, 'history', message)
end

local old = redis.call('ZRANGEBYSCORE', retention, '-inf', now_ms() - kept_ms, 'LIMIT', 0, max)
for _, message in ipairs(old) do purge(message) end
write_waiting(tag)
return #old
