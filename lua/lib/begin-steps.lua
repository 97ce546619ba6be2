-- How people of a message come from one of its steps to the next.
local step_cause = 'step'

-- Rounded up: late by a thirtieth at most, so that a step has about so many waves at once.
local function due_of_step(of, after_ms)
  if after_ms == 0 then return of.now + 1 end
  local bucket_ms = math.max(1000, math.floor(after_ms / 30))
  return math.min(math.ceil((of.now + after_ms) / bucket_ms) * bucket_ms, math.max(of.expires, of.now + 1))
end

-- People of neighbouring ordinals begin a step together: a piece of a wave on each of its legs, or more of the piece before.
local function add_to_step(of, waiting, number, after_ms, first, after)
  local step = of.steps[number]
  for _, leg in ipairs(step.legs) do
    local kind = { leg = leg, cause = step_cause, unless = step.unless }
    local wave = wave_for(of.history, of.due, of.tag, of.message, waiting, kind, due_of_step(of, after_ms), math.huge)
    wave.people = tonumber(wave.people) + after - first
    write_wave(of.history, wave.number, wave)
    local pieces = pieces_key(of.tag, of.message, wave.number)
    local last = redis.call('GETRANGE', pieces, -12, -1)
    local last_first, last_after = 0, -1
    if last ~= '' then last_first, last_after = struct.unpack('>I4I4', last) end
    if last_after == first then
      redis.call('SETRANGE', pieces, redis.call('STRLEN', pieces) - 12, struct.pack('>I4I4I4', last_first, after, 0))
    else
      redis.call('APPEND', pieces, struct.pack('>I4I4I4', first, after, 0))
      redis.call('HINCRBY', of.history, leg .. ':open', 1)
    end
  end
end

-- What the receipts of a range say of the steps: of the place of somebody in it.
local function read_standing(of, first, after)
  local known = {}
  local function is_any(number, place, states)
    for _, leg in ipairs(of.steps[number].legs) do
      known[leg] = known[leg] or read_padded(receipts_key(of.tag, of.message, leg), first, after)
      if string.find(string.sub(known[leg], place, place), states) then return true end
    end
    return false
  end
  return {
    is_finished = function(number, place) return not is_any(number, place, '[%za]') end,
    is_pending = function(number, place) return is_any(number, place, '%z') end,
    -- somebody whom no former channel has, or may have, reached has nothing to wait for
    may_be_reached = function(number, place)
      for former = 1, number - 1 do
        if is_any(former, place, '[sdrcuwb]') then return true end
      end
      return false
    end,
  }
end

-- Whoever of a range is finished with their step comes to the next, each once. `of`: as stepped() gives it. Needs announce_head(). Says whether anybody has.
local function begin_steps(of, first, after)
  local key = steps_key(of.tag, of.message)
  local before, standing = read_padded(key, first, after), read_standing(of, first, after)
  local bytes, waiting, run = {}, waiting_waves(of.history), nil
  local function end_run(place)
    if run then add_to_step(of, waiting, run.number, run.after_ms, run.first, first + place - 1) end
    run = nil
  end
  for place = 1, after - first do
    local old = string.byte(before, place) + 1
    local number = old
    while number < #of.steps and standing.is_finished(number, place) do number = number + 1 end -- bounded: four steps
    bytes[place] = string.char(number - 1)
    local comes = number ~= old and standing.is_pending(number, place)
    local after_ms = comes and standing.may_be_reached(number, place) and of.steps[number].after_ms or 0
    if run and (not comes or run.number ~= number or run.after_ms ~= after_ms) then end_run(place) end
    if comes and not run then run = { number = number, after_ms = after_ms, first = first + place - 1 } end
  end
  end_run(after - first + 1)
  local now_bytes = table.concat(bytes)
  if now_bytes == before then return false end
  -- room for all at once: a string that grows is given twice what it needs
  if redis.call('EXISTS', key) == 0 then redis.call('SETRANGE', key, of.size - 1, '\0') end
  redis.call('SETRANGE', key, first, now_bytes)
  if #waiting > 0 then redis.call('HSET', of.history, 'waiting', table.concat(waiting, ' ')) end
  return true
end
