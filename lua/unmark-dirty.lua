--[[ unmark-dirty: takes marks away that were noted in all subscriptions they concern
KEYS[1] dirty:{tag}  zset
ARGV[1..] of each mark: what was marked; number of the mark as it was read
Returns: how many were taken away: not those that were made anew since
Errors: none
Replay: what was taken away is gone; a mark made since has another number
Flags: allow-oom
]]
local dirty = KEYS[1]

local taken = 0
for i = 1, #ARGV, 2 do
  if redis.call('ZSCORE', dirty, ARGV[i]) == ARGV[i + 1] then
    redis.call('ZREM', dirty, ARGV[i])
    taken = taken + 1
  end
end
return taken
