--[[ met: clears words away that have been brought to their recipients
KEYS[1] handover:{<channel>}:<provider id>  hash, of the first of them
ARGV[1] how long a recipient is kept then, for another word, ms
ARGV[2..] of each form of the id: the id; 1 where recipient and word have met under it, else empty
Computed: handover:{<channel>}:<provider id> hash, of the others
Returns: how many words were cleared
Errors: none
Replay: there is nothing left to clear; the recipient is kept as long again
Flags: allow-oom
]]
local prefix = string.match(KEYS[1], '^handover:{.-}:')
local cleared = 0
for i = 2, #ARGV, 2 do
  local key = prefix .. ARGV[i]
  cleared = cleared + redis.call('HDEL', key, 'word')
  if ARGV[i + 1] ~= '' then redis.call('PEXPIRE', key, ARGV[1]) end
end
return cleared
