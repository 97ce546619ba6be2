/** An HTTP courier and the receiver it calls, over real sockets, with breakers in a real Redis. */
import { type EndpointOf, http } from '@courier-fleet/channels'
import { silentLog, systemClock } from '@courier-fleet/process'
import { World } from '@courier-fleet/sandbox'
import { startStandIn } from '@courier-fleet/sandbox/http'
import { connectNode } from '@courier-fleet/store'
import { freshRedis, noUploads } from '@courier-fleet/testkit'
import { createBreakers, newSecret } from '@courier-fleet/webhooks'
import { sandboxCalls } from '../../../../scripts/call-settings.mjs'
import type { Courier, DeliveryReport, Envelope, Item } from '../../src/courier.ts'
import { httpConfig } from '../../src/http/config.ts'
import { buildHttpCourier } from '../../src/http/courier.ts'
import type { HttpTiming } from '../../src/http/timing.ts'
import type { ProcessDeps } from '../../src/registry.ts'

/** Where no test waits for any of it, it is longer than a machine is slow. */
export const timingOf = (deadlineMs: number): HttpTiming => ({
  deadlineMs,
  letGoMs: deadlineMs / 2,
  placeMs: deadlineMs / 4,
})
export const never = new AbortController().signal
/** of the pauses of the schedule: 5 s are 50 ms */
const scale = 0.01

export const environment = (endpoint: EndpointOf<'http'>): Record<string, string> => ({
  ...http.settings.sandbox(endpoint),
  ...sandboxCalls,
  HTTP_TARGET: 'sandbox',
  HTTP_RETRY_SCALE: String(scale),
})

export const secrets = [newSecret()]
export const envelope: Envelope = {
  person: 'anna',
  history: '05.dean.abcdefgh',
  createdMs: Date.UTC(2026, 8, 1),
  data: { room: 412, changed: ['room'] },
  of: 'person:anna',
  secrets,
}

/** A Redis of its own, for the breakers. */
export async function startBreakers() {
  const fresh = await freshRedis()
  const redis = connectNode(fresh.url, { name: 'breakers' })
  await redis.connect()
  return {
    redis,
    breakers: createBreakers(redis),
    async stop() {
      redis.disconnect()
      await fresh.stop()
    },
  }
}

const timing = timingOf(20_000)

export async function createFixture() {
  const world = new World()
  world.limits.http.perSecond = null
  const receiver = await startStandIn({ world, log: silentLog })
  const { redis, breakers, stop } = await startBreakers()
  const reports: DeliveryReport[] = []
  const couriers: Courier[] = []
  const deps: ProcessDeps = {
    log: silentLog,
    clock: systemClock,
    pacer: { take: async () => {} },
    uploads: noUploads,
    onReport: async (report) => void reports.push(report),
    breakers,
    tellOwner: async () => {},
  }
  return {
    world,
    receiver,
    redis,
    breakers,
    reports,
    /** built, not started; stopped with the fixture */
    courier(
      settings: Record<string, string> = {},
      more: Partial<ProcessDeps> = {},
      own: Partial<HttpTiming> = {},
    ): Courier {
      const config = httpConfig({ ...environment(receiver.endpoint), ...settings })
      const courier = buildHttpCourier(config, { ...deps, ...more }, { ...timing, ...own })
      couriers.push(courier)
      return courier
    },
    urlOf: (path: string) => `http://127.0.0.1:${receiver.endpoint.port}/${path}`,
    async stop() {
      await Promise.all(couriers.map((each) => each.stop()))
      await receiver.stop()
      await stop()
    },
  }
}

export type Fixture = Awaited<ReturnType<typeof createFixture>>

let lastKey = 0x1234_5678n

export const itemTo = (address: string, more: Partial<Item> = {}): Item => ({
  class: 'normal',
  address,
  text: 'Занятие перенесено',
  key: ++lastKey,
  envelope,
  ...more,
})
