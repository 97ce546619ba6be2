--[[ take-call: counts a call against a rate; who was quiet may make so many at once
KEYS[1] calls:<owner>  string, expiring: when the calls counted so far are worked off, Unix ms
ARGV[1] ms a call takes of the rate
ARGV[2] ms of calls that may be made at once
Returns: 0 when it may go on, else after how many ms it may
Errors: none
Replay: counts the call twice, which is the safe side
]]
--#include clock
local calls, each_ms, burst_ms = KEYS[1], tonumber(ARGV[1]), tonumber(ARGV[2])

local now = now_ms()
local from = math.max(now, tonumber(redis.call('GET', calls) or 0))
local over_ms = from + each_ms - now - burst_ms
if over_ms > 0 then return math.ceil(over_ms) end
redis.call('SET', calls, string.format('%.3f', from + each_ms), 'PX', math.ceil(from + each_ms - now))
return 0
