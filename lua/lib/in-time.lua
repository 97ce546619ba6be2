-- Of a message whose type has a deadline: who was told of it in time and who late, each person once, when the first of their receipts
-- says that a provider has it. A byte an ordinal of in-time:{tag}:<m>: `t` in time, `l` late, NUL not told yet.
-- `fields`: due and deadline of the history; nil where it has none.
local function deadline_of(history, tag, message, type_id, fields, now)
  if not fields.deadline then return nil end
  return { history = history, tag = tag, message = message, type = type_id, is_late = now > tonumber(fields.due) + tonumber(fields.deadline) }
end

-- So many from this ordinal on have it by this leg. Needs write_stats() at the end of the run.
local function note_told(deadline, leg, first, people)
  if not deadline then return end
  local key, first = in_time_key(deadline.tag, deadline.message), tonumber(first)
  local before = read_padded(key, first, first + people)
  local after, told = string.gsub(before, '%z', deadline.is_late and 'l' or 't')
  if told == 0 then return end
  local what = deadline.is_late and 'late' or 'in-time'
  redis.call('SETRANGE', key, first, after)
  redis.call('HINCRBY', deadline.history, what, told)
  add_stat(deadline.type .. ':' .. string.match(leg, '^[^~]+') .. ':' .. what, told)
end
