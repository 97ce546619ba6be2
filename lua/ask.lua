--[[ ask: gives a message a number of two digits by which a person names it in an answer
KEYS[1] asked:{ptag}:<person>  hash
ARGV[1] <history key> <ordinal>
ARGV[2] number to begin with, 10 to 99
ARGV[3] for how long a number stands for its message, ms
Returns: the number
Errors: none
Replay: the message has its number: the same, and when it was given stays

A number that stands for another message is passed over; where all do, the one that was given first is taken.
]]
--#include clock
local asked, what, first, kept_ms = KEYS[1], ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3])
local now, taken, oldest, oldest_ms = now_ms(), {}, nil, nil
local entries = redis.call('HGETALL', asked)
for i = 1, #entries, 2 do
  local given, of = string.match(entries[i + 1], '^(%d+) (.+)$')
  local given_ms = tonumber(given)
  if of == what then return tonumber(entries[i]) end
  if given_ms + kept_ms > now then
    taken[entries[i]] = true
    if not oldest_ms or given_ms < oldest_ms then oldest, oldest_ms = tonumber(entries[i]), given_ms end
  end
end
local number = oldest
for offset = 0, 89 do
  local candidate = 10 + (first - 10 + offset) % 90
  if not taken[tostring(candidate)] then
    number = candidate
    break
  end
end
redis.call('HSET', asked, number, string.format('%.0f', now) .. ' ' .. what)
redis.call('PEXPIRE', asked, kept_ms)
return number
