/** The service behind the protocol: which calls there are, and who may make them. */
import { type Api, RpcError } from '../rpc.ts'
import { accountMethods } from './account-methods.ts'
import type { Bot } from './bot.ts'
import { messageMethods } from './message-methods.ts'
import type { Methods, Service } from './methods.ts'
import { updateMethods } from './update-methods.ts'

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
