--[[ generation: who the master of this key is, and how its replicas fare; may write, so that WAIT has something to wait for
KEYS[1] durable:{tag}  string: its generation, how many replicas answered last, and until when, Unix ms, one that has left is missed
ARGV[1] how long what is written is kept, ms; 0: nothing is written
ARGV[2] how long a replica that has left is missed, ms
Returns: its generation; how many replicas are connected to it; how many of them have answered lately; 1 while one is missed
Errors: none
Replay: the same, of the master that runs it
Flags: allow-oom

WAIT waits for what was written on its own connection. What others wrote on this master before lies before that in the stream of its replicas.
]]
--#include clock
--#include generation
local key, kept_ms, missed_ms = KEYS[1], tonumber(ARGV[1]), tonumber(ARGV[2])
local lately_s = 5
local info = redis.call('INFO', 'replication')
local generation, now = generation_of(info), now_ms()

local function answering()
  local count = 0
  for lag in string.gmatch(info, '[\r\n]slave%d+:[^\r\n]-state=online,[^\r\n]-lag=(%d+)') do
    if tonumber(lag) <= lately_s then count = count + 1 end
  end
  return count
end

local count, missed_until = answering(), 0
local of, before, until_ms = string.match(redis.call('GET', key) or '', '^(%x+) (%d+) (%d+)$')
if of == generation then
  missed_until = count < tonumber(before) and now + missed_ms or tonumber(until_ms)
end
if kept_ms > 0 then redis.call('SET', key, string.format('%s %d %.0f', generation, count, missed_until), 'PX', kept_ms) end
return { generation, tonumber(string.match(info, 'connected_slaves:(%d+)')), count, now < missed_until and 1 or 0 }
