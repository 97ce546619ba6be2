--[[ keep-application: keeps an application to be put into the list of people, and takes out those that have lapsed
KEYS[1] applications  hash
ARGV[1] id
ARGV[2] the application, JSON, as applications.ts has it
ARGV[3] so many may be open for one group
ARGV[4] and so many in all
Returns: 1 when it is kept now, 0 when there was one of this id
Errors: FULL so many are open
Replay: the second run finds it there

Of one contact one is open: the latest. It counts no more against the others.
]]
--#include clock
local applications, id = KEYS[1], ARGV[1]
if redis.call('HEXISTS', applications, id) == 1 then return 0 end

local new, now = cjson.decode(ARGV[2]), now_ms()
local who, gone, of_group, open = new.applicant, {}, 0, 0
local all = redis.call('HGETALL', applications)
for i = 1, #all, 2 do
  local kept = cjson.decode(all[i + 1])
  local other = kept.applicant
  local is_same = kept.state == 'open' and other.channel == who.channel and other.address == who.address
  if kept.untilMs <= now or is_same then
    gone[#gone + 1] = all[i]
  elseif other then
    open = open + 1
    if other.group == who.group then of_group = of_group + 1 end
  end
end
if of_group >= tonumber(ARGV[3]) or open >= tonumber(ARGV[4]) then
  return redis.error_reply('FULL so many applications are open that no more are taken')
end
for _, each in ipairs(gone) do redis.call('HDEL', applications, each) end
redis.call('HSET', applications, id, ARGV[2])
redis.call('PEXPIREAT', applications, new.untilMs)
return 1
