/** Shapes of the HTTP API around the fleet itself: couriers, API keys, problems. */
import { z } from 'zod'
import { channelId, count, moment, personId, roleId, smallCount, unixMs } from './fields.ts'
import { channelName, id } from './given-fields.ts'
import { classes } from './history-key.ts'
import { settingsUse } from './settings-use.ts'

const courierPace = z.strictObject({
  batchSize: smallCount.optional().describe('people of one send job, at most'),
  concurrency: smallCount.optional().describe('send jobs at once'),
  window: smallCount.optional().describe('people in doubt at once, where resends are not folded'),
  perSecond: z
    .number()
    .optional()
    .describe('messages or calls a second of the account; absent: no limit on this side')
    .meta({ examples: [30] }),
})
const lately = z.strictObject({
  sentPerSecond: z
    .number()
    .describe('people a second whom its provider has taken, over the last ten seconds')
    .meta({ examples: [18.5] }),
  answerMs: z
    .strictObject({
      median: smallCount.describe('half of the answers took no longer'),
      p99: smallCount.describe('of a hundred answers one took longer'),
    })
    .optional()
    .describe(
      'from the hand-over until the answer, waiting for the allowed rate included; absent when nothing was sent in the last minute',
    ),
  slowDown: z
    .strictObject({
      since: moment.describe('since when'),
      until: moment.describe('how long it is to be waited, as far as the provider has said'),
      why: z
        .string()
        .describe("the provider's own words")
        .meta({ examples: ['VK says 9: Flood control'] }),
    })
    .optional()
    .describe('its provider asks to be sent less; absent when it does not'),
})
const leftAlone = {
  since: moment.describe('since when'),
  why: z
    .string()
    .describe('why, in words')
    .meta({ examples: ['ESME_RTHROTTLED'] }),
}
const account = {
  name: z
    .string()
    .describe('what its settings call it')
    .meta({ examples: ['second'] }),
  perSecond: z
    .number()
    .optional()
    .describe('messages a second of this account; absent: no limit on this side')
    .meta({ examples: [30] }),
  prefixes: z
    .array(
      z
        .string()
        .describe('the beginning of a number')
        .meta({ examples: ['+7916'] }),
    )
    .readonly()
    .describe('beginnings of the addresses that go by it first; none: all that no other account names'),
}
const accountView = z.strictObject({
  ...account,
  state: z
    .enum(['works', 'not-connected', 'left-alone'])
    .describe('left-alone: it can be reached, and takes nothing; it is tried again with one message at a time'),
  trouble: z.strictObject(leftAlone).optional().describe('while it does not work: since when, and why'),
  lastLeftAlone: z
    .strictObject({ ...leftAlone, until: moment.describe('until when') })
    .optional()
    .describe('the latest time it was left alone that is over; absent when it never was since its process started'),
})
export type AccountView = z.infer<typeof accountView>

const channelAccountView = z.strictObject({
  ...account,
  couriers: z
    .strictObject({
      works: smallCount.describe('those for which it works'),
      of: smallCount.describe('all that know it'),
    })
    .describe('couriers of the channel: each has a line of its own to it'),
  trouble: z
    .strictObject({
      state: z.enum(['not-connected', 'left-alone']).describe('as of the account of a courier'),
      ...leftAlone,
    })
    .optional()
    .describe('where it does not work for one of them: the latest that has begun; absent when it works for all'),
  pausedForMs: smallCount.describe('how long it asks all of them to wait; 0 when it does not'),
  people: z
    .strictObject({
      own: count.describe('those who go by it first'),
      takenOver: count.describe('those whom it took in the place of another account'),
    })
    .describe('people whom it has taken since the figures of the fleet are kept; at most five seconds old'),
})
export type ChannelAccountView = z.infer<typeof channelAccountView>

const courierView = z.strictObject({
  name: z
    .string()
    .describe('name of the process')
    .meta({ examples: ['courier-sms-2'] }),
  pid: z
    .int()
    .describe('its process id')
    .meta({ examples: [4711] }),
  startedAt: moment.describe('when it was started'),
  seenAt: moment.optional().describe('its last sign of life; each gives one every five seconds'),
  ready: z.boolean().describe('whether it could send when it gave its last sign of life'),
  silent: z
    .boolean()
    .describe(
      'its sign of life is overdue, seven seconds after the last: it has ended, or hangs. After fifteen it is not listed any more',
    ),
  notReady: z
    .strictObject({
      since: moment.describe('since when'),
      why: z
        .string()
        .describe('why, in words')
        .meta({ examples: ['the SMS centre closed the connection'] }),
    })
    .optional()
    .describe('while it cannot send: since when, and why. It claims nothing then'),
  target: z
    .string()
    .optional()
    .describe('sandbox or real')
    .meta({ examples: ['real'] }),
  inFlight: count.optional().describe('claims that it works on'),
  settings: smallCount.optional().describe('the version of the settings that it uses'),
  pace: courierPace.optional().describe('how fast it works now'),
  lately: lately.optional().describe('what its provider has answered of late; at most five seconds old'),
  accounts: z
    .array(accountView)
    .optional()
    .describe('where the channel has several accounts: each, as this process sees it'),
  startedWith: courierPace.optional().describe('as its environment says, where that is not how it works now'),
})
const verdict = {
  stuck: z.boolean().describe('left alone for more than two leases (30 s by default) while nobody is at work'),
  reason: z
    .string()
    .optional()
    .describe('why it is stuck, in words')
    .meta({ examples: ['sms: 3 unclaimed, the first for 41 s; no courier of it is running'] }),
}
const backlogView = z.strictObject({
  waiting: count.describe(
    'people of running messages for whom it is not over on this channel, counted for each message',
  ),
  unclaimed: smallCount.describe('pieces of work that none of its couriers has claimed'),
  oldestUnclaimedMs: smallCount.describe('how long the first of those has been there; 0 when there is none'),
  inProgress: smallCount.describe('claims that a courier keeps alive'),
  abandoned: smallCount.describe('claims that nobody has renewed for a lease: their courier is gone'),
  longestAbandonedMs: smallCount.describe('since the first of them was last renewed; 0 when there is none'),
  pausedForMs: smallCount.describe('how long its provider makes it wait; who waits for that is not stuck'),
  ...verdict,
})
const classView = z.strictObject({
  class: z.enum(classes).describe('of the messages'),
  waiting: count.describe(
    'people of the pieces of work that wait or are worked on, at most: those of them who have no contact, or for whom it is over, are counted, too. Not who is held for later',
  ),
  atLeast: z.boolean().describe('more wait than were looked at'),
  takesMs: smallCount
    .optional()
    .describe(
      'so long the allowed rate takes for them, shared with the other classes that wait now; absent without a rate, where the provider counts calls, and where more wait than were looked at',
    ),
  lastMinute: count.describe('people whom the provider has taken in the last minute, from the couriers that run'),
  share: z
    .number()
    .optional()
    .describe('of everyone it has taken in the last minute; absent when it has taken nobody')
    .meta({ examples: [0.57] }),
  weight: smallCount
    .describe('as the settings have it: while all classes wait its share is its part of the sum of the three')
    .meta({ examples: [4] }),
})
export type ClassView = z.infer<typeof classView>

export const channelPauseView = z
  .strictObject({
    channel: channelId,
    pausedBy: personId.describe('an operator'),
    pausedSince: moment.describe('since when'),
  })
  .describe('a channel that an operator has paused')
export type ChannelPauseView = z.infer<typeof channelPauseView>

const channelView = z.strictObject({
  channel: channelId,
  ready: z.boolean().describe('at least one of its couriers can send, and gives signs of life'),
  tells: z
    .array(z.enum(['sent', 'taken', 'delivered', 'read', 'bounced']))
    .readonly()
    .optional()
    .describe(
      'what its provider tells of a message: that it accepted it for delivery, or, of a URL, that the system behind it has taken it; that it arrived, was read or came back; absent for a channel the fleet does not know',
    ),
  paused: channelPauseView.omit({ channel: true }).optional().describe('by an operator; absent when it is not'),
  couriers: z.array(courierView).describe('its processes'),
  accounts: z
    .array(channelAccountView)
    .optional()
    .describe('where the channel has several accounts: each, for all couriers together'),
  backlog: backlogView.describe('what waits for it'),
  classes: z.array(classView).describe('each class: who waits in it, and what part of the rate it has'),
})
export type ChannelView = z.infer<typeof channelView>

export const retiredChannel = z
  .strictObject({
    channel: channelId,
    remaining: z
      .strictObject({
        entries: smallCount.describe('pieces of messages'),
        people: count.describe('their recipients, counted for each message'),
        oldestAt: moment.optional().describe('since when the first of them has waited; absent when nothing waits'),
      })
      .describe('what still waits for the channel: until it expires, or a courier of the channel is started'),
  })
  .describe('a channel that was retired, and what still waits for it')
export type RetiredChannel = z.infer<typeof retiredChannel>

const overdueView = z.strictObject({
  deliveries: smallCount.describe('deliveries whose time has come and that nobody has woken'),
  oldestMs: smallCount.describe('how late the first of them is; 0 when there is none'),
  ...verdict,
})
const movingView = z
  .strictObject({
    slot: smallCount.describe('its number, of 16384'),
    from: z
      .string()
      .describe('the node that has it')
      .meta({ examples: ['10.0.0.1:6379'] }),
    to: z
      .string()
      .describe('the node that is to have it')
      .meta({ examples: ['10.0.0.2:6379'] }),
    shards: z
      .array(z.string())
      .describe('whose messages wait until it has arrived')
      .meta({ examples: [['07']] }),
    buckets: z.array(smallCount).describe('whose people can be read meanwhile, and not changed'),
    reason: z
      .string()
      .describe('all of that in a sentence')
      .meta({
        examples: [
          'slot 2057 of the Redis cluster moves from 10.0.0.1:6379 to 10.0.0.2:6379 key by key: messages of shard 04 wait until it has arrived',
        ],
      }),
  })
  .describe('a slot of a Redis cluster that moves from one node to another key by key')
export type MovingView = z.infer<typeof movingView>

export const channelList = z
  .strictObject({
    overdue: overdueView.describe('of the whole fleet: what is due, and nobody has woken'),
    moving: z
      .array(movingView)
      .describe('what waits because Redis moves it, and is neither stuck nor lost; empty on one Redis'),
    settings: settingsUse,
    channels: z.array(channelView).describe('with a courier now, or one before, or named by a sender in what waits'),
  })
  .describe('the channels: their couriers, and what waits for them')
export type ChannelList = z.infer<typeof channelList>

export const apiKeyBody = z
  .strictObject({
    owner: id
      .describe('who calls with it: a person, or a name for a system of its own')
      .meta({ examples: ['timetable'] }),
    role: roleId.describe('what it may do: a role, `inbound` or `presence`; of a person, at most what the person may'),
    label: z
      .string()
      .trim()
      .min(1)
      .max(100)
      .describe('what it is for')
      .meta({ examples: ['timetable of the faculty'] }),
    channels: z
      .array(channelName)
      .min(1)
      .max(16)
      .optional()
      .describe('of an inbound process: the only channels whose contacts it may speak for; any when absent')
      .meta({ examples: [['telegram']] }),
  })
  .describe('an API key that is to be made')
  .meta({ examples: [{ owner: 'timetable', role: 'trainer', label: 'timetable of the faculty' }] })
export type ApiKeyInput = z.input<typeof apiKeyBody>

const apiKeyId = z
  .string()
  .describe('id of the API key, which is no secret')
  .meta({ examples: ['V1StGXR8'] })
export const apiKeyCreated = z
  .strictObject({
    id: apiKeyId,
    apiKey: z
      .string()
      .describe('shown this once; only a hash of it is kept')
      .meta({ examples: ['cf_…'] }),
  })
  .describe('an API key that was made')
export type ApiKeyCreated = z.infer<typeof apiKeyCreated>

const apiKeyView = z.strictObject({
  id: apiKeyId,
  owner: personId.describe('who calls with it'),
  role: roleId.describe('what it may do'),
  label: z
    .string()
    .describe('what it is for')
    .meta({ examples: ['timetable of the faculty'] }),
  channels: z
    .array(channelId)
    .readonly()
    .optional()
    .describe('of an inbound process: the only channels whose contacts it may speak for'),
  created: unixMs.describe('when it was made, Unix ms'),
})
export type ApiKeyView = z.infer<typeof apiKeyView>
export const apiKeyList = z
  .strictObject({ apiKeys: z.array(apiKeyView).describe('without their secrets') })
  .describe('all API keys')

const fieldPath = z
  .string()
  .describe('the offending field, as a dotted path')
  .meta({ examples: ['to.1'] })

/** RFC 9457 problem details. */
export const problemDocument = z
  .strictObject({
    type: z
      .string()
      .describe('the code as a URN')
      .meta({ examples: ['urn:courier-fleet:problem:unknown-audience'] }),
    title: z
      .string()
      .describe('what the status is called')
      .meta({ examples: ['Unprocessable Entity'] }),
    status: z
      .int()
      .describe('the HTTP status')
      .meta({ examples: [422] }),
    detail: z
      .string()
      .describe('what is wrong, and what would be right, for people')
      .meta({ examples: ['there is no group "ekn-999"'] }),
    code: z
      .string()
      .describe('stable name of the problem, for programs')
      .meta({ examples: ['unknown-audience'] }),
    field: fieldPath.optional(),
    errors: z
      .array(
        z.strictObject({
          field: fieldPath,
          code: z
            .string()
            .describe('what kind of mistake it is')
            .meta({ examples: ['invalid'] }),
          message: z
            .string()
            .describe('what is wrong with it, for people')
            .meta({ examples: ['must not be empty'] }),
        }),
      )
      .readonly()
      .optional()
      .describe('everything that is wrong with the input'),
    resetsAt: moment.optional().describe('when a limit will have passed'),
    possibleAt: moment.optional().describe('the first time at which a rule lets somebody have it'),
    sentAt: moment.optional().describe('when the same was sent before'),
    people: count.optional().describe('of how many people it is said'),
    fields: z
      .array(z.string())
      .readonly()
      .optional()
      .describe('fields that have no value for them')
      .meta({ examples: [['room']] }),
    first: z.array(personId).readonly().optional().describe('the first of them, twenty at most'),
  })
  .describe('what went wrong: problem+json of RFC 9457')
export type ProblemDocument = z.infer<typeof problemDocument>
