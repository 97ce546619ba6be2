import { type Cap, defaultType, type MessageType, type MessageTypeInput } from '@courier-fleet/api-types'
import { setSteps } from '@courier-fleet/words'
import { concernLines } from '../concern-lines.ts'
import { defineCommand } from '../define-command.ts'
import { plain, table } from '../table.ts'
import { UsageError } from '../usage-error.ts'
import { stepOption, stepsOf } from './message-options.ts'

const actions = ['put', 'remove'] as const

export const types = defineCommand({
  name: 'types',
  summary: 'What messages are about, and the rules for it: list, put, remove',
  parameters: [
    { name: 'action', optional: true, choices: actions },
    { name: 'id', optional: true },
  ],
  options: {
    ru: { type: 'string', value: 'NAME', about: 'of put: what it is called in Russian' },
    en: { type: 'string', value: 'NAME', about: 'of put: what it is called in English' },
    level: { type: 'string', value: '1-5', about: 'of put: how important it is' },
    mandatory: { type: 'boolean', about: 'of put: nobody can switch it off, and no cap, interval or level stops it' },
    cap: {
      type: 'string',
      multiple: true,
      value: 'N/PER',
      about: 'of put: so many a person, such as 3/day or 1/PT1H; with :wait at the end they are held, not dropped',
    },
    interval: { type: 'string', value: 'DURATION', about: 'of put: least time between two, such as PT30M' },
    deadline: {
      type: 'string',
      value: 'DURATION',
      about: 'of put: who is told so long after it was due is late, such as PT30M',
    },
    duplicates: {
      type: 'string',
      value: 'DURATION',
      about: 'of put: the same text is not sent twice within it, such as PT24H',
    },
    merge: {
      type: 'string',
      value: 'DURATION',
      about: 'of put: what is due so long after the first goes with it, as one message, such as PT60S',
    },
    channels: { type: 'string', value: 'LIST', about: 'of put, with --next: by which channels its messages go first' },
    next: {
      ...stepOption.next,
      about:
        'of put: by which then, for whoever is not reached, such as "sms after PT10M unless sent"; up to three times',
    },
    'ignore-quiet': { type: 'boolean', about: 'of put: it goes out in quiet hours, too' },
    sender: { type: 'string', multiple: true, value: 'ROLE', about: 'of put: only these roles may send it' },
    'dry-run': { type: 'boolean', about: 'of put and remove: say whom it would concern, and change nothing' },
  },
  exits: { 0: 'done' },
  async execute({ parameters: [action, id], values, answer, client, look }) {
    if (action === undefined) {
      const list = await client().types()
      answer(list, () => listOf(list.types))
      return 0
    }
    if (id === undefined) throw new UsageError(`say which: ${action} <id>; "fleet types" lists them`)
    const dryRun = values['dry-run'] ?? false
    if (action === 'remove') {
      if (dryRun) {
        const foreseen = await client().foreseeTypeRemoval(id)
        answer(foreseen, () => [`${id}: would be removed.`, ...concernLines(foreseen.concerns, look)].join('\n'))
        return 0
      }
      await client().deleteType(id)
      answer({ id }, () => (id === defaultType ? `${id} is always there; it is as it was at first.` : `Removed ${id}.`))
      return 0
    }
    const put = await client().putType(id, typeIn(values), { dryRun })
    const became = dryRun ? `would be ${put.outcome}` : put.outcome
    answer(put, () => [`${id}: ${became}.`, ...concernLines(put.concerns, look)].join('\n'))
    return 0
  },
})

interface Values {
  readonly ru?: string | undefined
  readonly en?: string | undefined
  readonly level?: string | undefined
  readonly mandatory?: boolean | undefined
  readonly cap?: string[] | undefined
  readonly interval?: string | undefined
  readonly deadline?: string | undefined
  readonly duplicates?: string | undefined
  readonly merge?: string | undefined
  readonly channels?: string | undefined
  readonly next?: string[] | undefined
  readonly 'ignore-quiet'?: boolean | undefined
  readonly sender?: string[] | undefined
}

function typeIn(values: Values): MessageTypeInput {
  const { ru, en, level, interval, deadline, duplicates, merge, sender = [], cap = [] } = values
  if (ru === undefined || en === undefined) throw new UsageError('say what it is called: --ru "Новости" --en "News"')
  return {
    name: { ru, en },
    ...(level === undefined ? {} : { level: Number(level) }),
    optOut: values.mandatory ? 'mandatory' : 'allowed',
    ...(interval === undefined ? {} : { interval }),
    ...(deadline === undefined ? {} : { deadline }),
    ...(duplicates === undefined ? {} : { duplicates: { window: duplicates } }),
    ...(merge === undefined ? {} : { merge }),
    ...stepsOf(values),
    caps: cap.map(capIn),
    quiet: values['ignore-quiet'] ? 'ignore' : 'respect',
    senders: sender,
  }
}

function capIn(text: string): Cap {
  const [, n, per, wait] = /^(\d{1,4})\/(day|P[0-9A-Z]+)(:wait)?$/.exec(text) ?? []
  if (n === undefined || per === undefined)
    throw new UsageError(`--cap is such as 3/day, 1/PT1H or 3/day:wait, not "${text}"`)
  return { n: Number(n), per, over: wait ? 'wait' : 'drop' }
}

const capText = ({ n, per, over }: Cap) => `${n}/${per}${over === 'wait' ? ':wait' : ''}`

function listOf(list: readonly MessageType[]): string {
  const rows = list.map((type) => [
    type.id,
    plain(type.name.en),
    plain(type.name.ru),
    type.level,
    type.optOut,
    type.caps.map(capText).join(', ') || '–',
    type.interval ?? '–',
    type.deadline ?? '–',
    type.duplicates?.window ?? '–',
    type.merge ?? '–',
    type.steps ? setSteps('en', type.steps) : '–',
    type.quiet,
    type.senders.join(', ') || 'everyone',
  ])
  const head = [
    'type',
    'English',
    'Russian',
    'level',
    'opt-out',
    'caps',
    'interval',
    'deadline',
    'duplicates',
    'merge',
    'steps',
    'quiet',
    'senders',
  ]
  return table([head, ...rows])
}
