/** Those to whom messages in steps, corrected, withdrawn, merged … go: nobody else writes to them, so that what stands on their phones is certain. */
import { type ShapedChannel, type ShapedPerson, shapedChannels } from '../shaped-messages.ts'
import type { Phone } from './population.ts'

const groupSize = 10
/** somebody is asked to confirm something once in so many rounds: an SMS has a number of two digits for it, which lasts for a month */
const groupCount = 24

/** beyond those of the other traffic */
const firstAddress: Readonly<Record<ShapedChannel, number>> = {
  telegram: 91_000_000,
  vk: 910_000_000,
  sms: 79_910_000_000,
}

/** of each group, by their place in it */
const withoutTelegram = 3
const refusedByTelegram = 6
/** SMS wait at the centre for these, so that no report says more than `sent` */
const switchedOff: readonly number[] = [1, 4, 8]

function personOf(number: number): ShapedPerson {
  const place = number % groupSize
  const addressOn = (channel: ShapedChannel) => `${channel === 'sms' ? '+' : ''}${firstAddress[channel] + number}`
  const has = shapedChannels.filter((channel) => channel !== 'telegram' || place !== withoutTelegram)
  return {
    id: `shaped-${String(number).padStart(3, '0')}`,
    name: `Shaped ${number}`,
    language: number % 2 === 0 ? 'ru' : 'en',
    contacts: Object.fromEntries(has.map((channel) => [channel, addressOn(channel)])),
    refusedBy: place === refusedByTelegram ? ['telegram'] : [],
  }
}

export const shapedPeople: readonly ShapedPerson[] = Array.from({ length: groupSize * groupCount }, (_unused, number) =>
  personOf(number),
)

/** those of a round */
export const groupOf = (round: number): readonly ShapedPerson[] => {
  const from = (round % groupCount) * groupSize
  return shapedPeople.slice(from, from + groupSize)
}

/** CSV for `POST /v1/imports` */
export const shapedRoster = [
  'id,name,role,timezone,language,telegram,vk,phone,groups',
  ...shapedPeople.map(
    ({ id, name, language, contacts: { telegram = '', vk = '', sms = '' } }) =>
      `${id},${name},student,Europe/Moscow,${language},${telegram},${vk},${sms},shaped`,
  ),
].join('\n')

/** for `PUT /phones` of the sandbox */
export const shapedPhones: readonly (Omit<Phone, 'state'> & { readonly state: Phone['state'] | 'off' })[] =
  shapedPeople.flatMap(({ contacts, refusedBy }, number) => [
    ...refusedBy.map((channel) => ({ channel, address: contacts[channel] as string, state: 'blocked' as const })),
    ...(switchedOff.includes(number % groupSize)
      ? [{ channel: 'sms' as const, address: contacts.sms as string, state: 'off' as const }]
      : []),
  ])
