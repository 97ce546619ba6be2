--[[ cancel-held: of a message, settles as cancelled those who wait for one cause; whoever else of it comes to wait for that is cancelled, too
KEYS[1] history:{tag}:<m>  hash
KEYS[2] due:{tag}          zset
ARGV[1] <m>, <sender>:<id>
ARGV[2] tag of the shard
ARGV[3] cause
ARGV[4] id of whoever cancels them
Computed: receipts, presence:{tag}:<m>:<leg> string; delivery, pieces:{tag}:<m>:<wave>, secret, steps:{tag}:<m> string; waiting:{tag}, stats:{tag}:<hour> hash; retention, expiry:{tag} zset; watched, dirty:{tag} zset
Returns: how many people were cancelled; 1 when others are left for another call, else 0
Errors: UNKNOWN nothing was put under this key; STOPPED all of it was cancelled
Replay: whoever was cancelled does not wait any more; the second run finds those who are left

A piece that was woken is left to the courier that gets it, who finds the field; so is whoever was called to it, being online. The last piece of a leg settles it, as record does.
Whoever was cancelled on a channel comes to the next step of the message.
]]
--#include clock
--#include keys
--#include dirty
--#include change
--#include waiting
--#include stats
--#include receipts
--#include times
--#include told
--#include pending
--#include waves
--#include settle
--#include due
--#include padded
--#include wave-for
--#include steps
--#include begin-steps
local history, due = KEYS[1], KEYS[2]
local message, tag, cause, by = ARGV[1], ARGV[2], ARGV[3], ARGV[4]
-- of one call; a piece is never cut
local max_pieces, max_people, piece_bytes = 200, 16384, 12
local now = now_ms()

local known = redis.call('HMGET', history, 'state', 'cancelled', 'size', 'started', 'type', 'steps')
if not known[1] or known[1] == 'issued' then return redis.error_reply('UNKNOWN nothing was put under this key') end
if known[2] then return redis.error_reply('STOPPED the message was cancelled') end
local size, time = tonumber(known[3]), time_bytes(known[4], now)
local is_new = redis.call('HSETNX', history, 'cancelled:' .. cause, by) == 1
local steps = stepped(known[6], history, due, tag, message, now)
local pieces_left, people_left, cancelled, has_more = max_pieces, max_people, 0, 0

-- Of a range, whoever waits in the wave: of those who wait to be online, whom nobody has called.
local function settle_waiting(wave, first, after)
  local receipts = receipts_key(tag, message, wave.leg)
  if wave.cause ~= 'online' then return settle_pending(receipts, size, first, after, 'x', time) end
  local presence, settled = redis.call('GETRANGE', presence_key(tag, message, wave.leg), first, after - 1), 0
  for from, to in string.gmatch(presence, '()w+()') do
    settled = settled + settle_pending(receipts, size, first + from - 1, first + to - 1, 'x', time)
  end
  return settled
end

-- One piece after the other while there is room. Says how many people waited in them, and what is left of the pieces.
local function settle_pieces(wave, pieces)
  local settled, at = 0, 1
  while at <= #pieces and pieces_left > 0 and people_left > 0 do -- bounded: by max_pieces
    local first, after = struct.unpack('>I4I4', pieces, at)
    settled = settled + settle_waiting(wave, first, after)
    if steps then begin_steps(steps, first, after) end
    at, pieces_left, people_left = at + piece_bytes, pieces_left - 1, people_left - (after - first)
  end
  return settled, string.sub(pieces, at)
end

local function cancel_wave(number, wave)
  local pieces = redis.call('GET', pieces_key(tag, message, number)) or ''
  local settled, left = settle_pieces(wave, pieces)
  if left ~= '' then
    has_more = 1
    wave.people = math.max(0, tonumber(wave.people) - settled)
    write_wave(history, number, wave)
    redis.call('SET', pieces_key(tag, message, number), left)
  else
    redis.call('ZREM', due, message .. ':' .. number)
    redis.call('UNLINK', delivery_key(tag, message, number))
    forget_wave(history, tag, message, number)
  end
  if wave.cause == 'online' then redis.call('HINCRBY', history, wave.leg .. ':online', 0 - settled) end
  local moves = no_moves()
  count(moves, '\0', 'x', settled)
  move_counters(history, type_of(known[5]), wave.leg, moves)
  cancelled = cancelled + settled
  if redis.call('HINCRBY', history, wave.leg .. ':open', (#left - #pieces) / piece_bytes) > 0 then return end
  if is_of_later_step(known[6], wave.leg) and told_people(history, wave.leg) < size then return end
  if settle_leg(history, tag, message, wave.leg, now) then
    redis.call('ZADD', retention_key(tag), now, message)
    redis.call('ZREM', expiry_key(tag), message)
  end
end

for _, number in ipairs(waiting_waves(history)) do
  local wave = read_wave(redis.call('HGET', history, 'wave:' .. number))
  if wave.cause == cause then cancel_wave(number, wave) end
end
write_waiting(tag)
write_stats(tag, now)
announce_head(due, tag)
if cancelled > 0 or is_new then announce(tag, message) end
return { cancelled, has_more }
