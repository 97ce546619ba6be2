--[[ call-forward: has everybody of a message who waits for one cause decided anew now
KEYS[1] history:{tag}:<m>  hash
KEYS[2] due:{tag}          zset
ARGV[1] <m>, <sender>:<id>
ARGV[2] tag of the shard
ARGV[3] cause
ARGV[4] id of whoever has the message sent in spite of the cause from now on; empty: whoever still has to wait waits on
Computed: delivery:{tag}:<m>:<wave> string; watched, dirty:{tag} zset
Returns: how many people were waiting
Errors: UNKNOWN nothing was put under this key; STOPPED it was cancelled
Replay: what was called forward stays due; whoever came to wait since is called forward, too
]]
--#include clock
--#include keys
--#include due
--#include dirty
--#include change
--#include waves
--#include forward
local history, due = KEYS[1], KEYS[2]
local message, tag, cause, by = ARGV[1], ARGV[2], ARGV[3], ARGV[4]

local known = redis.call('HMGET', history, 'state', 'cancelled')
if not known[1] or known[1] == 'issued' then return redis.error_reply('UNKNOWN nothing was put under this key') end
if known[2] then return redis.error_reply('STOPPED the message was cancelled') end
local is_new = by ~= '' and redis.call('HSETNX', history, 'sent-now:' .. cause, by) == 1
local people = call_forward(history, due, tag, message, now_ms(), cause)
announce_head(due, tag)
if people > 0 or is_new then announce(tag, message) end
return people
