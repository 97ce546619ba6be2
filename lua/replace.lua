--[[ replace: changes a value only where it still is what was found
KEYS[1] same:<sender>:<digest>, or file-reference:{<channel>:<account>}:<file>  string, expiring
ARGV[1] what was found
ARGV[2] what it becomes; empty: it is removed
ARGV[3] how long that is kept, ms
Returns: 1 when it is so now, 0 when somebody has changed it since, or it has lapsed
Errors: none
Replay: the second run finds what the first has made, and answers the same; of what was removed, 0
]]
local key, found, wanted, kept_ms = KEYS[1], ARGV[1], ARGV[2], ARGV[3]

local now = redis.call('GET', key)
if now ~= found then return now == wanted and 1 or 0 end
if wanted == '' then return redis.call('DEL', key) end
redis.call('SET', key, wanted, 'PX', kept_ms)
return 1
