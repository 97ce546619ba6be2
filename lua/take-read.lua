--[[ take-read: people have read all messages up to one: whom these stand for
KEYS[1] unread:{ptag}:<channel>:<address>  hash, of the first of them
ARGV[1] how long that is kept for a message that is not noted yet, ms
ARGV[2] tag of the place of these addresses
ARGV[3] channel
ARGV[4..] of each: address; provider id of the newest message that was read, a number
Computed: unread:{ptag}:<channel>:<address> hash, of the others
Returns: for each a list, of each of its messages that has been read the provider id and the recipient
Errors: none
Replay: the second run finds the same, until it is cleared; what is older than was told before changes nothing
]]
--#include keys
local kept_ms, ptag, channel = tonumber(ARGV[1]), ARGV[2], ARGV[3]
local all = {}
for i = 4, #ARGV, 2 do
  local key = i == 4 and KEYS[1] or unread_key(ptag, channel, ARGV[i])
  local up_to = tonumber(redis.call('HGET', key, 'read') or 0)
  if tonumber(ARGV[i + 1]) > up_to then
    up_to = tonumber(ARGV[i + 1])
    redis.call('HSET', key, 'read', ARGV[i + 1])
  end
  if redis.call('PTTL', key) < kept_ms then redis.call('PEXPIRE', key, kept_ms) end
  local found, fields = {}, redis.call('HGETALL', key)
  for at = 1, #fields, 2 do
    if fields[at] ~= 'read' and tonumber(fields[at]) <= up_to then
      found[#found + 1] = fields[at]
      found[#found + 1] = fields[at + 1]
    end
  end
  all[#all + 1] = found
end
return all
