import type { ApiKeys, Directory } from '@courier-fleet/directory'
import type { Clock, Log } from '@courier-fleet/process'
import type { Durability, Events, Histories, LiveSettings, Redis, Stats, Templates } from '@courier-fleet/store'
import type { Subscriptions, Views } from '@courier-fleet/subscriptions'
import type { WebhookSecrets } from '@courier-fleet/webhooks'
import type { AcceptMessages } from './accept-message.ts'
import type { ReadAddressees } from './addressees.ts'
import type { Allowances } from './allowances.ts'
import type { Audit } from './audit.ts'
import type { Background } from './background.ts'
import type { BudgetViews } from './budget-views.ts'
import type { ChangeSettings } from './change-settings.ts'
import type { Enrolments } from './enrolments.ts'
import type { Erasures } from './erasures.ts'
import type { Forecasts } from './forecast.ts'
import type { Idempotency } from './idempotency.ts'
import type { LinkContact } from './link-contact.ts'
import type { MoveEvents } from './move-events.ts'
import type { OpenCalls } from './open-calls.ts'
import type { PersonWishes } from './person-wishes.ts'
import type { Quota } from './quota.ts'
import type { RateLimits } from './rate-limits.ts'
import type { RedisRoom } from './redis-room.ts'
import type { RemovePerson } from './remove-person.ts'
import type { Rules } from './rules.ts'
import type { SenderLines } from './sender-lines.ts'
import type { SendingRights } from './sending-rights.ts'
import type { Sessions } from './sessions.ts'
import type { SignIns } from './sign-ins.ts'
import type { Tracker } from './tracker/index.ts'
import type { WebApp } from './web-app.ts'
import type { Webhooks } from './webhooks.ts'

/** What the service is built from. */
export interface AppDeps {
  /** gives up soon (connect-queue-redis.ts): a request is answered with 503 rather than kept waiting */
  readonly redis: Redis
  readonly durability: Durability
  readonly histories: Histories
  readonly tracker: Tracker
  readonly directory: Directory
  readonly apiKeys: ApiKeys
  readonly clock: Clock
  readonly log: Log
  readonly shards: number
  readonly rules: Rules
  readonly settings: LiveSettings
  readonly webhooks: Webhooks
  /** `/metrics` has an address of its own (metrics-server.ts), and is not among the routes */
  readonly metricsElsewhere?: boolean
  /** absent: the API alone */
  readonly webApp?: WebApp
}

/** What the routes are built from. */
export interface RouteDeps extends AppDeps {
  readonly acceptMessages: AcceptMessages
  readonly addressees: ReadAddressees
  readonly events: Events
  readonly templates: Templates
  readonly moveEvents: MoveEvents
  readonly idempotency: Idempotency
  readonly allowances: Allowances
  readonly redisRoom: RedisRoom
  readonly openCalls: OpenCalls
  readonly quota: Quota
  readonly budgetViews: BudgetViews
  readonly rateLimits: RateLimits
  readonly senderLines: SenderLines
  readonly forecasts: Forecasts
  readonly enrolments: Enrolments
  readonly sessions: Sessions
  readonly signIns: SignIns
  readonly linkContact: LinkContact
  readonly personWishes: PersonWishes
  /** drained before the service has stopped */
  readonly background: Background
  readonly audit: Audit
  readonly sendingRights: SendingRights
  readonly removePerson: RemovePerson
  readonly erasures: Erasures
  readonly changeSettings: ChangeSettings
  readonly stats: Stats
  readonly subscriptions: Subscriptions
  readonly views: Views
  readonly webhookSecrets: WebhookSecrets
  /** aborted when the service begins to stop: whoever waits answers with what is known */
  readonly stopping: AbortSignal
}
