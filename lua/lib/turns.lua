-- Whose turn it is at a rate that the three classes share. Each has a clock in the hash `turns:`, in millionths of a round: a unit moves
-- it on by the smallest weight over its own, and whoever is furthest behind is next, the more urgent first. A class that was away is
-- behind by a round at most: what it did not use others have used. The twin of it is packages/couriers/src/engine/pace/turns.ts.
local round = 1000000
local classes = { 'urgent', 'normal', 'bulk' }
-- a class of which nothing was heard for so long, µs, does not wait any more
local silent_us = 1000000

-- What was noted ahead is as far ahead of now as it was when somebody last asked, where Redis's clock has been set back since.
local function heed_clock(key, now)
  local set_back = tonumber(redis.call('HGET', key, 'asked') or '0') - now
  if set_back <= 0 then return end
  for _, field in ipairs({ 'at', 'urgent-waits', 'normal-waits', 'bulk-waits' }) do
    if redis.call('HEXISTS', key, field) == 1 then redis.call('HINCRBY', key, field, string.format('%.0f', -set_back)) end
  end
end

-- What is known, and who asks: `asks` is `<class> <units>` for each in the order they came, `weights` of the classes in theirs.
local function read_turns(key, weights, asks, now)
  heed_clock(key, now)
  local known = redis.call('HMGET', key, 'reached', 'urgent', 'normal', 'bulk', 'urgent-waits', 'normal-waits', 'bulk-waits')
  local turns = { key = key, reached = tonumber(known[1] or '0'), classes = {}, left = 0 }
  local each_weight = string.gmatch(weights, '%d+')
  for i, class in ipairs(classes) do
    turns.classes[class] = {
      name = class,
      weight = tonumber(each_weight()),
      clock = tonumber(known[1 + i] or '0'),
      waits_until = tonumber(known[4 + i] or '0'),
      asks = {},
      served = 0,
    }
  end
  for class, units in string.gmatch(asks, '(%a+) (%d+)') do
    local own = turns.classes[class].asks
    turns.left = turns.left + 1
    own[#own + 1] = { index = turns.left, units = tonumber(units) }
  end
  local smallest = math.min(turns.classes.urgent.weight, turns.classes.normal.weight, turns.classes.bulk.weight)
  for _, class in ipairs(classes) do turns.classes[class].step = math.floor(round * smallest / turns.classes[class].weight + 0.5) end
  return turns
end

local function start_of(turns, class)
  return math.max(class.clock, turns.reached - round)
end

-- The class that is next of those for which `waits` holds.
local function furthest_behind(turns, waits)
  local next_one
  for _, name in ipairs(classes) do
    local class = turns.classes[name]
    if waits(class) and (not next_one or start_of(turns, class) < start_of(turns, next_one)) then next_one = class end
  end
  return next_one
end

local function take_turn(turns, class)
  local ask = class.asks[class.served + 1]
  local start = start_of(turns, class)
  class.served = class.served + 1
  class.clock = start + ask.units * class.step
  turns.reached = math.max(turns.reached, start)
  turns.left = turns.left - 1
  return ask
end

-- What is known from now on; of a class that still waits, that it does until a while after it is to ask again.
local function write_turns(turns, again_us, now)
  local fields = { 'reached', string.format('%.0f', turns.reached), 'asked', string.format('%.0f', now) }
  for _, name in ipairs(classes) do
    local class = turns.classes[name]
    fields[#fields + 1] = name
    fields[#fields + 1] = string.format('%.0f', class.clock)
    if class.served < #class.asks then
      fields[#fields + 1] = name .. '-waits'
      fields[#fields + 1] = string.format('%.0f', now + again_us + silent_us)
    end
  end
  redis.call('HSET', turns.key, unpack(fields))
end

-- Gives out places as long as they are near enough, `ahead_us`; to a class of which another process has one waiting that is further
-- behind only those half as near: the others are left to that one, and none is lost if it does not come. wait_us() says how long it is until
-- the next place, take(units) takes it and may name it. Returns the reply of the script; writes what is known.
local function give_turns(turns, ahead_us, now, wait_us, take)
  local reply, again_us = { 0 }, 0
  for _ = 1, turns.left do
    local own = furthest_behind(turns, function(class) return class.served < #class.asks end)
    local first = furthest_behind(turns, function(class) return class.served < #class.asks or class.waits_until > now end)
    local wait = wait_us()
    if wait > ahead_us then again_us = wait - ahead_us
    elseif own ~= first and wait > ahead_us / 2 then again_us = math.min(wait - ahead_us / 2, 10000) end
    if again_us > 0 then break end
    local ask = take_turn(turns, own)
    reply[#reply + 1] = ask.index
    reply[#reply + 1] = math.ceil(wait / 1000)
    reply[#reply + 1] = take(ask.units) or ''
  end
  reply[1] = math.ceil(again_us / 1000)
  write_turns(turns, again_us, now)
  redis.call('PEXPIRE', turns.key, math.ceil((math.max(wait_us(), again_us) + silent_us) / 1000))
  return reply
end
