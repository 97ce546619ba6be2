/**
 * From claims to flights: reads what they are about, cuts what is too large, puts small ones together, and lets no more of
 * them fly at once than the courier allows.
 */
import type { Claim } from './claim-scripts.ts'
import { type FlightDeps, fly } from './flight.ts'
import type { Leases } from './leases.ts'
import type { createMessages, Message } from './messages.ts'
import type { Streams } from './streams.ts'

export interface HangarDeps extends FlightDeps {
  readonly streams: Pick<Streams, 'ignore'>
  readonly leases: Leases
  readonly messages: ReturnType<typeof createMessages>
  /** Claims have been let go of that are still this process's own. */
  readonly onTrouble: () => void
  /** There is room again. */
  readonly onLanded: () => void
}

export interface Hangar {
  /** how many more flights there may be */
  room(): number
  /** those in the air */
  flights(): number
  /** Reads the messages of new claims and starts flights with them. */
  launch(claims: readonly Claim[]): Promise<void>
  /** Starts what is waiting while there is room in the air; when stopping all of it, to be handed back. */
  depart(): void
}

type Load = { claim: Claim; message: Message }

export function createHangar(deps: HangarDeps): Hangar {
  const { courier, scripts, streams, leases, messages, stopping, complain, onTrouble, onLanded } = deps
  const { channel, batchSize, concurrency } = courier
  const flights = new Set<Promise<void>>()
  /** claimed and read, waiting for a flight to land: what is in the air bounds what one crash leaves unknown */
  const queued: Load[][] = []

  /** @returns the claim ready to fly, or undefined when it was split, is not for this channel, or its history is gone */
  async function prepare(claim: Claim): Promise<Load | undefined> {
    try {
      return await open(claim)
    } catch (error) {
      complain({ err: error }, 'cannot open a claim; trying again')
      leases.drop([claim])
      onTrouble()
      return undefined
    }
  }

  async function open(claim: Claim): Promise<Load | undefined> {
    const message = await messages.load(claim.ref)
    if (!message?.expected.includes(channel)) {
      leases.drop([claim])
      await streams.ignore(claim, !message)
      return undefined
    }
    if (claim.kind === 'batch') return { claim, message }
    if (message.size <= batchSize) {
      const whole = { ...claim, to: message.size }
      leases.hold([whole])
      return { claim: whole, message }
    }
    leases.drop([claim])
    await scripts.split(claim, message.size, batchSize)
    return undefined
  }

  function start(group: Load[]): void {
    const flight = fly(group, deps)
      .catch((error) => {
        complain({ err: error }, 'a flight has failed; its claims are tried again')
        onTrouble()
      })
      .finally(() => {
        leases.drop(group.map(({ claim }) => claim))
        flights.delete(flight)
        depart()
        onLanded()
      })
    flights.add(flight)
  }

  function depart(): void {
    while (queued.length > 0 && (flights.size < concurrency || stopping.aborted)) start(queued.shift() as Load[])
  }

  return {
    room: () => concurrency - flights.size - queued.length,
    flights: () => flights.size,
    depart,
    async launch(claims) {
      leases.hold(claims)
      const loads = (await Promise.all(claims.map(prepare))).filter((load) => load !== undefined)
      let group: Load[] = []
      let people = 0
      for (const load of loads) {
        const size = load.claim.to - load.claim.from
        if (group.length > 0 && people + size > batchSize) {
          queued.push(group)
          group = []
          people = 0
        }
        group.push(load)
        people += size
      }
      if (group.length > 0) queued.push(group)
      depart()
    },
  }
}
