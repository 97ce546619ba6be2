--[[ call-online: people of a message who are online now are sent to: it waits for their presence no more, on any channel
KEYS[1] history:{tag}:<m>  hash
KEYS[2] due:{tag}          zset
ARGV[1] <m>, <sender>:<id>
ARGV[2] tag of the shard
ARGV[3..] of each run of neighbours: first ordinal, ordinal after the last
Computed: presence, receipts:{tag}:<m>:<leg> string; work:{tag}:<channel>:<class> stream; delivery:{tag}:<m>:<wave> string; watched, dirty:{tag} zset
Returns: of each run one byte an ordinal: 1 they are called now, 2 they were before, 0 there is nothing for them to be called to
Errors: none
Replay: whoever was called was so before

Who waits in a wave is given an entry of their own on the work stream; whose claim is being worked on, or not read yet, is sent to by it.
Once nobody of a leg waits any more its waves are called forward, so that they do not keep the message open until it expires.
]]
--#include clock
--#include keys
--#include due
--#include dirty
--#include change
--#include waves
--#include forward
--#include padded
--#include presence
local history, due = KEYS[1], KEYS[2]
local message, tag = ARGV[1], ARGV[2]
local now = now_ms()

local fields = redis.call('HMGET', history, 'state', 'cancelled', 'cancelled:online', 'expires', 'due', 'size', 'expected')
local expires = tonumber(fields[4]) or (tonumber(fields[5]) or 0) + 86400000
local is_over = fields[1] ~= 'running' or fields[2] or fields[3] or now >= expires
-- what is over calls nobody any more, and says still who was called
local called = is_over and {} or { ['\0'] = 'k', w = 'c' }

local function call(first, after)
  local answers = {}
  for place = 1, after - first do answers[place] = '0' end
  for leg in string.gmatch(fields[1] == 'running' and fields[7] or '', '[^,]+') do
    local before, waiting, bytes = move_presence(history, tag, message, leg, tonumber(fields[6]), first, after, called)
    for place = 1, after - first do
      local old, new = string.sub(before, place, place), string.sub(bytes, place, place)
      if old ~= new then answers[place] = '1' elseif new ~= '\0' and new ~= 'w' and answers[place] == '0' then answers[place] = '2' end
    end
    if waiting == 0 and before ~= bytes then call_forward(history, due, tag, message, now, 'online', leg) end
  end
  return table.concat(answers)
end

local results = {}
for i = 3, #ARGV, 2 do
  local first, after = tonumber(ARGV[i]), tonumber(ARGV[i + 1])
  results[#results + 1] = call(first, after)
end
announce_head(due, tag)
if not is_over then announce(tag, message) end
return results
