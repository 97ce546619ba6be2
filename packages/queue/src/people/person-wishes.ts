/** What people want, as they and operators read and change it: switches of types, and their own quiet hours. */
import { hash } from 'node:crypto'
import {
  defaultType,
  findType,
  type MessageType,
  nearest,
  Problem,
  serviceType,
  type Wishes,
  type WishesView,
} from '@courier-fleet/api-types'
import { channelNames, findChannel } from '@courier-fleet/channels'
import type { Directory } from '@courier-fleet/directory'
import type { LiveSettings } from '@courier-fleet/store'
import type { Audit } from '../access/audit.ts'

/** Who said it, and through what. */
export interface SaidBy {
  readonly by: string
  readonly via: string
  /** the contact of this channel said it */
  readonly channel?: string
  /** the message that offered it */
  readonly history?: string
}

export interface TypeSwitch {
  readonly type: string
  /** on this channel alone; everywhere when absent */
  readonly channel?: string
  readonly isOn: boolean
  /** by a message of the fleet: the type may be gone since, and what has it still is to come no more */
  readonly isOffered?: true
}

export interface PersonWishes {
  view(person: string): Promise<WishesView>
  /**
   * @param version of the wishes that were read before; whatever they are when absent
   * @throws Problem 412 `stale-wishes` · 422 `unknown-type`, `unknown-channel`, `mandatory-type`
   */
  put(person: string, wishes: Wishes, version: string | undefined, by: SaidBy): Promise<WishesView>
  /** One type: on again is on everywhere and here, off is as the switch says. @throws Problem 422 as put() */
  switch(person: string, what: TypeSwitch, by: SaidBy): Promise<WishesView>
}

interface Deps {
  readonly directory: Pick<Directory, 'wishesOf' | 'changeWishes'>
  readonly settings: Pick<LiveSettings, 'current'>
  readonly audit: Audit
}

export function createPersonWishes({ directory, settings, audit }: Deps): PersonWishes {
  const types = () => typesPeopleGet(settings.current().types)

  async function change(person: string, make: (before: Wishes) => Wishes, by: SaidBy): Promise<WishesView> {
    const { before, after } = await directory.changeWishes(person, (now) => tidied(make(now)))
    const [was, is] = [wordsOf(before), wordsOf(after)]
    if (was !== is) await audit.write({ action: 'wishes.changed', ...by, person, before: was, after: is })
    return viewOf(person, after, types())
  }

  return {
    view: async (person) => viewOf(person, await directory.wishesOf(person), types()),

    put: (person, wishes, version, by) =>
      change(
        person,
        (before) => {
          if (version !== undefined && version !== versionOf(before)) throw staleVersion()
          // what was switched off before may stay, though its type is mandatory since, or gone
          for (const [index, entry] of wishes.off.entries())
            if (!before.off.includes(entry)) requireSwitch(entry, types(), `off.${index}`)
          return wishes
        },
        by,
      ),

    switch: (person, { type, channel, isOn, isOffered }, by) =>
      change(
        person,
        (before) => {
          const isGone = isOffered && !types().some(({ id }) => id === type)
          if (!isGone) requireType(type, types(), 'type')
          const entry = channel === undefined ? type : `${type}:${channel}`
          if (!isOn && !isGone) requireSwitch(entry, types(), 'type')
          const turnedOn = isOn ? [type, ...(by.channel === undefined ? [] : [`${type}:${by.channel}`])] : []
          const off = before.off.filter((each) => !turnedOn.includes(each))
          return { ...before, off: isOn ? off : [...off, entry] }
        },
        by,
      ),
  }
}

/** All but the fleet's own words. */
function typesPeopleGet(types: readonly MessageType[]): MessageType[] {
  const ids = new Set([defaultType, ...types.map(({ id }) => id)])
  return [...ids].sort().map((id) => findType(types, id) as MessageType)
}

const isMandatory = ({ optOut }: MessageType) => optOut === 'mandatory'

function viewOf(person: string, wishes: Wishes, types: readonly MessageType[]): WishesView {
  return {
    person,
    ...wishes,
    version: versionOf(wishes),
    types: types.map((type) => ({ id: type.id, name: type.name, mandatory: isMandatory(type) })),
  }
}

const tidied = ({ off, ...rest }: Wishes): Wishes => ({ ...rest, off: [...new Set(off)].sort() })

/** The same for the same wishes. */
const versionOf = (wishes: Wishes) => hash('sha256', wordsOf(wishes), 'base64url').slice(0, 16)

/** As the audit shows it. */
function wordsOf({ off, quiet }: Wishes): string {
  const hours = quiet === undefined ? [] : [quiet === 'never' ? 'quiet: never' : `quiet: ${quiet.from}-${quiet.to}`]
  return [`off: ${off.join(', ') || 'nothing'}`, ...hours].join('; ')
}

function requireType(id: string, types: readonly MessageType[], field: string): MessageType {
  const type = types.find((each) => each.id === id)
  if (type) return type
  const known = types.map((each) => each.id)
  const meant = nearest(id, known)
  const what =
    id === serviceType
      ? `the type "${id}" is for the fleet's own words: codes and answers that were asked for.`
      : `there is no type "${id}"${meant === undefined ? '.' : `; did you mean ${meant}?`}`
  throw new Problem(422, 'unknown-type', `${what} There are ${known.join(', ')}`, field)
}

function requireSwitch(entry: string, types: readonly MessageType[], field: string): void {
  const [id = '', channel] = entry.split(':')
  const type = requireType(id, types, field)
  if (isMandatory(type)) {
    const detail = `messages of the type ${id} are mandatory: only a whole channel can be switched off, by STOP`
    throw new Problem(422, 'mandatory-type', detail, field)
  }
  if (channel === undefined || findChannel(channel)) return
  throw new Problem(
    422,
    'unknown-channel',
    `there is no channel "${channel}". There are ${channelNames.join(', ')}`,
    field,
  )
}

const staleVersion = () =>
  new Problem(
    412,
    'stale-wishes',
    'somebody has changed these wishes since they were read: read them again',
    'if-match',
  )
