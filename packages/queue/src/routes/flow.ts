/** How far everybody has come with a message, as nine digits: all of it, streamed, and in numbers. */
import { Readable } from 'node:stream'
import { channelName, type FlowRow, flowStages, funnelOf, funnelView, receiptOfFlow } from '@courier-fleet/api-types'
import { byteOrderMark, csvLine, type Separator, separators } from '@courier-fleet/api-types/csv'
import { z } from 'zod'
import type { RouteDeps } from '../app-deps.ts'
import { snapshotOf } from '../histories/prefetch.ts'
import { pagesWhileKept, requireKept } from '../histories/while-kept.ts'
import type { App } from '../http/fastify-app.ts'
import { answers, streamed, streamOf } from '../openapi/openapi.ts'
import { keyParams } from './parameters.ts'

const tags = ['histories']

const query = z.strictObject({
  channel: channelName.optional().describe('only on this channel'),
  stage: z.enum(flowStages).optional().describe('only people who are at this stage, on `channel` or on any'),
  format: z.enum(['ndjson', 'csv']).optional().describe('ndjson unless `Accept` asks for CSV'),
  separator: z
    .enum(Object.keys(separators) as Separator[])
    .default('comma')
    .describe('of CSV'),
})

export function flowRoutes(app: App, deps: RouteDeps): void {
  addFlow(app, deps)
  addFunnel(app, deps)
}

function addFlow(app: App, { histories }: RouteDeps): void {
  app.get(
    '/histories/:key/flow',
    {
      config: { reads: 'history' },
      schema: {
        tags,
        operationId: 'readFlow',
        summary: 'How far everybody has come: nine digits a person and channel, a line a person',
        description:
          'Streamed, one JSON object a line or CSV, as small as it is kept: for a million people, too. It breaks off where the message is purged, or ' +
          'cancelled before it has started, meanwhile. docs/api.md says what the digits mean.',
        params: keyParams,
        querystring: query,
        response: answers({
          200: {
            description: 'everyone, in the order of the audience',
            content: { 'application/x-ndjson': { schema: streamOf('FlowRow') }, 'text/csv': { schema: streamed } },
          },
        }),
      },
    },
    async (request, reply) => {
      const { ref } = await snapshotOf(request, histories)
      const { channel, stage, format, separator } = request.query
      const filter = { ...(channel ? { channel } : {}), ...(stage ? { stage } : {}) }
      const rows = pagesWhileKept(histories, { ref, from: 0 }, (snapshot, from) =>
        histories.flow(snapshot, { ...filter, from }),
      )
      const isCsv = format ? format === 'csv' : request.headers.accept?.includes('text/csv')
      if (!isCsv) return reply.type('application/x-ndjson').send(Readable.from(linesOf(rows), { objectMode: false }))
      return reply
        .type('text/csv; charset=utf-8')
        .header('content-disposition', `attachment; filename="flow-${ref.id}.csv"`)
        .send(Readable.from(csvOf(rows, separator), { objectMode: false }))
    },
  )
}

async function* linesOf(pages: AsyncIterable<readonly FlowRow[]>): AsyncGenerator<string> {
  for await (const rows of pages) yield rows.map((row) => `${JSON.stringify(row)}\n`).join('')
}

/** A line a person and channel; the stage says in a word what a spreadsheet may make of nine zeros. */
async function* csvOf(pages: AsyncIterable<readonly FlowRow[]>, separator: Separator): AsyncGenerator<string> {
  yield `${byteOrderMark}${csvLine(['ordinal', 'person', 'channel', 'flow', 'stage'], separator)}`
  for await (const rows of pages) {
    yield rows
      .flatMap(({ ordinal, person, flow }) =>
        Object.entries(flow).map(([channel, digits]) =>
          csvLine([ordinal, person, channel, digits, receiptOfFlow(digits).stage], separator),
        ),
      )
      .join('')
  }
}

function addFunnel(app: App, { histories }: RouteDeps): void {
  app.get(
    '/histories/:key/funnel',
    {
      config: { reads: 'history' },
      schema: {
        tags,
        operationId: 'readFunnel',
        summary: 'How many people have come how far',
        description:
          'By channel: how many are at which stage, how many have which nine digits, and how many came as far as sent, delivered, read and confirmed.',
        params: keyParams,
        response: answers({ 200: funnelView }),
      },
    },
    async (request) => {
      const snapshot = await snapshotOf(request, histories)
      const counts = await histories.countFlows(snapshot)
      await requireKept(histories, snapshot.ref)
      return { channels: Object.fromEntries(Object.entries(counts).map(([leg, flows]) => [leg, funnelOf(flows)])) }
    },
  )
}
