/**
 * Where other layers shape what this stand-in reads or writes differently from layer 198. Optional fields it never writes,
 * and flags that take no room, are left out: on the wire there is no difference. Source: the schemas of layers 135 … 228 as
 * published with Telegram's clients.
 */

const user = (id: string, flags2 = 'flags2:# ') =>
  `user#${id} flags:# self:flags.10?true deleted:flags.13?true bot:flags.14?true ${flags2}id:long access_hash:flags.0?long first_name:flags.1?string username:flags.3?string bot_info_version:flags.14?int lang_code:flags.22?string = User;`

const message = (id: string, flags2 = 'flags2:# ') =>
  `message#${id} flags:# out:flags.1?true ${flags2}id:int from_id:flags.8?Peer peer_id:Peer date:int message:string reply_markup:flags.6?ReplyMarkup edit_date:flags.15?int = Message;`

/** until layer 153 it told the limits of saved gifs, favourite stickers and pinned dialogs as well */
const config = (id: string, gifs = '', stickers = '', pinned = '') =>
  `config#${id} flags:# date:int expires:int test_mode:Bool this_dc:int dc_options:Vector<DcOption> dc_txt_domain_name:string chat_size_max:int megagroup_size_max:int forwarded_count_max:int online_update_period_ms:int offline_blur_timeout_ms:int offline_idle_timeout_ms:int online_cloud_timeout_ms:int notify_cloud_delay_ms:int notify_default_delay_ms:int push_chat_period_ms:int push_chat_limit:int ${gifs}edit_time_limit:int revoke_time_limit:int revoke_pm_time_limit:int rating_e_decay:int stickers_recent_limit:int ${stickers}channels_read_media_period:int ${pinned}call_receive_timeout_ms:int call_ring_timeout_ms:int call_connect_timeout_ms:int call_packet_timeout_ms:int me_url_prefix:string caption_length_max:int message_length_max:int webfile_dc_id:int = Config;`

const oldConfig = (id: string) =>
  config(
    id,
    'saved_gifs_limit:int ',
    'stickers_faved_limit:int ',
    'pinned_dialogs_count_max:int pinned_infolder_count_max:int ',
  )

/** What is written, from this layer on until the same name comes again. */
export const writtenSince: readonly (readonly [since: number, tl: string])[] = [
  [135, user('3ff6ecb0', '')],
  [145, user('5d99adee', '')],
  [148, user('8f97c628')],
  [160, user('abb5f120')],
  [166, user('eb602f25')],
  [167, user('215c4438')],
  [185, user('83314fca')],
  [196, user('4b46c37e')],
  [200, user('20b1422')],
  [218, user('31774388')],
  [228, user('b1b8cc83')],

  [135, message('85d6cbe2', '')],
  [136, message('38116ee0', '')],
  [170, message('76bec211', '')],
  [174, message('1e4c8a69', '')],
  [176, message('a66c7efc', '')],
  [177, message('2357bf25')],
  [181, message('94345242')],
  [196, message('96fdbbe9')],
  [200, message('eabcdd4d')],
  [206, message('9815cec8')],
  [220, message('b92f76cf')],
  [221, message('9cb490e9')],
  [223, message('3ae56482')],
  [225, message('95ef6f2b')],
  [227, message('7600b9d3')],

  [135, oldConfig('330b4067')],
  [145, oldConfig('232566ac')],
  [154, config('cc1a241e')],

  [135, 'auth.authorization#33fb7bb8 flags:# user:User = auth.Authorization;'],
  [152, 'auth.authorization#2ea2c0d4 flags:# user:User = auth.Authorization;'],

  [222, 'keyboardButton#7d170cff flags:# style:flags.10?KeyboardButtonStyle text:string = KeyboardButton;'],
  [
    222,
    'keyboardButtonUrl#d80c25ec flags:# style:flags.10?KeyboardButtonStyle text:string url:string = KeyboardButton;',
  ],
  [
    222,
    'keyboardButtonCallback#e62bc960 flags:# requires_password:flags.0?true style:flags.10?KeyboardButtonStyle text:string data:bytes = KeyboardButton;',
  ],
  [222, 'keyboardButtonStyle#4fdd3430 flags:# icon:flags.3?long = KeyboardButtonStyle;'],
]

const message148 =
  'message:string random_id:long reply_markup:flags.2?ReplyMarkup entities:flags.3?Vector<MessageEntity> schedule_date:flags.10?int'
const message181 = `flags:# peer:InputPeer reply_to:flags.0?InputReplyTo ${message148}`
const sender = 'send_as:flags.13?InputPeer quick_reply_shortcut:flags.17?InputQuickReplyShortcut effect:flags.18?long'
const edited =
  'flags:# peer:InputPeer id:int message:flags.11?string media:flags.14?InputMedia reply_markup:flags.2?ReplyMarkup entities:flags.3?Vector<MessageEntity> schedule_date:flags.15?int'
const quoted =
  'flags:# reply_to_msg_id:int top_msg_id:flags.0?int reply_to_peer_id:flags.1?InputPeer quote_text:flags.2?string quote_entities:flags.3?Vector<MessageEntity>'

/** What is only read; each id says of itself which layers it is of. */
export const alsoRead = `
messages.sendMessage#d9d75a4 flags:# peer:InputPeer reply_to_msg_id:flags.0?int ${message148} send_as:flags.13?InputPeer = Updates;
messages.sendMessage#1cc20387 flags:# peer:InputPeer reply_to_msg_id:flags.0?int top_msg_id:flags.9?int ${message148} send_as:flags.13?InputPeer = Updates;
messages.sendMessage#280d096f ${message181} send_as:flags.13?InputPeer = Updates;
messages.sendMessage#dff8042c ${message181} send_as:flags.13?InputPeer quick_reply_shortcut:flags.17?InputQuickReplyShortcut = Updates;
messages.sendMessage#fbf2340a ${message181} ${sender} allow_paid_stars:flags.21?long = Updates;
messages.sendMessage#fe05dc9a ${message181} ${sender} allow_paid_stars:flags.21?long suggested_post:flags.22?SuggestedPost = Updates;
messages.sendMessage#545cd15a ${message181} schedule_repeat_period:flags.24?int ${sender} allow_paid_stars:flags.21?long suggested_post:flags.22?SuggestedPost = Updates;
messages.sendMessage#fef48f62 ${message181} schedule_repeat_period:flags.24?int ${sender} allow_paid_stars:flags.21?long suggested_post:flags.22?SuggestedPost rich_message:flags.23?InputRichMessage = Updates;
messages.editMessage#48f71778 ${edited} = Updates;
messages.editMessage#51e842e1 ${edited} schedule_repeat_period:flags.18?int quick_reply_shortcut_id:flags.17?int = Updates;
messages.editMessage#b106e66c ${edited} schedule_repeat_period:flags.18?int quick_reply_shortcut_id:flags.17?int rich_message:flags.23?InputRichMessage = Updates;
updates.getDifference#25939651 flags:# pts:int pts_total_limit:flags.0?int date:int qts:int = updates.Difference;
inputReplyToMessage#9c5386e4 flags:# reply_to_msg_id:int top_msg_id:flags.0?int = InputReplyTo;
inputReplyToMessage#73ec805 ${quoted} = InputReplyTo;
inputReplyToMessage#b07038b0 ${quoted} quote_offset:flags.4?int monoforum_peer_id:flags.5?InputPeer = InputReplyTo;
inputReplyToMessage#869fbe10 ${quoted} quote_offset:flags.4?int monoforum_peer_id:flags.5?InputPeer todo_item_id:flags.6?int = InputReplyTo;
inputReplyToMessage#3bd4b7c2 ${quoted} quote_offset:flags.4?int monoforum_peer_id:flags.5?InputPeer todo_item_id:flags.6?int poll_option:flags.7?bytes = InputReplyTo;
`
