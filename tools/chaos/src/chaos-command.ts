/** `npm run chaos`: parses, runs, prints. Exit code 0 when nothing was found that must not be, 1 when something was, 2 for bad arguments. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { channels } from './expectations.ts'
import { parseOptions, UsageError, usage } from './options.ts'
import { violationText } from './report.ts'
import { type ChaosReport, isClean, isUnknownBounded, runChaos } from './run.ts'

export interface CommandDeps {
  /** asked for only when there is something to run */
  readonly redisServer: () => string
  readonly out: (text: string) => void
  readonly err: (text: string) => void
}

/** violations, in words; a message to everybody may be as many */
const maxPrinted = 100

export async function chaosCommand(argv: readonly string[], deps: CommandDeps): Promise<number> {
  const { out, err } = deps
  if (argv.includes('--help')) {
    out(usage)
    return 0
  }
  let options: ReturnType<typeof parseOptions>
  try {
    options = parseOptions(argv)
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    err(`${error.message}\n${usage}`)
    return 2
  }
  const dir = mkdtempSync(join(tmpdir(), 'courier-fleet-chaos-'))
  const startedAt = Date.now()
  const report = await runChaos(options, {
    dir,
    redisServer: deps.redisServer(),
    onProgress: (text) => err(`${clockOf(Date.now() - startedAt)}  ${text}`),
  })
  const printed = { ...report, violations: report.violations.slice(0, maxPrinted) }
  out(options.json ? JSON.stringify(report, null, 2) : inWords(printed))
  if (isClean(report)) {
    rmSync(dir, { recursive: true, force: true })
    return 0
  }
  const found = join(dir, 'violations.jsonl')
  writeFileSync(found, report.violations.map((each) => `${JSON.stringify(each)}\n`).join(''))
  err(`All ${report.violations.length} violations: ${found}`)
  err(`Logs of the processes: ${join(dir, 'logs')}\nThe same again: npm run chaos -- ${replay(argv, options.seed)}`)
  return 1
}

const clockOf = (ms: number) => `${Math.floor(ms / 60_000)}:${String(Math.floor(ms / 1000) % 60).padStart(2, '0')}`

const replay = (argv: readonly string[], seed: string) =>
  [...argv, ...(argv.includes('--seed') ? [] : ['--seed', seed])].join(' ')

const pointsText = (killedAt: ChaosReport['killedAt']) =>
  Object.entries(killedAt)
    .map(([point, times]) => `${point}${times > 1 ? ` (${times} times)` : ''}`)
    .join(', ') || 'none'

const shapedLines = (counts: ChaosReport['shaped']) => [
  ['steps', `${counts.inSteps} messages, ${counts.spared} people spared the second step`],
  ['confirmations', `${counts.confirmed}, of these ${counts.noted} told that they are noted`],
  [
    'corrections',
    `${counts.corrections} messages: ${counts.edited} edited, ${counts.alsoTold} of them told besides, ${counts.followedUp} told only, ${counts.uncorrected} listed with the older text`,
  ],
  ['recalls', `${counts.recalls} messages: ${counts.deleted} deleted, ${counts.remaining} listed as having it`],
  ['merged', `${counts.joined} times two messages as one`],
  ['personal texts', `${counts.personal} messages`],
]

function inWords(report: ChaosReport): string {
  const perChannel = (counts: ChaosReport['unknown']) =>
    channels.map((channel) => `${channel} ${counts[channel]}`).join(', ')
  const { startLatenessMs: late, nextPhones, calls } = report
  const lines = [
    ['seed', report.seed],
    ['kills', `${report.kills} in ${report.rounds} rounds, ${report.seconds} s`],
    ['killed at points', pointsText(report.killedAt)],
    ['messages', `${report.messages} to ${report.recipients} recipients`],
    ['lost', report.lost],
    ['told falsely', report.toldFalsely],
    ['sent twice', perChannel(report.duplicated)],
    ['unknown', `${perChannel(report.unknown)} (SMS: at most ${report.maxUnknownSms}, ${report.smsWindow} a doubt)`],
    [
      'next phones',
      `${nextPhones.wentOn} gone on to after the first had failed, ${nextPhones.reached} of them have it`,
    ],
    ['calls', `${calls.came} came, ${calls.repeated} of them again, ${calls.changed} of these with something else`],
    ['ledger imbalances', report.ledgerImbalances],
    ...shapedLines(report.shaped),
    ['longest recovery', `${report.maxRecoveryMs} ms`],
    ['start − due', late ? `p50 ${late.p50} ms, p99 ${late.p99} ms, max ${late.max} ms` : 'nothing started'],
    ['script errors', report.scriptErrors.length],
    ['rules', report.rules.length],
    ['growth', report.growth.length],
    ['bad ends', report.badEnds.length],
  ]
  const details = [
    ...report.violations.map(violationText),
    ...report.scriptErrors,
    ...report.rules,
    ...report.growth,
    ...report.badEnds,
    ...(isUnknownBounded(report)
      ? []
      : [`unknown: ${report.unknown.sms} SMS, and the faults account for ${report.maxUnknownSms}`]),
  ]
  return [...lines.map(([name, value]) => `${String(name).padEnd(18)} ${value}`), ...details].join('\n')
}
