/**
 * From claims to flights: reads what they are about, cuts what is too large, puts small ones together, and lets no more of
 * them fly at once than the courier allows.
 */
import { type Claim, Fenced } from './claim-scripts.ts'
import { type FlightDeps, fly } from './flight.ts'
import type { Leases } from './leases.ts'
import type { Message, Messages } from './messages.ts'
import { createPlaces } from './places.ts'
import type { Streams } from './streams.ts'

export interface HangarDeps extends Omit<FlightDeps, 'places'> {
  readonly streams: Pick<Streams, 'ignore'>
  readonly leases: Leases
  readonly messages: Messages
  /** Claims have been let go of that are still this process's own. */
  readonly onTrouble: () => void
  /** There is room again. */
  readonly onLanded: () => void
}

export interface Hangar {
  /** how many more flights there may be */
  room(): number
  /** Without room: whether an urgent one may fly all the same. */
  roomForUrgent(): boolean
  /** those in the air */
  flights(): number
  /** Reads the messages of new claims and starts flights with them. */
  launch(claims: readonly Claim[]): Promise<void>
  /** Starts what is waiting while there is room in the air; when stopping all of it, to be handed back. */
  depart(): void
}

const unlessFenced = (error: unknown) => {
  if (!(error instanceof Fenced)) throw error
}

type Load = { claim: Claim; message: Message }
const isUrgent = ({ claim }: Load) => claim.class === 'urgent'

export function createHangar(deps: HangarDeps): Hangar {
  const { courier, scripts, streams, leases, messages, stopping, complain, onTrouble, onLanded } = deps
  const { channel, batchSize, concurrency, window } = courier
  const places = window === undefined ? undefined : createPlaces(window)
  const flights = new Set<Promise<void>>()
  /** the last seat is for urgent messages only: a full house must not keep them waiting */
  const seats = Math.max(1, concurrency - 1)
  /** claimed and read, waiting for a flight to land */
  const queued: Load[][] = []

  /** Does something with claims; when it fails they are let go of and found again later. */
  async function attempt<T>(claims: readonly Claim[], action: () => Promise<T>): Promise<T | undefined> {
    try {
      return await action()
    } catch (error) {
      complain({ err: error }, 'cannot open a claim; trying again')
      leases.drop(claims)
      onTrouble()
      return undefined
    }
  }

  async function ignore(claims: readonly Claim[], areGone: boolean): Promise<void> {
    if (claims.length === 0) return
    leases.drop(claims)
    await attempt(claims, () => streams.ignore(claims, areGone))
  }

  async function split(claim: Claim): Promise<void> {
    leases.drop([claim])
    // fenced: another process has split it, or its message is gone
    await attempt([claim], () => scripts.split(claim, claim.to, batchSize).catch(unlessFenced))
  }

  /** @returns those whose messages are there, ready to fly */
  async function open(claims: readonly Claim[]): Promise<Load[]> {
    if (claims.length === 0) return []
    const found = await attempt(claims, () => messages.load(claims))
    if (!found) return []
    const loads: Load[] = []
    const gone: Claim[] = []
    for (const [index, claim] of claims.entries()) {
      const message = found[index]
      if (message) loads.push({ claim, message })
      else gone.push(claim)
    }
    await ignore(gone, true)
    return loads
  }

  /** Those that fit into one flight, as few flights as will do; urgent ones by themselves, ahead of others. */
  function group(loads: readonly Load[]): Load[][] {
    const groups: Load[][] = []
    let people = 0
    let before: Claim | undefined
    for (const load of [...loads.filter(isUrgent), ...loads.filter((each) => !isUrgent(each))]) {
      const size = load.claim.to - load.claim.from
      const last = groups.at(-1)
      const isAlike = before !== undefined && (before.class === 'urgent') === isUrgent(load)
      if (last && isAlike && people + size <= batchSize) {
        last.push(load)
        people += size
      } else {
        groups.push([load])
        people = size
      }
      before = load.claim
    }
    return groups
  }

  function start(loads: Load[]): void {
    const flight = fly(loads, { ...deps, places })
      .catch((error) => {
        complain({ err: error }, 'a flight has failed; its claims are tried again')
        onTrouble()
      })
      .finally(() => {
        leases.drop(loads.map(({ claim }) => claim))
        flights.delete(flight)
        depart()
        onLanded()
      })
    flights.add(flight)
  }

  function depart(): void {
    while (queued.length > 0 && (flights.size < seats || stopping.aborted)) start(queued.shift() as Load[])
    const urgent = queued.findIndex((loads) => loads.some(isUrgent))
    if (urgent >= 0 && flights.size < concurrency) start(queued.splice(urgent, 1)[0] as Load[])
  }

  return {
    room: () => seats - flights.size - queued.length,
    roomForUrgent: () => flights.size < concurrency && !queued.some((loads) => loads.some(isUrgent)),
    flights: () => flights.size,
    depart,
    async launch(claims) {
      const isMine = ({ channels }: Claim) => channels.includes(channel)
      const mine = claims.filter(isMine)
      const isLarge = (claim: Claim) => claim.kind === 'order' && claim.to > batchSize
      const small = mine.filter((claim) => !isLarge(claim))
      leases.hold(mine)
      const [loads] = await Promise.all([
        open(small),
        ignore(
          claims.filter((claim) => !isMine(claim)),
          false,
        ),
        ...mine.filter(isLarge).map(split),
      ])
      queued.push(...group(loads))
      depart()
    },
  }
}
