/** One call of the gateway, and what can be said of it: whether it has left this process, and what came back. */
import { reasonOf } from '@courier-fleet/process'
import type { Dispatcher } from 'undici'

export type Called =
  | { readonly kind: 'answered'; readonly status: number; readonly words: string }
  /** nothing of it has left, and nothing will: there is no connection, `why` says the code */
  | { readonly kind: 'not-connected'; readonly why: string }
  /** nothing of it has left, and nothing will: there was no connection in time */
  | { readonly kind: 'not-begun' }
  /** it has left */
  | { readonly kind: 'unanswered'; readonly why: string }

/**
 * Whether it has left is told by whether it was given a connection: how making one fails has many names, and a connection that
 * is made may be lost by the same ones. Resolves at once when `limit` is aborted; never rejects.
 */
export function callGateway(pool: Dispatcher, path: string, limit: AbortSignal): Promise<Called> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = []
    let status = 0
    /** from the moment the call goes onto a connection */
    let controller: Dispatcher.DispatchController | undefined

    const end = (called: Called) => {
      limit.removeEventListener('abort', giveUp)
      resolve(called)
    }
    function giveUp(): void {
      end(controller ? { kind: 'unanswered', why: reasonOf(limit) } : { kind: 'not-begun' })
      controller?.abort(limit.reason)
    }
    if (limit.aborted) return giveUp()
    limit.addEventListener('abort', giveUp)

    pool.dispatch(
      { method: 'GET', path },
      {
        onRequestStart(given) {
          // connected too late: it must not go out after all
          if (limit.aborted) given.abort(limit.reason)
          else controller = given
        },
        onResponseStart(_controller, statusCode) {
          status = statusCode
        },
        onResponseData(_controller, chunk) {
          chunks.push(chunk)
        },
        onResponseEnd() {
          end({ kind: 'answered', status, words: Buffer.concat(chunks).toString().trim() })
        },
        onResponseError(_controller, error) {
          const { code = error.name } = error as { code?: string }
          const lost = 'the connection was lost before the answer came'
          end(controller ? { kind: 'unanswered', why: lost } : { kind: 'not-connected', why: code })
        },
      },
    )
  })
}
