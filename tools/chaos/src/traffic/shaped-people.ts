/** Those to whom messages in steps, corrected, withdrawn, merged … go: nobody else writes to them, so that what stands on their phones is certain. */
import type { ShapedChannel, ShapedPerson } from '../shaped-messages.ts'
import type { Called, Phone } from './population.ts'

const groupSize = 10
/** somebody is asked to confirm something once in so many rounds: an SMS has a number of two digits for it, which lasts for a month */
const groupCount = 24

/** beyond those of the other traffic */
const firstAddress: Readonly<Record<Exclude<ShapedChannel, 'http'>, number>> = {
  telegram: 91_000_000,
  vk: 910_000_000,
  sms: 79_910_000_000,
}

/** of each group, by their place in it */
const withoutTelegram = 3
const refusedByTelegram = 6
/** SMS wait at the centre for these, so that no report says more than `sent` */
const switchedOff: readonly number[] = [1, 4, 8]

function personOf(number: number, callsUrl: string): ShapedPerson {
  const place = number % groupSize
  const telegram = place === withoutTelegram ? {} : { telegram: String(firstAddress.telegram + number) }
  const id = `shaped-${String(number).padStart(3, '0')}`
  return {
    id,
    name: `Shaped ${number}`,
    language: number % 2 === 0 ? 'ru' : 'en',
    contacts: {
      ...telegram,
      vk: String(firstAddress.vk + number),
      sms: `+${firstAddress.sms + number}`,
      http: `${callsUrl}/ok/${id}`,
    },
    refusedBy: place === refusedByTelegram ? ['telegram'] : [],
  }
}

/** @param callsUrl where the URLs are that are called */
export const createShapedPeople = (callsUrl: string): readonly ShapedPerson[] =>
  Array.from({ length: groupSize * groupCount }, (_unused, number) => personOf(number, callsUrl))

/** those of a round */
export const groupOf = (people: readonly ShapedPerson[], round: number): readonly ShapedPerson[] => {
  const from = (round % groupCount) * groupSize
  return people.slice(from, from + groupSize)
}

export const urlsOf = (people: readonly ShapedPerson[]): readonly Called[] =>
  people.flatMap(({ id, contacts: { http } }) => (http === undefined ? [] : [{ id, url: http }]))

/** CSV for `POST /v1/imports` */
export const shapedRoster = (people: readonly ShapedPerson[]): string =>
  [
    'id,name,role,timezone,language,telegram,vk,phone,groups',
    ...people.map(
      ({ id, name, language, contacts: { telegram = '', vk = '', sms = '' } }) =>
        `${id},${name},student,Europe/Moscow,${language},${telegram},${vk},${sms},shaped`,
    ),
  ].join('\n')

/** for `PUT /phones` of the sandbox */
export const shapedPhones = (
  people: readonly ShapedPerson[],
): readonly (Omit<Phone, 'state'> & { readonly state: Phone['state'] | 'off' })[] =>
  people.flatMap(({ contacts, refusedBy }, number) => [
    ...refusedBy.map((channel) => ({ channel, address: contacts[channel] as string, state: 'blocked' as const })),
    ...(switchedOff.includes(number % groupSize)
      ? [{ channel: 'sms' as const, address: contacts.sms as string, state: 'off' as const }]
      : []),
  ])
