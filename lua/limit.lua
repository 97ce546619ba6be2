--[[ limit: counts a try, and says whether it is one too many for its window
KEYS[1] limit:<what>:<who>  string, expiring
ARGV[1] tries a window at most
ARGV[2] length of the window, ms; it begins with the first try
Returns: 0 when it may go on, else after how many ms the window is over
Errors: none
Replay: counts the try twice, which is the safe side
]]
local tries, max, window_ms = KEYS[1], tonumber(ARGV[1]), ARGV[2]

if redis.call('SET', tries, 1, 'PX', window_ms, 'NX') then return 0 end
if redis.call('INCR', tries) <= max then return 0 end
return math.max(1, redis.call('PTTL', tries))
