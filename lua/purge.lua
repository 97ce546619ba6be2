--[[ purge: removes messages of one shard that have been over for longer than they are kept; where none is left, entries of work streams that lead to nothing
KEYS[1] retention:{tag}  zset
KEYS[2] due:{tag}        zset
KEYS[3] channels:{tag}   hash
ARGV[1] tag of the shard
ARGV[2] how long a message is kept once it is over, ms
ARGV[3] max messages to remove, and entries to look at, a stream
Computed: history, record, audience, by-voice, confirmed, in-time, steps, versions:{tag}:<m>; confirm-of:{tag}:<digest> string; receipts, reasons, evidence, presence, tried:{tag}:<m>:<leg>; delivery, pieces:{tag}:<m>:<wave>; sent:{tag}:<sender>, work:{tag}:<channel>:<class> stream; waiting:{tag} hash; expiry, senders:{tag}, reminders:{tag}:<sender>:<event> zset; about:{tag}:<sender>:<about> string; watched, dirty:{tag} zset
Returns: how many messages were removed, as many as ARGV[3] means there may be more; how many entries were taken off, while there are any there may be more
Errors: none
Replay: what was removed has left the retention set, and what was taken off its stream; the second run looks at what has become the oldest since
Flags: allow-oom

An entry is taken off the oldest of its stream where its message was removed, or is over without it: only a channel that does not come leaves any for so long. Where its group
still has one pending, its next take-over drops it. A channel that is not in use and has nothing left is forgotten.
]]
--#include clock
--#include keys
--#include dirty
--#include waves
--#include waiting
--#include waiting-of
--#include reminders
local retention, due, channels = KEYS[1], KEYS[2], KEYS[3]
local tag, kept_ms, max = ARGV[1], tonumber(ARGV[2]), ARGV[3]
local classes = { 'urgent', 'normal', 'bulk' }

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

-- Whether there is nothing left to do on an entry: its message is gone, or its leg has settled without it, as expire does.
local function is_over(fields, channel)
  local entry = {}
  for i = 1, #fields, 2 do entry[fields[i]] = fields[i + 1] end
  local known = redis.call('HMGET', history_key(tag, entry.message), 'state', (entry.leg or channel) .. ':settled')
  return not known[1] or known[2]
end

-- Takes the oldest entries off a stream that are over. Says how many.
local function take_off(stream, channel)
  local taken = 0
  for _, entry in ipairs(redis.call('XRANGE', stream, '-', '+', 'COUNT', max)) do
    if is_over(entry[2], channel) then taken = taken + redis.call('XDEL', stream, entry[1]) end
  end
  return taken
end

-- Of all channels of the shard. Says how many.
local function take_off_all()
  local known, taken = redis.call('HGETALL', channels), 0
  for i = 1, #known, 2 do
    local channel, in_use, left, streams = known[i], known[i + 1] == 'in-use', 0, {}
    for _, class in ipairs(classes) do
      local stream = work_key(tag, channel, class)
      streams[#streams + 1] = stream
      taken = taken + take_off(stream, channel)
      left = left + redis.call('XLEN', stream)
    end
    if left == 0 and not in_use then
      redis.call('UNLINK', unpack(streams))
      redis.call('HDEL', channels, channel)
    end
  end
  return taken
end

local old = redis.call('ZRANGEBYSCORE', retention, '-inf', now_ms() - kept_ms, 'LIMIT', 0, max)
for _, message in ipairs(old) do purge(message) end
write_waiting(tag)
return { #old, #old < tonumber(max) and take_off_all() or 0 }
