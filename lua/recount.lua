--[[ recount: the counters of a message and the receipts of some of its legs, of one moment; changes nothing
KEYS[1] history:{tag}:<m>  hash
ARGV[1] tag of the shard
ARGV[2] the message, <sender>:<id>
ARGV[3..] the legs
Computed: receipts:{tag}:<m>:<leg> string
Returns: the fields of the history, each with its value, none where it is gone; of each leg the state bytes, as far as they were written
Errors: none
Replay: reads only
]]
--#include keys
local history, tag, message = KEYS[1], ARGV[1], ARGV[2]
local size = tonumber(redis.call('HGET', history, 'size') or 0)
local receipts = {}
for i = 3, #ARGV do receipts[#receipts + 1] = redis.call('GETRANGE', receipts_key(tag, message, ARGV[i]), 0, size - 1) end
return { redis.call('HGETALL', history), receipts }
