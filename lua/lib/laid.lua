-- Whether new things are laid by more shards than this by now (docs/decisions/0118-shards-grow.md): then nothing new may come where it was
-- found by fewer. `laid_by` is empty for what lies where its name says.
local function has_grown(tag, laid_by)
  return laid_by ~= '' and tonumber(redis.call('GET', laid_by_key(tag)) or 0) > tonumber(laid_by)
end
