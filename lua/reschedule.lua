--[[ reschedule: moves the due time of a message that has not started
KEYS[1] history:{tag}:<m>  hash
KEYS[2] due:{tag}          zset
ARGV[1] <m>, <sender>:<id>
ARGV[2] tag of the shard
ARGV[3] due, Unix ms; 0 for now
ARGV[4] JSON: who is sent it when, as the rules said for that time; empty where none holds for it
Computed: delivery:{tag}:<m>:0 string; held:{tag}, reminders:{tag}:<sender>:<event>, merge:{tag}:<sender>:<person>:<type> zset; watched, dirty:{tag} zset
Returns: the due time set, Unix ms
Errors: UNKNOWN nothing was put under this key; STARTED it has started, settled or been cancelled; EXPIRES it would expire first, or before its last step is due
Replay: the second run sets the same time again
]]
--#include clock
--#include keys
--#include due
--#include dirty
--#include change
--#include merge
--#include move
--#include reminders
--#include steps
local history, due = KEYS[1], KEYS[2]
local message, tag, due_ms, plan = ARGV[1], ARGV[2], tonumber(ARGV[3]), ARGV[4]

local before = redis.call('HMGET', history, 'state', 'expires', 'lasts', 'steps')
if not before[1] or before[1] == 'issued' then return redis.error_reply('UNKNOWN nothing was put under this key') end
if before[1] ~= 'scheduled' then return redis.error_reply('STARTED ' .. before[1]) end
local now = now_ms()
if due_ms <= now then due_ms = now + 1 end
local expires, lasts_ms = tonumber(before[2]), tonumber(before[3])
if lasts_ms then
  -- nobody has said when: it expires as long after it is due as before
  redis.call('HSET', history, 'expires', string.format('%.0f', due_ms + lasts_ms))
elseif expires then
  if expires <= due_ms then return redis.error_reply('EXPIRES the message expires before the new time') end
  local steps_ms = 0
  for _, step in ipairs(read_steps(before[4] or '')) do steps_ms = steps_ms + step.after_ms end
  if expires <= due_ms + steps_ms then
    return redis.error_reply('EXPIRES by the new time the message expires before its last step is due')
  end
end
-- whoever gives it a time of its own takes it off the event on which it hung
take_off_event(history, tag, message)
move_message(history, due, tag, message, due_ms, plan)
announce_head(due, tag)
return due_ms
