--[[ take-online: people have been reported online: of each, what is soonest due of what waits for that
KEYS[1] people:{ptag}  hash
ARGV[1] tag of the bucket
ARGV[2] id of the report
ARGV[3] how long after one who was called the next is, ms
ARGV[4..] of each: person; what this report has taken and found to be over, empty at first
Computed: waiting-online:{ptag}:<person> zset; online:{ptag}:<person> string
Returns: of each the member of their list that is to be called; empty for none
Errors: none
Replay: the report names what it has taken: the same again, while that waits; else nothing

What is taken stays on the list until it was called. Within the time after one was called a report counts for nothing; of whom nobody
knows, never.
]]
--#include clock
--#include keys
--#include reports
local known, ptag, id, interval_ms = KEYS[1], ARGV[1], ARGV[2], tonumber(ARGV[3])
local now = now_ms()

-- What has expired is passed over, and leaves the list.
local function soonest(waiting)
  for _, member in ipairs(redis.call('ZRANGE', waiting, 0, 99)) do
    if tonumber(string.match(member, '^%S+ (%d+)')) > now then return member end
    redis.call('ZREM', waiting, member)
  end
  return ''
end

local function take(person, over)
  if redis.call('HEXISTS', known, person) == 0 then return '' end
  local waiting, report = waiting_online_key(ptag, person), read_report(ptag, person)
  if report and report.member ~= '' then
    if report.id ~= id and now - report.at < interval_ms then return '' end
    -- taken by an earlier run, or by a courier since: it is spent, unless that was over
    if report.id == id and report.member ~= over then return redis.call('ZSCORE', waiting, report.member) and report.member or '' end
  end
  local member = soonest(waiting)
  write_report(ptag, person, now, id, member, interval_ms)
  return member
end

local answers = {}
for i = 4, #ARGV, 2 do answers[#answers + 1] = take(ARGV[i], ARGV[i + 1]) end
return answers
