--[[ restore-contacts: what a person had on a channel is there again, and nothing else, in one step
KEYS[1] contacts:{ptag}:<channel>  hash
KEYS[2] wishes:{ptag}              hash
KEYS[3] stop:{ptag}:<channel>      hash
ARGV[1] person
ARGV[2] tag of the person's bucket
ARGV[3] the contacts, in their order: a JSON array of them as lib/contact.lua has one; may be empty
Computed: watched, dirty:{ptag} zset
Returns: 1 changed, 0 it is so already
Errors: none
Replay: the second time it is so already

A STOP since stays, and is of all of them, or kept where there is none.
]]
--#include keys
--#include dirty
--#include contact
local contacts, wishes, stops, person = KEYS[1], KEYS[2], KEYS[3], ARGV[1]

local stored, all = redis.call('HGET', contacts, person), cjson.decode(ARGV[3])
local now = stored and read_contact(stored) or (#all > 0 and take_stop(stops, person)) or {}
for _, each in ipairs(all) do
  if now.state == 'opted-out' and each.state ~= 'opted-out' then
    each.state, each.since, each.reason = 'opted-out', now.since, nil
  end
end
local first = joined(all, redis.call('HEXISTS', wishes, person) == 1)
local text = first and write_contact(first) or false
if text == stored then return 0 end
if text then
  redis.call('HSET', contacts, person, text)
else
  redis.call('HDEL', contacts, person)
  keep_stop(stops, person, now)
end
mark_dirty(ARGV[2], 'person', person)
return 1
