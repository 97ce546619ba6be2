--[[ note-reports: notes a provider's reports under its message ids, where it is not known yet whom an id stands for
KEYS[1] provider-id:{ptag}:<channel>:<provider id>  hash, of the first of them
ARGV[1] how long a report is kept, ms
ARGV[2] tag of the place of these ids
ARGV[3] channel
ARGV[4..] of each: provider id; report, JSON
Computed: provider-id:{ptag}:<channel>:<provider id> hash, of the others
Returns: for each the recipient, nil where none is known: only there the report was noted
Errors: none
Replay: the second run notes the same, and finds the recipients that have come by then
]]
--#include keys
local kept_ms, ptag, channel = ARGV[1], ARGV[2], ARGV[3]
local recipients = {}
for i = 4, #ARGV, 2 do
  local key = i == 4 and KEYS[1] or provider_id_key(ptag, channel, ARGV[i])
  local recipient = redis.call('HGET', key, 'recipient')
  recipients[#recipients + 1] = recipient
  if not recipient then
    redis.call('HSET', key, 'report', ARGV[i + 1])
    redis.call('PEXPIRE', key, kept_ms)
  end
end
return recipients
