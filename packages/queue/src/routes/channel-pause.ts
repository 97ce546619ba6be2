/** An operator holds a channel up, and lets it go on. */
import { channelPauseView } from '@courier-fleet/api-types'
import { findChannel } from '@courier-fleet/channels'
import { pauseChannel, readPause, resumeChannel } from '@courier-fleet/store'
import { byCaller } from '../access/audit.ts'
import type { RouteDeps } from '../app-deps.ts'
import type { App } from '../http/fastify-app.ts'
import { unknown } from '../http/unknown.ts'
import { answers, done } from '../openapi/openapi.ts'
import { channelParams } from './parameters.ts'

const iso = (ms: number) => new Date(ms).toISOString()

export function channelPauseRoutes(app: App, { redis, audit }: RouteDeps): void {
  app.put(
    '/channels/:channel/pause',
    {
      config: { problems: ['404 unknown-channel'] },
      schema: {
        tags: ['fleet'],
        operationId: 'pauseChannel',
        summary: 'Pause a channel: within a second its couriers claim nothing and hand back what they have not sent',
        description: 'What waits goes on waiting, until it expires. Repeated, the first pause stands.',
        params: channelParams,
        response: answers({ 200: channelPauseView }),
      },
    },
    async ({ principal: caller, params: { channel } }) => {
      if (!findChannel(channel)) unknown('channel', channel)
      const { by, sinceMs } = await pauseChannel(redis, channel, caller.owner)
      await audit.write({ action: 'channel.paused', ...byCaller(caller), channel })
      return { channel, pausedBy: by, pausedSince: iso(sinceMs) }
    },
  )

  app.delete(
    '/channels/:channel/pause',
    {
      config: { problems: ['404 unknown-channel'] },
      schema: {
        tags: ['fleet'],
        operationId: 'resumeChannel',
        summary: 'Resume a channel; fine when it is not paused',
        description: 'Its couriers claim again within a second; what has waited goes out, unless it has expired.',
        params: channelParams,
        response: answers({ 204: done }),
      },
    },
    async ({ principal: caller, params: { channel } }, reply) => {
      const pause = await readPause(redis, channel)
      if (pause) {
        // first: what goes out at once would seem to have gone out before, and nobody to have let it
        const before = `paused by ${pause.by} since ${iso(pause.sinceMs)}`
        await audit.write({ action: 'channel.resumed', ...byCaller(caller), channel, before })
        await resumeChannel(redis, channel)
      }
      return reply.code(204).send(null)
    },
  )
}
