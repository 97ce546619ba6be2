-- The generation of a master, as INFO tells it: the first digits of its replication id, which is another one after every fail-over.
local function generation_of(info)
  return string.match(info, 'master_replid:(%x%x%x%x%x%x%x%x%x%x%x%x)')
end
