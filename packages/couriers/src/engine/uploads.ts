/**
 * Gives files to providers, each once for all processes of an account. What has become of one stands in `file-reference:` (keys.ts),
 * and whoever needs it asks there first:
 *
 *   nothing        whoever sets a lease there gives it
 *   `?<lease>`     somebody is giving it; the lease is longer than a try
 *   `=<reference>` the provider has it, and calls it so
 *   `-<detail>`    the provider does not take it, or could not be given it several times
 *
 * Whoever stood still until its lease had lapsed changes nothing that another has noted since, but by a reference of its own, which is as good.
 * A crash leaves the lease, which lapses, and maybe a file at the provider that nobody is ever sent: docs/decisions/0123.
 */
import type { MessageFile } from '@courier-fleet/api-types'
import { type Clock, type Log, sleep, startDeadline } from '@courier-fleet/process'
import { keys, type Redis, removeValue, replaceValue } from '@courier-fleet/store'
import { nanoid } from 'nanoid'
import type { Courier, Give, Given, Outcome, Uploads } from '../courier.ts'
import type { ReadFile } from './read-file.ts'

export interface UploadsDeps {
  readonly redis: Redis
  /** asked at the first use: the courier itself is made with the uploads in hand */
  readonly courier: () => Pick<Courier, 'channel' | 'account'>
  readonly readFile: ReadFile
  /** Unix ms */
  readonly clock: Clock
  readonly log: Log
}

type Settled = Exclude<Given, { kind: 'failed' }>

const maxTries = 3
const betweenTriesMs = 1_000
const tryMs = 30_000
const leaseMs = tryMs + 5_000
/** Providers keep files for longer; what nobody sends any more is forgotten here. */
const keptMs = 86_400_000
/** after that it is tried again, should somebody need it still */
const refusedMs = 600_000
/** while another process gives it */
const lookMs = 200

export function createUploads(deps: UploadsDeps): Uploads & { stop(): void } {
  const { log } = deps
  const stopping = new AbortController()
  const underWay = new Map<string, Promise<Settled>>()
  /** one at a time: each is as large in memory as it is */
  let last: Promise<unknown> = Promise.resolve()

  async function find(file: MessageFile, give: Give): Promise<Settled> {
    while (!stopping.signal.aborted) {
      const known = await readReference(deps, file)
      if (known && known !== 'under way') return known
      if (!known) {
        const turn = last.then(() => giveAsLeased(deps, file, give, stopping.signal))
        last = turn.catch(() => {})
        const given = await turn
        if (given) return given
      }
      await sleep(lookMs, stopping.signal)
    }
    return later('the courier was told to stop before the file was uploaded')
  }

  function findOnce(file: MessageFile, give: Give): Promise<Settled> {
    const known = underWay.get(file.id)
    if (known) return known
    const finding = find(file, give)
      .catch((error) => {
        log.warn({ err: error, file: file.id }, 'a file was not uploaded')
        // users of an older version, who may not touch these keys: nobody waits for an operator to write them anew
        if (String(error).includes('NOPERM')) return refused('Redis does not let this courier note uploads')
        return later('Redis is away, and nobody knows what the provider calls its file')
      })
      .finally(() => underWay.delete(file.id))
    underWay.set(file.id, finding)
    return finding
  }

  return {
    async upload(file, give, waitMs, signal) {
      const over = new AbortController()
      const tooLate = sleep(waitMs, signal, over.signal).then(() => later('its file is still being uploaded'))
      const given = await Promise.race([findOnce(file, give), tooLate])
      over.abort()
      return given
    },
    async forget(file, reference) {
      try {
        // another process may have uploaded it anew
        await removeValue(deps.redis, keyOf(deps, file), `=${reference}`)
      } catch (error) {
        log.warn({ err: error, file: file.id }, 'a reference that is not known any more was not forgotten')
      }
    },
    stop: () => stopping.abort(),
  }
}

const keyOf = ({ courier }: UploadsDeps, { id }: MessageFile): string => {
  const { channel, account } = courier()
  return keys.fileReference(channel, account, id)
}

/** @returns undefined where nobody has given it */
async function readReference(deps: UploadsDeps, file: MessageFile): Promise<Settled | 'under way' | undefined> {
  const value = await deps.redis.get(keyOf(deps, file))
  if (value === null) return undefined
  const said = value.slice(1)
  if (value[0] === '=') return { kind: 'given', reference: said }
  return value[0] === '-' ? refused(said) : 'under way'
}

/** @returns undefined where another process is at it, or knows better by now */
async function giveAsLeased(
  deps: UploadsDeps,
  file: MessageFile,
  give: Give,
  stopping: AbortSignal,
): Promise<Settled | undefined> {
  const { redis, clock, log } = deps
  const key = keyOf(deps, file)
  const lease = `?${nanoid(12)}`
  if (!(await redis.set(key, lease, 'PX', leaseMs, 'NX'))) return undefined
  const given = await tryToGive(deps, file, give, stopping, () =>
    replaceValue(redis, key, lease, { wanted: lease, keptMs: leaseMs }),
  )
  log.info({ file: file.id, bytes: file.size, given: given.kind }, 'a file was to be uploaded')
  if (given.kind === 'given') {
    const leftMs = Math.max(Date.parse(file.until) - clock.now(), 1_000)
    await redis.set(key, `=${given.reference}`, 'PX', Math.min(keptMs, leftMs))
  } else if (given.kind === 'refused') {
    log.warn({ file: file.id, why: given.detail }, 'a file goes out as a link')
    if (!(await replaceValue(redis, key, lease, { wanted: `-${given.detail}`, keptMs: refusedMs }))) return undefined
  } else await removeValue(redis, key, lease)
  return given
}

async function tryToGive(
  { readFile }: UploadsDeps,
  file: MessageFile,
  give: Give,
  stopping: AbortSignal,
  renew: () => Promise<unknown>,
): Promise<Settled> {
  let why = ''
  for (let tries = 0; tries < maxTries; tries += 1) {
    if (tries > 0) {
      await sleep(betweenTriesMs, stopping)
      await renew()
    }
    if (stopping.aborted) return later('the courier was told to stop before the file was uploaded')
    const deadline = startDeadline(tryMs, stopping)
    try {
      const bytes = await readFile(file, deadline.signal)
      if (bytes === 'gone') return refused('the fleet does not have it any more')
      const given = await deadline.race(give(file, bytes, deadline.signal))
      if (given.kind !== 'failed') return given
      why = given.why
    } catch (error) {
      why = error instanceof Error ? error.message : String(error)
    } finally {
      deadline.end()
    }
  }
  return refused(`it could not be uploaded: ${why}`)
}

const againMs = 1_000

const refused = (detail: string): Settled => ({ kind: 'refused', detail })

const later = (reason: string): Settled => ({
  kind: 'later',
  outcome: { kind: 'throttled', retryAfterMs: againMs, scope: 'recipient', reason, isOwn: true } satisfies Outcome,
})
