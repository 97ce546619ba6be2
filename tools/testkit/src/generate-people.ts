/** Made-up people in any number, as a roster to be imported. The same count always gives the same people. */
import { type ChannelName, channels, writtenChannels } from '@courier-fleet/channels'

export interface GeneratePeopleOptions {
  /** which contacts everyone has, of those that a roster can hold; Telegram, VK and a phone when absent */
  readonly channels?: readonly ChannelName[]
  /** people in each of the groups g0000, g0001 …; default: one group for all */
  readonly groupSize?: number
  /** the cohort all groups belong to; default `everyone` */
  readonly cohort?: string
}

const linesPerChunk = 2000
const usual: readonly ChannelName[] = ['telegram', 'vk', 'sms']

function columnOf(channel: ChannelName): string {
  const { column } = writtenChannels.find(({ name }) => name === channel) ?? {}
  if (column === undefined) throw new Error(`no roster can hold addresses of ${channel}`)
  return column
}

/** Id of the person with this index; ids sort like their indexes. */
export const generatedId = (index: number) => `p${String(index).padStart(7, '0')}`

/** What the person with this index is reached at, as the directory stores it. */
export const generatedAddress = Object.fromEntries(
  channels.map(({ name, address }) => [name, address.madeUp]),
) as Readonly<Record<ChannelName, (index: number) => string>>

/** A roster in CSV, UTF-8, for `Directory.importCsv`. */
export async function* generatePeople(count: number, options: GeneratePeopleOptions = {}): AsyncGenerator<Buffer> {
  const { channels: chosen = usual, groupSize = Math.max(count, 1), cohort = 'everyone' } = options
  const columns = chosen.map((channel) => columnOf(channel))

  let lines = [['id', 'name', 'role', 'timezone', 'language', ...columns, 'groups'].join(',')]
  for (let index = 0; index < count; index++) {
    const group = `g${String(Math.floor(index / groupSize)).padStart(4, '0')}`
    const addresses = chosen.map((channel) => generatedAddress[channel](index))
    const cells = [generatedId(index), `Студент ${index}`, 'student', 'Europe/Moscow', 'ru', ...addresses]
    lines.push([...cells, `${cohort}/${group}`].join(','))
    if (lines.length < linesPerChunk) continue
    yield Buffer.from(`${lines.join('\n')}\n`)
    lines = []
  }
  yield Buffer.from(`${lines.join('\n')}\n`)
}
