/** The groups, cohorts and topics a person may write to. The service decides which: a trainer is shown their own, staff all. */
import type { PersonalExchange } from './exchange.ts'

export interface Choice {
  /** group:ivt-101 */
  readonly token: string
  readonly name: string
  readonly label: string
}

export async function choicesOf({ fleet, words, language }: PersonalExchange): Promise<Choice[]> {
  const [{ groups }, { cohorts }, { topics }] = await Promise.all([fleet.groups(), fleet.cohorts(), fleet.topics()])
  const { buttons } = words
  return [
    ...sorted(groups.map(({ id, name, size }) => ({ token: `group:${id}`, name, label: buttons.group(name, size) }))),
    ...sorted(
      cohorts.map(({ id, name, groups }) => ({
        token: `cohort:${id}`,
        name,
        label: buttons.cohort(name, groups.length),
      })),
    ),
    ...sorted(
      topics
        .filter(({ mayWrite }) => mayWrite)
        .map(({ id, name, size = 0 }) => ({
          token: `topic:${id}`,
          name: name[language],
          label: buttons.topic(name[language], size),
        })),
    ),
  ]
}

const collator = new Intl.Collator('ru', { numeric: true })
const sorted = (choices: Choice[]) => choices.sort((a, b) => collator.compare(a.name, b.name))

/** Those whose name or id has it in it, however it is spaced, hyphenated or capitalised. */
export function matching(choices: readonly Choice[], query: string): readonly Choice[] {
  const wanted = folded(query)
  if (wanted === '') return choices
  return choices.filter(({ token, name }) => folded(name).includes(wanted) || folded(idOf(token)).includes(wanted))
}

const idOf = (token: string) => token.slice(token.indexOf(':') + 1)
const folded = (text: string) =>
  text
    .toLowerCase()
    .replaceAll('ё', 'е')
    .replace(/[^\p{L}\p{N}]/gu, '')
