/** A whole fleet in one process: the service over a real socket, a timekeeper, and couriers without a provider. */
import type { Outcome } from '@courier-fleet/couriers'
import { joinFleet } from '@courier-fleet/store'
import { fakeCourier } from '../../couriers/test/engine/fake-courier.ts'
import { createFixture } from '../../couriers/test/engine/fixture.ts'
import { startService } from '../../queue/test/service.ts'
import { createClient } from '../src/index.ts'

/** this address has blocked the bot; messages to all others are accepted */
const telegramBlocks = '1666'
const rejected: Outcome = { kind: 'rejected', class: 'blocked', detail: 'USER_IS_BLOCKED: blocked the bot' }

export async function startFleet() {
  const fixture = await createFixture()
  await joinFleet(fixture.redis, 2)
  const service = await startService(fixture)
  const { set } = service
  /** in use in the couriers, too, when it resolves */
  service.set = async (settings) => {
    await set(settings)
    await fixture.settingsAreKnown()
  }
  const apiUrl = await service.listen()
  const answer = ({ address }: { address: string }): Outcome =>
    address === telegramBlocks ? rejected : { kind: 'sent', providerId: `id-${address}` }
  const runners = await Promise.all([
    fixture.run(fakeCourier({ channel: 'telegram', answer })),
    fixture.run(fakeCourier({ channel: 'vk' })),
  ])

  return {
    service,
    fixture,
    runners,
    apiUrl,
    client: createClient({ apiUrl, apiKey: service.keyOf.trainer }),
    admin: createClient({ apiUrl, apiKey: service.keyOf.admin }),
    /** group:own: anna has both, boris is blocked in Telegram, clara has nothing */
    async linkPeople() {
      await fixture.directory.linkContact('telegram', 'anna', '1001')
      await fixture.directory.linkContact('vk', 'anna', '1001')
      await fixture.directory.linkContact('telegram', 'boris', telegramBlocks)
    },
    async stop() {
      await service.stop()
      await fixture.stop()
    },
  }
}
