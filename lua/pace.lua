--[[ pace: reserves units of the rate that all processes of one account share, evenly one after the other; the classes share them by weight
KEYS[1] turns:{<channel>:<account>}   hash, expiring: `at`, when the next unit may go out, and `asked`, when somebody last asked, Unix microseconds; and whose turn it is, see lib/turns.lua
KEYS[2] pause:{<channel>:<account>}  string, expiring
ARGV[1] time one unit takes, microseconds
ARGV[2] how far ahead may be reserved, microseconds
ARGV[3] weights of urgent, normal and bulk, separated by blanks
ARGV[4] who asks: a class and its units, and so on, separated by blanks
Returns: the ms after which the others may ask again, 0 when there are none; then of each who got their units which of ARGV[4] it is, from 1, the wait in ms before they may go out, and nothing
Errors: none
Replay: the second run reserves once more: a little slower, never faster
]]
--#include pauses
--#include turns
local key, pause = KEYS[1], KEYS[2]
local unit_us, ahead_us = tonumber(ARGV[1]), tonumber(ARGV[2])
local paused_ms = paused_for(pause)
if paused_ms > 0 then return { paused_ms } end
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local turns = read_turns(key, ARGV[3], ARGV[4], now)
local at = math.max(tonumber(redis.call('HGET', key, 'at') or '0'), now)
return give_turns(turns, ahead_us, now, function() return at - now end, function(units)
  at = at + units * unit_us
  redis.call('HSET', key, 'at', string.format('%.0f', at))
end)
