--[[ defer: hands a claim back as pieces of later waves, each wave with a due time and a delivery key of its own
KEYS[1] work:{tag}:<channel>:<class>  stream
KEYS[2] history:{tag}:<m>             hash
KEYS[3] due:{tag}                     zset
ARGV[1] channel, the group
ARGV[2] consumer
ARGV[3] entry id
ARGV[4] delivery count of the claim
ARGV[5] <m>, <sender>:<id>
ARGV[6] tag of the shard
ARGV[7] leg
ARGV[8] condition: unless; empty for none
ARGV[9] first ordinal of the claim
ARGV[10] ordinal after its last
ARGV[11..] of each piece: cause; when it is due, +ms from now on or Unix ms; due times are rounded up to a multiple of so many ms; first ordinal; ordinal after the last; how often it failed before; people who wait in it; version of the settings by which they are held, empty where none of their rules holds them
Computed: delivery:{tag}:<m>:<wave>, held-rules:{tag} string; pieces:{tag}:<m>:<wave> string, 12 bytes a piece; presence, receipts:{tag}:<m>:<leg>, steps:{tag}:<m> string; work:{tag}:<channel>:<class> stream; watched, dirty:{tag} zset
Returns: the numbers of the waves, in the order of the pieces
Errors: FENCED the claim has gone to another, or its message was purged
Replay: the second run is fenced, for the entry was released by the first

A wave takes the pieces of all claims of the same leg, cause, condition and due time. None is due later than the message
expires: who is left then is told so at that time. Who was held by rules that have changed meanwhile is decided anew in a
second, and at once where somebody has had the message sent in spite of the cause, which whoever held them did not know. Who is to wait
until they are online and was called meanwhile is given an entry of their own. Whoever of the claim does not wait, and is
finished with their step of the message, comes to the next. Whom the message carries goes by itself, unless it was marked.
]]
--#include clock
--#include keys
--#include due
--#include generation
--#include lease
--#include release
--#include dirty
--#include change
--#include waves
--#include padded
--#include presence
--#include wave-for
--#include steps
--#include begin-steps
--#include stopped
--#include release-carried
local stream, history, due = KEYS[1], KEYS[2], KEYS[3]
local channel, consumer, entry, deliveries = ARGV[1], ARGV[2], ARGV[3], ARGV[4]
local message, tag, leg, unless = ARGV[5], ARGV[6], ARGV[7], ARGV[8] == '' and '-' or ARGV[8]
local first_of_claim, after_claim = tonumber(ARGV[9]), tonumber(ARGV[10])
local max_waves = 64

if not owns(stream, channel, consumer, entry, deliveries) or purged(stream, channel, entry, history) then
  return redis.error_reply('FENCED the claim was taken over, or its message purged')
end
local now = now_ms()
local times = redis.call('HMGET', history, 'expires', 'due', 'cancelled', 'steps', 'recalled')
local expires = tonumber(times[1]) or tonumber(times[2]) + 86400000
-- whoever was cancelled meanwhile is told so at once
local latest_ms = is_stopped(times[3], times[5], leg) and now + 1 or math.max(expires, now + 1)
local rules = tonumber(string.match(redis.call('GET', held_rules_key(tag)) or '', '^%d+')) or 0
local function latest_for(cause, version)
  if redis.call('HEXISTS', history, 'cancelled:' .. cause) == 1 then return now + 1 end
  if not version then return latest_ms end
  if redis.call('HEXISTS', history, 'sent-now:' .. cause) == 1 then return now + 1 end
  return version < rules and math.min(latest_ms, now + 1000) or latest_ms
end
local waiting = waiting_waves(history)

-- Who waits until they are online leaves the wave one by one: when nobody is left it is due at once.
local waits = { ['\0'] = 'w', k = 'c' }
local size
local function await_presence(first, after)
  size = size or tonumber(redis.call('HGET', history, 'size'))
  local _, waiting_people = move_presence(history, tag, message, leg, size, first, after, waits)
  return waiting_people
end

local numbers = {}
for i = 11, #ARGV, 8 do
  local cause, delay_ms, bucket_ms = ARGV[i], string.match(ARGV[i + 1], '^%+(%d+)$'), tonumber(ARGV[i + 2])
  local first, after, tries, people = tonumber(ARGV[i + 3]), tonumber(ARGV[i + 4]), tonumber(ARGV[i + 5]), tonumber(ARGV[i + 6])
  -- a time that has come meanwhile is now
  local wanted_ms = delay_ms and now + tonumber(delay_ms) or math.max(tonumber(ARGV[i + 1]), now + 1)
  local due_ms = math.min(math.ceil(wanted_ms / bucket_ms) * bucket_ms, latest_for(cause, tonumber(ARGV[i + 7])))
  if cause == 'online' and await_presence(first, after) == 0 then due_ms = now + 1 end
  local wave = wave_for(history, due, tag, message, waiting, { leg = leg, cause = cause, unless = unless }, due_ms, max_waves)
  wave.people = tonumber(wave.people) + people
  write_wave(history, wave.number, wave)
  redis.call('APPEND', pieces_key(tag, message, wave.number), struct.pack('>I4I4I4', first, after, tries))
  numbers[#numbers + 1] = tonumber(wave.number)
end
redis.call('HSET', history, 'waiting', table.concat(waiting, ' '))
redis.call('HINCRBY', history, leg .. ':open', #numbers - 1)
local steps = stepped(times[4], history, due, tag, message, now)
if steps then begin_steps(steps, first_of_claim, after_claim) end
-- whom it carries, unmarked, is decided by itself
if read_padded(receipts_key(tag, message, leg), 0, 1) == '\0' then release_carried(history, tag, leg, stream, now) end
announce_head(due, tag)
release(stream, channel, entry)
announce(tag, message)
return numbers
