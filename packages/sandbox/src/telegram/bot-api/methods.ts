/** What every group of calls is made from, and what it is. */
import type { World } from '../../world.ts'
import type { AuthKeys } from '../auth-keys.ts'
import type { Caller } from '../rpc.ts'
import type { TlObject, TlValue } from '../tl/codec.ts'
import type { Bot } from './bot.ts'

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
