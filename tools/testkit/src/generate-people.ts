/** Made-up people in any number, as a roster to be imported. The same count always gives the same people. */

export interface GeneratePeopleOptions {
  /** which contacts everyone has; default all three */
  readonly channels?: readonly ('telegram' | 'vk' | 'phone')[]
  /** people in each of the groups g0000, g0001 …; default: one group for all */
  readonly groupSize?: number
  /** the cohort all groups belong to; default `everyone` */
  readonly cohort?: string
}

const linesPerChunk = 2000

/** Id of the person with this index; ids sort like their indexes. */
export const generatedId = (index: number) => `p${String(index).padStart(7, '0')}`

/** What the person with this index is reached at, as the directory stores it. */
export const generatedAddress = {
  telegram: (index: number) => String(70_000_000 + index),
  vk: (index: number) => String(500_000_000 + index),
  sms: (index: number) => `+79${String(index).padStart(9, '0')}`,
} as const

/** A roster in CSV, UTF-8, for `Directory.importCsv`. */
export async function* generatePeople(count: number, options: GeneratePeopleOptions = {}): AsyncGenerator<Buffer> {
  const { channels = ['telegram', 'vk', 'phone'], groupSize = Math.max(count, 1), cohort = 'everyone' } = options
  const contact = (channel: 'telegram' | 'vk' | 'phone', index: number) =>
    channels.includes(channel) ? generatedAddress[channel === 'phone' ? 'sms' : channel](index) : ''

  let lines = ['id,name,role,timezone,language,telegram,vk,phone,groups']
  for (let index = 0; index < count; index++) {
    const group = `g${String(Math.floor(index / groupSize)).padStart(4, '0')}`
    const contacts = `${contact('telegram', index)},${contact('vk', index)},${contact('phone', index)}`
    lines.push(`${generatedId(index)},Студент ${index},student,Europe/Moscow,ru,${contacts},${cohort}/${group}`)
    if (lines.length < linesPerChunk) continue
    yield Buffer.from(`${lines.join('\n')}\n`)
    lines = []
  }
  yield Buffer.from(`${lines.join('\n')}\n`)
}
