--[[ decide-application: brings an application into its next state, unless it is in another by now than whoever decides has read
KEYS[1] applications  hash
ARGV[1] id
ARGV[2] the application as it was read, JSON
ARGV[3] as it is to be
Returns: 1 when it is so, 0 when it is another
Errors: none
Replay: the second run finds it as it is to be
]]
local applications, id, before, after = KEYS[1], ARGV[1], ARGV[2], ARGV[3]

local now = redis.call('HGET', applications, id)
if now == after then return 1 end
if now ~= before then return 0 end
redis.call('HSET', applications, id, after)
return 1
