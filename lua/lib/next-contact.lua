-- Which contacts of somebody of a leg were tried, where they have several on its channel: `tried:{tag}:<m>:<leg>`, by ordinal, JSON of each in order.
-- `digest` of its address, `shown`, how that ends, `more`: they had another when it was marked, `by`, the entry whose claim marked it. The last is the one
-- the receipt is about; of those before it `state`, `why`, `at` and `said` are what their receipt has come to. Drawn in README.md.
local function read_tries(key, ordinals)
  local tries = {}
  for from = 1, #ordinals, 1000 do
    local some = { unpack(ordinals, from, math.min(from + 999, #ordinals)) }
    for at, stored in ipairs(redis.call('HMGET', key, unpack(some))) do
      tries[tonumber(some[at])] = stored and cjson.decode(stored) or nil
    end
  end
  return tries
end

local function tries_of(key, ordinal) return read_tries(key, { ordinal })[tonumber(ordinal)] or {} end

-- An attempt is marked: `line` is `+<digest> <shown> <1 where there is another, else 0>`.
local function note_try(history, key, leg, ordinal, line, by)
  local digest, shown, more = string.match(line, '^%+(%S+) (%S+) ([01])$')
  local tries = tries_of(key, ordinal)
  if #tries > 0 and not tries[#tries].state then tries[#tries] = nil end
  tries[#tries + 1] = { digest = digest, shown = shown, more = more == '1', by = by }
  redis.call('HSET', key, ordinal, cjson.encode(tries))
  redis.call('HSET', history, leg .. ':tried', 1)
end

-- Whether what an entry says of somebody is not of the contact that their receipt is about: its own try is over, or another entry is at it.
local function is_of_another(tries, stream, entry, old)
  for _, each in ipairs(tries) do
    if each.state and each.by == entry then return true end
  end
  local last = tries[#tries]
  if not last or last.state or last.by == entry or not (old == 'a' or old == 'b') then return false end
  return #redis.call('XRANGE', stream, last.by, last.by) > 0
end

-- What the receipt has come to is kept of the contact it is about; not who told it, which the history counts.
local function end_try(try, key, ordinal, state, why, now)
  try.state, try.why, try.at = state, why, now
  local said = string.gsub(evidence_of(key, ordinal) or '', '^@%S+ ?', '')
  try.said = said ~= '' and said or nil
end

-- What is known of somebody who has certainly not got it by this contact, for what is of the contact, has another, and is to have it still; nil of everybody else. Their
-- receipt says so by now. Needs steps and receipts.
local function who_goes_on(history, tag, message, leg, ordinal, now)
  -- The condition of the step of a leg, - for none; nil where they have come to a later one by now.
  local function condition_at(text)
    if not text then return '-' end
    local steps = read_steps(text)
    local step = step_of(steps, leg)
    return string.byte(byte_at(steps_key(tag, message), ordinal)) < step and steps[step].unless or nil
  end
  if string.find(leg, '~', 1, true) or byte_at(receipts_key(tag, message, leg), ordinal) ~= 'f' then return nil end
  local why = byte_at(reasons_key(tag, message, leg), ordinal)
  if not string.find(why, '^[BDIUN]$') then return nil end
  local tries = tries_of(tried_key(tag, message, leg), ordinal)
  local last = tries[#tries]
  if not last or last.state or not last.more then return nil end
  local known = redis.call('HMGET', history, 'cancelled', 'expires', 'due', 'size', 'steps', 'erased', 'type', 'version')
  local expires = tonumber(known[2]) or tonumber(known[3]) + 86400000
  local is_erased = known[6] and string.find(known[6], ',' .. ordinal .. ',', 1, true)
  local unless = condition_at(known[5])
  if known[1] or now >= expires or is_erased or not unless then return nil end
  return { tries = tries, why = why, expires = expires, unless = unless, size = tonumber(known[4]), type = type_of(known[7]), version = tonumber(known[8]) }
end

-- They are pending again: a piece of a wave, due at once. Needs waves, again, times, evidence, corrections, and announce_head(), write_waiting(), write_stats() and announce() at the
-- end. Says whether it has begun.
local function begin_next(history, tag, message, leg, ordinal, now)
  local known = who_goes_on(history, tag, message, leg, ordinal, now)
  if not known then return false end
  local key, receipts, evidence = tried_key(tag, message, leg), receipts_key(tag, message, leg), evidence_key(tag, message, leg)
  end_try(known.tries[#known.tries], evidence, ordinal, 'f', known.why, now)
  redis.call('HSET', key, ordinal, cjson.encode(known.tries))
  drop_evidence(evidence, ordinal)
  redis.call('SETRANGE', receipts, ordinal, '\0')
  redis.call('SETRANGE', reasons_key(tag, message, leg), ordinal, '\0')
  keep_time(receipts, known.size, ordinal, 1, '\0\0\0\0')
  local moves = no_moves()
  count(moves, 'f', '\0', 1)
  move_counters(history, known.type, leg, moves)
  -- what they are sent next is the newest text
  if known.version then release_corrected(history, tag, message, leg, known.version, ordinal, { { 1, 1 } }) end
  local piece = { first = tonumber(ordinal), after = ordinal + 1 }
  send_again(history, due_key(tag), tag, message, leg, 'next-contact', { piece }, 1, known.expires, now, known.unless)
  return true
end

-- Those that a message carries were tried by the same contact; of whoever was erased there nothing is kept.
local function share_tries(tag, message, other, leg)
  if redis.call('HEXISTS', history_key(tag, other), 'erased') == 1 then return end
  redis.call('HSET', tried_key(tag, other, leg), 0, redis.call('HGET', tried_key(tag, message, leg), 0))
  redis.call('HSET', history_key(tag, other), leg .. ':tried', 1)
end
