--[[ handover: notes whom a provider's message ids stand for
KEYS[1] handover:{<channel>}:<provider id>  hash, of the first of them
ARGV[1] how long a recipient is kept, ms
ARGV[2..] of each: provider id; recipient, its history's key and ordinal
Computed: handover:{<channel>}:<provider id> hash, of the others
Returns: for each the word that was noted before, nil where there is none
Errors: none
Replay: the second run notes the same, and finds the words that have come by then
]]
local prefix = string.match(KEYS[1], '^handover:{.-}:')
local words = {}
for i = 2, #ARGV, 2 do
  local key = prefix .. ARGV[i]
  redis.call('HSET', key, 'recipient', ARGV[i + 1])
  redis.call('PEXPIRE', key, ARGV[1])
  words[#words + 1] = redis.call('HGET', key, 'word')
end
return words
