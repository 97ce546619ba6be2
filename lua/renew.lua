--[[ renew: starts the leases of claims anew, where they are still this process's own
KEYS[1] work:{tag}:<channel>:<class>  stream
ARGV[1] channel, the group
ARGV[2] consumer
ARGV[3..] pairs of entry id and delivery count of the claim
Returns: 1 for a renewed lease and 0 for a lost one, in order
Errors: none
Replay: a lease renewed twice is renewed
Flags: allow-oom
]]
--#include generation
--#include lease
local stream, channel, consumer = KEYS[1], ARGV[1], ARGV[2]
local kept, own = {}, {}
for i = 3, #ARGV, 2 do
  if owns(stream, channel, consumer, ARGV[i], ARGV[i + 1]) then
    own[#own + 1] = ARGV[i]
    kept[#kept + 1] = 1
  else
    kept[#kept + 1] = 0
  end
end
if #own > 0 then renew(stream, channel, consumer, own) end
return kept
