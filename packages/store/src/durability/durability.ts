/**
 * How sure it has to be that what was written stays, before anybody is told or sent anything that must not be done twice
 * (docs/faults.md): `master`, the Redis that took it; `replica`, one more; `all`, every replica that is connected, one at least.
 */
import { alignedInterval, type Field } from '@courier-fleet/process'
import { parseRedisUrl } from '../connection/address.ts'
import { isCluster, mastersOf, type Redis, type RedisNode } from '../connection/client.ts'
import { connectNode } from '../connection/connect.ts'
import { createGenerations, type Generations, oneGeneration } from './generations.ts'
import { NotDurable, otherMaster, ReplicaLine, type ReplicaLineDeps, waitMs } from './replica-line.ts'

export type DurabilityLevel = 'master' | 'replica' | 'all'

export interface Durability {
  readonly level: DurabilityLevel
  /** Of what was written under a consumer's name of this generation, which only its own master takes. @throws NotDurable */
  confirm(generation: string): Promise<void>
  /** Of all that is written anywhere between this and the call of what it returns. @throws NotDurable from that */
  begin(): () => Promise<void>
  /** Of each master whose replicas do not answer, why. */
  troubles(): string[]
  stop(): void
}

/** Whoever is told of a write has it from the master: nothing is asked. */
export const masterOnly: Durability = {
  level: 'master',
  confirm: async () => {},
  begin: () => async () => {},
  troubles: () => [],
  stop() {},
}

const levels: readonly string[] = ['master', 'replica', 'all']

/** REDIS_DURABILITY; undefined: by what Redis is */
export const durabilityLevel: Field<DurabilityLevel | undefined> = (given, name) => {
  if (given === undefined || given === '') return undefined
  if (levels.includes(given)) return given as DurabilityLevel
  throw new Error(`${name} is "${given}" and must be master, replica or all`)
}

interface DurabilityOptions {
  readonly url: string
  /** on which the fleet writes */
  readonly redis: Redis
  /** undefined: by what Redis is */
  readonly level: DurabilityLevel | undefined
  /** of the process, told to Redis */
  readonly name: string
}

const levelFor = ({ url, level }: Pick<DurabilityOptions, 'url' | 'level'>): DurabilityLevel =>
  level ?? (parseRedisUrl(url)?.kind === 'one' ? 'master' : 'replica')

/** Whether another Redis may take a master's place: then claims carry the generation (generations.ts). */
export const generationsFor = (
  options: Pick<DurabilityOptions, 'url' | 'redis' | 'level'>,
  shards: number,
): Generations =>
  parseRedisUrl(options.url)?.kind === 'one' && levelFor(options) === 'master'
    ? oneGeneration
    : createGenerations({ redis: options.redis, shards })

const lookEveryMs = 1_000

export async function startDurability(options: DurabilityOptions): Promise<Durability> {
  const level = levelFor(options)
  if (level === 'master') return masterOnly
  const lines = new Lines(options, wantedBy(level, parseRedisUrl(options.url)?.kind === 'sentinel'))
  await lines.look()
  const stopLooking = alignedInterval(lookEveryMs, () => void lines.look())
  return {
    level,
    async confirm(generation) {
      if (!lines.of(generation)) await lines.look()
      const line = lines.of(generation)
      if (!line) throw new NotDurable(otherMaster)
      await line.confirm(generation, false)
    },
    begin() {
      const masters = lines.all().map((line) => [line, line.theirs] as const)
      return async () => {
        await Promise.all(masters.map(([line, generation]) => line.confirm(generation, true)))
      }
    },
    troubles: () => lines.all().flatMap(({ trouble }) => trouble ?? []),
    stop() {
      stopLooking()
      lines.close()
    },
  }
}

/**
 * Nodes of a cluster see to it that a replica has all before it takes the master's place by agreement, and that a master which most of them do not
 * hear soon stops. Sentinels take any replica, and leave the master as it is for seconds: what another replica has is then thrown away.
 */
function wantedBy(level: DurabilityLevel, isAnyNext: boolean): ReplicaLineDeps['wanted'] {
  if (level === 'replica' && !isAnyNext) return () => 1
  return ({ replicas, answering, isLeft }) => {
    if (isLeft) throw new NotDurable('a replica has left the master: it may be about to take its place')
    return Math.max(1, level === 'all' ? replicas : answering)
  }
}

/** One to each master. */
class Lines {
  readonly #options: DurabilityOptions
  readonly #wanted: ReplicaLineDeps['wanted']
  readonly #lines = new Map<string, ReplicaLine>()
  #looking: Promise<void> | undefined

  constructor(options: DurabilityOptions, wanted: ReplicaLineDeps['wanted']) {
    this.#options = options
    this.#wanted = wanted
  }

  all(): ReplicaLine[] {
    return [...this.#lines.values()]
  }

  of(generation: string): ReplicaLine | undefined {
    return this.all().find((line) => line.generation === generation)
  }

  /** Masters come and go. */
  look(): Promise<void> {
    this.#looking ??= this.#look().finally(() => {
      this.#looking = undefined
    })
    return this.#looking
  }

  close(): void {
    for (const line of this.all()) line.close()
  }

  async #look(): Promise<void> {
    const { url, redis } = this.#options
    const places = new Set(isCluster(redis) ? mastersOf(redis).flatMap((node) => (node ? urlOf(node) : [])) : [url])
    for (const [place, line] of this.#lines) {
      if (places.has(place)) continue
      line.close()
      this.#lines.delete(place)
    }
    for (const place of places) if (!this.#lines.has(place)) this.#lines.set(place, await this.#open(place))
    // whoever is not reached tells its trouble when it is asked
    await Promise.all(this.all().map((line) => line.look().catch(() => {})))
  }

  async #open(place: string): Promise<ReplicaLine> {
    const line = connectNode(place, { name: `${this.#options.name}-durable`, patienceMs: waitMs + marginMs })
    await line.connect().catch(() => {}) // tried again by itself
    return new ReplicaLine({ line, redis: this.#options.redis, wanted: this.#wanted })
  }
}

/** what a question takes beside the wait for the replicas */
const marginMs = 500

function urlOf({ options: { host, port, username, password, tls } }: RedisNode): string {
  const url = new URL(`redis${tls ? 's' : ''}://${host?.includes(':') ? `[${host}]` : host}:${port}`)
  if (username) url.username = username
  if (password) url.password = password
  return url.href
}
