/** The codes of a group, to be printed: a strip for each person, to be cut apart. */
import { setImmediate } from 'node:timers/promises'
import { channelName, createPlural, type Language } from '@courier-fleet/words'
import type { GroupCodes } from '../people/group-codes.ts'
import { enrolmentStrip } from './enrolment-strip.ts'
import { escapeHtml, htmlPage } from './plain-page.ts'

interface SheetWords {
  readonly title: (group: string, channel: string) => string
  readonly made: (count: number) => string
  readonly linked: (count: number, channel: string) => string
  readonly others: (count: number) => string
  readonly hand: string
}

const russian = createPlural('ru')
const english = createPlural('en')
const people = { one: 'человека', few: 'человек', many: 'человек', other: 'человека' }

const words: Readonly<Record<Language, SheetWords>> = {
  ru: {
    title: (group, channel) => `${group}: коды для ${channel}`,
    made: (count) =>
      count === 0 ? 'Выдавать некому.' : `Новые коды: для ${russian(count, people)}. Прежние больше не действуют.`,
    linked: (count, channel) => `Уже привязан контакт в ${channel}: у ${russian(count, people)}.`,
    others: (count) =>
      `Без кода: ${russian(count, { one: 'человек', few: 'человека', many: 'человек', other: 'человека' })}, чья роль для вас слишком высока. Им код выдаст оператор или администратор.`,
    hand: 'Раздайте полоски каждому лично: кто отправит код, тот и будет получать сообщения этого человека.',
  },
  en: {
    title: (group, channel) => `${group}: codes for ${channel}`,
    made: (count) =>
      count === 0
        ? 'There is nobody to give a code to.'
        : `New codes: for ${english(count, { one: 'person', other: 'people' })}. Earlier ones no longer work.`,
    linked: (count, channel) =>
      `A contact on ${channel} is linked already: ${english(count, { one: 'person', other: 'people' })}.`,
    others: (count) =>
      `You cannot give a code to ${english(count, { one: 'person', other: 'people' })}: their role is too high for you. An operator or an administrator can.`,
    hand: 'Hand each strip to its person: whoever sends a code gets the messages of that person.',
  },
}

/** pictures are computed, and others are to be served meanwhile */
const atOnce = 20

/** HTML; the strips are in the languages of their people, the rest in that of whoever has made it. */
export async function groupCodesSheet(made: GroupCodes, language: Language): Promise<string> {
  const { codes, people, channel, expiresAt, to, linked, others } = made
  const said = words[language]
  const name = channelName(language, channel)
  const strips: string[] = []
  for (const [index, { code, url }] of codes.entries()) {
    const person = people[index]
    if (person) strips.push(enrolmentStrip({ person, channel, code, expiresAt, url, to }))
    if (index % atOnce === atOnce - 1) await setImmediate()
  }
  const notes = [
    said.made(codes.length),
    ...(linked > 0 ? [said.linked(linked, name)] : []),
    ...(others > 0 ? [said.others(others)] : []),
    ...(codes.length > 0 ? [said.hand] : []),
  ]
  const above = notes.map((note) => `<p class="not-printed">${escapeHtml(note)}</p>`).join('\n')
  return htmlPage({ language, title: said.title(made.groupName, name), body: `${above}\n${strips.join('\n')}` })
}
