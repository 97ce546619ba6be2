--[[ put-contacts: stores contacts of people of one bucket as active, each as the first of its person, and notes in it whether that one has wishes
KEYS[1] contacts:{ptag}:<channel>  hash
KEYS[2] wishes:{ptag}              hash
KEYS[3] stop:{ptag}:<channel>      hash
ARGV[1] 1 when the person links it, 0 when somebody else does, or an import
ARGV[2] tag of the bucket
ARGV[3] how the person agrees to it, JSON, now unless it says when; empty where they do not, or nobody has asked
ARGV[4..] of each: person; address
Computed: watched, dirty:{ptag} zset
Returns: how many were stored
Errors: none
Replay: the second run stores the same, agreed to a moment later
]]
--#include clock
--#include keys
--#include dirty
--#include contact
local contacts, wishes, stops, is_own_word, tag = KEYS[1], KEYS[2], KEYS[3], ARGV[1] == '1', ARGV[2]
local agreed = ARGV[3] ~= '' and cjson.decode(ARGV[3]) or nil
if agreed then agreed.at = agreed.at or now_ms() end

local has_wishes, has_stops = redis.call('EXISTS', wishes) == 1, redis.call('EXISTS', stops) == 1
for i = 4, #ARGV, 2 do
  local person, contact = ARGV[i], { address = ARGV[i + 1], state = 'active' }
  local stored = redis.call('HGET', contacts, person)
  local before = stored and read_contact(stored)
  local said = before or (has_stops and take_stop(stops, person))
  -- a STOP is of the channel: nobody else takes it back, not even with another address
  if said and said.state == 'opted-out' and not is_own_word then
    contact.state, contact.since = said.state, said.since
  end
  -- they have agreed to this address, and to no other
  contact.agreed = agreed or (before and before.address == contact.address and before.agreed or nil)
  local all = { contact }
  for _, other in ipairs(before and before.others or {}) do
    if other.address ~= contact.address then all[#all + 1] = other end
  end
  local text = write_contact(joined(all, has_wishes and redis.call('HEXISTS', wishes, person) == 1))
  redis.call('HSET', contacts, person, text)
  if text ~= stored then mark_dirty(tag, 'person', person) end
end
return (#ARGV - 3) / 2
