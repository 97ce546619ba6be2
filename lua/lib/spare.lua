-- Who of a message with steps is reached is not sent it by later ones.
local reached_elsewhere = 'z'

-- Whoever waits in these waves has been told by now: nobody needs them.
local function drop_waves(of, leg)
  for _, number in ipairs(waiting_waves(of.history)) do
    local wave = read_wave(redis.call('HGET', of.history, 'wave:' .. number))
    if wave.leg == leg and wave.unless ~= '-' then
      local pieces = redis.call('STRLEN', pieces_key(of.tag, of.message, number)) / 12
      redis.call('HINCRBY', of.history, leg .. ':open', -pieces)
      redis.call('ZREM', of.due, of.message .. ':' .. number)
      redis.call('UNLINK', delivery_key(of.tag, of.message, number))
      forget_wave(of.history, of.tag, of.message, number)
    end
  end
end

local function settle_if_told(of, leg)
  if told_people(of.history, leg) < of.size then return end
  drop_waves(of, leg)
  if tonumber(redis.call('HGET', of.history, leg .. ':open') or 0) > 0 then return end
  if not settle_leg(of.history, of.tag, of.message, leg, of.now) then return end
  redis.call('ZADD', retention_key(of.tag), string.format('%.0f', of.now), of.message)
  redis.call('ZREM', expiry_key(of.tag), of.message)
end

-- Of a leg the pending ones of a range whose place is in `reached`: cancelled, for they have the message. Says how many.
local function spare_on(of, leg, first, bytes, reached)
  local receipts, reasons = receipts_key(of.tag, of.message, leg), reasons_key(of.tag, of.message, leg)
  local time, spared, from = time_bytes(of.started, of.now), 0, nil
  for place = 1, #bytes + 1 do
    local is_spared = reached[place] and string.sub(bytes, place, place) == '\0'
    if is_spared and not from then from = place end
    if from and not is_spared then
      if spared == 0 and redis.call('EXISTS', receipts) == 0 then make_room(receipts, of.size) end
      local people = place - from
      redis.call('SETRANGE', receipts, first + from - 1, string.rep('x', people))
      redis.call('SETRANGE', reasons, first + from - 1, string.rep(reached_elsewhere, people))
      keep_time(receipts, of.size, first + from - 1, people, time)
      spared, from = spared + people, nil
    end
  end
  return spared
end

-- Whoever of a range is certainly reached is not sent it by a later step: in the step that says so. `of`: as stepped() gives it. Needs write_waiting() and write_stats(); says whether anything has changed.
local function spare_reached(of, first, after)
  local known = {}
  local function read(leg)
    known[leg] = known[leg] or read_padded(receipts_key(of.tag, of.message, leg), first, after)
    return known[leg]
  end
  -- a confirmation, by whatever channel, is the surest there is
  local confirmed = of.asks and read_padded(confirmed_key(of.tag, of.message), first, after) or ''
  local function reached_by(step)
    local reached = {}
    for place in string.gmatch(confirmed, '()[^%z]') do reached[place] = true end
    for leg, states in pairs(step.certain) do
      for place in string.gmatch(read(leg), '()[' .. states .. ']') do reached[place] = true end
    end
    return reached
  end
  local changed = false
  for number = 2, #of.steps do
    local reached
    for _, leg in ipairs(of.steps[number].legs) do
      if string.find(read(leg), '%z') then
        reached = reached or reached_by(of.steps[number])
        local moves = no_moves()
        count(moves, '\0', 'x', spare_on(of, leg, first, read(leg), reached), reached_elsewhere)
        if move_counters(of.history, type_of(of.type), leg, moves) then
          changed = true
          settle_if_told(of, leg)
        end
      end
    end
  end
  return changed
end
