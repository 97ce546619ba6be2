--[[ put-wishes: stores what a person wants, and marks their contacts, so that only whose person has wishes is asked for them
KEYS[1] wishes:{ptag}  hash
ARGV[1] person
ARGV[2] tag of the person's bucket
ARGV[3] the wishes as they were read before, empty when there were none
ARGV[4] the wishes to be stored, empty for none
ARGV[5..] channels that have contacts
Computed: contacts:{ptag}:<channel> hash, of each channel
Returns: 1 when they are stored, 0 when somebody has changed them meanwhile
Errors: none
Replay: the second run finds what it was to store, and marks the contacts again
Flags: allow-oom
]]
--#include contact
--#include keys
local wishes, person, tag, before, wanted = KEYS[1], ARGV[1], ARGV[2], ARGV[3], ARGV[4]

local stored = redis.call('HGET', wishes, person) or ''
if stored ~= before and stored ~= wanted then return 0 end
if wanted == '' then
  redis.call('HDEL', wishes, person)
else
  redis.call('HSET', wishes, person, wanted)
end
for i = 5, #ARGV do
  local contacts = contacts_key(tag, ARGV[i])
  local found = redis.call('HGET', contacts, person)
  if found then
    local contact = read_contact(found)
    contact.wishes = wanted ~= '' or nil
    redis.call('HSET', contacts, person, write_contact(contact))
  end
end
return 1
