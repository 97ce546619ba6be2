/** How the fleet is now, for operators: what is wrong, what waits, and which processes there are. */
import { z } from 'zod'
import { budgetView } from './budgets.ts'
import { channelId, count, moment, smallCount } from './fields.ts'
import { classes } from './history-key.ts'
import { waveCauses } from './waves.ts'

const alarmView = z.strictObject({
  alarm: z
    .string()
    .describe('its kind, and of what: a channel or a message; as in the metric fleet_alarm')
    .meta({ examples: ['stuck:sms'] }),
  since: moment.describe('since when it holds'),
  detail: z
    .string()
    .describe('what is wrong, in words')
    .meta({ examples: ['sms: 3 unclaimed, the first for 41 s; no courier of it is running'] }),
})

const workView = z.strictObject({
  channel: channelId,
  class: z.enum(classes).describe('of the messages'),
  entries: smallCount.describe('pieces of messages, claimed or not'),
  people: count.describe(
    'at most so many people: those of them who have no contact, or for whom it is over, are counted, too',
  ),
  oldestAt: moment.optional().describe('since when the first of them waits'),
  atLeast: z.boolean().describe('there is more than was looked at'),
})

const processView = z.strictObject({
  name: z
    .string()
    .describe('name of the process')
    .meta({ examples: ['timekeeper-1'] }),
  role: z
    .string()
    .describe('what it does: queue, courier, timekeeper, notifier')
    .meta({ examples: ['timekeeper'] }),
  channel: channelId.optional().describe('of a courier'),
  startedAt: moment.describe('when it was started'),
  version: z
    .string()
    .optional()
    .describe('of courier-fleet; absent: it is of one before it was said')
    .meta({ examples: ['0.1.0'] }),
  seenAt: moment.optional().describe('its last sign of life; each gives one every five seconds'),
  ready: z.boolean().describe('whether it could work when it gave its last sign of life'),
  silent: z
    .boolean()
    .describe(
      'its sign of life is overdue, seven seconds after the last: it has ended, or hangs. After fifteen it is not listed any more',
    ),
  settings: smallCount.optional().describe('the version of the settings that it uses; absent: it has not said'),
  busy: z
    .number()
    .optional()
    .describe('what share of a core it uses')
    .meta({ examples: [0.04] }),
})

/** What is over, as the timekeeper that watches has noticed it. */
export const fleetHappened = [
  'process-ended',
  'process-restarted',
  'redis-away',
  'slow-down-over',
  'alarm-over',
] as const
export type FleetHappened = (typeof fleetHappened)[number]

const happenedView = z.strictObject({
  at: moment.describe('when it was noticed'),
  what: z
    .enum(fleetHappened)
    .describe(
      'process-ended: it is not there any more; process-restarted: it is another of the same name; redis-away: Redis did not answer the timekeeper, and does again; slow-down-over: a provider asked to be sent less, and does not any more; alarm-over: an alarm held, and does not any more',
    ),
  of: z
    .string()
    .describe('the name of the process or the alarm, or the channel; empty of Redis')
    .meta({ examples: ['courier-sms-2'] }),
  since: moment.describe('of a process its last sign of life; else since when it was so'),
})

/** How many URLs of a channel are named. */
export const maxEndpointsTold = 20

const endpointsView = z.strictObject({
  channel: channelId,
  leftAlone: smallCount.describe('how many have failed, or asked for a pause, and are asked again later'),
  off: smallCount.describe('how many nobody calls any more, until somebody says so (`POST /v1/endpoints:enable`)'),
  atLeast: z.boolean().describe('there may be more'),
  first: z
    .array(
      z.strictObject({
        host: z
          .string()
          .describe('where it is; the rest of the URL may be a secret, and is not told')
          .meta({ examples: ['lms.example.org'] }),
        state: z.enum(['left-alone', 'off']).describe('as of an endpoint (`GET /v1/endpoints`)'),
        since: moment.describe('since when'),
        said: z
          .string()
          .optional()
          .describe('what came of the latest call, in its own words; absent where there was none')
          .meta({ examples: ['503: maintenance'] }),
        nextTryAt: moment
          .optional()
          .describe('left-alone: from when on it is called again, with the next message for it'),
      }),
    )
    .describe('those left alone first, the latest of each first; 20 at most'),
})
export type EndpointsView = z.infer<typeof endpointsView>

export const serviceView = z
  .strictObject({
    asOf: moment.describe('when this was true'),
    alarms: z.array(alarmView).describe('what is wrong, as the timekeeper that watches has found it'),
    isWatched: z.boolean().describe('whether a timekeeper watches; where none does, no alarm says nothing'),
    redis: z
      .strictObject({
        usedBytes: count.describe('memory that Redis uses'),
        maxBytes: count.describe('that it may use; 0: no limit'),
        isConfirmed: z
          .boolean()
          .describe(
            'whether its replicas confirm what is written, as `REDIS_DURABILITY` asks; while not, changes are refused and nobody is sent anything',
          ),
      })
      .describe('the memory of Redis, and how sure what is written is'),
    budget: budgetView.optional().describe("the fleet's budget of this month; absent where none is set"),
    growth: z
      .strictObject({
        shards: smallCount.describe('into so many every process has to look').meta({ examples: [64] }),
        toRestart: z
          .array(z.string())
          .describe('processes that do not yet, and have to be started anew')
          .meta({ examples: [['courier-sms-1']] }),
      })
      .optional()
      .describe(
        'the shards grow, and new messages are laid as before; absent where none is under way (`GET /v1/shards`)',
      ),
    work: z.array(workView).describe('what stands on the work streams, by channel and class'),
    held: z
      .strictObject({
        people: z.partialRecord(z.enum(waveCauses), count).describe('people by why they wait'),
        firstAt: moment.optional().describe('when the first of them go on; absent when nobody waits'),
        atLeast: z.boolean().describe('there are more than were looked at'),
      })
      .describe('who waits for a later wave, on any channel'),
    endpoints: z
      .array(endpointsView)
      .optional()
      .describe(
        'URLs that are not called now, of each channel that has any; of a queue that knows nothing of it absent',
      ),
    processes: z.array(processView).describe('all that are alive, by name'),
    takenOver: z
      .array(
        z.strictObject({
          at: moment.describe('since when'),
          channel: channelId,
          people: count.describe('how many it had left'),
        }),
      )
      .describe(
        'in the last 24 hours: a process had fallen silent, and another went on with its people; oldest first, the last 30',
      ),
    happened: z
      .array(happenedView)
      .optional()
      .describe(
        'in the last 24 hours, what is over: oldest first, the last 30; of a queue that knows nothing of it absent',
      ),
  })
  .describe('how the fleet is now')
export type ServiceView = z.infer<typeof serviceView>
