--[[ release-address: forgets whose an address is, unless it is someone else's by now
KEYS[1] contact-of:<channel>:<address>  string
ARGV[1] person who gives it up
Returns: 1 released, 0 left alone
Errors: none
Replay: the second time it is nobody's, or someone else's
Flags: allow-oom
]]
local owner, person = KEYS[1], ARGV[1]

if redis.call('GET', owner) ~= person then return 0 end
return redis.call('DEL', owner)
