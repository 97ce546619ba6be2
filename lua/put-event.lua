--[[ put-event: makes an event, or moves it with every message that hangs on it and has not started, all in one step
KEYS[1] event:{tag}:<sender>:<event>      hash
KEYS[2] reminders:{tag}:<sender>:<event>  zset
KEYS[3] due:{tag}                         zset
ARGV[1] tag of the shard
ARGV[2] id of the sender
ARGV[3] when it is, Unix ms
ARGV[4] what it is called; empty for nothing
ARGV[5] send, where what would have been due by then goes out at once; else refuse
ARGV[6] how long it is kept after it is over, ms
ARGV[7] 1 where a reminder that was added since the caller looked is moved without a plan; else 0, and nothing is moved
ARGV[8] by how many shards its shard was found
ARGV[9..] of each reminder that is known its id, and JSON: who is sent it when, as the rules said for its new time; empty where none holds
Computed: history:{tag}:<m> hash; delivery:{tag}:<m>:0, laid-by:{tag} string; held:{tag}, merge:{tag}:<sender>:<person>:<type> zset; watched, dirty:{tag} zset
Returns: created, moved or unchanged (its time is as it was); then of each reminder its id and moved, unchanged, sent-now, already-started or already-over
Errors: AGAIN a reminder was added since the caller looked; GROWN new events are laid by more shards than that (put again, where it lies now); LATE one would have been due, and it is not said to send it at once
Replay: the second run finds the event and its reminders where they are

What is refused changes nothing.
]]
--#include clock
--#include keys
--#include due
--#include dirty
--#include change
--#include merge
--#include move
--#include laid
local event, reminders, due = KEYS[1], KEYS[2], KEYS[3]
local tag, sender, at, name = ARGV[1], ARGV[2], ARGV[3], ARGV[4]
local late, kept_ms, anyhow, laid_by = ARGV[5], ARGV[6], ARGV[7], ARGV[8]
-- so late is a slow network or a clock that is off, and means now; as times.ts has it
local tolerance_ms = 60000
local now = now_ms()

local plans = {}
for i = 9, #ARGV, 2 do plans[ARGV[i]] = ARGV[i + 1] end

local before = redis.call('HMGET', event, 'at', 'cancelled')
local is_same = before[1] == at
local is_new = not before[1] or before[2]
if not before[1] and has_grown(tag, laid_by) then
  return redis.error_reply('GROWN new events lie elsewhere by now: try again')
end

local told, moving = {}, {}
local listed = redis.call('ZRANGE', reminders, 0, -1, 'WITHSCORES')
for i = 1, #listed, 2 do
  local id = listed[i]
  local history = history_key(tag, sender .. ':' .. id)
  local fields = redis.call('HMGET', history, 'state', 'due', 'expires')
  local became = fields[1] == 'running' and 'already-started' or 'already-over'
  if fields[1] == 'scheduled' then
    local due_ms = tonumber(at) + tonumber(listed[i + 1]) * 1000
    became = 'unchanged'
    if not is_same and due_ms ~= tonumber(fields[2]) then
      if not plans[id] and anyhow == '0' then return redis.error_reply('AGAIN a reminder was added meanwhile') end
      if due_ms < now - tolerance_ms and late ~= 'send' then
        return redis.error_reply('LATE a reminder would have been due before now')
      end
      became = due_ms > now and 'moved' or 'sent-now'
      moving[#moving + 1] = { history = history, id = id, due_ms = math.max(due_ms, now + 1), before = fields }
    end
  end
  told[#told + 1] = id
  told[#told + 1] = became
end

for _, each in ipairs(moving) do
  -- it expires as long after it is due as before
  local expires = tonumber(each.before[3])
  if expires then
    redis.call('HSET', each.history, 'expires', string.format('%.0f', expires + each.due_ms - tonumber(each.before[2])))
  end
  local message = sender .. ':' .. each.id
  move_message(each.history, due, tag, message, string.format('%.0f', each.due_ms), plans[each.id] or '')
end
redis.call('HSET', event, 'at', at)
if name ~= '' then redis.call('HSET', event, 'name', name) else redis.call('HDEL', event, 'name') end
redis.call('HDEL', event, 'cancelled')
local until_ms = string.format('%.0f', math.max(tonumber(at), now) + tonumber(kept_ms))
redis.call('PEXPIREAT', event, until_ms)
redis.call('PEXPIREAT', reminders, until_ms)
announce_head(due, tag)
table.insert(told, 1, is_new and 'created' or is_same and 'unchanged' or 'moved')
return told
