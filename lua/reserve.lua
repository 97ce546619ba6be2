--[[ reserve: counts a message against its sender's day, unless that would be one too many
KEYS[1] quota:<sender>  zset
ARGV[1] history key
ARGV[2] messages a day at most
ARGV[3] now, Unix ms
ARGV[4] start of the sender's day, Unix ms
ARGV[5] how long that day still lasts, ms
Returns: 1 counted, now or before, 0 refused; and how many are counted
Errors: none
Replay: the second run finds the history counted

What was counted on an earlier day is removed here: a zset holds one day.
]]
local quota, history, max = KEYS[1], ARGV[1], tonumber(ARGV[2])
local now, day_start, rest_ms = ARGV[3], ARGV[4], ARGV[5]

redis.call('ZREMRANGEBYSCORE', quota, '-inf', '(' .. day_start)
local used = redis.call('ZCARD', quota)
if redis.call('ZSCORE', quota, history) then return { 1, used } end
if used >= max then return { 0, used } end
redis.call('ZADD', quota, now, history)
redis.call('PEXPIRE', quota, rest_ms)
return { 1, used + 1 }
