--[[ word: notes a provider's word under its message id, where it is not known yet whom the id stands for
KEYS[1] handover:{<channel>}:<provider id>  hash, of the first of them
ARGV[1] how long a word is kept, ms
ARGV[2..] of each: provider id; word, JSON
Computed: handover:{<channel>}:<provider id> hash, of the others
Returns: for each the recipient, nil where none is known: only there the word was noted
Errors: none
Replay: the second run notes the same, and finds the recipients that have come by then
]]
local prefix = string.match(KEYS[1], '^handover:{.-}:')
local recipients = {}
for i = 2, #ARGV, 2 do
  local key = prefix .. ARGV[i]
  local recipient = redis.call('HGET', key, 'recipient')
  recipients[#recipients + 1] = recipient
  if not recipient then
    redis.call('HSET', key, 'word', ARGV[i + 1])
    redis.call('PEXPIRE', key, ARGV[1])
  end
end
return recipients
