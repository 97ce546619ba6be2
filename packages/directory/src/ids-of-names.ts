/** Ids made from what people call things: the same text always gives the same id. */
import { hiddenIn, idPattern, Problem } from '@courier-fleet/api-types'
import { keys, type Redis } from '@courier-fleet/store'
import transliterate from '@sindresorhus/transliterate'
import { readGroup } from './groups.ts'
import { readSet } from './sets.ts'

/** as idPattern has it */
const maxIdLength = 64

/** @returns `ivt-101` of ИВТ-101; undefined where there is neither letter nor digit in it */
export function idOfName(name: string): string | undefined {
  const words = transliterate(name.normalize('NFC').replaceAll('№', ' '))
    .toLowerCase()
    .replace(/['’ʹʺ]/g, '')
  const id = words
    .match(/[a-z0-9]+/g)
    ?.join('-')
    .slice(0, maxIdLength)
    .replace(/-$/, '')
  return id === undefined || !idPattern.test(id) ? undefined : id
}

export type GroupKind = 'group' | 'cohort'

export interface GroupIds {
  /**
   * An id means itself. A name means the group that is called so, capitals, blanks and hyphens aside; else a new one, whose id is made from it.
   * @throws Problem 422 `bad-field`, with the given field
   */
  idOf(kind: GroupKind, text: string, field: string): string
  /** What a list has called it; the id where it has said no more. */
  nameOf(kind: GroupKind, id: string): string
}

/** Case and ё aside, and with this between its words. */
export const spelled = (name: string, between = '') =>
  name
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll('ё', 'е')
    .replace(/[^\p{L}\p{N}]/gu, between)

/** Of the groups and cohorts there are, read once; those that it is asked for are known from then on. */
export async function loadGroupIds(redis: Redis): Promise<GroupIds> {
  const namesOf = { group: await readNames(redis, 'group'), cohort: await readNames(redis, 'cohort') }
  const idsOf = { group: bySpelling(namesOf.group), cohort: bySpelling(namesOf.cohort) }

  /** One that is called by its id has no name yet, and takes this one. */
  function freeId(kind: GroupKind, wanted: string): string {
    const names = namesOf[kind]
    for (let number = 1; ; number++) {
      const suffix = number === 1 ? '' : `-${number}`
      const id = wanted.slice(0, maxIdLength - suffix.length) + suffix
      const name = names.get(id)
      if (name === undefined || name === id) return id
    }
  }

  return {
    idOf(kind, text, field) {
      if (idPattern.test(text)) return text
      const hidden = hiddenIn(text)
      if (hidden !== undefined) throw new Problem(422, 'bad-field', hidden, field)
      const wanted = /[:/|]/.test(text) || text.length > 200 ? undefined : idOfName(text)
      if (wanted === undefined) {
        const problem = `"${text.slice(0, 80)}" is not an id, nor a name with letters or digits in it`
        throw new Problem(422, 'bad-field', problem, field)
      }
      const known = idsOf[kind].get(spelled(text))
      if (known !== undefined) return known
      const id = freeId(kind, wanted)
      namesOf[kind].set(id, text)
      idsOf[kind].set(spelled(text), id)
      return id
    },
    nameOf: (kind, id) => namesOf[kind].get(id) ?? id,
  }
}

async function readNames(redis: Redis, kind: GroupKind): Promise<Map<string, string>> {
  const ids = [...(await readSet(redis, kind === 'group' ? keys.groups : keys.cohorts))].sort()
  const found = await Promise.all(
    ids.map(async (id) => readGroup(id, await redis.hgetall(kind === 'group' ? keys.group(id) : keys.cohort(id)))),
  )
  return new Map(found.flatMap((group) => (group ? [[group.id, group.name] as const] : [])))
}

/** Of two that are called alike the first by id is meant. */
function bySpelling(names: ReadonlyMap<string, string>): Map<string, string> {
  const ids = new Map<string, string>()
  for (const [id, name] of names) if (name !== id && !ids.has(spelled(name))) ids.set(spelled(name), id)
  return ids
}
