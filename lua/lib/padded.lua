-- A range of a string with a byte an ordinal; what was never written is NUL.
local function read_padded(key, first, after)
  local bytes = redis.call('GETRANGE', key, first, after - 1)
  return bytes .. string.rep('\0', after - first - #bytes)
end
