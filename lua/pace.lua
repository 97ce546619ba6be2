--[[ pace: reserves units of the rate that all processes of one account share, evenly one after the other
KEYS[1] pace:{<channel>:<account>}   string, expiring: when the next unit may go out, Unix microseconds
KEYS[2] pause:{<channel>:<account>}  string, expiring
ARGV[1] units wanted
ARGV[2] time one unit takes, microseconds
ARGV[3] how far ahead may be reserved, microseconds
Returns: 1 and the wait in ms before the units may go out; or 0 and the ms after which to ask again, nothing reserved
Errors: none
Replay: the second run reserves once more: a little slower, never faster
]]
local pace, pause = KEYS[1], KEYS[2]
local units, unit_us, ahead_us = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local paused_ms = redis.call('PTTL', pause)
if paused_ms > 0 then return { 0, paused_ms } end
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local next_us = math.max(tonumber(redis.call('GET', pace) or '0'), now)
local wait_us = next_us - now
if wait_us > ahead_us then return { 0, math.ceil((wait_us - ahead_us) / 1000) } end
next_us = next_us + units * unit_us
redis.call('SET', pace, string.format('%.0f', next_us), 'PX', math.ceil((next_us - now) / 1000) + 1000)
return { 1, math.ceil(wait_us / 1000) }
