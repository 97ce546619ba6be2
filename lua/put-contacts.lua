--[[ put-contacts: stores contacts of people of one bucket as active, and notes in each whether its person has wishes
KEYS[1] contacts:{ptag}:<channel>  hash
KEYS[2] wishes:{ptag}              hash
ARGV[1] 1 when the person links it, 0 when somebody else does, or an import
ARGV[2] tag of the bucket
ARGV[3..] of each: person; address
Computed: watched, dirty:{ptag} zset
Returns: how many were stored
Errors: none
Replay: the second run stores the same
]]
--#include keys
--#include dirty
--#include contact
local contacts, wishes, is_own_word, tag = KEYS[1], KEYS[2], ARGV[1] == '1', ARGV[2]

local has_wishes = redis.call('EXISTS', wishes) == 1
for i = 3, #ARGV, 2 do
  local person, contact = ARGV[i], { address = ARGV[i + 1], state = 'active' }
  local stored = redis.call('HGET', contacts, person)
  local before = stored and read_contact(stored)
  -- a STOP is of the channel: nobody else takes it back, not even with another address
  if before and before.state == 'opted-out' and not is_own_word then
    contact.state, contact.since = before.state, before.since
  end
  if has_wishes and redis.call('HEXISTS', wishes, person) == 1 then contact.wishes = true end
  local text = write_contact(contact)
  redis.call('HSET', contacts, person, text)
  if text ~= stored then mark_dirty(tag, 'person', person) end
end
return (#ARGV - 2) / 2
