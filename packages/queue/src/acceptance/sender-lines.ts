/** Who writes, and to which groups: the sender line of a message, composed when it is accepted and kept with it. */
import type { SenderLine, SenderLineForm } from '@courier-fleet/api-types'
import type { Directory, Principal } from '@courier-fleet/directory'
import { languageOf } from '@courier-fleet/words'
import type { Rules } from '../limits/rules.ts'
import { shortNameOf } from './short-name.ts'

export interface SenderLines {
  /**
   * Of messages of one sender, by the tokens they are addressed to, in order. None where no channel shows one, and none where
   * the sender is nobody in the directory: a system signs its own texts.
   */
  of(messages: readonly (readonly string[])[], by: Principal): Promise<(SenderLine | undefined)[]>
}

const maxNameLength = 60
const maxGroupsLength = 40
/** the names of more would not fit */
const maxNamed = 8

export function createSenderLines(deps: { directory: Directory; rules: Pick<Rules, 'senderLines'> }): SenderLines {
  const { directory, rules } = deps
  const exceptions = exceptionsIn(rules.senderLines)
  const isOff = exceptions !== undefined && Object.values(rules.senderLines ?? {}).every((form) => form === 'off')

  return {
    async of(messages, by) {
      if (isOff) return messages.map(() => undefined)
      const named = messages.map(namedIn)
      const tokens = [...new Set(named.flat())]
      const [person, names] = await Promise.all([directory.findPerson(by.owner), directory.namesOfGroups(tokens)])
      if (!person) return messages.map(() => undefined)
      const name = cut(shortNameOf(person.name), maxNameLength)
      const language = languageOf(person.language)
      const nameOf = new Map(
        tokens.map((token, index) => {
          const known = names[index]
          return [token, typeof known === 'object' ? known[language] : known]
        }),
      )
      return named.map((own, index) => {
        const groups = listOf(
          own.flatMap((token) => nameOf.get(token) ?? []),
          countIn(messages[index] as readonly string[]),
        )
        return { name, groups, ...(exceptions ? { forms: exceptions } : {}) }
      })
    },
  }
}

/** Only what differs is kept with each message. */
function exceptionsIn(forms: Rules['senderLines'] = {}): Record<string, SenderLineForm> | undefined {
  const others = Object.entries(forms).filter(([, form]) => form !== 'name-and-groups')
  return others.length === 0 ? undefined : Object.fromEntries(others)
}

const none: readonly string[] = []

function groupsIn(tokens: readonly string[]): readonly string[] {
  const groups = tokens.filter((token) => /^(group|cohort|topic):/.test(token))
  return groups.length === 0 ? none : [...new Set(groups)]
}
const namedIn = (tokens: readonly string[]) => groupsIn(tokens).slice(0, maxNamed)
const countIn = (tokens: readonly string[]) => groupsIn(tokens).length

/** As many names as fit, and how many more there are: ИВТ-101, ИВТ-102 +3 */
function listOf(names: readonly string[], total: number): string {
  const [first, ...others] = names
  if (first === undefined) return ''
  const shown = [cut(first, maxGroupsLength)]
  for (const name of others) {
    if ([...shown, name].join(', ').length > maxGroupsLength) break
    shown.push(name)
  }
  const more = total - shown.length
  return shown.join(', ') + (more > 0 ? ` +${more}` : '')
}

/** In three dots: GSM 03.38 has no ellipsis. */
function cut(text: string, length: number): string {
  const characters = [...text]
  return characters.length <= length ? text : `${characters.slice(0, length - 3).join('')}...`
}
