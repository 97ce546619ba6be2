/** How many shards the fleet has, and its growth: only upwards, one at a time (decision 118). */
import { Problem, type ShardsView, shardsBody, shardsView } from '@courier-fleet/api-types'
import {
  beginGrowth,
  type FleetShards,
  grownLayout,
  isGrowing,
  laidByOf,
  readProcesses,
  readShards,
  unawareOf,
} from '@courier-fleet/store'
import { viaOf } from '../access/callers.ts'
import type { RouteDeps } from '../app-deps.ts'
import type { App } from '../http/fastify-app.ts'
import { answers } from '../openapi/openapi.ts'

type ShardDeps = Pick<RouteDeps, 'redis' | 'audit'>

export function shardRoutes(app: App, { redis, audit }: ShardDeps): void {
  app.get(
    '/shards',
    {
      schema: {
        tags: ['operations'],
        operationId: 'readShards',
        summary: 'How many shards messages are laid into, and how far a growth is',
        description: 'While a growth is under way, `toRestart` names the processes that it waits for.',
        response: answers({ 200: shardsView }),
      },
    },
    () => viewOf(redis),
  )

  app.put(
    '/shards',
    {
      config: { problems: ['409 shards-only-grow', '409 shards-growing', '409 older-processes'] },
      schema: {
        tags: ['operations'],
        operationId: 'growShards',
        summary: 'Grow the shards',
        description:
          'Nothing changes for messages until every process was started anew and looks into all shards: then new ones are laid by all, by itself, within seconds. What was accepted before stays where it is, and is found there. It cannot be taken back.',
        body: shardsBody,
        response: answers({ 200: shardsView }),
      },
    },
    async ({ principal: caller, body: { shards } }) => {
      const fleet = await readShards(redis)
      if (shards !== fleet.shards) {
        await grow(redis, fleet, shards)
        const numbers = { before: String(fleet.shards), after: String(shards) }
        await audit.write({ action: 'shards.grown', by: caller.owner, via: viaOf(caller), ...numbers })
      }
      return viewOf(redis)
    },
  )
}

/** @throws Problem 409 */
async function grow(redis: RouteDeps['redis'], fleet: FleetShards, to: number): Promise<void> {
  if (to < fleet.shards) {
    throw new Problem(409, 'shards-only-grow', `there are ${fleet.shards} shards, and they only grow`, 'shards')
  }
  const underWay = 'a growth is under way: start every process anew, and wait until new messages are laid by all shards'
  if (isGrowing(fleet)) throw new Problem(409, 'shards-growing', underWay, 'shards')
  const older = (await readProcesses(redis)).filter((process) => process.shards === undefined)
  if (older.length > 0) {
    const detail = `of a version that knows of no growth: ${namesOf(older)}; replace them first`
    throw new Problem(409, 'older-processes', detail, 'shards')
  }
  if (await beginGrowth(redis, fleet.shards, to, grownLayout)) return
  // begun by this very call, whose reply was lost, or by another to as many
  if ((await readShards(redis)).shards !== to) throw new Problem(409, 'shards-growing', underWay, 'shards')
}

const namesOf = (processes: readonly { readonly name: string }[]) => processes.map(({ name }) => name).join(', ')

async function viewOf(redis: RouteDeps['redis']): Promise<ShardsView> {
  const [fleet, processes] = await Promise.all([readShards(redis), readProcesses(redis)])
  const { shards, former, sinceMs } = fleet
  return {
    shards,
    laidBy: laidByOf(fleet),
    former: [...former],
    ...(sinceMs === undefined ? {} : { since: new Date(sinceMs).toISOString() }),
    toRestart: unawareOf(processes, shards).map(({ name }) => name),
  }
}
