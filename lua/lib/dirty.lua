-- Whether a subscription follows this in a shard or bucket: members of `watched` are `<resource>:<id or *> <subscription>`.
local function is_watched(watched, of)
  return #redis.call('ZRANGEBYLEX', watched, '[' .. of .. ' ', '(' .. of .. '!', 'LIMIT', 0, 1) > 0
end

-- Whether anything is followed there, by tag: asked once in a run.
local is_followed = {}

-- A mark: this resource is not what it was. It is left in the step that changes the resource, and only where somebody follows it. The number of
-- a mark is given once, so that whoever takes a mark away takes only the one that was read; the member # has the latest.
local function mark_dirty(tag, kind, id)
  local watched = watched_key(tag)
  if is_followed[tag] == nil then is_followed[tag] = redis.call('EXISTS', watched) == 1 end
  if not is_followed[tag] then return end
  local resource = kind .. ':' .. id
  if not is_watched(watched, resource) and not is_watched(watched, kind .. ':*') then return end
  local dirty = dirty_key(tag)
  local number = redis.call('ZINCRBY', dirty, 1, '#')
  if redis.call('ZADD', dirty, number, resource) == 1 then redis.call('SPUBLISH', marked_channel(tag), '') end
end
