/** What the mail server makes of a recipient and of a message, by its faults and by the state of the mailbox. */
import type { World } from '../world.ts'
import { readMessage } from './read-message.ts'

/** The server's reply, or the lack of one. */
export type Verdict =
  | { readonly kind: 'reply'; readonly code: number; readonly text: string }
  /** the connection is cut instead */
  | { readonly kind: 'cut' }
  /** nothing is said at all */
  | { readonly kind: 'hang' }

export interface Mailboxes {
  /** of a RCPT TO */
  recipient(address: string): Verdict
  /** of the end of DATA */
  message(address: string, content: Buffer): Verdict
}

const states: Readonly<Record<string, string>> = {
  blocked: '5.2.1 the mailbox takes nothing',
  deactivated: '5.2.1 the mailbox is disabled',
  unknown: '5.1.1 no such user',
}
const reply = (code: number, text: string): Verdict => ({ kind: 'reply', code, text })
const refused = (state: string) => reply(550, states[state] ?? '')

export function createMailboxes(world: World): Mailboxes {
  let lastId = 0
  return {
    recipient(address) {
      if (world.takeFault('mail', 'throttle', address)) return reply(451, '4.7.1 greylisted, try again later')
      if (world.takeFault('mail', 'disconnect', address)) return { kind: 'cut' }
      const reject = world.takeFault('mail', 'reject', address)
      if (reject) return reply(Number(/^\d{3}/.exec(reject.code ?? '')?.[0] ?? 550), reject.code?.slice(4) ?? '')
      const { state } = world.phone('mail', address)
      return state in states ? refused(state) : reply(250, '2.1.5 fine')
    },
    message(address, content) {
      const { text, messageId, unsubscribe } = readMessage(content)
      if (world.takeFault('mail', 'hang', address)) return { kind: 'hang' }
      if (world.refusesOnce('mail', address, messageId)) return refused('blocked')
      const providerId = String(++lastId)
      const offer = unsubscribe ? { unsubscribe } : {}
      world.accept({ channel: 'mail', address, text, key: messageId, at: Date.now(), providerId, ...offer })
      return world.takeFault('mail', 'reply-lost', address)
        ? { kind: 'cut' }
        : reply(250, `2.0.0 taken as ${providerId}`)
    },
  }
}
