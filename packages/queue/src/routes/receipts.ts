/** Who received a message and how, page by page or all at once as CSV. */
import { Readable } from 'node:stream'
import {
  channelName,
  confirmationFilters,
  parseHistoryKey,
  peopleClasses,
  type ReceiptView,
  receiptStates,
  receiptsPage,
} from '@courier-fleet/api-types'
import { type Separator, separators } from '@courier-fleet/api-types/csv'
import { mayReadHistory } from '@courier-fleet/directory'
import type { ReceiptPage, Snapshot } from '@courier-fleet/store'
import { z } from 'zod'
import type { Caller } from '../access/callers.ts'
import type { RouteDeps } from '../app-deps.ts'
import { snapshotOf } from '../histories/prefetch.ts'
import { receiptsCsv } from '../histories/receipts-csv.ts'
import { pagesWhileKept, pageWhileKept } from '../histories/while-kept.ts'
import { tagAnswer } from '../http/conditional.ts'
import type { App } from '../http/fastify-app.ts'
import { answers, notModified, streamed } from '../openapi/openapi.ts'
import { matcherOf } from '../people/people-search.ts'
import { keyParams, limitParam } from './parameters.ts'

const maxRows = 1000

const query = z.strictObject({
  from: z.coerce.number().int().nonnegative().default(0).describe('first ordinal'),
  limit: limitParam(maxRows, 100),
  channel: channelName.optional().describe('only on this channel'),
  state: z.enum(receiptStates).optional().describe('only recipients with this state, on `channel` or on any'),
  class: z
    .enum(peopleClasses)
    .optional()
    .describe('only people in this class, by all their receipts or by that on `channel`'),
  confirmed: z
    .enum(confirmationFilters)
    .optional()
    .describe('only people who have confirmed it, or who have not; of a message that asks for it'),
  name: z
    .string()
    .trim()
    .min(1)
    .max(100)
    .optional()
    .describe(
      'only people whose name has words that begin so, or whose id has them; `next` may come with few rows or none',
    )
    .meta({ examples: ['зах'] }),
  format: z
    .enum(['json', 'csv'])
    .optional()
    .describe('csv: everything from `from` on, streamed; `limit` has no effect'),
  separator: z
    .enum(Object.keys(separators) as Separator[])
    .default('comma')
    .describe('of CSV; `semicolon` for spreadsheets where the comma is for decimals'),
})

type Filter = Pick<ReceiptPage, 'channel' | 'state' | 'class' | 'confirmed' | 'whom'>

export function receiptRoutes(app: App, { histories, directory }: RouteDeps): void {
  /** With their names, and without the keys of histories that are not the caller's to read. */
  async function pageFor(caller: Caller, snapshot: Snapshot, page: Filter & Pick<ReceiptPage, 'from' | 'limit'>) {
    const found = await histories.receipts(snapshot, { ...page, namesOf: directory.namesOf })
    for (const { channels } of found.rows) for (const name in channels) hideForeignKey(channels[name], caller)
    return found
  }

  function whomByName(name: string): NonNullable<Filter['whom']> {
    const isWanted = matcherOf(name)
    return async (people) => {
      const names = await directory.namesOf(people)
      return people.map((id, index) => isWanted({ id, name: names[index] ?? '' }))
    }
  }

  app.get(
    '/histories/:key/receipts',
    {
      config: { reads: 'history', problems: ['409 was-cancelled'] },
      onSend: tagAnswer,
      schema: {
        tags: ['histories'],
        operationId: 'listReceipts',
        summary: 'Who received it and how, and why not',
        description:
          'A receipt for each person and channel, by page, or all of them as CSV with `format=csv`. Has an `ETag` as the history has. Where the ' +
          'message is purged, or cancelled before it has started, while they are read, CSV breaks off, and whoever goes on from `next` is refused.',
        params: keyParams,
        querystring: query,
        response: answers({
          304: notModified,
          200: {
            description: 'a page, or all of it as CSV',
            content: { 'application/json': { schema: receiptsPage }, 'text/csv': { schema: streamed } },
          },
        }),
      },
    },
    async (request, reply) => {
      const snapshot = await snapshotOf(request, histories)
      const { from, limit, channel, state, class: wanted, confirmed, name, format, separator } = request.query
      const filter: Filter = {
        ...(channel ? { channel } : {}),
        ...(state ? { state } : {}),
        ...(wanted ? { class: wanted } : {}),
        ...(confirmed ? { confirmed } : {}),
        ...(name === undefined ? {} : { whom: whomByName(name) }),
      }
      const csv = format ? format === 'csv' : request.headers.accept?.includes('text/csv')
      if (!csv) {
        const reading = pageFor(request.principal, snapshot, { ...filter, from, limit })
        const { rows, next } = await pageWhileKept(histories, { ref: snapshot.ref, from }, reading)
        return next === undefined ? { receipts: rows } : { receipts: rows, next }
      }
      const pages = pagesWhileKept(histories, { ref: snapshot.ref, from }, (current, at) =>
        pageFor(request.principal, current, { ...filter, from: at, limit: maxRows }),
      )
      return reply
        .type('text/csv; charset=utf-8')
        .header('content-disposition', `attachment; filename="receipts-${snapshot.ref.id}.csv"`)
        .send(Readable.from(receiptsCsv(pages, separator), { objectMode: false }))
    },
  )
}

/** That the same text went out before, and when, is said to everybody; whose it was only to who may read it. */
function hideForeignKey(receipt: ReceiptView['channels'][string] | undefined, caller: Caller): void {
  const earlier = receipt?.limit?.earlier
  if (receipt?.limit && earlier?.key && !mayReadHistory(caller, parseHistoryKey(earlier.key)))
    receipt.limit = { ...receipt.limit, earlier: { at: earlier.at } }
}
