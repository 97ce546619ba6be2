--[[ put-people: writes or removes records of people of one bucket
KEYS[1] people:{ptag}  hash
ARGV[1] tag of the bucket
ARGV[2..] of each: person; record, empty to remove it
Computed: watched, dirty:{ptag} zset
Returns: how many records there are more, or less
Errors: none
Replay: the second run finds what it was to write
Flags: allow-oom
]]
--#include keys
--#include dirty
local people, tag = KEYS[1], ARGV[1]

local before = redis.call('HLEN', people)
for i = 2, #ARGV, 2 do
  local person, record = ARGV[i], ARGV[i + 1]
  local was = redis.call('HGET', people, person) or ''
  if was ~= record then
    if record == '' then redis.call('HDEL', people, person) else redis.call('HSET', people, person, record) end
    mark_dirty(tag, 'person', person)
  end
end
return math.abs(redis.call('HLEN', people) - before)
