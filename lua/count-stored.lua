--[[ count-stored: counts a message and its bytes against what its sender may have stored in a day
KEYS[1] stored:<sender>  hash, expiring
ARGV[1] messages now
ARGV[2] bytes now
ARGV[3] messages a day at most
ARGV[4] bytes a day at most
ARGV[5] length of the day, ms; it begins with the first
Returns: 0 when there was room, else after how many ms the day is over
Errors: none
Replay: counts them twice, which is the safe side
]]
local stored = KEYS[1]
local messages, bytes = tonumber(ARGV[1]), tonumber(ARGV[2])
local max_messages, max_bytes, day_ms = tonumber(ARGV[3]), tonumber(ARGV[4]), ARGV[5]

local before = redis.call('HMGET', stored, 'messages', 'bytes')
local all_messages = messages + tonumber(before[1] or 0)
local all_bytes = bytes + tonumber(before[2] or 0)
if all_messages > max_messages or all_bytes > max_bytes then return math.max(1, redis.call('PTTL', stored)) end
redis.call('HSET', stored, 'messages', all_messages, 'bytes', string.format('%.0f', all_bytes))
if not before[1] then redis.call('PEXPIRE', stored, day_ms) end
return 0
