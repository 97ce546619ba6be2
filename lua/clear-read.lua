--[[ clear-read: clears messages away whose receipts say that they have been read
KEYS[1] unread:{ptag}:<channel>:<address>  hash, of the first of them
ARGV[1] how long it is kept then what an address has read, where nothing else is left, ms
ARGV[2] tag of the place of these addresses
ARGV[3] channel
ARGV[4..] of each: address; provider id
Computed: unread:{ptag}:<channel>:<address> hash, of the others
Returns: how many were cleared
Errors: none
Replay: there is nothing left to clear
Flags: allow-oom
]]
--#include keys
local kept_ms, ptag, channel = ARGV[1], ARGV[2], ARGV[3]
local cleared = 0
for i = 4, #ARGV, 2 do
  local key = i == 4 and KEYS[1] or unread_key(ptag, channel, ARGV[i])
  cleared = cleared + redis.call('HDEL', key, ARGV[i + 1])
  if redis.call('HLEN', key) == 1 then redis.call('PEXPIRE', key, kept_ms) end
end
return cleared
