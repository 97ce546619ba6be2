--[[ unmark-dirty: takes marks away that were noted in all subscriptions they concern
KEYS[1] dirty:{tag}  zset
ARGV[1..] of each mark: what was marked; number of the mark as it was read
Returns: how many were made anew since they were read, and stay
Errors: none
Replay: what was taken away is gone; a mark made since has another number, and is counted as one that stays
Flags: allow-oom
]]
local dirty = KEYS[1]

local anew = 0
for i = 1, #ARGV, 2 do
  local number = redis.call('ZSCORE', dirty, ARGV[i])
  if number == ARGV[i + 1] then
    redis.call('ZREM', dirty, ARGV[i])
  elseif number then
    anew = anew + 1
  end
end
return anew
