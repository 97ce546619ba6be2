--[[ settle-budget: ends reservations of a budget, where they still are as they were made: what the provider has taken stays spent
KEYS[1] budget:<budget>  hash
ARGV[1..] three of each: name of the attempt; the reservation, as it was made; 1 where it certainly came to nothing, which gives it back
Returns: how many were ended
Errors: none
Replay: they are ended already
]]
local budget, ended, back = KEYS[1], 0, 0

for i = 1, #ARGV, 3 do
  local name, reservation = ARGV[i], ARGV[i + 1]
  if redis.call('HGET', budget, name) == reservation then
    redis.call('HDEL', budget, name)
    ended = ended + 1
    if ARGV[i + 2] == '1' then back = back + tonumber(string.match(reservation, '^%d+')) end
  end
end
if back > 0 then redis.call('HINCRBY', budget, 'spent', string.format('-%.0f', back)) end
return ended
