-- Whether a subscription follows this in a shard or bucket: members of `watched` are `<resource>:<id or *> <subscription>`.
local function is_watched(watched, of)
  return #redis.call('ZRANGEBYLEX', watched, '[' .. of .. ' ', '(' .. of .. '!', 'LIMIT', 0, 1) > 0
end

-- A mark: this resource is not what it was. It is left in the step that changes the resource, and only where somebody follows it. The number of
-- a mark is given once, so that whoever takes a mark away takes only the one that was read; the member # has the latest.
local function mark_dirty(tag, kind, id)
  local watched = watched_key(tag)
  if redis.call('EXISTS', watched) == 0 then return end
  local resource = kind .. ':' .. id
  if not is_watched(watched, resource) and not is_watched(watched, kind .. ':*') then return end
  local dirty = dirty_key(tag)
  local number = redis.call('ZINCRBY', dirty, 1, '#')
  if redis.call('ZADD', dirty, number, resource) == 1 then redis.call('SPUBLISH', marked_channel(tag), '') end
end
