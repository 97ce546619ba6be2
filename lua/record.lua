--[[ record: writes what is known of recipients, by the owner of the claims; also the mark before sending
KEYS[1] orders:{tag}:<class> or batches:{tag}:<channel>:<class>  stream
ARGV[1] channel, the group
ARGV[2] consumer
ARGV[3] tag of the shard
ARGV[4] kind of these entries: order or batch
ARGV[5..] of each claim: entry id; delivery count; <sender>:<id>; first ordinal; one state byte an ordinal; one line of evidence an ordinal, or empty; 1 when the claim is finished, else empty
Computed: history:{tag}:<message> hash; receipts:{tag}:<message>:<channel> string; evidence:{tag}:<message>:<channel> hash; kept:{tag} zset
Returns: for each claim the bytes as they are now, nil where it has gone to another or its message was retired and nothing was written
Errors: none
Replay: a state follows itself as nothing; of a finished claim the second run says nil and has changed nothing

Of the state bytes = leaves one, a asks to attempt it, ? whether it is still wanted, NUL gives it back; an attempt was
granted where a is returned. On a cancelled or expired message it is not: it becomes x or e, or u where an earlier attempt
is unresolved. So does whoever ? asks for; while the message is wanted ? changes nothing. Evidence is kept where the state
was taken, and where a receipt was faster than the answer.
]]
--#include clock
--#include change
--#include lease
--#include receipts
local stream, channel, consumer, tag, kind = KEYS[1], ARGV[1], ARGV[2], ARGV[3], ARGV[4]
local now = now_ms()
-- once: Redis turns every number it is given into text as if it were a fraction
local now_text = string.format('%.0f', now)
local young_ms = 100
local going_on, let_go, off_stream, settled = {}, {}, {}, {}

-- The end of the run of equal bytes that begins at `from`. Neighbours mostly fare alike: what holds for one is decided once.
local function run_end(bytes, from)
  local byte = string.sub(bytes, from, from)
  return (string.find(bytes, byte == '\0' and '[^%z]' or '[^' .. byte .. ']', from + 1) or #bytes + 1) - 1
end

-- What the receipts are to be; notes in `taken` and `outrun` the first and last place of each run whose evidence is kept.
local function follow(before, wanted, stopped, deltas, taken, outrun)
  local after, at, old_end, new_end = {}, 1, 0, 0
  while at <= #wanted do -- bounded: a run has at least one byte
    if old_end < at then old_end = run_end(before, at) end
    if new_end < at then new_end = run_end(wanted, at) end
    local to = math.min(old_end, new_end)
    local old, new = string.sub(before, at, at), string.sub(wanted, at, at)
    if (new == 'a' or new == '?') and stopped then new = (old == 'a' and 'u') or stopped end
    if new ~= '=' and new ~= '?' and new ~= old and may_follow(old, new) then
      count(deltas, old, new, to - at + 1)
      taken[#taken + 1] = { at, to }
      old = new
    elseif new == 's' and (old == 'd' or old == 'r' or old == 'c') then
      -- the receipt's state stands; the answer still brings the provider's id
      outrun[#outrun + 1] = { at, to }
    end
    after[#after + 1] = string.rep(old, to - at + 1)
    at = to + 1
  end
  return table.concat(after)
end

local function keep_evidence(key, first, text, taken, outrun)
  local lines = {}
  for line in string.gmatch(text .. '\n', '([^\n]*)\n') do lines[#lines + 1] = line end
  -- many fields a call: a call each would be most of this script's time for a batch of thousands
  local known = {}
  local function keep()
    if #known > 0 then redis.call('HSET', key, unpack(known)) end
    known = {}
  end
  for _, run in ipairs(taken) do
    for place = run[1], run[2] do
      if (lines[place] or '') ~= '' then
        known[#known + 1] = first + place - 1
        known[#known + 1] = lines[place]
        if #known == 1000 then keep() end
      end
    end
  end
  keep()
  for _, run in ipairs(outrun) do
    for place = run[1], run[2] do
      if (lines[place] or '') ~= '' then redis.call('HSETNX', key, first + place - 1, lines[place]) end
    end
  end
end

local function others_have_settled(history, expected)
  for name in string.gmatch(expected, '[^,]+') do
    if name ~= channel and redis.call('HEXISTS', history, name .. ':settled') == 0 then return false end
  end
  return true
end

-- One piece less; the last piece settles the channel, and the last channel the history. Says whether any of that happened.
local function finish(history, message, entry)
  local fields = redis.call('HMGET', history, channel .. ':open', 'orders', 'expected')
  local open, orders = (tonumber(fields[1]) or 0) - 1, (tonumber(fields[2]) or 0) - 1
  local changes = { channel .. ':open', open }
  local function change(field, value)
    changes[#changes + 1] = field
    changes[#changes + 1] = value
  end
  let_go[#let_go + 1] = entry
  if kind == 'order' then change('orders', orders) end
  if kind ~= 'order' or orders <= 0 then off_stream[#off_stream + 1] = entry end
  if open <= 0 then
    change(channel .. ':settled', now_text)
    if others_have_settled(history, fields[3] or '') then
      change('state', 'settled')
      change('settled', now_text)
      settled[#settled + 1] = now_text
      settled[#settled + 1] = message
    end
  end
  redis.call('HSET', history, unpack(changes))
  return open <= 0
end

-- Whether the message is there, and what is said of those who are not to be attempted any more, if that is so.
local function look_at(history, wanted)
  if not string.find(wanted, '[a?]') then return redis.call('HEXISTS', history, 'state') == 1, nil end
  local fields = redis.call('HMGET', history, 'state', 'cancelled', 'expires', 'due')
  local expires = tonumber(fields[3]) or (tonumber(fields[4]) or now) + 86400000
  return fields[1] and true, (fields[2] and 'x') or (now >= expires and 'e') or nil
end

local function record(idle_ms, entry, message, first, wanted, evidence, done)
  local history = 'history:{' .. tag .. '}:' .. message
  local is_there, stopped = look_at(history, wanted)
  if not is_there then
    let_go[#let_go + 1] = entry
    off_stream[#off_stream + 1] = entry
    return false
  end
  local own = tag .. '}:' .. message .. ':' .. channel
  local before = redis.call('GETRANGE', 'receipts:{' .. own, first, first + #wanted - 1)
  before = before .. string.rep('\0', #wanted - #before)
  local deltas, taken, outrun = {}, {}, {}
  local after = follow(before, wanted, stopped, deltas, taken, outrun)
  if after ~= before then redis.call('SETRANGE', 'receipts:{' .. own, first, after) end
  if evidence ~= '' then keep_evidence('evidence:{' .. own, first, evidence, taken, outrun) end
  local changed = move_counters(history, channel, deltas)
  if done == '' then
    -- a lease that has hardly begun is as good as a new one
    if idle_ms > young_ms then going_on[#going_on + 1] = entry end
  else
    changed = finish(history, message, entry) or changed
  end
  if changed then announce(history) end
  return after
end

local entries = {}
for i = 5, #ARGV, 7 do entries[#entries + 1] = ARGV[i] end
local pending = pending_of(stream, channel, consumer, entries)
local results = {}
for i = 5, #ARGV, 7 do
  local claim = pending[ARGV[i]]
  local is_own = claim ~= nil and claim[4] == tonumber(ARGV[i + 1])
  results[#results + 1] = is_own
    and record(claim[3], ARGV[i], ARGV[i + 2], tonumber(ARGV[i + 3]), ARGV[i + 4], ARGV[i + 5], ARGV[i + 6])
end
if #going_on > 0 then renew(stream, channel, consumer, going_on) end
if #let_go > 0 then redis.call('XACK', stream, channel, unpack(let_go)) end
if #off_stream > 0 then redis.call('XDEL', stream, unpack(off_stream)) end
if #settled > 0 then redis.call('ZADD', 'kept:{' .. tag .. '}', unpack(settled)) end
return results
