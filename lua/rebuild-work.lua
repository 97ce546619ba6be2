--[[ rebuild-work: adds entries to a work stream for those of a leg of a message whom neither an entry nor a wave is for, and counts both anew
KEYS[1] history:{tag}:<m>             hash
KEYS[2] work:{tag}:<channel>:<class>  stream
ARGV[1] <m>, <sender>:<id>
ARGV[2] tag of the shard
ARGV[3] class, which is told to the channel's processes
ARGV[4] leg
ARGV[5] id of the last entry of the stream when it was read
ARGV[6..] ids of those entries that were for this leg of the message then
Computed: receipts, presence:{tag}:<m>:<leg>, steps:{tag}:<m>, pieces:{tag}:<m>:<wave> string
Returns: how many entries were added
Errors: none
Replay: for everyone there is an entry by then

Entries come to the end of a stream, and leave it for a wave or for good: those that were read, as far as they are still there, those behind them, and
the waves are all there are, in this step. So nobody gets a second entry while there is a first, whoever is at work on it.
]]
--#include keys
--#include waves
--#include padded
--#include steps
--#include told
local history, stream = KEYS[1], KEYS[2]
local message, tag, class, leg, last_read = ARGV[1], ARGV[2], ARGV[3], ARGV[4], ARGV[5]
local channel = string.match(leg, '^[^~]+')
-- pending, attempting, and whoever is sent to again
local open_bytes = '[%zawb]'

local known = redis.call('HMGET', history, 'state', 'size', leg .. ':settled', leg .. ':open', leg .. ':online', 'steps', leg .. ':carries', leg .. ':carried-by')
if known[1] ~= 'running' or known[3] or not known[4] then return 0 end
if known[8] then
  local carrier = redis.call('HMGET', history_key(tag, known[8]), leg .. ':carries', leg .. ':settled')
  -- its entry is that of whoever carries it
  if carrier[1] and not carrier[2] then return 0 end
end
local size = tonumber(known[2])
local steps = known[6] and read_steps(known[6])
local step = steps and step_of(steps, leg)

-- for whom there is an entry or a piece: first ordinal, ordinal after the last
local spans, parts, has_online = {}, 0, false
local function note(from, to, cause)
  parts = parts + 1
  -- of a wave for those who are online it is the presence that says who belongs to it
  if cause == 'online' then has_online = true else spans[#spans + 1] = { from, to } end
end
local function note_entry(entry)
  local fields = {}
  for i = 1, #entry[2], 2 do fields[entry[2][i]] = entry[2][i + 1] end
  if fields.message ~= message or (fields.leg or channel) ~= leg then return end
  note(tonumber(fields.from), tonumber(fields.to), fields.cause)
end
for i = 6, #ARGV do
  for _, entry in ipairs(redis.call('XRANGE', stream, ARGV[i], ARGV[i])) do note_entry(entry) end
end
for _, entry in ipairs(redis.call('XRANGE', stream, '(' .. last_read, '+')) do note_entry(entry) end
for _, number in ipairs(waiting_waves(history)) do
  local wave = read_wave(redis.call('HGET', history, 'wave:' .. number))
  if wave.leg == leg then
    local pieces = redis.call('GET', pieces_key(tag, message, number)) or ''
    for at = 1, #pieces, 12 do
      local from, to = struct.unpack('>I4I4', pieces, at)
      note(from, to, wave.cause)
    end
  end
end
table.sort(spans, function(one, other) return one[1] < other[1] end)

local added = 0
local function add(from, to)
  -- as one that was handed back: its receipts are read, for some of its people may have been sent to
  local fields = { 'message', message, 'from', from, 'to', to, 'cause', 'handed-back' }
  if leg ~= channel then
    fields[#fields + 1] = 'leg'
    fields[#fields + 1] = leg
  end
  if known[7] then
    fields[#fields + 1] = 'carries'
    fields[#fields + 1] = known[7]
  end
  if step and step > 1 then
    fields[#fields + 1] = 'unless'
    fields[#fields + 1] = steps[step].unless
  end
  redis.call('XADD', stream, '*', unpack(fields))
  added = added + 1
end

-- Of the ordinals from … to-1, from the first whose receipt is open to the last.
local function fill(from, to)
  local receipts = read_padded(receipts_key(tag, message, leg), from, to)
  local first = string.find(receipts, open_bytes)
  if first then add(from + first - 1, to + 1 - string.find(string.reverse(receipts), open_bytes)) end
end

-- Of the ordinals from … to-1, each run of those whose place is wanted.
local function add_runs(from, to, is_wanted)
  local run
  for place = 1, to - from + 1 do
    local is_in = place <= to - from and is_wanted(place)
    if is_in and not run then run = place end
    if run and not is_in then
      add(from + run - 1, from + place - 1)
      run = nil
    end
  end
end

-- Of a message with steps: of whoever has come to this one those whose receipt is open, and those who are at it still, though it may be
-- finished, for nobody would tell that any more.
local function fill_step(from, to)
  local receipts, come = read_padded(receipts_key(tag, message, leg), from, to), read_padded(steps_key(tag, message), from, to)
  add_runs(from, to, function(place)
    local at = string.byte(come, place) + 1
    return at == step and step < #steps or at >= step and string.find(string.sub(receipts, place, place), open_bytes)
  end)
end

-- Of those who are to be online first: whoever waits for that has the wave, and neighbours may be in no entry of others.
local function fill_runs(from, to)
  local receipts, presence = read_padded(receipts_key(tag, message, leg), from, to), read_padded(presence_key(tag, message, leg), from, to)
  add_runs(from, to, function(place)
    return string.find(string.sub(receipts, place, place), open_bytes) and not (has_online and string.sub(presence, place, place) == 'w')
  end)
end
if known[5] then fill = fill_runs end
if step then fill = fill_step end

local at = 0
for _, span in ipairs(spans) do
  if span[1] > at then fill(at, span[1]) end
  at = math.max(at, span[2])
end
if at < size then fill(at, size) end
-- everybody is told, and nothing is left that would end the leg: whoever gets this one does. To a later step people may still come
if parts + added == 0 and ((step or 1) == 1 or told_people(history, leg) == size) then add(0, 1) end
redis.call('HSET', history, leg .. ':open', parts + added)
if added > 0 then redis.call('SPUBLISH', work_of_channel(tag, channel), class) end
return added
