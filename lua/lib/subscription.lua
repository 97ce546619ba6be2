-- Notes when a subscription is looked at next, in the step that changes it: at once while a replay is asked for, or its owner does not know yet that
-- it is disabled; else when the first of its resources is due.
local function note_due(all, record, due, id)
  local known, at = redis.call('HMGET', record, 'owner', 'disabled', 'replay'), nil
  if known[2] then
    at = not cjson.decode(known[2]).isTold and '0' or nil
  elseif known[1] then
    at = known[3] and '0' or redis.call('ZRANGE', due, 0, 0, 'WITHSCORES')[2]
  end
  if at then
    redis.call('ZADD', all, at, id)
  else
    redis.call('ZREM', all, id)
  end
end
