--[[ rebuild-due: puts deliveries of a message on the due set again that are missing there, as its history says
KEYS[1] history:{tag}:<m>  hash
KEYS[2] due:{tag}          zset
ARGV[1] <m>, <sender>:<id>
ARGV[2] tag of the shard
Computed: delivery:{tag}:<m>:<wave> string
Returns: how many were missing
Errors: none
Replay: what is there by then is not missing
]]
--#include keys
--#include due
--#include waves
local history, due, message, tag = KEYS[1], KEYS[2], ARGV[1], ARGV[2]
local missing = 0
local function put_missing(wave, due_ms)
  if redis.call('ZSCORE', due, message .. ':' .. wave) then return end
  put_due(due, tag, message, wave, due_ms)
  missing = missing + 1
end

local known = redis.call('HMGET', history, 'state', 'due', 'expires', 'held')
if known[1] == 'scheduled' then
  -- one that waits for an operator is due when it expires
  put_missing(0, known[4] and (known[3] or string.format('%.0f', tonumber(known[2]) + 86400000)) or known[2])
elseif known[1] == 'running' then
  for _, number in ipairs(waiting_waves(history)) do
    put_missing(number, read_wave(redis.call('HGET', history, 'wave:' .. number)).due_ms)
  end
end
announce_head(due, tag)
return missing
