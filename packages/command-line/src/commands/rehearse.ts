import type { RehearsalView } from '@courier-fleet/api-types'
import {
  budgetWords,
  channelName,
  forecastWords,
  foretoldSteps,
  isHeldBack,
  mostWords,
  planWords,
  recordWords,
  unreachableWords,
  wordsIn,
} from '@courier-fleet/words'
import { defineCommand } from '../define-command.ts'
import { fileLines } from '../file-lines.ts'
import { instantOf } from '../moment.ts'
import type { Look } from '../style.ts'
import { plain, table } from '../table.ts'
import {
  audienceOf,
  audienceOptions,
  ceilingOf,
  ceilingOption,
  confirmOption,
  fileOption,
  filesOf,
  momentOption,
  personalOf,
  personalOptions,
  recipientsOf,
  ruleOptions,
  rulesOf,
  stepOption,
} from './message-options.ts'

/** people named who cannot be reached */
const named = 20

export const rehearse = defineCommand({
  name: 'rehearse',
  summary: 'Whom a message would reach if it went out now; nothing is sent',
  options: {
    ...audienceOptions,
    ...momentOption,
    text: { type: 'string', value: 'TEXT', about: 'to be counted in parts of SMS, and priced' },
    ...personalOptions,
    ...fileOption,
    preview: { type: 'string', value: 'PERSON', about: 'one of the people: as they would read it' },
    ...ruleOptions,
    ...confirmOption,
    ...stepOption,
    ...ceilingOption,
  },
  exits: { 0: 'everyone can be reached', 1: 'not everyone' },
  async execute({ values, answer, client, look, terminal }) {
    const { text, confirm, preview, at = 'now' } = values
    const moment = instantOf('at', at, Date.now())
    const each = await recipientsOf(values.recipients, terminal)
    const about = {
      ...each,
      ...personalOf(text, values),
      ...(preview === undefined ? {} : { preview }),
      ...rulesOf(values),
      ...(confirm ? { confirm } : {}),
      ...ceilingOf(values.ceiling),
    }
    const audience = audienceOf(values, each)
    const service = client()
    const files = await filesOf(values.file, service)
    const reach = await service.rehearse({ ...audience, ...about, ...files, at: moment })
    const most = mostWords('en', reach.plan, about)
    answer(reach, () => reachText(reach, { isForLater: moment !== 'now', most }, look))
    return reach.reachable === reach.people ? 0 : 1
  },
})

/** Of a text that is not the same for everybody. */
function textLines(text: RehearsalView['text']): string[] {
  const { most, calls = {}, preview } = text ?? {}
  const longest = most && `The longest text is that of ${most.length.person}: ${most.length.characters} characters`
  const dearest = most?.parts && `; the most SMS take ${most.parts.person}'s: ${most.parts.parts}`
  const lines = longest === undefined ? [] : ['', plain(`${longest}${dearest ?? ''}.`)]
  for (const [channel, count] of Object.entries(calls)) lines.push(`Calls of ${channelName('en', channel)}: ${count}.`)
  if (preview) lines.push('', plain(`As ${preview.person} would read it:`), plain(preview.text))
  return lines
}

interface Said {
  readonly isForLater: boolean
  /** what its SMS cost at most */
  readonly most: string | undefined
}

function reachText(reach: RehearsalView, { isForLater, most }: Said, { moment }: Look): string {
  const { people, overlap, reachable, channels, unreachable, senderLines, plan, steps, record } = reach
  const rows = Object.entries(channels).map(([channel, counts]) => [
    channel,
    counts.reachable,
    counts['no-contact'],
    counts['opted-out'] + counts['no-consent'] + counts['type-off'],
    counts.blocked + counts.deactivated + counts.invalid,
  ])
  const lines = [
    `${reachable} of ${people} people can be reached${overlap > 0 ? `; ${overlap} named twice, counted once` : ''}.`,
    '',
    table([['channel', 'reachable', 'no contact', 'opted out', 'unusable'], ...rows], { numbersFrom: 1 }),
  ]
  if (steps) lines.push('', 'Step by step:', ...foretoldSteps('en', steps).map((line) => `  ${line}`))
  const planned = plan && isHeldBack(plan) ? planWords('en', plan, { isForLater, moment }) : undefined
  if (planned) lines.push('', planned.sentence)
  for (const line of new Set(Object.values(senderLines))) lines.push('', plain(`Signed: ${line}`))
  const foretold = forecastWords('en', plan, { moment })
  if (foretold !== undefined) lines.push('', `${foretold}.`)
  if (most !== undefined) lines.push('', `${most}.`)
  for (const line of budgetWords('en', plan)) lines.push(`${line}.`)
  lines.push(...textLines(reach.text))
  if (reach.files) lines.push('', ...fileLines(reach.files))
  if (record) lines.push(`${recordWords('en', record)}.`)
  if (unreachable.length > 0) lines.push('', 'Cannot be reached:')
  for (const { person, name, channels } of unreachable.slice(0, named)) {
    const had = Object.entries(channels).filter(([, reason]) => reason !== 'no-contact')
    const why = had.map(
      ([channel, reason]) => `${channelName('en', channel)}: ${unreachableWords(wordsIn('en'), reason)}`,
    )
    lines.push(
      plain(
        `  ${name === undefined ? person : `${name} (${person})`}: ${why.join(', ') || unreachableWords(wordsIn('en'), 'no-contact')}`,
      ),
    )
  }
  if (unreachable.length > named) lines.push(`  … and ${unreachable.length - named} more`)
  return lines.join('\n')
}
