--[[ recount: the counters of a message and the receipts of one leg, of one moment; changes nothing
KEYS[1] history:{tag}:<m>  hash
KEYS[2] receipts:{tag}:<m>:<leg>  string
Returns: the state bytes of the leg, as far as they were written; then the fields of the history, each with its value, none where it is gone
Errors: none
Replay: reads only

One leg in a call: of a million people the bytes take some milliseconds.
]]
local history, receipts = KEYS[1], KEYS[2]
local size = tonumber(redis.call('HGET', history, 'size') or 0)
local found = redis.call('HGETALL', history)
table.insert(found, 1, redis.call('GETRANGE', receipts, 0, size - 1))
return found
