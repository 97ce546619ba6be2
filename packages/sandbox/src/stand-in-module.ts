/** What the sandbox starts for each channel: `startStandIn` of `./<channel>/index.ts`. */
import type { Log } from '@courier-fleet/process'
import type { World } from './world.ts'

export interface StandInModule {
  startStandIn(deps: StandInDeps): Promise<StandIn<unknown>>
}

/** What every stand-in is started with. */
export interface StandInDeps {
  readonly world: World
  readonly log: Log
  /** loopback when absent */
  readonly host?: string
  /** that lead here, beside `localhost`: no page of another site may use a name of its own */
  readonly names?: readonly string[]
  /** to listen on, by the stand-in's own names for them; any free one where there is none */
  readonly ports?: Readonly<Record<string, number>>
  /** what has to outlive the process is kept here; absent: in memory */
  readonly dataDir?: string
}

/** A running stand-in; `endpoint` is what a client needs to talk to it (served by `GET /endpoints`). None of it is a secret. */
export interface StandIn<Endpoint> {
  readonly endpoint: Endpoint
  /** those it listens on, as in StandInDeps */
  readonly ports: Readonly<Record<string, number>>
  stop(): Promise<void>
}
