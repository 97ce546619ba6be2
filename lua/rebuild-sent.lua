--[[ rebuild-sent: lists messages of a sender again where they are missing in what that sender has sent, at the time they were accepted
KEYS[1] sent:{tag}:<sender>  stream
ARGV[1] tag of the shard
ARGV[2] sender
ARGV[3..] ids of messages that were missing when it was read
Computed: history:{tag}:<m> hash
Returns: how many were missing
Errors: none
Replay: what is there by then is not missing

A stream takes nothing before its last entry, and keeps in mind what was removed: so all of it is written anew, in this step.
]]
--#include keys
local sent, tag, sender = KEYS[1], ARGV[1], ARGV[2]

local function entry_of(accepted, id)
  local ms, number = string.match(accepted, '^(%d+)-(%d+)$')
  return { tonumber(ms), tonumber(number), accepted, id }
end
local function is_before(one, other)
  return one[1] < other[1] or one[1] == other[1] and one[2] < other[2]
end

local there, listed = {}, {}
for i, entry in ipairs(redis.call('XRANGE', sent, '-', '+')) do
  there[i] = entry_of(entry[1], entry[2][2])
  listed[entry[1]] = entry[2][2]
end

-- Where the list was lost between two messages of one millisecond, the later was given the entry of the earlier.
local function next_free(accepted)
  local ms, number = string.match(accepted, '^(%d+)-(%d+)$')
  for n = tonumber(number) + 1, tonumber(number) + #there + #ARGV do
    local free = ms .. '-' .. n
    if not listed[free] then return free end
  end
end
local missing = {}
for i = 3, #ARGV do
  local id, history = ARGV[i], history_key(tag, sender .. ':' .. ARGV[i])
  -- it may have been purged meanwhile
  local accepted = redis.call('HGET', history, 'accepted')
  if accepted and listed[accepted] ~= id then
    if listed[accepted] then
      accepted = next_free(accepted)
      redis.call('HSET', history, 'accepted', accepted)
    end
    missing[#missing + 1] = entry_of(accepted, id)
    listed[accepted] = id
  end
end
if #missing == 0 then return 0 end

table.sort(missing, is_before)
redis.call('UNLINK', sent)
local at = 1
for i = 1, #missing + 1 do
  local entry = missing[i]
  while there[at] and (not entry or is_before(there[at], entry)) do -- bounded: each entry once
    redis.call('XADD', sent, there[at][3], 'id', there[at][4])
    at = at + 1
  end
  if entry then redis.call('XADD', sent, entry[3], 'id', entry[4]) end
end
return #missing
