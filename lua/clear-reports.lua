--[[ clear-reports: clears reports away that have been applied to their recipients
KEYS[1] provider-id:{<channel>}:<provider id>  hash, of the first of them
ARGV[1] how long a recipient is kept then, for another report, ms
ARGV[2] channel
ARGV[3..] of each form of an id: the id; 1 where recipient and report have met under it, else empty
Computed: provider-id:{<channel>}:<provider id> hash, of the others
Returns: how many reports were cleared
Errors: none
Replay: there is nothing left to clear; the recipient is kept as long again
Flags: allow-oom
]]
--#include keys
local kept_ms, channel = ARGV[1], ARGV[2]
local cleared = 0
for i = 3, #ARGV, 2 do
  local key = i == 3 and KEYS[1] or provider_id_key(channel, ARGV[i])
  cleared = cleared + redis.call('HDEL', key, 'report')
  if ARGV[i + 1] ~= '' then redis.call('PEXPIRE', key, kept_ms) end
end
return cleared
