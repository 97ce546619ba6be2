import type { ApiKeys, Directory } from '@courier-fleet/directory'
import type { Clock, Log } from '@courier-fleet/process'
import type { Durability, Events, Histories, LiveSettings, Redis, Stats, Templates } from '@courier-fleet/store'
import type { Subscriptions, Views } from '@courier-fleet/subscriptions'
import type { WebhookSecrets } from '@courier-fleet/webhooks'
import type { AcceptMessages } from './acceptance/accept-message.ts'
import type { ReadAddressees } from './acceptance/addressees.ts'
import type { MoveEvents } from './acceptance/move-events.ts'
import type { SenderLines } from './acceptance/sender-lines.ts'
import type { Audit } from './access/audit.ts'
import type { SendingRights } from './access/sending-rights.ts'
import type { Sessions } from './access/sessions.ts'
import type { SignIns } from './access/sign-ins.ts'
import type { Files } from './files/files.ts'
import type { Metrics } from './fleet/metrics.ts'
import type { SystemMessages } from './fleet/system-messages.ts'
import type { Background } from './http/background.ts'
import type { Idempotency } from './http/idempotency.ts'
import type { Allowances } from './limits/allowances.ts'
import type { BudgetViews } from './limits/budget-views.ts'
import type { OpenCalls } from './limits/open-calls.ts'
import type { Quota } from './limits/quota.ts'
import type { RateLimits } from './limits/rate-limits.ts'
import type { RedisRoom } from './limits/redis-room.ts'
import type { Rules } from './limits/rules.ts'
import type { WebApp } from './pages/web-app.ts'
import type { Enrolments } from './people/enrolments.ts'
import type { Erasures } from './people/erasures.ts'
import type { LinkContact } from './people/link-contact.ts'
import type { PersonWishes } from './people/person-wishes.ts'
import type { RemovePerson } from './people/remove-person.ts'
import type { Forecasts } from './plan/forecast.ts'
import type { ChangeSettings } from './settings/change-settings.ts'
import type { Webhooks } from './subscriptions/webhooks.ts'
import type { Tracker } from './tracker/index.ts'

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
  readonly files: Files
  readonly openCalls: OpenCalls
  readonly quota: Quota
  readonly budgetViews: BudgetViews
  readonly rateLimits: RateLimits
  readonly metrics: Pick<Metrics, 'countSetAside'>
  readonly senderLines: SenderLines
  readonly forecasts: Forecasts
  readonly enrolments: Enrolments
  readonly sessions: Sessions
  readonly signIns: SignIns
  readonly systemMessages: SystemMessages
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
