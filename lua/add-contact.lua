--[[ add-contact: stores further contacts of a person behind those they have on the channel, or instead of some of them, as active; all of them or none
KEYS[1] contacts:{ptag}:<channel>  hash
KEYS[2] wishes:{ptag}              hash
KEYS[3] stop:{ptag}:<channel>      hash
ARGV[1] person
ARGV[2] tag of the person's bucket
ARGV[3] how many somebody may have
ARGV[4..] address, and the one that it is stored instead of, empty for none; repeated
Computed: watched, dirty:{ptag} zset
Returns: 1 when they have all of them, 0 when they would have more than they may, and nothing was stored
Errors: none
Replay: they have them already

What somebody has opted out of stays so with any address, also where they have had none since. An address they have is left as it is, where it is. Without any it is their first, and
so it is behind the others where the one it was to be stored instead of is gone.
]]
--#include keys
--#include dirty
--#include contact
local contacts, wishes, stops, person, tag, most = KEYS[1], KEYS[2], KEYS[3], ARGV[1], ARGV[2], tonumber(ARGV[3])

local stored = redis.call('HGET', contacts, person)
local first = stored and read_contact(stored)
local all = first and contacts_in(first) or {}

local function found_at(address)
  for place, each in ipairs(all) do
    if each.address == address then return place end
  end
end

local added = {}
for i = 4, #ARGV, 2 do
  if not found_at(ARGV[i]) then
    local contact = { address = ARGV[i], state = 'active' }
    all[found_at(ARGV[i + 1]) or #all + 1] = contact
    added[#added + 1] = contact
  end
end
if #all > most then return 0 end
if #added == 0 then return 1 end
local said = first or take_stop(stops, person)
for _, contact in ipairs(added) do
  if said and said.state == 'opted-out' then contact.state, contact.since = said.state, said.since end
end
redis.call('HSET', contacts, person, write_contact(joined(all, redis.call('HEXISTS', wishes, person) == 1)))
mark_dirty(tag, 'person', person)
return 1
