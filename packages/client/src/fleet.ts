import type {
  ApiKeyCreated,
  ApiKeyInput,
  ApiKeyView,
  ChannelList,
  ChannelPauseView,
  Passed,
  Reason,
  RebuildView,
  ReceiptState,
  RetiredChannel,
  ServiceView,
  ShardsBody,
  ShardsView,
  StatsDimension,
  StatsPeople,
  StatsView,
  StreamList,
} from '@courier-fleet/api-types'
import { type Http, path } from './http.ts'

export interface StatsQuestion {
  /** ISO 8601; a day before `to` when absent */
  readonly from?: string
  /** now when absent */
  readonly to?: string
  /** what is told apart; the type when absent */
  readonly by?: readonly StatsDimension[]
  readonly type?: string
  readonly channel?: string
}

/** As `GET /v1/stats` counts them: `came` or `passed`, and of `came` those with one reason. */
export interface StatsPeopleQuestion extends Omit<StatsQuestion, 'by'> {
  readonly channel: string
  readonly came?: ReceiptState
  readonly passed?: keyof Passed
  readonly reason?: Reason
  /** `next` of the page before */
  readonly before?: string
  /** 100 when absent */
  readonly limit?: number
}

/** The fleet itself: its channels, what has come of its messages, and who may call its API. */
export function fleetCalls(http: Http) {
  return {
    channels: () => http.call<ChannelList>('GET', '/channels'),
    /** Takes a channel without couriers out of use, and tells what still waits for it. */
    retireChannel: (channel: string) => http.call<RetiredChannel>('DELETE', path('channels', channel)),
    /** Its couriers claim nothing until it is resumed. */
    pauseChannel: (channel: string) => http.call<ChannelPauseView>('PUT', path('channels', channel, 'pause')),
    resumeChannel: (channel: string) => http.call<void>('DELETE', path('channels', channel, 'pause')),
    /** A step of making due sets, work streams and other indexes again. @param from `next` of the step before; absent to begin */
    rebuild: (from?: string) =>
      http.call<RebuildView>('POST', '/fleet:rebuild', { body: from === undefined ? {} : { from } }),
    /** Whole hours of the last 35 days, for operators. */
    stats: ({ by, ...question }: StatsQuestion = {}) =>
      http.call<StatsView>('GET', '/stats', { query: { ...question, by: by?.join(',') } }),
    /** The people behind one number of the statistics, of the message accepted last first; for operators. */
    statsPeople: (question: StatsPeopleQuestion) =>
      http.call<StatsPeople>('GET', '/stats/people', { query: { ...question } }),
    /** What is wrong now, what waits by class and cause, and which processes there are; for operators. */
    service: () => http.call<ServiceView>('GET', '/service'),
    /** The work streams as Redis has them; for operators. */
    streams: () => http.call<StreamList>('GET', '/streams'),
    /** Into how many shards messages are laid, and which processes a growth waits for; for operators. */
    shards: () => http.call<ShardsView>('GET', '/shards'),
    /** New messages are laid by all of them once every process was started anew. */
    growShards: (shards: ShardsBody['shards']) => http.call<ShardsView>('PUT', '/shards', { body: { shards } }),
    apiKeys: () => http.call<{ apiKeys: ApiKeyView[] }>('GET', '/api-keys'),
    createApiKey: (key: ApiKeyInput) => http.call<ApiKeyCreated>('POST', '/api-keys', { body: key }),
    revokeApiKey: (id: string) => http.call<void>('DELETE', path('api-keys', id)),
  }
}
