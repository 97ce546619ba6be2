--[[ add-contact: stores further contacts of a person behind those they have on the channel, or instead of some of them, as active; all of them or none
KEYS[1] contacts:{ptag}:<channel>  hash
KEYS[2] wishes:{ptag}              hash
ARGV[1] person
ARGV[2] tag of the person's bucket
ARGV[3] how many somebody may have
ARGV[4..] address, and the one that it is stored instead of, empty for none; repeated
Computed: watched, dirty:{ptag} zset
Returns: 1 when they have all of them, 0 when they would have more than they may, and nothing was stored
Errors: none
Replay: they have them already

What somebody has opted out of stays so with any address. An address they have is left as it is, where it is. Without any it is their first, and
so it is behind the others where the one it was to be stored instead of is gone.
]]
--#include keys
--#include dirty
--#include contact
local contacts, wishes, person, tag, most = KEYS[1], KEYS[2], ARGV[1], ARGV[2], tonumber(ARGV[3])

local stored = redis.call('HGET', contacts, person)
local all = stored and contacts_in(read_contact(stored)) or {}
local first = all[1]

local function found_at(address)
  for place, each in ipairs(all) do
    if each.address == address then return place end
  end
end

local is_changed = false
for i = 4, #ARGV, 2 do
  if not found_at(ARGV[i]) then
    local contact = { address = ARGV[i], state = 'active' }
    if first and first.state == 'opted-out' then contact.state, contact.since = 'opted-out', first.since end
    all[found_at(ARGV[i + 1]) or #all + 1] = contact
    is_changed = true
  end
end
if #all > most then return 0 end
if not is_changed then return 1 end
redis.call('HSET', contacts, person, write_contact(joined(all, redis.call('HEXISTS', wishes, person) == 1)))
mark_dirty(tag, 'person', person)
return 1
