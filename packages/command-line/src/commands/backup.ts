/** Takes and restores backups. They are asked of Redis itself: the API has no way to its data, nor is it there before a restore. */
import type { Call, Options } from '../command.ts'
import { defineCommand } from '../define-command.ts'
import { findRedis } from '../fleet-file.ts'
import type { Backups } from '../terminal.ts'
import { UsageError } from '../usage-error.ts'

export const backup = defineCommand({
  name: 'backup',
  summary: 'Take a backup of all that Redis holds, as of one moment, while the fleet works',
  parameters: [{ name: 'file' }],
  options: {},
  exits: { 0: 'all of it is in the file' },
  async execute({ parameters, terminal, answer, look }) {
    const [file] = parameters as [string]
    const url = findRedis(terminal.env, terminal.fleetFile)
    const { bytes, takenMs } = await asking(terminal, (backups) => backups.take(url, file))
    const taken = new Date(takenMs).toISOString()
    answer({ file, bytes, taken }, () => `All that Redis held at ${look.moment(taken)} is in ${file}, ${bytes} bytes.`)
    return 0
  },
})

export const restore = defineCommand({
  name: 'restore',
  summary: 'Restore a backup into the empty Redis of REDIS_URL, with no process of the fleet running',
  parameters: [{ name: 'file' }],
  options: {
    'send-again': {
      type: 'boolean',
      about: 'send again to whoever may have been sent to since: by SMS, mail and push they may get it twice',
    },
  },
  exits: { 0: 'all of it is there, and the fleet may be started' },
  async execute({ parameters, values, terminal, answer, look }) {
    const [file] = parameters as [string]
    const { REDIS_URL: url } = terminal.env
    if (!url) throw new UsageError('say into which Redis, an empty one: set REDIS_URL')
    const sendAgain = values['send-again'] === true
    const { takenMs, unknown } = await asking(terminal, (backups) => backups.restore(url, file, { sendAgain }))
    const taken = new Date(takenMs).toISOString()
    answer({ file, taken, sendAgain, unknown }, () =>
      [restoredText(look.moment(taken)), againText(sendAgain, unknown)].join('\n'),
    )
    return 0
  },
})

async function asking<T>({ backups }: Call<Options>['terminal'], ask: (backups: Backups) => Promise<T>): Promise<T> {
  if (!backups) throw new UsageError('this needs the sources of the fleet: run it as "npm run fleet --"')
  try {
    return await ask(await backups())
  } catch (error) {
    if (error instanceof Error && error.name === 'BackupError') throw new UsageError(error.message)
    throw error
  }
}

const restoredText = (taken: string) =>
  `Redis holds what it held at ${taken}. All that was done since is forgotten: messages, cancellations, opt-outs, revoked keys ` +
  '(docs/backup.md). Start the fleet now.'

function againText(sendAgain: boolean, unknown: Readonly<Record<string, number>>): string {
  if (sendAgain)
    return 'Whoever may have been sent to since is sent to again; by SMS, mail and push they may get it twice.'
  const people = Object.entries(unknown).map(([channel, count]) => `${count} by ${channel}`)
  return `May have been sent to since, and will be said to be unknown: ${people.join(', ')}. "fleet resend" sends to them again, "fleet resolve" ends it.`
}
