/**
 * Every Redis key and channel of pub/sub of the fleet is built here and, for scripts, in lua/lib/keys.lua; lua/README.md lists them with their types.
 * All keys of one message carry the hash tag of its shard, so that one script may touch them all on a cluster.
 */
import { hash } from 'node:crypto'
import { type HistoryKey, type HistoryRef, historyKeyOf, type MessageClass } from '@courier-fleet/api-types'
import { nanoid } from 'nanoid'
import { tagOf, tagOfBucket } from './hash-tags.ts'
import { type Place, placesBy, shardBy } from './laying.ts'

/** unguessable, and not longer than that: six names of each message in Redis end in it */
const newId = () => nanoid(16)

const hashOf = (text: string) => hash('sha1', text, 'buffer').readUInt32BE(0)

/**
 * A new history of this sender, unguessable.
 * @param shards into so many the caller looks
 * @param together histories with the same text lie in one shard
 */
export function newHistoryRef(sender: string, shards: number, id: string = newId(), together = id): HistoryRef {
  return { shard: shardBy(hashOf(together), shards), sender, id }
}

/** The shard in which what goes by this text is laid now; then those in which it may lie, of a fleet that has grown. */
export const placesOf = (text: string, shards: number): Place[] => placesBy(hashOf(text), shards)

/** newHistoryRef() as clients are given it. */
export function newHistoryKey(sender: string, shards: number, id?: string): HistoryKey {
  return historyKeyOf(newHistoryRef(sender, shards, id))
}

const of = (kind: string, ref: HistoryRef) => `${kind}:{${tagOf(ref.shard)}}:${ref.sender}:${ref.id}`

export const keys = {
  history: (ref: HistoryRef) => of('history', ref),
  record: (ref: HistoryRef) => of('record', ref),
  /** what couriers put into the text; gone when the message is over */
  secret: (ref: HistoryRef) => of('secret', ref),
  audience: (ref: HistoryRef) => of('audience', ref),
  /** a large audience on its way in; a name for each attempt, for the same people need not be meant the next time */
  upload: (ref: HistoryRef, attempt: string) => `${of('upload', ref)}:${attempt}`,
  delivery: (ref: HistoryRef, wave: number) => `${of('delivery', ref)}:${wave}`,
  /** the ranges of ordinals that a wave after the first is for */
  pieces: (ref: HistoryRef, wave: number) => `${of('pieces', ref)}:${wave}`,
  /** of a leg, one byte an ordinal: the state of the receipt, and why it is so */
  receipts: (ref: HistoryRef, leg: string) => `${of('receipts', ref)}:${leg}`,
  reasons: (ref: HistoryRef, leg: string) => `${of('reasons', ref)}:${leg}`,
  evidence: (ref: HistoryRef, leg: string) => `${of('evidence', ref)}:${leg}`,
  /** of a leg: which contacts of those who have several were tried; see lua/lib/next-contact.lua */
  tried: (ref: HistoryRef, leg: string) => `${of('tried', ref)}:${leg}`,
  /** of a leg, one byte an ordinal: who is to be online first; see lua/lib/presence.lua */
  presence: (ref: HistoryRef, leg: string) => `${of('presence', ref)}:${leg}`,
  /** who was told it by voice: hash of ordinal → `<ms> <who says so>` */
  byVoice: (ref: HistoryRef) => of('by-voice', ref),
  /** of a message with steps: a byte an ordinal, the number of the step they have come to, 0 the first */
  steps: (ref: HistoryRef) => of('steps', ref),
  /** messages of a sender to one person that may go out as one and have not started: zset of `<sender>:<id>` by when each is due, Unix ms */
  merge: (shard: string, sender: string, person: string, type: string) =>
    `merge:{${tagOf(shard)}}:${sender}:${person}:${type}`,
  /** who has confirmed it: a byte an ordinal, the channel by which; behind them when, as of receipts */
  confirmed: (ref: HistoryRef) => of('confirmed', ref),
  /** of a message with a deadline: a byte an ordinal, whether they were first told of it in time; as lua/lib/in-time.lua has them */
  inTime: (ref: HistoryRef) => of('in-time', ref),
  /** its texts, of a message that was corrected: hash of version → JSON, as versions.ts reads it */
  versions: (ref: HistoryRef) => of('versions', ref),
  /** `<sender>:<id>` of a message that is to be confirmed, by digestOfMember() of that */
  confirmOf: (shard: string, digest: string) => `confirm-of:{${tagOf(shard)}}:${digest}`,
  /** what the address answered that is asked before the message is sent, or that it is being asked; about a page of people, or all */
  recheck: (ref: HistoryRef, page: number) => `${of('recheck', ref)}:${page}`,
  due: (shard: string) => `due:{${tagOf(shard)}}`,
  /** messages that have started or ended: zset of `<sender>:<id>` by when each was over, or will be at the latest, Unix ms */
  retention: (shard: string) => `retention:{${tagOf(shard)}}`,
  /** running messages: zset of `<sender>:<id>` by when expire is to look at them, once they have expired or were cancelled, Unix ms */
  expiry: (shard: string) => `expiry:{${tagOf(shard)}}`,
  /** who may send less than before: hash of sender → until when what they had accepted is held, Unix ms, and what they might send */
  barred: (shard: string) => `barred:{${tagOf(shard)}}`,
  /** messages that wait for an operator: zset of `<sender>:<id>` by since when, Unix ms */
  held: (shard: string) => `held:{${tagOf(shard)}}`,
  /** `<version> <digest>` of the rules about people by which whoever waits is held, and `applied` once all were decided anew */
  heldRules: (shard: string) => `held-rules:{${tagOf(shard)}}`,
  /** by how many shards new things are laid at least, of a fleet that has grown: who knows fewer lays nothing here any more */
  laidBy: (shard: string) => `laid-by:{${tagOf(shard)}}`,
  /** hash of channel → whether it is in use; see backlog/channels.ts */
  channels: (shard: string) => `channels:{${tagOf(shard)}}`,
  /** hash of channel → people of running messages whose receipt on it is open */
  waiting: (shard: string) => `waiting:{${tagOf(shard)}}`,
  /** what has come of messages in an hour, counted since 1970, or in `all` that are over; see stats/fields.ts */
  stats: (shard: string, hour: number | 'all') => `stats:{${tagOf(shard)}}:${hour}`,
  /** the same of an hour that is over, summed over all shards: JSON */
  statsHour: (hour: number) => `stats-hour:${hour}`,
  /** what is to be done on a channel: stream of ranges of ordinals, with one group, named as the channel */
  work: (shard: string, channel: string, cls: MessageClass) => `work:{${tagOf(shard)}}:${channel}:${cls}`,

  /** of one account of one channel: a provider's "slow down", whose turn it is at the shared rate, and the slots where the provider counts calls */
  pause: (channel: string, account: string) => `pause:{${channel}:${account}}`,
  turns: (channel: string, account: string) => `turns:{${channel}:${account}}`,
  slots: (channel: string, account: string) => `slots:{${channel}:${account}}`,
  /** what the provider calls a file that the account has given it, or that it takes none, or who is giving it; see file-references.ts of the couriers */
  fileReference: (channel: string, account: string, file: string) => `file-reference:{${channel}:${account}}:${file}`,
  /** whether an endpoint of a channel is called at all: hash of what it has answered */
  breaker: (channel: string, endpoint: string) => `breaker:{${channel}:${endpoint}}`,
  /** which of them are open or off: zset of `<endpoint> <since>` by since when, Unix ms */
  openBreakers: (channel: string) => `open-breakers:${channel}`,
  /** whom a provider's message id stands for, and a report that came before that was known */
  providerId: (bucket: number, channel: string, id: string) => `provider-id:{${tagOfBucket(bucket)}}:${channel}:${id}`,
  /** of an address, where the provider tells up to which of its messages somebody has read: hash of provider id → whom it stands for, and what was read */
  unread: (bucket: number, channel: string, address: string) => `unread:{${tagOfBucket(bucket)}}:${channel}:${address}`,

  /** of the people of one bucket: hash of person → record, and for each channel a hash of person → contact */
  people: (bucket: number) => `people:{${tagOfBucket(bucket)}}`,
  contacts: (bucket: number, channel: string) => `contacts:{${tagOfBucket(bucket)}}:${channel}`,
  /** hash of person → since when they have opted out of the channel, Unix ms, of whoever has no contact there any more */
  stops: (bucket: number, channel: string) => `stop:{${tagOfBucket(bucket)}}:${channel}`,
  /** hash of person → what they want, JSON; absent for nearly everyone */
  wishes: (bucket: number) => `wishes:{${tagOfBucket(bucket)}}`,
  /** hash of person → what they were sent on a day of UTC, such as 2026-09-01, packed */
  diary: (bucket: number, day: string) => `diary:{${tagOfBucket(bucket)}}:${day}`,
  /** what of this tag somebody follows: zset of `<resource>:<id or *> <subscription>`, all with score 0; see packages/subscriptions */
  watched: (tag: string) => `watched:{${tag}}`,
  /** what of it has changed since the notifiers looked: zset of `<resource>:<id>` → number of its mark; `#` has the latest */
  dirty: (tag: string) => `dirty:{${tag}}`,
  /** what goes out once somebody is online: zset by when each was due; and when they were reported so last, see lua/lib/reports.lua */
  waitingOnline: (bucket: number, person: string) => `waiting-online:{${tagOfBucket(bucket)}}:${person}`,
  online: (bucket: number, person: string) => `online:{${tagOfBucket(bucket)}}:${person}`,
  /** by which number somebody names a message that they are asked to confirm: hash of number → `<ms> <history key> <ordinal>`; see asked.ts */
  asked: (bucket: number, person: string) => `asked:{${tagOfBucket(bucket)}}:${person}`,
  /** ids of the people of a bucket, in their order */
  personIds: (bucket: number) => `person-ids:{${tagOfBucket(bucket)}}`,
  /** ids of people who were removed: nobody else gets them */
  removedPeople: (bucket: number) => `removed-people:{${tagOfBucket(bucket)}}`,
  /** ids of the people of a bucket who have this role */
  role: (bucket: number, role: string) => `role:{${tagOfBucket(bucket)}}:${role}`,
  /** what somebody was called who was removed, for histories that name them */
  formerName: (person: string) => `former-name:${person}`,
  contactChannels: 'contact-channels',
  contactOf: (channel: string, address: string) => `contact-of:${channel}:${address}`,
  group: (id: string) => `group:${id}`,
  members: (group: string) => `members:${group}`,
  cohort: (id: string) => `cohort:${id}`,
  cohortGroups: (cohort: string) => `cohort-groups:${cohort}`,
  topic: (id: string) => `topic:${id}`,
  /** who has joined it: set of ids of people */
  topicMembers: (topic: string) => `topic-members:${topic}`,
  topics: 'topics',
  /** a stored text: stream of its versions; and the ids of all of them */
  template: (id: string) => `template:${id}`,
  templates: 'templates',
  groups: 'groups',
  cohorts: 'cohorts',
  /** lists of people that were loaded lately: zset of id by when, Unix ms */
  imports: 'imports',
  /** of one, what it has come to, and the groups and cohorts that it has made, named or put together: hash; see roster/journal.ts */
  ofImport: (id: string) => `import:${id}`,
  /** what it has changed of people, with what was there before: hash of person → JSON */
  importPeople: (id: string) => `import-people:${id}`,
  apiKey: (id: string) => `api-key:${id}`,
  apiKeys: 'api-keys',
  /** what counts against a sender's day: zset of history key by when it was counted, Unix ms */
  quota: (owner: string) => `quota:${owner}`,
  /** what of a budget is spent, and what of that is reserved for attempts whose end is not known: hash; see budget/read-budgets.ts */
  budget: (budget: string) => `budget:${budget}`,
  /** the latest message of a sender with this text to these people */
  same: (sender: string, digest: string) => `same:${sender}:${digest}`,
  /** tries of somebody at something, in the window that began with the first */
  limit: (what: string, who: string) => `limit:${what}:${who}`,
  /** how far somebody's calls are ahead of their rate; and what they had stored today */
  calls: (owner: string) => `calls:${owner}`,
  stored: (owner: string) => `stored:${owner}`,
  storedFiles: (owner: string) => `stored:${owner}:files`,
  /** what people write to: hash of channel → name of the bot or community, or number, as its inbound process says */
  inboundAddresses: 'inbound-addresses',
  /** one-time codes and sessions, known by digests only */
  enrolment: (channel: string, digest: string) => `enrolment:${channel}:${digest}`,
  /** of people who want to be put into the list: hash of id → JSON, as applications.ts has it */
  applications: 'applications',
  /** the newest code of a person that is good for days: older ones are void */
  enrolmentOf: (person: string, channel: string) => `enrolment-of:${person}:${channel}`,
  signIn: (browser: string) => `sign-in:${browser}`,
  /** people who have signed in with this browser: set of ids */
  browser: (digest: string) => `browser:${digest}`,
  session: (digest: string) => `session:${digest}`,
  /** zset of the ids of somebody's sessions, by when each was opened, Unix ms */
  sessions: (person: string) => `sessions:${person}`,
  audit: 'audit',
  /** whose data is being erased: hash of id of the job → JSON; and which process is at work on it */
  erasures: 'erasures',
  erasureLease: (id: string) => `erasure-lease:${id}`,
  idempotency: (owner: string, key: string) => `idempotency:${owner}:${key}`,
  fleet: 'fleet',
  /** what operators have set while the fleet ran: stream of versions, the newest counts; see settings/ */
  settings: 'settings',
  /** see take-overs.ts: stream of `message` (`<shard>.<id>`), `channel`, `people` */
  takeOvers: 'take-overs',
  /** see happened.ts: stream of `what`, `of`, `since` */
  happened: 'happened',
  /** sums over all processes of what has happened; see figures.ts */
  figures: 'figures',
  /** alarms that hold: name → JSON; which timekeeper watches; that operators were told of one */
  alarms: 'alarms',
  watcher: 'watcher',
  told: (alarm: string) => `told:${alarm}`,
  /** signs the one-click addresses of mail; see one-click.ts */
  oneClickSecret: 'one-click-secret',
  /** written so that WAIT has something to wait for; the tag only says on which master */
  durable: (tag: string) => `durable:{${tag}}`,
  /** written to learn whether Redis takes writes */
  ready: 'ready',
  /** what signs the calls that are made for somebody: list, the newest first; see webhooks/src/webhook-secrets.ts */
  webhookSecrets: (owner: string) => `webhook-secrets:${owner}`,
  /** hash of channel → where its couriers send to; see targets.ts */
  targets: 'targets',
  /** histories of one sender in a shard: stream of history ids, its entries named by when each was accepted, Unix ms */
  sent: (shard: string, sender: string) => `sent:{${tagOf(shard)}}:${sender}`,
  /** the message of this sender about something to a person, `<person>:<thing>`: its id */
  about: (shard: string, sender: string, about: string) => `about:{${tagOf(shard)}}:${sender}:${about}`,
  /** an event of this sender: hash; and its reminders: zset of the ids of histories by how long after it each is due, s */
  event: (shard: string, sender: string, event: string) => `event:{${tagOf(shard)}}:${sender}:${event}`,
  reminders: (shard: string, sender: string, event: string) => `reminders:{${tagOf(shard)}}:${sender}:${event}`,
  /** ids of the events of a sender: zset, all of one score and so in their order */
  events: (sender: string) => `events:${sender}`,
  /** an operator's pause of a channel: `<since, Unix ms> <id of the operator>` */
  channelPause: (channel: string) => `channel-pause:${channel}`,
  /** who has messages in a shard: zset of sender by when their latest was accepted, Unix ms */
  senders: (shard: string) => `senders:{${tagOf(shard)}}`,
  /** who is told of changes: each subscription, which of them has a URL and resource, and those of an owner; in one slot */
  subscription: (id: string) => `subscription:{subscriptions}:${id}`,
  /** which notifier is at work on it; what of it is due, zset of id of a resource → Unix ms; what was marked since it was taken */
  subscriptionLease: (id: string) => `subscription-lease:{subscriptions}:${id}`,
  subscriptionDue: (id: string) => `subscription-due:{subscriptions}:${id}`,
  /** of each subscription with something to do: when, Unix ms; 0 for a replay, or one whose owner is to be told that it is disabled */
  subscriptionsDue: 'subscriptions-due:{subscriptions}',
  subscriptionAgain: (id: string) => `subscription-again:{subscriptions}:${id}`,
  /** of each resource what was delivered last, and what is on its way; see packages/notifier */
  subscriptionViews: (id: string) => `subscription-views:{subscriptions}:${id}`,
  subscriptionSending: (id: string) => `subscription-sending:{subscriptions}:${id}`,
  subscribed: 'subscribed:{subscriptions}',
  subscriptionsOf: (owner: string) => `subscriptions-of:{subscriptions}:${owner}`,
  /** what was sent to a subscriber in a day: stream of attempts */
  deliveries: (subscription: string) => `deliveries:${subscription}`,
  /** heartbeat of one process, with a TTL; and the set of their names */
  process: (name: string) => `process:${name}`,
  processes: 'processes',
} as const

/**
 * The fleet's own channels of pub/sub. All are sharded: each lies in the slot of its name, so that a script may publish where its keys are, and a
 * cluster tells none of its other nodes. Whatever is told here is a hint.
 */
export const hints = {
  /** this history has changed */
  change: (ref: HistoryRef) => of('change', ref),
  /** a delivery was put at the head of this shard's due set; payload: its due time, Unix ms */
  dueHead: (shard: string) => `due-head:{${tagOf(shard)}}`,
  /** a work stream of this channel has new pieces; payload: its class */
  workOf: (shard: string, channel: string) => `work-of:{${tagOf(shard)}}:${channel}`,
  /** something that is watched has changed, which lies under this tag */
  marked: (tag: string) => `marked:{${tag}}`,
  /** a subscription is new, is to be replayed or has something to do; payload: its id */
  subscription: 'subscription-changed:{subscriptions}',
  /** there is a newer version of the settings; payload: its number. Or something else that each process looks at: a pause, a growth of the shards; empty */
  settings: 'settings-changed',
} as const

/** In the slot of a key that carries a tag, and of its kind: the name of nothing, ever. See script.ts. */
export const nobodysKey = (key: string) => `${key}:?`
