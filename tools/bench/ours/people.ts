/** The people the messages are for: loaded through the roster import, as an administrator would. */

import { type ChannelName, channelOf } from '@courier-fleet/channels'
import { createDirectory } from '@courier-fleet/directory'
import { joinFleet, type Redis } from '@courier-fleet/store'

/** Everyone is on VK; the first of them on Telegram and on the phone as well. */
export const peopleOnEveryChannel = 20_000
/** Neighbours live in different ones. */
export const zones = [
  ...['Kaliningrad', 'Moscow', 'Samara'].map((name) => `Europe/${name}`),
  ...['Yekaterinburg', 'Omsk', 'Krasnoyarsk', 'Irkutsk', 'Yakutsk', 'Vladivostok'].map((name) => `Asia/${name}`),
]
const peopleAnImport = 200_000
const maxLinesPerChunk = 2000

export const personId = (index: number) => `p${String(index).padStart(7, '0')}`
export const userToken = (index: number) => `user:${personId(index)}`
export const addressOf = (channel: ChannelName, index: number) => channelOf(channel).address.madeUp(index)

/** The group of the first `size` people; exists for the sizes given to loadPeople(). */
export const groupToken = (size: number) => `group:first-${size}`

/** @param groups sizes of the groups wanted; the largest says how many people there are */
export async function loadPeople(redis: Redis, groups: readonly number[], say: (text: string) => void): Promise<void> {
  await joinFleet(redis) // says in how many buckets they lie
  const directory = createDirectory({ redis, country: 'RU' })
  const sizes = [...new Set(groups)].sort((a, b) => b - a)
  const count = sizes[0] ?? 0
  for (let from = 0; from < count; from += peopleAnImport) {
    const to = Math.min(from + peopleAnImport, count)
    const { rejected } = await directory.importCsv(roster(from, to, sizes))
    if (rejected > 0) throw new Error(`${rejected} people were refused by the import`)
    say(`people: ${to} of ${count}`)
  }
}

async function* roster(from: number, to: number, sizes: readonly number[]): AsyncGenerator<Buffer> {
  yield Buffer.from('id,name,role,timezone,language,telegram,vk,phone,groups\n')
  for (let start = from; start < to; start += maxLinesPerChunk) {
    let lines = ''
    for (let i = start; i < Math.min(start + maxLinesPerChunk, to); i++) {
      const others = i < peopleOnEveryChannel
      const groups = sizes.filter((size) => i < size).map((size) => `first-${size}`)
      const contacts = [others ? addressOf('telegram', i) : '', addressOf('vk', i), others ? addressOf('sms', i) : '']
      const zone = zones[i % zones.length]
      lines += `${personId(i)},Студент ${i},student,${zone},ru,${contacts.join(',')},${groups.join('|')}\n`
    }
    yield Buffer.from(lines)
  }
}
