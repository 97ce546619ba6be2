/** Claims and messages as tests of single pieces need them. */
import type { MessageClass } from '@courier-fleet/api-types'
import type { Claim } from '../../src/engine/claims/claim.ts'
import type { Message } from '../../src/engine/texts/messages.ts'

let entries = 0

export function claim(people: number, more: Partial<Claim> & { class?: MessageClass } = {}): Claim {
  entries += 1
  return {
    stream: 'work',
    entry: `${entries}-0`,
    consumer: 'a',
    deliveries: 1,
    ref: { shard: '00', sender: 'dean', id: `message-${entries}` },
    class: 'normal',
    leg: 'vk',
    from: 0,
    to: people,
    tries: 0,
    unless: '',
    ...more,
  }
}

export const messageTo = (people: number): Message => ({
  version: 1,
  text: 'Hello',
  said: { text: 'Hello' },
  width: 4,
  firstPeople: Array.from({ length: people }, (_unused, index) => `p${index}`),
})
