/** The demo roster as read here, by itself: what the tests hold the fleet's answers against. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ChannelName } from '@courier-fleet/channels'
import type { Phone } from '@courier-fleet/sandbox'

export interface Student {
  readonly id: string
  readonly name: string
  readonly timeZone: string
  readonly groups: readonly string[]
  readonly cohorts: readonly string[]
  readonly contacts: Readonly<Partial<Record<ChannelName, string>>>
}

export const channels = ['telegram', 'vk', 'sms'] as const
const demo = join(import.meta.dirname, '../../demo')

/** in the order of their ids, as an audience is */
const roster: readonly Student[] = readFileSync(join(demo, 'roster.csv'), 'utf8')
  .split('\n')
  .slice(1)
  .filter(Boolean)
  .map((line) => {
    const [id, name, , timeZone, , telegram, vk, phone, groups] = line.split(',') as string[]
    const memberships = (groups as string).split('|').filter(Boolean)
    return {
      id: id as string,
      name: name as string,
      timeZone: timeZone as string,
      groups: [...new Set(memberships.map((each) => each.split('/').at(-1) as string))],
      cohorts: memberships.flatMap((each) => (each.includes('/') ? [each.split('/')[0] as string] : [])),
      contacts: {
        ...(telegram ? { telegram } : {}),
        ...(vk ? { vk } : {}),
        ...(phone ? { sms: `+7${phone.replace(/\D/g, '').slice(-10)}` } : {}),
      },
    }
  })
  .sort((a, b) => (a.id < b.id ? -1 : 1))

const refused = new Set(
  (JSON.parse(readFileSync(join(demo, 'sandbox-phones.json'), 'utf8')) as Phone[]).map(
    ({ channel, address }) => `${channel} ${address}`,
  ),
)

export const studentsOf = (cohort: string) => roster.filter(({ cohorts }) => cohorts.includes(cohort))
export const membersOf = (group: string) => roster.filter(({ groups }) => groups.includes(group))

/** Whether the provider of this channel takes messages for this person. */
export function isGood(student: Student, channel: ChannelName): boolean {
  const address = student.contacts[channel]
  return address !== undefined && !refused.has(`${channel} ${address}`)
}

/** `channel address` of everyone who can be reached, sorted: what /accepted must hold, each once. */
export function goodContacts(students: readonly Student[], only: readonly ChannelName[] = channels): string[] {
  return students
    .flatMap((student) =>
      only.filter((channel) => isGood(student, channel)).map((channel) => `${channel} ${student.contacts[channel]}`),
    )
    .sort()
}

export function addressesIn(rows: readonly { channel: string; address: string }[]): string[] {
  return rows.map(({ channel, address }) => `${channel} ${address}`).sort()
}
