/** Sends a message, watches it, and says who got it. */
import { randomUUID } from 'node:crypto'
import type { Acceptance, Ceiling, HistoryView } from '@courier-fleet/api-types'
import { budgetWords, forecastWords, isHeldBack, mostWords, planWords } from '@courier-fleet/words'
import { defineCommand } from '../define-command.ts'
import { typedOrPiped } from '../input.ts'
import { exitCodeOf, isDone, levelExits, levelOf, levelOption } from '../level.ts'
import { deadlineAfter } from '../long-timers.ts'
import { orRepeat, orWatch } from '../lost-answer.ts'
import { waitMsOf } from '../moment.ts'
import type { Look } from '../style.ts'
import { tellOutcome } from '../telling.ts'
import { UsageError } from '../usage-error.ts'
import { watchUntilDone } from '../watching.ts'
import {
  audienceOf,
  audienceOptions,
  ceilingOf,
  ceilingOption,
  confirmOption,
  dataOf,
  dueOf,
  dueOptions,
  fileOption,
  filesOf,
  isForLater,
  personalOf,
  personalOptions,
  recipientsOf,
  ruleOptions,
  rulesOf,
  stepOption,
} from './message-options.ts'

export const send = defineCommand({
  name: 'send',
  summary: 'Send a message now or later, watch it, and say who got it',
  options: {
    ...audienceOptions,
    text: { type: 'string', value: 'TEXT', about: 'what to say; - for what comes in on stdin' },
    ...personalOptions,
    subject: { type: 'string', value: 'TEXT', about: 'for mail; the beginning of the text when absent' },
    data: { type: 'string', value: 'JSON', about: 'an object for programs, which goes with what is posted to URLs' },
    ...fileOption,
    ...dueOptions,
    ...ruleOptions,
    ...confirmOption,
    ...stepOption,
    ...ceilingOption,
    wait: {
      type: 'string',
      value: 'SECONDS',
      about: 'how long to watch it from when it is due; 60 when absent, 0 not to wait',
    },
    ...levelOption,
    'idempotency-key': {
      type: 'string',
      value: 'KEY',
      about: 'of a call whose answer was lost: what it sent is not sent again',
    },
  },
  exits: levelExits,
  async execute({ values, json, terminal, look, answer, client: connect }) {
    const { text, subject, data, confirm, wait = '60' } = values
    const until = levelOf(values.until)
    const each = await recipientsOf(values.recipients, terminal)
    const audience = audienceOf(values, each)
    const typed = text === undefined ? undefined : await typedOrPiped(text, terminal)
    const said = personalOf(typed, values)
    if (said.text === undefined && said.template === undefined) throw new UsageError('say what to send: --text "…"')
    const waitMs = waitMsOf(wait)
    const client = connect()
    const what = {
      ...said,
      ...each,
      ...(subject === undefined ? {} : { subject }),
      ...dataOf(data),
      ...(confirm ? { confirm } : {}),
      ...rulesOf(values),
      ...ceilingOf(values.ceiling),
    }
    const due = dueOf(values)
    const idempotencyKey = values['idempotency-key'] ?? randomUUID()
    const files = await filesOf(values.file, client, idempotencyKey)
    const message = { ...audience, ...what, ...files, ...due, forecast: true as const }
    const accepted = await client.send(message, { idempotencyKey }).catch((error: unknown) => {
      throw orRepeat(error, [`--idempotency-key ${idempotencyKey}`, ...fixedMoments(values, due)].join(' '))
    })
    const asked = { isForLater: isForLater(values), ceiling: what.ceiling }
    if (!json) for (const line of acceptedLines(accepted, asked, look)) terminal.out(line)
    const untilDueMs = Math.max(Date.parse(accepted.at) - Date.now(), 0)
    const deadline = deadlineAfter(waitMs === 0 ? 0 : untilDueMs + waitMs)
    const isEnough = (history: HistoryView) => isDone(history, until)
    const { key } = accepted
    try {
      await watchUntilDone({ client, key, isDone: isEnough, deadline, quiet: json, terminal, look })
      const report = await client.track(key, 0)
      await tellOutcome(client, report, { answer, look })
      return exitCodeOf(report.history, until)
    } catch (error) {
      throw orWatch(error, key)
    }
  },
})

/** What was said from now on, `+5m`, is another moment when it is said again, and another message. */
function fixedMoments(said: Moments, meant: Moments): string[] {
  return (['at', 'expires'] as const).flatMap((name) =>
    meant[name] === said[name] ? [] : [`--${name} ${meant[name]}`],
  )
}

interface Moments {
  readonly at?: string | undefined
  readonly expires?: string | undefined
}

interface Asked {
  readonly isForLater: boolean
  readonly ceiling: Ceiling | undefined
}

function acceptedLines(
  { key, audience, at, plan }: Acceptance,
  { isForLater, ceiling }: Asked,
  { moment }: Look,
): string[] {
  const accepted = `Accepted ${key} for ${audience.size} ${audience.size === 1 ? 'person' : 'people'}, due ${moment(at)}`
  if (!plan) return [accepted]
  const planned = isHeldBack(plan) ? planWords('en', plan, { isForLater, moment }) : undefined
  const foretold = forecastWords('en', plan, { moment, at })
  const most = mostWords('en', plan, { ceiling })
  const said = [foretold, most, ...budgetWords('en', plan)]
  const costs = said.flatMap((words) => (words === undefined ? [] : [`${words}.`]))
  return [accepted, ...(planned ? [planned.sentence] : []), ...costs]
}
