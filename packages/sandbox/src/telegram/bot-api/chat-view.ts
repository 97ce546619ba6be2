/** A person's chat with the bot, as it looks on their phone. */
import type { ShownMessage } from '../../stand-in.ts'
import type { World } from '../../world.ts'
import type { TlObject } from '../tl/codec.ts'
import type { Bot } from './bot.ts'

export function chatOf(world: World, bot: Bot, address: string): readonly ShownMessage[] {
  return (bot.chats.get(address) ?? []).map((id): ShownMessage => {
    const sent = bot.sent.get(id)
    if (!sent) {
      const { message, date } = bot.receivedById.get(id) as TlObject
      return { id, from: 'person', text: message as string, at: (date as number) * 1000 }
    }
    const { text, at, editedAt, markup, document } = sent
    return {
      id,
      from: 'client',
      text,
      at,
      ...(editedAt === undefined ? {} : { editedAt }),
      ...(document ? { files: [document.file] } : {}),
      ...(markup ? { buttons: labelsOf(markup) } : {}),
      ...(world.isWaiting({ channel: 'telegram', address, providerId: String(id) }) ? { state: 'waiting' } : {}),
    }
  })
}

function labelsOf(markup: TlObject): string[][] {
  const rows = (markup.rows ?? []) as readonly TlObject[]
  return rows.map((row) => (row.buttons as readonly TlObject[]).map(({ text }) => text as string))
}
