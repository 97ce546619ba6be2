-- Steps of a message: whoever is not reached by the channels of one is sent it by those of the next. The field `steps` of its history has
-- of each, first to last: legs, ms after the former step, condition, and the part of the condition that nothing can take back; blanks
-- between them, a semicolon behind. Of the first step there is no condition: -. Which step somebody has come to is a byte an ordinal of
-- steps:{tag}:<m>, NUL for the first. Drawn in README.md.
-- `<leg>=<state bytes>`, and others after commas.
local function read_condition(text)
  local states = {}
  for leg, bytes in string.gmatch(text, '([^=,]+)=(%a+)') do states[leg] = bytes end
  return states
end

local function read_steps(text)
  local steps = {}
  for legs, after_ms, unless, certain in string.gmatch(text, '(%S+) (%d+) (%S+) (%S+);') do
    local step = { legs = {}, after_ms = tonumber(after_ms), unless = unless, certain = read_condition(certain) }
    for leg in string.gmatch(legs, '[^,]+') do step.legs[#step.legs + 1] = leg end
    steps[#steps + 1] = step
  end
  return steps
end

local function step_of(steps, leg)
  for number, step in ipairs(steps) do
    for _, name in ipairs(step.legs) do
      if name == leg then return number end
    end
  end
  return nil
end

-- Whether a leg is of a later step: it settles when nothing of it is open and nobody is pending, for whoever has not come to it yet is pending.
local function is_of_later_step(text, leg)
  return text ~= false and (step_of(read_steps(text), leg) or 1) > 1
end

-- What is needed to go on with the steps of a message; nil where it has none, or is over: then there are none to come.
local function stepped(text, history, due, tag, message, now)
  if not text then return nil end
  local known = redis.call('HMGET', history, 'size', 'started', 'type', 'confirm', 'expires', 'due', 'cancelled')
  local expires = tonumber(known[5]) or tonumber(known[6]) + 86400000
  if known[7] or now >= expires then return nil end
  local of = { history = history, due = due, tag = tag, message = message, now = now, expires = expires }
  of.steps, of.size, of.started, of.type, of.asks = read_steps(text), tonumber(known[1]), known[2], known[3], known[4]
  return of
end
