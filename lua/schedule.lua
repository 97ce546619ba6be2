--[[ schedule: accepts messages of one shard; of each, history, record, audience, delivery and due entry in one step
KEYS[1] due:{tag}  zset
ARGV[1] tag of the shard
ARGV[2..] of each message nine texts in the order of accept() below, the last of them how many names and values follow of what else it has
Computed: history, record, secret, audience:{tag}:<m>; upload:{tag}:<m>:<attempt>; delivery:{tag}:<m>:0; sent:{tag}:<sender> stream; senders:{tag}, reminders:{tag}:<sender>:<event>, merge:{tag}:<sender>:<person>:<type> zset; event:{tag}:<sender>:<event> hash; about:{tag}:<sender>:<about>, confirm-of:{tag}:<digest>, laid-by:{tag} string; stats:{tag}:<hour> hash; watched, dirty:{tag} zset
Returns: for each message, in their order, when it is due and was accepted, Unix ms, false when the same body was accepted before, or its error
Errors: UNKNOWN not issued or lapsed; CONFLICT another body was accepted; CANCELLED it was accepted, or only issued, and cancelled since; ABOUT another message about the same was accepted, and not cancelled; EVENT it is to hang on an event there is none of, or that was cancelled; MOVED that event is at another time by now; REMINDERS too many hang on it; GROWN new messages are laid by more shards than that (put again, where it lies now); UPLOAD the uploaded audience is not there (put again)
Replay: the second run finds the digests and changes nothing

What is refused changes nothing, and nothing about the others. Records, due times and when senders have sent last are written at the end, by one command for
all that were accepted: nothing in between reads them. They are written, too, where a message makes the script fail, which is a defect: those before it are accepted
whole, it has no history, and the script fails after that.
]]
--#include clock
--#include keys
--#include due
--#include dirty
--#include change
--#include stats
--#include merge
--#include laid
local due, tag = KEYS[1], ARGV[1]
-- hanging on one event: it is moved, and all of them with it, in one step
local max_reminders = 500
local now = now_ms()
local records, dues, newest = {}, {}, {}

-- message         <sender>:<id>
-- must_be_issued  1 when the key must have been issued, 0 when it is new
-- digest          of the body
-- record          the first ids and JSON
-- audience        fixed-width ids; empty when all of them are in the record; * and the attempt when they were uploaded before
-- size            of the audience, people
-- due_ms          Unix ms; 0 for now; +60000 for so many ms after it is accepted
-- class
--
-- And by its name what not every message has, all of it kept in the history but the first:
-- laid_by         by how many shards its shard was found, of one that a repeated call must find
-- about           <person>:<thing> of a reminder, of which a sender has one at a time
-- event           id of the event it hangs on, how long after that it is due, s, and when that is, as due_ms has it; kept as the second and the first
-- secret          what couriers put into the text, until the message is over; kept as 1
-- expires         Unix ms; a day after due where there is none
-- lasts           ms after due, with expires, where that is by default and moves with due
-- channels        comma-separated; all where there are none
-- type            what it is about, such as news; general where there is none
-- plan            JSON: who is sent it when, as the rules said; none where none holds for it
-- confirm         1 when its people are asked to confirm it
-- steps           as lib/steps.lua reads them
-- deadline        of its type, ms: who is told so long after it was due is late
-- ceiling         what its SMS may come to, parts or millionths of a currency
-- merge           as lib/merge.lua reads it
local function accept(message, must_be_issued, digest, record, audience, size, due_ms, class, own)
  local history = history_key(tag, message)
  local before = redis.call('HMGET', history, 'state', 'digest', 'cancelled')
  if before[2] and before[2] ~= digest then
    return redis.error_reply('CONFLICT another message was accepted under this key')
  end
  if before[3] then
    return redis.error_reply('CANCELLED it was cancelled; put it under a new key to send it after all')
  end
  if before[2] then return false end
  if not before[1] and must_be_issued == '1' then
    return redis.error_reply('UNKNOWN this key was not issued, or it has lapsed')
  end

  if has_grown(tag, own.laid_by or '') then return redis.error_reply('GROWN new messages lie elsewhere by now: try again') end
  own.laid_by = nil

  local sender, id = string.match(message, '^([^:]+):(.+)$')
  local about = own.about
  if about then
    local other = redis.call('GET', about_key(tag, sender, about))
    local theirs = other and redis.call('HMGET', history_key(tag, sender .. ':' .. other), 'state', 'cancelled') or {}
    if other ~= id and theirs[1] and not theirs[2] then
      return redis.error_reply('ABOUT there is a message about this already')
    end
  end

  local event_id, offset, event_at = string.match(own.event or '', '^(%S+) (%S+) (%S+)$')
  if event_id then
    local found = redis.call('HMGET', event_key(tag, sender, event_id), 'at', 'cancelled')
    if not found[1] or found[2] then return redis.error_reply('EVENT there is no such event, or it was cancelled') end
    if found[1] ~= event_at then return redis.error_reply('MOVED the event was moved meanwhile: try again') end
    if redis.call('ZCARD', reminders_key(tag, sender, event_id)) >= max_reminders then
      return redis.error_reply('REMINDERS an event has at most ' .. max_reminders .. ' reminders')
    end
  end

  if string.sub(audience, 1, 1) == '*' then
    local upload = upload_key(tag, message, string.sub(audience, 2))
    if redis.call('EXISTS', upload) == 0 then
      return redis.error_reply('UPLOAD the audience is not there; put it again')
    end
    redis.call('RENAME', upload, audience_key(tag, message))
    redis.call('PERSIST', audience_key(tag, message))
  elseif audience ~= '' then
    redis.call('SET', audience_key(tag, message), audience)
  end

  local accepted = redis.call('XADD', sent_key(tag, sender), '*', 'id', id)
  local accepted_ms = string.match(accepted, '^%d+')
  local delay_ms = string.match(due_ms, '^%+(%d+)$')
  -- the clock goes on while a script runs
  if delay_ms then due_ms = string.format('%.0f', accepted_ms + delay_ms) end
  -- a time that is written anew is written slowly
  if tonumber(due_ms) <= now then due_ms = string.format('%.0f', now + 1) end

  if about then redis.call('SET', about_key(tag, sender, about), id) end
  if event_id then
    redis.call('ZADD', reminders_key(tag, sender, event_id), offset, id)
    redis.call('PEXPIREAT', reminders_key(tag, sender, event_id), redis.call('PEXPIRETIME', event_key(tag, sender, event_id)))
    own.event = offset .. ' ' .. event_id
  end
  if own.confirm then redis.call('SET', confirm_of_key(tag, message), message) end
  if own.merge then redis.call('ZADD', merge_key_of(own.merge, tag, message, own.type), due_ms, message) end
  if own.secret then
    redis.call('SET', secret_key(tag, message), own.secret, 'PXAT', own.expires)
    own.secret = '1'
  end
  local fields = { 'state', 'scheduled', 'digest', digest, 'size', size, 'due', due_ms, 'accepted', accepted, 'class', class }
  for name, value in pairs(own) do
    fields[#fields + 1] = name
    fields[#fields + 1] = value
  end
  local delivery = arm(tag, message, 0, due_ms)
  -- the last that may fail: whoever has a history has all the rest
  redis.call('HSET', history, unpack(fields))
  records[#records + 1] = record_key(tag, message)
  records[#records + 1] = record
  dues[#dues + 1] = due_ms
  dues[#dues + 1] = delivery
  newest[sender] = accepted_ms
  add_messages(type_of(own.type), 'accepted', size)
  -- of a key that is new nobody can have heard
  if before[1] then
    redis.call('PERSIST', history)
    announce(tag, message)
  else
    mark_dirty(tag, 'history', message)
  end
  return due_ms .. ' ' .. accepted_ms
end

local answers = {}
local function accept_all()
  local at = 2
  while at <= #ARGV do -- bounded: each message once
    local own = {}
    local last = at + 8 + ARGV[at + 8]
    for i = at + 9, last, 2 do own[ARGV[i]] = ARGV[i + 1] end
    local message, must_be_issued, digest, record, audience, size, due_ms, class = unpack(ARGV, at, at + 7)
    answers[#answers + 1] = accept(message, must_be_issued, digest, record, audience, size, due_ms, class, own)
    at = last + 1
  end
end

local is_done, failure = pcall(accept_all)
if #records > 0 then
  redis.call('MSET', unpack(records))
  redis.call('ZADD', due, unpack(dues))
  for sender, accepted_ms in pairs(newest) do redis.call('ZADD', senders_key(tag), accepted_ms, sender) end
end
announce_head(due, tag)
write_stats(tag, now)
-- error() would put a second ERR before what a command has said
if not is_done then return redis.error_reply(string.find(failure, '^%u+ ') and failure or 'ERR ' .. failure) end
return answers
