--[[ drop-contact: takes an address from a person, unless they have it no more; with the first gone the next one is the first, with the last gone a STOP is kept
KEYS[1] contacts:{ptag}:<channel>  hash
KEYS[2] stop:{ptag}:<channel>      hash
ARGV[1] person
ARGV[2] address to be taken away
ARGV[3] tag of the person's bucket
Computed: watched, dirty:{ptag} zset
Returns: 1 taken, 0 left alone
Errors: none
Replay: the second time there is nothing left to take
Flags: allow-oom
]]
--#include keys
--#include dirty
--#include contact
local contacts, stops, person, address = KEYS[1], KEYS[2], ARGV[1], ARGV[2]

local stored = redis.call('HGET', contacts, person)
if not stored then return 0 end
local before, left = read_contact(stored), {}
local all = contacts_in(before)
for _, each in ipairs(all) do
  if each.address ~= address then left[#left + 1] = each end
end
if #left == #all then return 0 end
mark_dirty(ARGV[3], 'person', person)
local first = joined(left, before.wishes)
if first then
  redis.call('HSET', contacts, person, write_contact(first))
else
  redis.call('HDEL', contacts, person)
  keep_stop(stops, person, before)
end
return 1
