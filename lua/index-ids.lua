--[[ index-ids: notes whom a provider's message ids stand for
KEYS[1] provider-id:{ptag}:<channel>:<provider id>  hash, of the first of them
ARGV[1] how long a recipient is kept, ms
ARGV[2] tag of the place of these ids
ARGV[3] channel
ARGV[4..] of each: provider id; recipient, its history's key, leg and ordinal
Computed: provider-id:{ptag}:<channel>:<provider id> hash, of the others
Returns: for each the report that was noted before, nil where there is none
Errors: none
Replay: the second run notes the same, and finds the reports that have come by then
]]
--#include keys
local kept_ms, ptag, channel = ARGV[1], ARGV[2], ARGV[3]
local reports = {}
for i = 4, #ARGV, 2 do
  local key = i == 4 and KEYS[1] or provider_id_key(ptag, channel, ARGV[i])
  redis.call('HSET', key, 'recipient', ARGV[i + 1])
  redis.call('PEXPIRE', key, kept_ms)
  reports[#reports + 1] = redis.call('HGET', key, 'report')
end
return reports
