import type {
  ConfirmationFilter,
  FlowRow,
  FlowStage,
  ForecastReport,
  FunnelView,
  PeopleClass,
  ReceiptState,
  ReceiptsPage,
  ReceiptView,
} from '@courier-fleet/api-types'
import { type Http, path } from './http.ts'
import { piecesOf } from './lines.ts'
import { parseReplay, type Replay } from './replay.ts'

export interface ReceiptFilter {
  readonly channel?: string
  readonly state?: ReceiptState
  readonly class?: PeopleClass
  readonly confirmed?: ConfirmationFilter
  /** as it is searched for among people */
  readonly name?: string
}
export interface FlowFilter {
  readonly channel?: string
  readonly stage?: FlowStage
}

/** What has become of each person of a message. */
export function receiptCalls(http: Http) {
  const of = (key: string, what: string) => path('histories', key, what)

  async function receipts(key: string, page: ReceiptFilter & { from?: number; limit?: number } = {}) {
    return http.call<ReceiptsPage>('GET', of(key, 'receipts'), { query: { ...page } })
  }
  async function csv(key: string, what: string, filter: ReceiptFilter | FlowFilter) {
    const query = { ...filter, format: 'csv' }
    return (await http.open('GET', of(key, what), { query, accept: 'text/csv' })).body
  }

  return {
    receipts,
    async *allReceipts(key: string, filter: ReceiptFilter = {}): AsyncGenerator<ReceiptView> {
      for (let from: number | undefined = 0; from !== undefined; ) {
        const page: ReceiptsPage = await receipts(key, { ...filter, from, limit: 1000 })
        yield* page.receipts
        from = page.next
      }
    },
    /** Everything as CSV, streamed. */
    receiptsCsv: (key: string, filter: ReceiptFilter = {}) => csv(key, 'receipts', filter),
    /** How everybody stands and since when. */
    async replay(key: string): Promise<Replay> {
      const response = await http.open('GET', of(key, 'replay'), { accept: 'application/octet-stream' })
      return parseReplay(new Uint8Array(await response.arrayBuffer()))
    },
    /** What was expected of it, beside what has become of it so far. */
    forecast: (key: string) => http.call<ForecastReport>('GET', of(key, 'forecast')),
    /** How many people have come how far, by channel. */
    funnel: (key: string) => http.call<FunnelView>('GET', of(key, 'funnel')),
    /** How far everybody has come: nine digits a channel. */
    async *flow(key: string, filter: FlowFilter = {}): AsyncGenerator<FlowRow> {
      const accept = 'application/x-ndjson'
      const response = await http.open('GET', of(key, 'flow'), { query: { ...filter }, accept })
      for await (const line of piecesOf(response.body, '\n')) if (line !== '') yield JSON.parse(line) as FlowRow
    },
    /** The same as CSV, streamed. */
    flowCsv: (key: string, filter: FlowFilter = {}) => csv(key, 'flow', filter),
  }
}
