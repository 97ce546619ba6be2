/** A person with Telegram in their hand: writes to the bot, reads what it says, presses its buttons. */

import type { Sandbox } from '@courier-fleet/launch'
import type { ShownMessage } from '@courier-fleet/sandbox'
import { until } from '@courier-fleet/testkit'

export interface TelegramPhone {
  say(text: string): Promise<void>
  /** Waits for a message of the bot that has this in it, as it stands now. @returns the latest one */
  sees(part: string | RegExp, timeoutMs?: number): Promise<ShownMessage>
  /** Writes, and waits for an answer that was not there before. */
  asks(text: string, part: string | RegExp): Promise<ShownMessage>
  /** Waits for a button as press() does. */
  isOffered(label: string): Promise<void>
  /** Waits until this message has it in it. */
  becomes(message: number, part: string | RegExp): Promise<ShownMessage>
  /** Presses the first button whose label begins so, ticked or not, on the latest message that has buttons. @returns the message */
  press(label: string): Promise<number>
  /** Sends data of one's own as if it were a button's. */
  forge(message: number, data: string): Promise<void>
  /** Waits for this notice over the button. */
  isTold(part: string | RegExp): Promise<void>
  /** everything the bot has said */
  messages(): Promise<ShownMessage[]>
}

const has = (text: string | undefined, part: string | RegExp) =>
  text !== undefined && (typeof part === 'string' ? text.includes(part) : part.test(text))

export function telegramPhone(sandbox: Sandbox, address: string): TelegramPhone {
  const messages = async () =>
    (await sandbox.chat('telegram', address)).messages.filter(({ from }) => from === 'client')

  async function sees(part: string | RegExp, timeoutMs?: number, after = 0): Promise<ShownMessage> {
    let last: ShownMessage[] = []
    try {
      return await until(
        async () => {
          last = await messages()
          return last.findLast(({ id, text }) => id > after && has(text, part))
        },
        `the bot says ${part}`,
        timeoutMs,
      )
    } catch (error) {
      throw new Error(`${(error as Error).message}; it said last: ${last.at(-1)?.text}`)
    }
  }

  const button = (label: string) =>
    until(async () => {
      const latest = (await messages()).findLast(({ buttons = [] }) => buttons.length > 0)
      const exact = latest?.buttons?.flat().find((each) => each.replace('✓ ', '').startsWith(label))
      return latest && exact !== undefined && { message: latest.id, label: exact }
    }, `there is a button ${label}`)

  return {
    messages,
    say: (text) => sandbox.say('telegram', address, text),
    sees: (part, timeoutMs) => sees(part, timeoutMs),
    async asks(text, part) {
      const before = (await messages()).at(-1)?.id ?? 0
      await sandbox.say('telegram', address, text)
      return sees(part, undefined, before)
    },
    isOffered: async (label) => void (await button(label)),
    async press(label) {
      const found = await button(label)
      await sandbox.press('telegram', address, found)
      return found.message
    },
    async becomes(message, part) {
      let text: string | undefined
      const find = async () => {
        const found = (await messages()).find(({ id }) => id === message)
        text = found?.text
        return has(text, part) && found
      }
      return until(find, `message ${message} says ${part}`).catch((error) => {
        throw new Error(`${error.message}; it says: ${text}`)
      })
    },
    forge: (message, data) => sandbox.press('telegram', address, { message, data }),
    isTold: async (part) =>
      void (await until(
        async () => has((await sandbox.chat('telegram', address)).notice, part),
        `the bot tells ${part} over the button`,
      )),
  }
}
