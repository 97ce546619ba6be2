--[[ mark-contact: changes the state of a contact, unless the person has this address no more; what they say of it holds for all of theirs on the channel
KEYS[1] contacts:{ptag}:<channel>  hash
ARGV[1] person
ARGV[2] address that the mark is about
ARGV[3] state to be marked
ARGV[4] the channel's own word for it, may be empty
ARGV[5] when that was so, Unix ms; empty for now
ARGV[6] 1 when the person says it, 0 when anybody else does
ARGV[7] tag of the person's bucket
ARGV[8] how the person agrees to it, JSON; empty where they do not
Computed: watched, dirty:{ptag} zset
Returns: 1 changed, 0 left alone (no such contact, marked so before, older than a sign of life, or opted out of by the person); agreeing anew is a change
Errors: none
Replay: the second time the state is there already, so `since` keeps the first moment
]]
--#include clock
--#include keys
--#include dirty
--#include contact
local contacts, person, address, state, reason = KEYS[1], ARGV[1], ARGV[2], ARGV[3], ARGV[4]
local at, is_own_word = tonumber(ARGV[5]) or now_ms(), ARGV[6] == '1'

local stored = redis.call('HGET', contacts, person)
if not stored then return 0 end
local first, contact = read_contact(stored), nil
for _, each in ipairs(contacts_in(first)) do
  if each.address == address then contact = each end
end
if not contact then return 0 end
-- what a provider says must not undo what the person has said
if contact.state == 'opted-out' and not is_own_word then return 0 end

local is_sign_of_life, is_new = state == 'active', contact.state ~= state
-- a refusal is of the moment at which it was tried: whoever was heard since can be written to
if not is_sign_of_life and at < (contact.heard or 0) then return 0 end
if is_sign_of_life then contact.heard = at end
if is_new then
  contact.state, contact.since = state, at
  contact.reason = reason ~= '' and reason or nil
end
if ARGV[8] ~= '' then
  contact.agreed = cjson.decode(ARGV[8])
  contact.agreed.at = contact.agreed.at or at
  is_new = true
end
-- STOP and START are of the person: they are not said of a phone
for _, each in ipairs(is_own_word and contacts_in(first) or {}) do
  if each.state ~= state and (state == 'opted-out' or each.state == 'opted-out') then
    each.state, each.since, each.reason = state, at, nil
    is_new = true
  end
end
if is_new or is_sign_of_life then redis.call('HSET', contacts, person, write_contact(first)) end
if is_new then mark_dirty(ARGV[7], 'person', person) end
return is_new and 1 or 0
