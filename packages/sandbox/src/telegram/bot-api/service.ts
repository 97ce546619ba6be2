/** The service behind the protocol: which calls there are, and who may make them. */
import type { World } from '../../stand-in.ts'
import type { AuthKeys } from '../auth-keys.ts'
import { type Api, type Caller, RpcError } from '../rpc.ts'
import type { TlObject, TlValue } from '../tl/codec.ts'
import { accountMethods } from './account-methods.ts'
import type { Bot } from './bot.ts'
import { messageMethods } from './message-methods.ts'
import { updateMethods } from './update-methods.ts'

export interface Service {
  readonly world: World
  readonly keys: AuthKeys
  readonly bots: readonly Bot[]
  readonly apiId: number
  readonly apiHash: string
  /** where the DC listens */
  readonly address: () => { host: string; port: number }
}

/** Calls by name. The schema has checked the shape of the call before it comes here. */
export type Methods = Readonly<Record<string, (call: TlObject, caller: Caller, bot: Bot) => TlValue>>

const beforeLogin: ReadonlySet<string> = new Set([
  'help.getConfig',
  'help.getNearestDc',
  'auth.bindTempAuthKey',
  'auth.importBotAuthorization',
])

export function createApi(service: Service): Api {
  const methods: Methods = { ...accountMethods(service), ...messageMethods(service), ...updateMethods(service) }
  return (call, caller) => {
    const bot = service.bots.find(({ id }) => id === caller.login.botId)
    if (!bot && !beforeLogin.has(call._)) throw new RpcError(401, 'AUTH_KEY_UNREGISTERED')
    const method = Object.hasOwn(methods, call._) ? methods[call._] : undefined
    if (!method) throw new RpcError(400, 'METHOD_INVALID')
    // calls made before the login do not look at the bot
    return method(call, caller, bot as Bot)
  }
}
