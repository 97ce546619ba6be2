/** How everybody stands and since when, in so few bytes that a page can show once more how a message went out to very many. */
import { Readable } from 'node:stream'
import { type ReplayHead, receiptStates } from '@courier-fleet/api-types'
import { type Snapshot, type Standings, standingsBlock } from '@courier-fleet/store'
import type { RouteDeps } from '../app-deps.ts'
import { snapshotOf } from '../histories/prefetch.ts'
import { readReplayMarks } from '../histories/replay-marks.ts'
import { requireKept } from '../histories/while-kept.ts'
import type { App } from '../http/fastify-app.ts'
import { answers, streamed } from '../openapi/openapi.ts'
import { keyParams } from './parameters.ts'

export function replayRoutes(app: App, deps: RouteDeps): void {
  const { histories } = deps

  async function* pieces(snapshot: Snapshot, standings: Standings, head: ReplayHead): AsyncGenerator<Buffer> {
    yield Buffer.from(`${JSON.stringify(head)}\n`)
    for (let from = 0; from < standings.size; from += standingsBlock) {
      yield await histories.readStandings(snapshot, standings, from)
    }
    // the answer breaks off: what was purged meanwhile is not to be taken for people who were sent nothing
    await requireKept(histories, snapshot.ref)
  }

  app.get(
    '/histories/:key/replay',
    {
      config: { reads: 'history' },
      schema: {
        tags: ['histories'],
        operationId: 'readReplay',
        summary: 'How everybody stands and since when, in a few bytes a person: to show once more how it went out',
        description:
          'Streamed: a line of JSON, then bytes. docs/api.md says what they mean. A receipt says since when it is as it is, and nothing of what it was before.',
        params: keyParams,
        response: answers({
          200: {
            description: 'everyone, in the order of the audience',
            content: { 'application/octet-stream': { schema: streamed } },
          },
        }),
      },
    },
    async (request, reply) => {
      const snapshot = await snapshotOf(request, histories)
      const standings = histories.standings(snapshot)
      const { size, channels, startedMs } = standings
      const head: ReplayHead = {
        size,
        ...(startedMs === undefined ? {} : { startedAt: new Date(startedMs).toISOString() }),
        channels,
        states: receiptStates,
        block: standingsBlock,
        marks: await readReplayMarks(deps, snapshot, standings),
      }
      const body = Readable.from(pieces(snapshot, standings, head), { objectMode: false })
      return reply.type('application/octet-stream').send(body)
    },
  )
}
