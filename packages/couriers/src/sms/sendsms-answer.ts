/** What a gateway's HTTP answer to `sendsms` means; statuses and words are those of Kannel's smsbox. */
import { type Answer, throttled } from './answer.ts'

const slowDownMs = 1000
const misconfiguredMs = 30_000

/** @param id what a message is known by, accepted or perhaps accepted: the answer itself carries none */
export function answerOf(status: number, words: string, id: string): Answer {
  if (status === 202) return { kind: 'accepted', id }
  if (status === 503 || status === 429) return throttled(slowDownMs, words || `the gateway answered ${status}`)
  if (status === 403 && /not routable/i.test(words))
    return { kind: 'rejected', class: 'invalid', detail: `NOT_ROUTABLE: ${words}` }
  // a wrong password or path is no verdict on the recipient: everything waits until somebody mends it
  if ([401, 403, 404, 405].includes(status))
    return throttled(misconfiguredMs, `the gateway answered ${status}: ${words}`)
  if (status >= 400 && status < 500)
    return {
      kind: 'rejected',
      class: 'refused',
      detail: `HTTP_${status}: ${words || `the gateway answered ${status}`}`,
    }
  return { kind: 'unknown', why: `the gateway answered ${status}`, providerId: id }
}
