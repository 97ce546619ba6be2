-- The one place in Lua that spells a key, as packages/store/src/keys.ts does in TypeScript. `tag` is the hash tag of a
-- shard, `ptag` of a bucket of people, `message` is <sender>:<id>, `leg` a channel, or a channel and a version.
-- A name is put together at once: each text on the way to it is one more to be kept and let go of. `part`: a leg, a wave, or none.
local function of_message(kind, tag, message, part)
  if part then return kind .. ':{' .. tag .. '}:' .. message .. ':' .. part end
  return kind .. ':{' .. tag .. '}:' .. message
end
local function history_key(tag, message) return of_message('history', tag, message) end
local function record_key(tag, message) return of_message('record', tag, message) end
local function secret_key(tag, message) return of_message('secret', tag, message) end
local function audience_key(tag, message) return of_message('audience', tag, message) end
local function upload_key(tag, message, attempt) return of_message('upload', tag, message, attempt) end
local function delivery_key(tag, message, wave) return of_message('delivery', tag, message, wave) end
local function pieces_key(tag, message, wave) return of_message('pieces', tag, message, wave) end
local function receipts_key(tag, message, leg) return of_message('receipts', tag, message, leg) end
local function reasons_key(tag, message, leg) return of_message('reasons', tag, message, leg) end
local function evidence_key(tag, message, leg) return of_message('evidence', tag, message, leg) end
local function tried_key(tag, message, leg) return of_message('tried', tag, message, leg) end
local function presence_key(tag, message, leg) return of_message('presence', tag, message, leg) end
local function by_voice_key(tag, message) return of_message('by-voice', tag, message) end
local function merge_key(tag, sender, person, type_id) return 'merge:{' .. tag .. '}:' .. sender .. ':' .. person .. ':' .. type_id end
local function steps_key(tag, message) return of_message('steps', tag, message) end
local function confirmed_key(tag, message) return of_message('confirmed', tag, message) end
local function in_time_key(tag, message) return of_message('in-time', tag, message) end
local function versions_key(tag, message) return of_message('versions', tag, message) end
-- Of a message whose people are asked to confirm it, by a digest of its name: what a button names it by has no room for all of that.
local function confirm_of_key(tag, message) return 'confirm-of:{' .. tag .. '}:' .. string.sub(redis.sha1hex(message), 1, 16) end
local function due_key(tag) return 'due:{' .. tag .. '}' end
local function retention_key(tag) return 'retention:{' .. tag .. '}' end
local function expiry_key(tag) return 'expiry:{' .. tag .. '}' end
local function barred_key(tag) return 'barred:{' .. tag .. '}' end
local function held_key(tag) return 'held:{' .. tag .. '}' end
local function held_rules_key(tag) return 'held-rules:{' .. tag .. '}' end
local function laid_by_key(tag) return 'laid-by:{' .. tag .. '}' end
local function channels_key(tag) return 'channels:{' .. tag .. '}' end
local function stats_key(tag, hour) return 'stats:{' .. tag .. '}:' .. hour end
local function waiting_key(tag) return 'waiting:{' .. tag .. '}' end
local function about_key(tag, sender, about) return 'about:{' .. tag .. '}:' .. sender .. ':' .. about end
local function event_key(tag, sender, event) return 'event:{' .. tag .. '}:' .. sender .. ':' .. event end
local function reminders_key(tag, sender, event) return 'reminders:{' .. tag .. '}:' .. sender .. ':' .. event end
local function senders_key(tag) return 'senders:{' .. tag .. '}' end
local function sent_key(tag, sender) return 'sent:{' .. tag .. '}:' .. sender end
local function work_key(tag, channel, class) return 'work:{' .. tag .. '}:' .. channel .. ':' .. class end
local function contacts_key(ptag, channel) return 'contacts:{' .. ptag .. '}:' .. channel end
local function provider_id_key(ptag, channel, id) return 'provider-id:{' .. ptag .. '}:' .. channel .. ':' .. id end
local function unread_key(ptag, channel, address) return 'unread:{' .. ptag .. '}:' .. channel .. ':' .. address end
local function watched_key(tag) return 'watched:{' .. tag .. '}' end
local function dirty_key(tag) return 'dirty:{' .. tag .. '}' end
local function diary_key(ptag, day) return 'diary:{' .. ptag .. '}:' .. day end
local function waiting_online_key(ptag, person) return 'waiting-online:{' .. ptag .. '}:' .. person end
local function online_key(ptag, person) return 'online:{' .. ptag .. '}:' .. person end
local function change_channel(tag, message) return of_message('change', tag, message) end
local function due_head_channel(tag) return 'due-head:{' .. tag .. '}' end
local function work_of_channel(tag, channel) return 'work-of:{' .. tag .. '}:' .. channel end
local function marked_channel(tag) return 'marked:{' .. tag .. '}' end
