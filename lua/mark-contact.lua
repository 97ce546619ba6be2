--[[ mark-contact: changes the state of a contact, unless the person has another address by now
KEYS[1] contacts:{ptag}:<channel>  hash
ARGV[1] person
ARGV[2] address that the mark is about
ARGV[3] state to be marked
ARGV[4] the contact as it is to be stored
ARGV[5] 1 when the person says it, 0 when the provider does
Returns: 1 changed, 0 left alone (no contact, another address, marked so before, or opted out of by the person)
Errors: none
Replay: the second time the state is there already, so `since` keeps the first moment
]]
--#include contact
local contacts, person, address, state, record, is_own_word = KEYS[1], ARGV[1], ARGV[2], ARGV[3], ARGV[4], ARGV[5] == '1'

local stored = redis.call('HGET', contacts, person)
if not stored then return 0 end
local contact = read_contact(stored)
if contact.address ~= address or contact.state == state then return 0 end
-- what a provider says must not undo what the person has said
if contact.state == 'opted-out' and not is_own_word then return 0 end
redis.call('HSET', contacts, person, record)
return 1
