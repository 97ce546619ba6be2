--[[ begin-growth: whoever joins the fleet from now on looks into more shards; new things are laid as before
KEYS[1] fleet  hash
ARGV[1] how many shards there are
ARGV[2] how many there are to be
ARGV[3] the layout of a fleet that has grown
Returns: 1 where it has begun; 0 where there are not so many, or a growth is under way
Errors: none
Replay: the second run finds the growth under way, and changes nothing
]]
local fleet, from, to, layout = KEYS[1], ARGV[1], ARGV[2], ARGV[3]
local found = redis.call('HMGET', fleet, 'shards', 'former', 'since')
if found[1] ~= from or (found[2] and not found[3]) then return 0 end
local former = found[2] and found[2] .. ' ' .. from or from
redis.call('HSET', fleet, 'shards', to, 'former', former, 'layout', layout)
redis.call('HDEL', fleet, 'since')
return 1
