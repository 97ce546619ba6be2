import { parseArgs } from 'node:util'
import { UsageError } from './usage-error.ts'

export const sendUsage = `Usage: npm run send -- --to "group:…" [--to …] --text "…" [options]

  --to TOKEN       user:<id>, group:<id>, stream:<id> or role:<role>; may be given several times
  --text TEXT      what to say
  --at TIME        when: 2026-09-01T09:00:00+03:00, or +20s, +5m, +2h from now; now when absent
  --wait SECONDS   how long to watch it from then on; 60 when absent, 0 not to wait
  --channels LIST  only these, e.g. telegram,sms; all of them when absent
  --json           the outcome as JSON instead of words

Exit code: 0 everyone with a contact got it · 1 not everyone, or not known yet · 2 it could not be sent`

export interface SendOptions {
  readonly to: readonly string[]
  readonly text: string
  /** ISO 8601; absent for now */
  readonly at?: string
  readonly channels?: readonly string[]
  /** counted from when it is due */
  readonly waitMs: number
  readonly json: boolean
}

/** @returns undefined when help was asked for. @throws UsageError */
export function readSendOptions(args: readonly string[], nowMs: number): SendOptions | undefined {
  const { to = [], text, at, wait = '60', channels, json = false, help } = parse(args)
  if (help) return undefined
  if (to.length === 0) throw new UsageError('say whom to send to: --to "group:…"')
  if (text === undefined) throw new UsageError('say what to send: --text "…"')
  if (!/^\d+(\.\d+)?$/.test(wait)) throw new UsageError(`--wait takes seconds, not "${wait}"`)
  return {
    to,
    text,
    ...(at === undefined || at === 'now' ? {} : { at: instantOf(at, nowMs) }),
    ...(channels === undefined ? {} : { channels: channels.split(',').map((name) => name.trim()) }),
    waitMs: Number(wait) * 1000,
    json,
  }
}

function parse(args: readonly string[]) {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        to: { type: 'string', multiple: true },
        text: { type: 'string' },
        at: { type: 'string' },
        wait: { type: 'string' },
        channels: { type: 'string' },
        json: { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
      },
    })
    return values
  } catch (error) {
    throw new UsageError((error as Error).message.split('. ', 1)[0] as string)
  }
}

const unitMs = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }

/** `+20s` from now as ISO 8601; any other form is left to the service to judge. */
function instantOf(at: string, nowMs: number): string {
  const relative = /^\+(\d+)([smhd])$/.exec(at)
  if (!relative) return at
  const [, count, unit] = relative
  return new Date(nowMs + Number(count) * unitMs[unit as keyof typeof unitMs]).toISOString()
}
