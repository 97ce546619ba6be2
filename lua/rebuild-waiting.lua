--[[ rebuild-waiting: counts anew how many people of a shard's running messages wait for each channel
KEYS[1] waiting:{tag}  hash
KEYS[2] expiry:{tag}   zset
ARGV[1] tag of the shard
Computed: history:{tag}:<m> hash
Returns: for how many channels another number was there
Errors: none
Replay: by then the numbers are right

All running messages in one step, for each of them changes the sum. It comes after rebuild-indexes, which sees to it that the zset names them all.
]]
--#include keys
--#include waiting
--#include waiting-of
local counts, expiry, tag = KEYS[1], KEYS[2], ARGV[1]

local before = {}
local fields = redis.call('HGETALL', counts)
for i = 1, #fields, 2 do before[fields[i]] = tonumber(fields[i + 1]) end

for _, message in ipairs(redis.call('ZRANGE', expiry, 0, -1)) do
  local history = history_key(tag, message)
  if redis.call('HGET', history, 'state') == 'running' then change_waiting_of(history, 1) end
end

local wrong = 0
for channel, people in pairs(waiting) do
  if people ~= (before[channel] or 0) then wrong = wrong + 1 end
end
for channel in pairs(before) do
  if not waiting[channel] then wrong = wrong + 1 end
end
if wrong > 0 then
  redis.call('DEL', counts)
  write_waiting(tag)
end
return wrong
