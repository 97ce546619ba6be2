/** Types of message and quiet hours: by a command, or a button for each. */
import type { WishesView } from '@courier-fleet/api-types'
import { ApiError } from '@courier-fleet/client'
import {
  type Hours,
  type Orders,
  readCommand,
  readHours,
  type Speaker,
  setQuiet,
  switchType,
  wishesWording,
} from '@courier-fleet/inbound'
import type { Action } from '../store/chat.ts'
import type { PersonalExchange } from './exchange.ts'

const maxPerPage = 8
const hoursOffered: readonly (readonly Hours[])[] = [
  [
    { from: '22:00', to: '08:00' },
    { from: '23:00', to: '07:00' },
  ],
  ['never'],
  ['fleet'],
]

const orders: Orders = {
  off: (type) => `/mute ${type}`,
  on: (type) => `/unmute ${type}`,
  stop: '/stop',
  quiet: (hours) => `/quiet ${hours}`,
  never: 'never',
  usual: 'off',
}

const wordingOf = ({ language }: PersonalExchange) => wishesWording(language, orders)

const speakerOf = ({ fleet, person, language, consent }: PersonalExchange): Speaker => ({
  person: fleet,
  owner: person.id,
  language,
  consent,
})

/** `/mute news`; without a name, what there is. */
export async function muteOrUnmute(exchange: PersonalExchange, name: string, isOn: boolean): Promise<void> {
  if (name === '') return showTypes(exchange)
  await exchange.say((await switchType(speakerOf(exchange), { name, isOn }, wordingOf(exchange))).text)
}

/** The words that people know from SMS and VK. @returns whether it is one of them */
export async function takeWish(exchange: PersonalExchange, written: string): Promise<boolean> {
  const command = readCommand(written)
  const isHours = command.kind === 'quiet' || (command.kind === 'unclear' && command.lacks === 'hours')
  if (isHours) await quiet(exchange, written.trim().replace(/^\S+\s*/, ''))
  else if (command.kind === 'switch') await muteOrUnmute(exchange, command.name, command.isOn)
  return isHours || command.kind === 'switch'
}

/** Those that can be switched off, and what comes all the same. */
export async function showTypes(exchange: PersonalExchange, page = 0): Promise<void> {
  const { words, language, fleet, person } = exchange
  const { types, off } = await fleet.wishes(person.id)
  const nameOf = ({ name }: WishesView['types'][number]) => name[language]
  const optional = types.filter(({ mandatory }) => !mandatory)
  const mandatory = types.filter((type) => type.mandatory).map(nameOf)
  if (optional.length === 0) return void (await exchange.show({ text: words.nothingToMute }))
  const pages = Math.ceil(optional.length / maxPerPage)
  const shown = Math.min(Math.max(page, 0), pages - 1)
  const { buttons } = words
  const turning = [
    ...(shown > 0 ? [{ label: buttons.earlier, action: { do: 'types' as const, page: shown - 1 } }] : []),
    ...(shown < pages - 1 ? [{ label: buttons.further, action: { do: 'types' as const, page: shown + 1 } }] : []),
  ]
  const isOff = ({ id }: { id: string }) => off.includes(id) || off.includes(`${id}:telegram`)
  await exchange.show({
    text: words.types(optional.filter(isOff).map(nameOf), mandatory, shown + 1, pages),
    rows: [
      // it says what is to be done, not that it is to change: a press that is handled once more does nothing else
      ...optional.slice(shown * maxPerPage, (shown + 1) * maxPerPage).map((type) => [
        {
          label: isOff(type) ? nameOf(type) : buttons.chosen(nameOf(type)),
          action: { do: 'type' as const, id: type.id, isOn: isOff(type), page: shown },
        },
      ]),
      ...(turning.length > 0 ? [turning] : []),
    ],
  })
}

export async function changeType(
  exchange: PersonalExchange,
  { id, isOn, page }: Extract<Action, { do: 'type' }>,
): Promise<void> {
  try {
    await exchange.consent(id, isOn)
  } catch (error) {
    // mandatory or removed since it was shown: said, and shown as it is now
    if (!(error instanceof ApiError) || !/^(mandatory|unknown)-type$/.test(error.problem.code)) throw error
    await exchange.notice(exchange.words.refused(error.problem.code))
  }
  await showTypes(exchange, page)
}

/** `/quiet 23-7`; without hours, which they are and buttons for some. */
export async function quiet(exchange: PersonalExchange, text: string): Promise<void> {
  const hours = text === '' ? undefined : readHours(text)
  const wording = wordingOf(exchange)
  if (text !== '' && hours === undefined) return exchange.say(wording.badHours)
  const said = await setQuiet(speakerOf(exchange), hours, wording)
  if (hours !== undefined) return exchange.say(said.text)
  await exchange.show({ text: said.text, rows: hourRows(exchange) })
}

export async function changeQuiet(
  exchange: PersonalExchange,
  { hours }: Extract<Action, { do: 'quiet' }>,
): Promise<void> {
  const { text } = await setQuiet(speakerOf(exchange), hours, wordingOf(exchange))
  await exchange.show({ text, rows: hourRows(exchange) })
}

const hourRows = ({ words }: PersonalExchange) =>
  hoursOffered.map((row) =>
    row.map((hours) => ({ label: words.buttons.quiet(hours), action: { do: 'quiet' as const, hours } })),
  )
