--[[ keep-recheck: keeps what the address answered that is asked before a message is sent, and counts it
KEYS[1] recheck:{tag}:<m>:<page>  string
KEYS[2] history:{tag}:<m>         hash
ARGV[1] <m>, <sender>:<id>
ARGV[2] tag of the shard
ARGV[3] token of whoever asks
ARGV[4] the answer
ARGV[5] so long it holds, ms
ARGV[6] as what it counts: ok, error or silent
ARGV[7] how long it took, ms
ARGV[8] why it was none; empty where it was one
Computed: watched, dirty:{tag} zset
Returns: 1 where it holds, 0 where another has been asking meanwhile or the message was purged
Errors: none
Replay: the second run finds its own answer, and counts nothing
]]
--#include keys
--#include dirty
--#include change
local recheck, history, message, tag, token, answer = KEYS[1], KEYS[2], ARGV[1], ARGV[2], ARGV[3], ARGV[4]
local holds_ms, counted, took_ms, silence = ARGV[5], ARGV[6], ARGV[7], ARGV[8]
local found = redis.call('GET', recheck)
if found == '!' .. token .. ' ' .. answer then return 1 end
if found ~= '?' .. token or redis.call('HEXISTS', history, 'state') == 0 then return 0 end
redis.call('SET', recheck, '!' .. token .. ' ' .. answer, 'PX', holds_ms)
redis.call('HINCRBY', history, 'rechecks-asked', 1)
redis.call('HINCRBY', history, 'rechecks-' .. counted, 1)
redis.call('HSET', history, 'rechecks-last-ms', took_ms)
if silence ~= '' then redis.call('HSET', history, 'rechecks-last-silence', silence) end
announce(tag, message)
return 1
