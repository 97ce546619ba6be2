/** Which messages are meant by some words: each is somewhere in the text, or in what the recipients (or the sender) are called. */
import type { Directory } from '@courier-fleet/directory'
import type { Glance, Listed } from '@courier-fleet/store'

/** Of some messages: whether the one at an index is meant. */
export type MessageSearch = (
  found: readonly Listed[],
  glances: readonly (Glance | undefined)[],
) => Promise<(index: number) => boolean>

const plain = (text: string) => text.toLowerCase().replaceAll('ё', 'е')
const person = 'user:'

/** @param bySender by those who sent them, too: where there are several */
export function createMessageSearch(
  directory: Directory,
  wanted: string,
  { bySender }: { readonly bySender: boolean },
): MessageSearch {
  const words = plain(wanted).split(/\s+/).filter(Boolean)
  const named = createNames(directory)
  return async (found, glances) => {
    const sendersOf = (index: number) => (bySender ? [`${person}${found[index]?.ref.sender}`] : [])
    const tokensOf = (index: number) => [...(glances[index]?.to ?? []), ...sendersOf(index)]
    const nameOf = await named(found.flatMap((_, index) => tokensOf(index)))
    return (index) => {
      const tokens = tokensOf(index)
      const said = plain([glances[index]?.text ?? '', ...tokens.map(idIn), ...tokens.map(nameOf)].join('\n'))
      return words.every((word) => said.includes(word))
    }
  }
}

const idIn = (token: string) => token.slice(token.indexOf(':') + 1)

/** What tokens are called, each read once. */
function createNames(directory: Directory) {
  const known = new Map<string, string>()
  return async (tokens: readonly string[]): Promise<(token: string) => string> => {
    const fresh = [...new Set(tokens)].filter((token) => !known.has(token))
    const people = fresh.filter((token) => token.startsWith(person))
    const groups = fresh.filter((token) => /^(group|cohort|topic):/.test(token))
    const [ofPeople, ofGroups] = await Promise.all([
      directory.namesOf(people.map(idIn)),
      directory.namesOfGroups(groups),
    ])
    for (const [index, token] of people.entries()) known.set(token, ofPeople[index] ?? '')
    for (const [index, token] of groups.entries()) {
      const name = ofGroups[index] ?? ''
      known.set(token, typeof name === 'string' ? name : Object.values(name).join('\n'))
    }
    return (token) => known.get(token) ?? ''
  }
}
