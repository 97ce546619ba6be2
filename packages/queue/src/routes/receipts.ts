/** Who received a message and how, page by page or all at once as CSV. */
import { Readable } from 'node:stream'
import {
  channelName,
  type HistoryRef,
  type ReceiptPage,
  type ReceiptState,
  type ReceiptView,
  receiptStates,
  receiptsPage,
} from '@courier-fleet/core'
import { z } from 'zod'
import type { App, RouteDeps } from '../app-deps.ts'
import { historyOf } from '../auth.ts'
import { answers, streamed } from '../openapi.ts'
import { readHistory } from '../read-history.ts'
import { receiptsCsv } from '../receipts-csv.ts'
import { keyParams, limitParam } from './parameters.ts'

const mostRows = 1000

const query = z.strictObject({
  from: z.coerce.number().int().nonnegative().default(0).describe('first ordinal'),
  limit: limitParam(mostRows, 100),
  channel: channelName.optional(),
  state: z.enum(receiptStates).optional().describe('only recipients with this state, on `channel` or on any'),
  format: z
    .enum(['json', 'csv'])
    .optional()
    .describe('csv: everything from `from` on, streamed; `limit` has no effect'),
})

export function receiptRoutes(app: App, { histories, directory }: RouteDeps): void {
  async function readPage(ref: HistoryRef, page: ReceiptPage): Promise<{ rows: ReceiptView[]; next?: number }> {
    const { rows, next } = await histories.receipts(ref, page)
    const names = await directory.namesOf(rows.map(({ person }) => person))
    const named = rows.map((row, index) => {
      const name = names[index]
      return name === undefined ? row : { ...row, name }
    })
    return next === undefined ? { rows: named } : { rows: named, next }
  }

  async function* allRows(ref: HistoryRef, from: number, filter: { channel?: string; state?: ReceiptState }) {
    for (let at: number | undefined = from; at !== undefined; ) {
      const page = await readPage(ref, { ...filter, from: at, limit: mostRows })
      yield page.rows
      at = page.next
    }
  }

  app.get(
    '/histories/:key/receipts',
    {
      config: { least: 'student' },
      schema: {
        tags: ['histories'],
        summary: 'Who received it and how, and why not',
        params: keyParams,
        querystring: query,
        response: answers({
          200: {
            description: 'a page, or all of it as CSV',
            content: { 'application/json': { schema: receiptsPage }, 'text/csv': { schema: streamed } },
          },
        }),
      },
    },
    async (request, reply) => {
      const ref = historyOf(request, 'read')
      const { from, limit, channel, state, format } = request.query
      const filter = { ...(channel ? { channel } : {}), ...(state ? { state } : {}) }
      await readHistory(histories, ref)
      const csv = format ? format === 'csv' : request.headers.accept?.includes('text/csv')
      if (!csv) {
        const { rows, next } = await readPage(ref, { ...filter, from, limit })
        return next === undefined ? { receipts: rows } : { receipts: rows, next }
      }
      return reply
        .type('text/csv; charset=utf-8')
        .header('content-disposition', `attachment; filename="receipts-${ref.id}.csv"`)
        .send(Readable.from(receiptsCsv(allRows(ref, from, filter)), { objectMode: false }))
    },
  )
}
