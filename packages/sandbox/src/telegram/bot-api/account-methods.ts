/** Logging in and out, who is who, and the configuration every client asks for. */
import { decryptIge } from '@cryptography/aes'
import type { AuthKeys } from '../auth-keys.ts'
import { bindingIgeKey, sha1 } from '../crypto.ts'
import { type Caller, RpcError } from '../rpc.ts'
import { Reader, Writer } from '../tl/bytes.ts'
import { decodeObject, type TlObject, type TlValue } from '../tl/codec.ts'
import { coreSchema } from '../tl/core-schema.ts'
import { type Bot, unixTime } from './bot.ts'
import type { Methods, Service } from './methods.ts'

const dcId = 2

export function accountMethods({ world, keys, bots, apiId, apiHash, address }: Service): Methods {
  return {
    'help.getConfig': () => config(address()),
    'help.getNearestDc': () => ({ _: 'nearestDc', country: 'RU', this_dc: dcId, nearest_dc: dcId }),
    'auth.bindTempAuthKey': (call, caller) => {
      bindTemporaryKey(keys, call, caller)
      return true
    },
    'auth.importBotAuthorization': (call, { login }) => {
      if (call.api_id !== apiId || call.api_hash !== apiHash) throw new RpcError(400, 'API_ID_INVALID')
      const bot = bots.find(({ token }) => token === call.bot_auth_token)
      if (!bot) throw new RpcError(400, 'ACCESS_TOKEN_INVALID')
      login.botId = bot.id
      keys.save()
      return { _: 'auth.authorization', user: bot.self() }
    },
    'auth.logOut': (_call, { login }) => {
      delete login.botId
      keys.save()
      return { _: 'auth.loggedOut' }
    },
    'users.getUsers': (call, _caller, bot) =>
      (call.id as readonly TlObject[]).map((input): TlValue => {
        if (isSelf(input, bot)) return bot.self()
        const userId = input.user_id as bigint
        const { state } = world.phone('telegram', String(userId))
        return state === 'unknown' ? { _: 'userEmpty', id: userId } : bot.user(userId, state === 'deactivated')
      }),
    'bots.setBotCommands': () => true,
    'bots.resetBotCommands': () => true,
  }
}

function isSelf(input: TlObject, bot: Bot): boolean {
  return input._ === 'inputUserSelf' || input.user_id === bot.id
}

function config({ host, port }: { host: string; port: number }): TlObject {
  return {
    _: 'config',
    date: unixTime(),
    expires: unixTime() + 3600,
    test_mode: false,
    this_dc: dcId,
    dc_options: [{ _: 'dcOption', id: dcId, ip_address: host, port }],
    dc_txt_domain_name: 'localhost',
    chat_size_max: 200,
    megagroup_size_max: 200_000,
    forwarded_count_max: 100,
    online_update_period_ms: 210_000,
    offline_blur_timeout_ms: 5000,
    offline_idle_timeout_ms: 30_000,
    online_cloud_timeout_ms: 300_000,
    notify_cloud_delay_ms: 30_000,
    notify_default_delay_ms: 1500,
    push_chat_period_ms: 60_000,
    push_chat_limit: 2,
    saved_gifs_limit: 200,
    edit_time_limit: 172_800,
    revoke_time_limit: 2_147_483_647,
    revoke_pm_time_limit: 2_147_483_647,
    rating_e_decay: 2_419_200,
    stickers_recent_limit: 200,
    stickers_faved_limit: 5,
    channels_read_media_period: 604_800,
    pinned_dialogs_count_max: 5,
    pinned_infolder_count_max: 100,
    call_receive_timeout_ms: 20_000,
    call_ring_timeout_ms: 90_000,
    call_connect_timeout_ms: 30_000,
    call_packet_timeout_ms: 10_000,
    me_url_prefix: 'https://t.me/',
    caption_length_max: 1024,
    message_length_max: 4096,
    webfile_dc_id: dcId,
  }
}

/** A temporary key proves that its owner has the permanent one (core.telegram.org/method/auth.bindTempAuthKey). */
function bindTemporaryKey(keys: AuthKeys, call: TlObject, { authKey, sessionId }: Caller): void {
  const permanent = keys.get(idText(call.perm_auth_key_id as bigint))
  if (!permanent) throw new RpcError(400, 'ENCRYPTED_MESSAGE_INVALID')
  const message = call.encrypted_message as Buffer
  const messageKey = message.subarray(8, 24)
  const plain = decryptIge(bindingIgeKey(permanent.key, messageKey), message.subarray(24))
  const reader = new Reader(plain, 28)
  const body = reader.raw(reader.int())
  if (!sha1(plain.subarray(0, reader.offset)).subarray(4, 20).equals(messageKey)) {
    throw new RpcError(400, 'ENCRYPTED_MESSAGE_INVALID')
  }
  const inner = decodeObject(coreSchema, new Reader(body))
  const right =
    inner.nonce === call.nonce &&
    inner.perm_auth_key_id === call.perm_auth_key_id &&
    idText(inner.temp_auth_key_id as bigint) === authKey.id &&
    inner.temp_session_id === sessionId
  if (!right) throw new RpcError(400, 'ENCRYPTED_MESSAGE_INVALID')
  authKey.boundTo = permanent.id
  keys.save()
}

function idText(id: bigint): string {
  return new Writer().long(id).done().toString('hex')
}
