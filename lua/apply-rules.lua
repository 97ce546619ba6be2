--[[ apply-rules: notes in a shard the rules about people by which whoever waits is held from now on
KEYS[1] held-rules:{tag}  string
ARGV[1] version of the settings they are of
ARGV[2] digest of the rules
ARGV[3] applied once everybody who waits in the shard was called forward, else empty
Returns: 1 when they are in force, 0 where newer ones are
Errors: none
Replay: the second run writes the same
]]
local key, version, digest, applied = KEYS[1], ARGV[1], ARGV[2], ARGV[3]

local known = string.match(redis.call('GET', key) or '', '^%d+')
if known and tonumber(known) > tonumber(version) then return 0 end
redis.call('SET', key, version .. ' ' .. digest .. (applied ~= '' and ' applied' or ''))
return 1
