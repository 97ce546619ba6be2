/** Phones of the sandbox at which people write to the fleet by SMS and in VK, and read what it answers. */
import { until } from '@courier-fleet/testkit'
import { expect } from 'chai'
import type { Fleet } from './fleet.ts'

export interface TextPhones {
  /** everything this address was sent */
  textsTo(channel: 'sms' | 'vk', address: string): Promise<string[]>
  /** Writes, and waits for an answer that was not there before. */
  asks(channel: 'sms' | 'vk', address: string, text: string, answer: string | RegExp): Promise<void>
}

export function textPhones({ sandbox }: Fleet): TextPhones {
  const textsTo: TextPhones['textsTo'] = async (channel, address) =>
    (await sandbox.accepted(undefined, channel)).filter((row) => row.address === address).map(({ text }) => text)
  return {
    textsTo,
    async asks(channel, address, text, answer) {
      const before = (await textsTo(channel, address)).length
      await sandbox.say(channel, address, text)
      const heard = await until(
        async () => (await textsTo(channel, address))[before],
        `${address} is answered "${text}"`,
      )
      if (typeof answer === 'string') expect(heard).to.equal(answer)
      else expect(heard).to.match(answer)
    },
  }
}
