--[[ drop-contact: takes an address from a person, unless the person has another one by now
KEYS[1] contacts:{ptag}:<channel>  hash
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
local contacts, person, address = KEYS[1], ARGV[1], ARGV[2]

local stored = redis.call('HGET', contacts, person)
if not stored or read_contact(stored).address ~= address then return 0 end
mark_dirty(ARGV[3], 'person', person)
return redis.call('HDEL', contacts, person)
