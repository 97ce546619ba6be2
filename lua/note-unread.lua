--[[ note-unread: notes whom messages stand for, by their addresses, where the provider tells up to which of its messages somebody has read
KEYS[1] unread:{ptag}:<channel>:<address>  hash, of the first of them
ARGV[1] how long they are kept, ms
ARGV[2] how many of an address are kept: the newest
ARGV[3] tag of the place of these addresses
ARGV[4] channel
ARGV[5..] of each: address; provider id, a number; recipient, its history's key, leg and ordinal
Computed: unread:{ptag}:<channel>:<address> hash, of the others
Returns: for each 1 where it was told before that it has been read, else 0
Errors: none
Replay: the second run notes the same, and finds what has been told by then
]]
--#include keys
local kept_ms, kept, ptag, channel = ARGV[1], tonumber(ARGV[2]), ARGV[3], ARGV[4]

local function drop_oldest(key)
  local oldest
  for _, id in ipairs(redis.call('HKEYS', key)) do
    if id ~= 'read' and (oldest == nil or tonumber(id) < tonumber(oldest)) then oldest = id end
  end
  redis.call('HDEL', key, oldest)
end

local are_read = {}
for i = 5, #ARGV, 3 do
  local key, id = i == 5 and KEYS[1] or unread_key(ptag, channel, ARGV[i]), ARGV[i + 1]
  local read = redis.call('HGET', key, 'read')
  redis.call('HSET', key, id, ARGV[i + 2])
  redis.call('PEXPIRE', key, kept_ms)
  if redis.call('HLEN', key) > kept + (read and 1 or 0) then drop_oldest(key) end
  are_read[#are_read + 1] = read and tonumber(id) <= tonumber(read) and 1 or 0
end
return are_read
