--[[ rebuild-indexes: names a message again where it is missing among those to be removed, to expire, held, hanging on an event, about something, asking to be confirmed or to go with others, as its history says
KEYS[1] history:{tag}:<m>  hash
ARGV[1] <m>, <sender>:<id>
ARGV[2] tag of the shard
Computed: retention, expiry, held, senders:{tag}, reminders:{tag}:<sender>:<event>, merge:{tag}:<sender>:<person>:<type> zset; event:{tag}:<sender>:<event> hash; about:{tag}:<sender>:<about>, confirm-of:{tag}:<digest> string
Returns: in how many of them it was missing
Errors: none
Replay: what is there by then is not missing

Whoever puts it there or takes it away does so in the step that changes the history. What hangs on an event that has lapsed, or is lost, is a message as any other.
]]
--#include keys
--#include expiry
--#include merge
local history, message, tag = KEYS[1], ARGV[1], ARGV[2]
local sender, id = string.match(message, '^([^:]+):(.+)$')
local names = { 'state', 'due', 'expires', 'settled', 'cancelled', 'accepted', 'held', 'event', 'about', 'confirm', 'merge', 'type' }
local known = {}
for i, value in ipairs(redis.call('HMGET', history, unpack(names))) do known[names[i]] = value end
-- a key that is only issued lapses by itself
if not known.accepted then return 0 end

local missing = 0
local function put(key, score, member)
  local added = redis.call('ZADD', key, 'NX', score, member)
  missing = missing + added
  return added == 1
end

if known.state == 'running' then
  local expires = tonumber(known.expires) or tonumber(known.due) + 86400000
  put(retention_key(tag), string.format('%.0f', expires), message)
  put(expiry_key(tag), known.cancelled or expiry_of(expires), message)
elseif known.state == 'settled' or known.state == 'cancelled' then
  put(retention_key(tag), known.settled or known.cancelled, message)
elseif known.held then
  put(held_key(tag), known.held, message)
end

local function accepted_at(entry)
  local ms, number = string.match(entry or '', '^(%d+)-(%d+)$')
  return tonumber(ms) or 0, tonumber(number) or 0
end
local function is_later(one, other)
  local ms, number = accepted_at(one)
  local other_ms, other_number = accepted_at(other)
  return ms > other_ms or ms == other_ms and number > other_number
end
-- of a sender, and of what they have sent about something, the latest
missing = missing + redis.call('ZADD', senders_key(tag), 'GT', string.match(known.accepted, '^%d+'), sender)
if known.about then
  local about = about_key(tag, sender, known.about)
  local other = redis.call('GET', about)
  if not other or other ~= id and is_later(known.accepted, redis.call('HGET', history_key(tag, sender .. ':' .. other), 'accepted')) then
    redis.call('SET', about, id)
    missing = missing + 1
  end
end

if known.merge and known.state == 'scheduled' then put(merge_key_of(known.merge, tag, message, known.type), known.due, message) end

if known.confirm then missing = missing + redis.call('SETNX', confirm_of_key(tag, message), message) end

local offset, event_id = string.match(known.event or '', '^(%S+) (%S+)$')
if event_id then
  local lapses = redis.call('PEXPIRETIME', event_key(tag, sender, event_id))
  local reminders = reminders_key(tag, sender, event_id)
  if lapses > 0 and put(reminders, offset, id) then redis.call('PEXPIREAT', reminders, lapses) end
end
return missing
