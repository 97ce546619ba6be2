--[[ clear-reports: clears reports away that have been applied to their recipients
KEYS[1] provider-id:{ptag}:<channel>:<provider id>  hash, of the first of them
ARGV[1] how long a recipient is kept then, for another report, ms
ARGV[2] tag of the place of these ids
ARGV[3] channel
ARGV[4..] of each form of an id: the id; 1 where recipient and report have met under it, else empty
Computed: provider-id:{ptag}:<channel>:<provider id> hash, of the others
Returns: how many reports were cleared
Errors: none
Replay: there is nothing left to clear; the recipient is kept as long again
Flags: allow-oom
]]
--#include keys
local kept_ms, ptag, channel = ARGV[1], ARGV[2], ARGV[3]
local cleared = 0
for i = 4, #ARGV, 2 do
  local key = i == 4 and KEYS[1] or provider_id_key(ptag, channel, ARGV[i])
  cleared = cleared + redis.call('HDEL', key, 'report')
  if ARGV[i + 1] ~= '' then redis.call('PEXPIRE', key, kept_ms) end
end
return cleared
