/** A courier and the SMS centre it talks to, over real sockets: it comes back soon, and is given time for all else. */

import type { EndpointOf } from '@courier-fleet/channels'
import { silentLog, systemClock } from '@courier-fleet/process'
import { type StandIn, World } from '@courier-fleet/sandbox'
import { startStandIn } from '@courier-fleet/sandbox/sms'
import { freePort, noUploads } from '@courier-fleet/testkit'
import type { Courier, CourierDeps, DeliveryReport, Item } from '../../src/courier.ts'
import { smsConfig } from '../../src/sms/config.ts'
import { buildSmsCourier } from '../../src/sms/courier.ts'
import type { SmsTiming } from '../../src/sms/timing.ts'

export type TransportName = 'SMPP' | 'HTTP'

export const quickTiming: SmsTiming = {
  deadlineMs: 20_000,
  keepAliveMs: 60_000,
  answerMs: 15_000,
  minRetryMs: 40,
  maxRetryMs: 200,
  unbindMs: 300,
  standbyMs: 50,
  failAfterMs: 10_000,
  restMs: 30_000,
  maxRestMs: 600_000,
  awayMs: 5_000,
}

/** Not a word that could be anywhere by chance. */
export const password = 's3cr3t-of-the-centre'
export const never = new AbortController().signal

/** What a process of the fleet would have in its environment. */
export async function environment(
  transport: TransportName,
  endpoint: EndpointOf<'sms'>,
): Promise<Record<string, string>> {
  const login = `${endpoint.systemId}:${endpoint.password}`
  const common = { SMS_TARGET: 'sandbox', SMS_SENDER: 'Fleet', SMS_PER_SECOND: 'off' }
  if (transport === 'SMPP') return { ...common, SMS_SMPP_URL: `smpp://${login}@${endpoint.host}:${endpoint.port}` }
  const port = await freePort()
  return {
    ...common,
    SMS_HTTP_URL: endpoint.sendsmsUrl.replace('://', `://${login}@`),
    SMS_HTTP_CALLBACK_URL: `http://127.0.0.1:${port}`,
    SMS_HTTP_CALLBACK_PORT: String(port),
  }
}

export interface Fixture {
  readonly world: World
  readonly smsc: StandIn<EndpointOf<'sms'>>
  readonly env: Record<string, string>
  readonly receipts: DeliveryReport[]
  /** built, not started; stopped with the fixture */
  courier(settings?: Record<string, string>, timing?: Partial<SmsTiming>, deps?: Partial<CourierDeps>): Courier
  stop(): Promise<void>
}

export async function createFixture(transport: TransportName): Promise<Fixture> {
  const world = new World()
  world.limits.sms = { perSecond: null, window: null }
  const smsc = await startStandIn({ world, password, retryMs: 30, log: silentLog })
  const env = await environment(transport, smsc.endpoint)
  const receipts: DeliveryReport[] = []
  const couriers: Courier[] = []
  const deps: CourierDeps = {
    log: silentLog,
    clock: systemClock,
    pacer: { take: async () => {} },
    uploads: noUploads,
    onReport: async (receipt) => void receipts.push(receipt),
  }
  return {
    world,
    smsc,
    env,
    receipts,
    courier(settings = {}, timing = {}, own = {}) {
      const config = smsConfig({ ...env, ...settings })
      const courier = buildSmsCourier(config, { ...deps, ...own }, { ...quickTiming, ...timing })
      couriers.push(courier)
      return courier
    },
    async stop() {
      await Promise.all(couriers.map((courier) => courier.stop()))
      await smsc.stop()
    },
  }
}

let lastKey = 0x5eed_0000n

export function item(address: string, text = 'Занятие перенесено'): Item {
  lastKey += 1n
  return { class: 'normal', address, text, key: lastKey }
}

export function phone(i: number): string {
  return `+7916${String(i).padStart(7, '0')}`
}
