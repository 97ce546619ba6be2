import { type ChannelView, channelList, readProcesses } from '@courier-fleet/core'
import type { App, RouteDeps } from '../app-deps.ts'
import { answers } from '../openapi.ts'

export function channelRoutes(app: App, { redis }: RouteDeps): void {
  app.get(
    '/channels',
    {
      config: { least: 'trainer' },
      schema: { tags: ['fleet'], summary: 'The couriers and how they are', response: answers({ 200: channelList }) },
    },
    async () => {
      const channels = new Map<string, ChannelView['couriers']>()
      for (const { name, channel, pid, startedAt, ready, target, inFlight } of await readProcesses(redis)) {
        if (channel === undefined) continue
        const couriers = channels.get(channel) ?? []
        couriers.push({
          name,
          pid,
          startedAt: new Date(startedAt).toISOString(),
          ready,
          ...(target === undefined ? {} : { target }),
          ...(inFlight === undefined ? {} : { inFlight }),
        })
        channels.set(channel, couriers)
      }
      const views = [...channels].map(([channel, couriers]) => {
        return { channel, ready: couriers.some(({ ready }) => ready), couriers }
      })
      return { channels: views.sort((a, b) => (a.channel < b.channel ? -1 : 1)) }
    },
  )
}
