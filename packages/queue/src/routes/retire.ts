/** Takes a channel out of use: messages that start from then on do not wait for it unless they name it. */
import { Problem, retiredChannel } from '@courier-fleet/api-types'
import { forgetTarget, readChannels, readProcesses, readRemainingWork, retireChannel } from '@courier-fleet/store'
import { viaOf } from '../access/callers.ts'
import type { RouteDeps } from '../app-deps.ts'
import type { App } from '../http/fastify-app.ts'
import { unknown } from '../http/unknown.ts'
import { answers } from '../openapi/openapi.ts'
import { channelParams } from './parameters.ts'

export function retireRoutes(app: App, { redis, shards, audit }: RouteDeps): void {
  /** @throws Problem 409 `channel-in-use` · 404 `unknown-channel` */
  async function requireIdle(channel: string): Promise<void> {
    const [processes, known] = await Promise.all([readProcesses(redis), readChannels(redis, shards)])
    const couriers = processes.filter((process) => process.channel === channel).map(({ name }) => name)
    if (couriers.length > 0) {
      const detail = `stop the couriers of ${channel} first: ${couriers.join(', ')}`
      throw new Problem(409, 'channel-in-use', detail, 'channel')
    }
    if (!known.has(channel)) unknown('channel', channel)
  }

  app.delete(
    '/channels/:channel',
    {
      config: { problems: ['404 unknown-channel', '409 channel-in-use'] },
      schema: {
        tags: ['fleet'],
        operationId: 'retireChannel',
        summary: 'Retire a channel that has no couriers any more; answers what still waits for it',
        description: 'A courier of the channel that is started later puts it in use again.',
        params: channelParams,
        response: answers({ 200: retiredChannel }),
      },
    },
    async ({ principal: caller, params: { channel } }) => {
      await requireIdle(channel)
      await retireChannel(redis, shards, channel)
      await forgetTarget(redis, channel)
      await audit.write({ action: 'channel.retired', by: caller.owner, via: viaOf(caller), channel })
      const { oldestAt, ...counts } = await readRemainingWork(redis, shards, channel)
      return {
        channel,
        remaining: { ...counts, ...(oldestAt === undefined ? {} : { oldestAt: new Date(oldestAt).toISOString() }) },
      }
    },
  )
}
