/** execute: up to 25 API calls in one: https://dev.vk.com/method/execute */
import { peersOf } from './message-params.ts'
import type { Params } from './read-params.ts'
import { VkError } from './vk-error.ts'
import { compile } from './vk-script/compile.ts'
import { textOf } from './vk-script/values.ts'

export interface ExecuteAnswer {
  readonly response: unknown
  /** in the order of the calls that failed, each of which is `false` in the response */
  readonly execute_errors?: readonly { method: string; error_code: number; error_msg: string }[]
}

const maxCalls = 25

/**
 * @param isLost whether the error of a call that failed is left out
 * @throws VkError 12 when the code does not compile, 13 when it fails or calls too much; what it called before is done
 */
export function execute(
  params: Params,
  method: (name: string, params: Params) => unknown,
  isLost: (name: string, params: Params) => boolean,
): ExecuteAnswer {
  const errors: { method: string; error_code: number; error_msg: string }[] = []
  let calls = 0
  const response = compile(codeOf(params))(params, (name, given) => {
    if (++calls > maxCalls) throw new VkError(13, 'too many api calls')
    const own = paramsOf(given)
    try {
      return method(name, own)
    } catch (error) {
      if (!(error instanceof VkError)) throw error
      if (!isLost(name, own)) errors.push({ method: name, error_code: error.code, error_msg: error.message })
      return false
    }
  })
  return errors.length > 0 ? { response, execute_errors: errors } : { response }
}

/** Everyone a request would reach, without reaching them; nobody when it makes no sense. */
export function addressees(name: string, params: Params): string[] {
  try {
    if (name !== 'execute') return peersOf(params)
    const peers: string[] = []
    compile(codeOf(params))(params, (method, given) => {
      if (changesChats(method)) peers.push(...peersOf(paramsOf(given)))
      return false
    })
    return peers
  } catch {
    return []
  }
}

/** What reaches somebody. */
export const changesChats = (method: string): boolean => /^messages\.(send|edit|delete)$/.test(method)

function codeOf(params: Params): string {
  const code = params.get('code')
  if (!code) throw new VkError(100, 'code is a required parameter')
  return code
}

function paramsOf(given: Record<string, unknown>): Params {
  return new Map(Object.entries(given).map(([name, value]) => [name, textOf(value)]))
}
