--[[ raise-laid-by: from now on nothing new is laid here by fewer shards
KEYS[1] laid-by:{tag}  string
ARGV[1] by how many shards new things are laid
Returns: by how many, which may be more than asked for
Errors: none
Replay: the second run finds it
]]
local laid_by, shards = KEYS[1], tonumber(ARGV[1])
local known = tonumber(redis.call('GET', laid_by) or 0)
if known >= shards then return known end
redis.call('SET', laid_by, shards)
return shards
