--[[ await-online: people of a message that goes out when they are online: who was reported so is called, everyone else waits for the next report
KEYS[1] people:{ptag}  hash
ARGV[1] tag of the bucket
ARGV[2] of the message: <accepted> <expires> <tag of its shard> <m>
ARGV[3] when it was due, Unix ms
ARGV[4] when it expires, Unix ms
ARGV[5] how long after one who was called the next is, ms
ARGV[6..] of each: person, ordinal
Computed: waiting-online:{ptag}:<person> zset; online:{ptag}:<person> string
Returns: for each 1 when they are to be called, else 0
Errors: none
Replay: who was to be called is so again: the report names the message

A report that has called nobody counts for 60 seconds, for a message that falls due meanwhile. Whoever is to be called waits, too, until
call-online has run, and is taken off the list after that: should nobody come to that, the next report finds them.
]]
--#include clock
--#include keys
--#include reports
local known, ptag, message, due, expires, interval_ms = KEYS[1], ARGV[1], ARGV[2], ARGV[3], tonumber(ARGV[4]), tonumber(ARGV[5])
local now = now_ms()

local function await(person, member)
  if redis.call('HEXISTS', known, person) == 0 then return 0 end
  local waiting = waiting_online_key(ptag, person)
  redis.call('ZADD', waiting, 'NX', due, member)
  -- the list is there until the last of them has expired
  if redis.call('PEXPIRETIME', waiting) < expires then redis.call('PEXPIREAT', waiting, string.format('%.0f', expires)) end
  local report = read_report(ptag, person)
  if not report then return 0 end
  if report.member == member then return 1 end
  if report.member ~= '' or now - report.at > counts_ms then return 0 end
  write_report(ptag, person, now, report.id, member, interval_ms)
  return 1
end

local answers = {}
for i = 6, #ARGV, 2 do answers[#answers + 1] = await(ARGV[i], message .. ' ' .. ARGV[i + 1]) end
return answers
