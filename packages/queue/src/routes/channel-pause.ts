/** An operator holds a channel up, and lets it go on. */
import { channelName, channelPauseView } from '@courier-fleet/api-types'
import { findChannel } from '@courier-fleet/channels'
import { pauseChannel, resumeChannel } from '@courier-fleet/store'
import { z } from 'zod'
import type { RouteDeps } from '../app-deps.ts'
import { byCaller } from '../audit.ts'
import type { App } from '../fastify-app.ts'
import { answers } from '../openapi.ts'
import { unknown } from '../unknown.ts'

const params = z.strictObject({ channel: channelName })
const iso = (ms: number) => new Date(ms).toISOString()

export function channelPauseRoutes(app: App, { redis, audit }: RouteDeps): void {
  app.put(
    '/channels/:channel/pause',
    {
      schema: {
        tags: ['fleet'],
        operationId: 'pauseChannel',
        summary: 'Pause a channel: within a second its couriers claim nothing and hand back what they have not sent',
        description: 'What waits goes on waiting, until it expires. Repeated, the first pause stands.',
        params,
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
      schema: {
        tags: ['fleet'],
        operationId: 'resumeChannel',
        summary: 'Resume a channel; fine when it is not paused',
        params,
        response: answers({ 204: z.null() }),
      },
    },
    async ({ principal: caller, params: { channel } }, reply) => {
      const pause = await resumeChannel(redis, channel)
      const before = pause && `paused by ${pause.by} since ${iso(pause.sinceMs)}`
      if (pause) await audit.write({ action: 'channel.resumed', ...byCaller(caller), channel, before })
      return reply.code(204).send(null)
    },
  )
}
