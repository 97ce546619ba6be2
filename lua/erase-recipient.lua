--[[ erase-recipient: takes one person out of what is kept of a message; their receipts stay, as those of nobody
KEYS[1] history:{tag}:<m>   hash
KEYS[2] record:{tag}:<m>    string
KEYS[3] audience:{tag}:<m>  string
ARGV[1] <m>, <sender>:<id>
ARGV[2] tag of the shard
ARGV[3] ordinal of the person; empty where only the record names them
ARGV[4] what stands in the audience from now on, as wide as an id there
ARGV[5] the record as it was read
ARGV[6] the record without the person
ARGV[7] 1 where the record named them beside the audience; else 0
Computed: evidence, tried:{tag}:<m>:<leg> hash; secret:{tag}:<m>, about:{tag}:<sender>:<about> string; merge:{tag}:<sender>:<person>:<type> zset; watched, dirty:{tag} zset
Returns: 1, also where there is no such message any more; 0 where the record is another by now, and nothing was written
Errors: none
Replay: the record is another then, and nothing is written
Flags: allow-oom

`erased` of the history names their ordinals, each between commas: nobody is attempted there any more, and no evidence is kept. What named
them and is put again is another body: its digest is of whom it was for.
]]
--#include keys
--#include dirty
--#include change
--#include evidence
--#include merge
local history, record, audience = KEYS[1], KEYS[2], KEYS[3]
local message, tag, ordinal, row, before, after = ARGV[1], ARGV[2], ARGV[3], ARGV[4], ARGV[5], ARGV[6]
local is_named = ARGV[7] == '1'

local known = redis.call('HMGET', history, 'state', 'expected', 'erased', 'about', 'corrections')
if not known[1] then return 1 end
if redis.call('GET', record) ~= before then return 0 end
redis.call('SET', record, after)
if is_named then redis.call('HSET', history, 'digest', 'erased') end
if known[4] then
  local sender, id = string.match(message, '^([^:]+):(.+)$')
  local about = about_key(tag, sender, known[4])
  if redis.call('GET', about) == id then redis.call('UNLINK', about) end
  redis.call('HDEL', history, 'about')
end
take_off_merge(history, tag, message)
if ordinal ~= '' then
  if redis.call('EXISTS', audience) == 1 then redis.call('SETRANGE', audience, ordinal * #row, row) end
  for leg in string.gmatch((known[2] or '') .. ',' .. (known[5] or ''), '[^,]+') do
    drop_evidence(evidence_key(tag, message, leg), ordinal)
    redis.call('HDEL', tried_key(tag, message, leg), ordinal)
  end
  redis.call('HSET', history, 'erased', (known[3] or ',') .. ordinal .. ',')
  redis.call('UNLINK', secret_key(tag, message))
end
announce(tag, message)
return 1
