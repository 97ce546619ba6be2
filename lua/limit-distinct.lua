--[[ limit-distinct: counts somebody new, and says whether it is one too many for its window
KEYS[1] limit:<what>:<who>  set, expiring
ARGV[1] who is meant now
ARGV[2] how many different ones a window at most
ARGV[3] length of the window, ms; it begins with the first
Returns: 0 when it may go on, else after how many ms the window is over
Errors: none
Replay: the second time whoever is meant is known
]]
local known, who, max, window_ms = KEYS[1], ARGV[1], tonumber(ARGV[2]), ARGV[3]

if redis.call('SISMEMBER', known, who) == 1 then return 0 end
if redis.call('SCARD', known) >= max then return math.max(1, redis.call('PTTL', known)) end
redis.call('SADD', known, who)
if redis.call('PTTL', known) < 0 then redis.call('PEXPIRE', known, window_ms) end
return 0
