--[[ redeem: gives an enrolment code to the first address that types it
KEYS[1] enrolment:<channel>:<digest>  string, expiring
ARGV[1] address
Returns: the person it was issued for; nil when there is no such code, or another address had it
Errors: none
Replay: the second run finds the code taken by the same address and answers the same
]]
local enrolment, address = KEYS[1], ARGV[1]

local person, taken_by = string.match(redis.call('GET', enrolment) or '', '^([^ ]+) ?(.*)$')
if not person then return nil end
if taken_by == '' then
  redis.call('SET', enrolment, person .. ' ' .. address, 'KEEPTTL')
  return person
end
return taken_by == address and person or nil
